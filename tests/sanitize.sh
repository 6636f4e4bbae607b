#!/usr/bin/env bash
# Memory: the tests of the core, and `api` and `results`, with the address sanitizer of the compiler; and then a part of them in
# valgrind, which also sees what is read before it is written. Half an hour on two cores.
# `bash tests/sanitize.sh address` or `bash tests/sanitize.sh valgrind` runs one of them; more arguments name tests.
set -euo pipefail
cd "$(dirname "$0")/.."

which="${1:-}"
target="$(rustc --print host-tuple)"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/sanitize"

# The program that the tests of an area are.
program_of() {
  cargo test --no-run --message-format=json -p reduce-tests --test "$1" 2> /dev/null \
    | sed -n "s/.*\"executable\":\"\([^\"]*\/$1-[0-9a-f]*\)\".*/\1/p" | tail -n 1
}

case "$which" in
  '' | address)
    # The sanitizer is there in a stable compiler, under a flag that asks for another one. With a target named, programs that cargo
    # runs while it builds are compiled without it.
    export RUSTC_BOOTSTRAP=1
    export RUSTFLAGS="-Zsanitizer=address"
    # What the pool of threads keeps to its end is no leak. Some tests ask for memory that cannot be had.
    export ASAN_OPTIONS="detect_leaks=0:detect_stack_use_after_return=1:allocator_may_return_null=1"
    cargo test --target "$target" -p reduce-core --lib
    cargo test --target "$target" -p reduce-tests --test api --test results -- "${@:2}"
    unset RUSTC_BOOTSTRAP RUSTFLAGS ASAN_OPTIONS
    ;;
esac
case "$which" in
  '' | valgrind)
    command -v valgrind > /dev/null || {
      echo "valgrind is skipped: it is not there"
      exit 0
    }
    tests=("${@:2}")
    [ ${#tests[@]} -gt 0 ] || tests=(emission:: inputs:: strided:: stream:: special:: lengths:: pieces)
    for area in api results; do
      program="$(program_of "$area")"
      (cd tests && valgrind --quiet --error-exitcode=1 --fair-sched=yes "$program" "${tests[@]}")
    done
    ;;
esac
