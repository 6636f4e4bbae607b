#!/usr/bin/env bash
# What a release promises beside its tests: licences and sources of what it depends on, the oldest versions that its manifests
# allow, every set of features, and that no item went away unsaid since a commit.
# `bash tests/release-checks.sh [BASE]`: BASE is a commit or a tag; the newest tag where none is given. It takes some twenty minutes on
# two cores, and needs `cargo install --locked cargo-deny cargo-semver-checks`.
set -euo pipefail
cd "$(dirname "$0")/.."

base="${1:-$(git describe --tags --abbrev=0 2> /dev/null || true)}"
libraries=(reduce-macros reduce-core reduce-specs reduce-gallery reduce-onnx)
copy="$(mktemp -d)"
trap 'git worktree remove --force "$copy/oldest" > /dev/null 2>&1 || true; rm -rf "$copy"' EXIT
wrong=()

step() {
  printf '\n== %s (after %d s)\n' "$*" "$SECONDS"
  "$@" || wrong+=("$*")
}

# The tool, or a sentence that says how to have it.
has() {
  cargo "$1" --version > /dev/null 2>&1 && return
  wrong+=("cargo $1 is not there: cargo install --locked cargo-$1")
  return 1
}

# Each set of features of a package compiles, without a warning.
each_set_of_features() {
  local package="$1"
  shift
  local features=("$@") set number bit
  for ((number = 0; number < 1 << ${#features[@]}; number++)); do
    set=""
    for ((bit = 0; bit < ${#features[@]}; bit++)); do
      ((number >> bit & 1)) && set+="${features[bit]},"
    done
    RUSTFLAGS="-D warnings" cargo check --quiet -p "$package" --no-default-features --features "$set" || {
      echo "error: $package does not compile with the features '$set'" >&2
      return 1
    }
  done
}

# The oldest versions that the manifests name compile, in a copy of the last commit.
oldest_versions() {
  git worktree add --quiet --detach "$copy/oldest" HEAD
  (
    cd "$copy/oldest"
    RUSTC_BOOTSTRAP=1 cargo update --quiet -Z direct-minimal-versions
    CARGO_TARGET_DIR="$copy/target" cargo check --quiet --all-features "${libraries[@]/#/-p}"
  )
}

if has deny; then
  step cargo deny --all-features check licenses bans sources
  # The list of advisories is fetched from where it is kept.
  step cargo deny --all-features check advisories
fi
if [ -z "$base" ]; then
  echo "no tag is there, so that no change of items is looked for; name a commit"
elif has semver-checks; then
  for library in "${libraries[@]:1}"; do step cargo semver-checks -p "$library" --baseline-rev "$base"; done
fi
step oldest_versions
step each_set_of_features reduce-core parallel kernels-ahead ndarray arrow serde
step each_set_of_features reduce-specs parallel by-name serde
step each_set_of_features reduce-gallery parallel by-name

printf '\n'
[ ${#wrong[@]} -eq 0 ] || {
  printf 'error: %s\n' "${wrong[@]}" >&2
  exit 1
}
echo "all that a release promises was found"
