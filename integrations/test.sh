#!/usr/bin/env bash
# Lints and tests of the integrations, which are workspaces of their own: DataFusion and Ballista take long to build. They are
# left out, and that is said, if nothing that they are made of has changed since they last passed on this machine.
set -euo pipefail
cd "$(dirname "$0")/.."

# What they are made of, as git knows it; nothing if there are changes that are not committed.
made_of=(Cargo.toml reduce-core reduce-macros specs examples/gallery integrations)
state=""
if git diff --quiet HEAD -- "${made_of[@]}"; then
  state="$(for path in "${made_of[@]}"; do git rev-parse "HEAD:$path"; done; rustc --version)"
fi
passed="${XDG_CACHE_HOME:-$HOME/.cache}/reduce/integrations-passed"
if [ -n "$state" ] && [ "$state" == "$(cat "$passed" 2> /dev/null)" ]; then
  echo "skipped: neither the core, nor the operators, nor the integrations have changed since they passed here"
  exit 0
fi

cd integrations/datafusion
cargo fmt --all --check
cargo clippy --workspace --all-targets -- -D warnings
# The README's own command.
cargo test --workspace
if [ -n "$state" ]; then
  mkdir -p "$(dirname "$passed")"
  echo "$state" > "$passed"
fi
