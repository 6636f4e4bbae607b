#!/usr/bin/env bash
# Lints and tests of the integrations, which are workspaces of their own: DataFusion, Ballista and wgpu take long to build. One of them
# is left out, and that is said, if nothing that it is made of has changed since it last passed on this machine.
set -euo pipefail
cd "$(dirname "$0")/.."

# What this project has of each, as git knows it; nothing if there are changes that are not committed.
state_of() {
  if git diff --quiet HEAD -- "$@"; then
    for path in "$@"; do git rev-parse "HEAD:$path"; done
    rustc --version
  fi
}

# Lints and tests an integration that is made of some folders.
hold() {
  local name="$1"
  shift
  local made_of=(Cargo.toml reduce-core reduce-macros specs examples/gallery integrations/test.sh "integrations/$name" "$@")
  local passed="${XDG_CACHE_HOME:-$HOME/.cache}/reduce/$name-passed"
  local state
  state="$(state_of "${made_of[@]}")"
  if [ -n "$state" ] && [ "$state" == "$(cat "$passed" 2> /dev/null)" ]; then
    echo "$name is skipped: nothing that it is made of has changed since it passed here"
    return
  fi
  pushd "integrations/$name" > /dev/null
  cargo fmt --all --check
  cargo clippy --workspace --all-targets --all-features -- -D warnings
  cargo test --workspace --all-features
  RUSTDOCFLAGS=-Dwarnings cargo doc --workspace --no-deps --all-features
  popd > /dev/null
  if [ -n "$state" ]; then
    mkdir -p "$(dirname "$passed")"
    echo "$state" > "$passed"
  fi
}

# Whether a Vulkan driver is there; one that computes on the CPU is installed where it can be.
has_driver() {
  compgen -G '/usr/share/vulkan/icd.d/*.json' > /dev/null || compgen -G '/etc/vulkan/icd.d/*.json' > /dev/null
}

hold datafusion
if ! has_driver && command -v apt-get > /dev/null; then
  apt-get install -y mesa-vulkan-drivers > /dev/null 2>&1 \
    || { apt-get update && apt-get install -y mesa-vulkan-drivers; } > /dev/null 2>&1 || true
fi
if has_driver; then
  hold gpu cli tour
else
  echo "the GPU is skipped: no Vulkan driver is there, and Debian's mesa-vulkan-drivers cannot be installed"
fi
