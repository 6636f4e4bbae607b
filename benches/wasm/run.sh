#!/usr/bin/env bash
# Measures operators on WebAssembly, without vectors and with them. Needs Node and the standard library for wasm32-wasip1.
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_TARGET_WASM32_WASIP1_RUNNER="node --no-warnings $PWD/../../tests/wasi.mjs"
for flags in '' -Ctarget-feature=+simd128; do
  CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS="$flags" cargo run --quiet --release --target wasm32-wasip1
done
