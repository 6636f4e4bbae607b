#!/usr/bin/env bash
# Stands before the compiler (RUSTC_WRAPPER): what is fuzzed says which of its code an input reaches, by the flags of cargo-fuzz, all
# of which the stable compiler has. Not the crates of the operators: their kernels take long to compile, and longer with counters in
# each loop, and no input that is read ends in one. Nor what runs on this machine while the rest is built: build scripts and macros,
# which cargo compiles without `--target`.
set -euo pipefail

coverage=(
  -Cpasses=sancov-module
  -Cllvm-args=-sanitizer-coverage-level=4
  -Cllvm-args=-sanitizer-coverage-inline-8bit-counters
  -Cllvm-args=-sanitizer-coverage-pc-table
  -Cllvm-args=-sanitizer-coverage-trace-compares
)

name="" previous="" has_target=no
for argument in "$@"; do
  if [ "$previous" == --crate-name ]; then name="$argument"; fi
  if [ "$argument" == --target ]; then has_target=yes; fi
  previous="$argument"
done

if [ "$has_target" == no ]; then exec "$@"; fi
case "$name" in
  reduce_specs | reduce_gallery) exec "$@" ;;
  # What the targets need of its arrays and its text is private to all others.
  reduce_cli) exec "$@" "${coverage[@]}" --cfg fuzzing ;;
  *) exec "$@" "${coverage[@]}" ;;
esac
