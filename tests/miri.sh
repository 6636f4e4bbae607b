#!/usr/bin/env bash
# Aliasing: emission over transposed inputs, interpreted by Miri at the scalar level. It needs a nightly compiler with the
# component `miri`, and takes a few minutes. Arguments name other tests of `api`. `emission::turned::of_two_inputs` takes
# more than twenty minutes.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo +nightly miri --version > /dev/null 2>&1 || {
  echo "Miri is skipped: it is not there; rustup toolchain install nightly --component miri,rust-src"
  exit 0
}
tests=("$@")
[ ${#tests[@]} -gt 0 ] || tests=(emission::turned::of_every_size_of_elements)
# Threads of the pool live as long as the program, and the queue of the pool keeps pointers as numbers.
export MIRIFLAGS="-Zmiri-disable-isolation -Zmiri-ignore-leaks -Zmiri-permissive-provenance"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/miri"
cargo +nightly miri test -p reduce-tests --test api -- "${tests[@]}"
