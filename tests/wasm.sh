#!/usr/bin/env bash
# Tests on WebAssembly of 32 bits, at both of its levels: compiled for WASI, which has files and no threads, and run by Node. Without
# arguments, those that show that results have the same bits there. Arguments are those of `cargo test`, for others:
#
#   bash tests/wasm.sh -p reduce-tests --test results paths
#
# The compiler is Debian's, unpacked into a folder of the cache, where rustup has no standard library for the target. Where that cannot be had either, or there is
# no Node, the tests are skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
source tests/debian.sh

target=wasm32-wasip1

skip() {
  echo "WebAssembly is skipped: $1"
  exit 0
}

command -v node > /dev/null || skip "there is no Node to run it"
has_standard_library "$target" \
  || take_compiler "$cache/rustc-wasm" unstable rustc libstd-rust-1.97 libstd-rust-dev libstd-rust-dev-wasm32 libllvm22 libc6 libgcc-s1 libstdc++6 \
    libbsd0 libedit2 libffi8 libmd0 libtinfo6 libxml2-16 libz3-4 libzstd1 zlib1g \
  || skip "there is no standard library for $target"

export CARGO_TARGET_WASM32_WASIP1_LINKER="$linkers/rust-lld"
export CARGO_TARGET_WASM32_WASIP1_RUNNER="node --no-warnings $PWD/tests/wasi.mjs"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/wasm"

# Runs a program to its last line, `run_to LINE COMMAND...`. That line decides, and not the status: Node 20 was seen to crash when a
# program without vectors was at its end. A test that fails ends the program before that line.
run_to() {
  local line="$1" said
  shift
  said="$("$@" 2>&1 | tee -a /dev/stderr)" || true
  grep -q "^$line" <<< "$said"
}

# A program is compiled for one of the levels as a whole: without vectors, it runs in engines that have none.
for level in scalar simd128; do
  required=scalar
  flags=
  if [ "$level" == simd128 ]; then
    required=scalar,simd128
    flags=-Ctarget-feature=+simd128
  fi
  export REDUCE_REQUIRE_LEVELS="$required" CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS="$flags"
  echo "== WebAssembly, $level"
  if [ $# -eq 0 ]; then
    # Clippy comes with the installed toolchain, and needs its library.
    [ -n "${RUSTC:-}" ] || cargo clippy --target "$target" -p reduce-core -p reduce-specs -- -D warnings
    # All operators, the gallery's too, take four times as long: without `--onnx`.
    run_to 'the numbers are those that are committed' cargo run --target "$target" -p reduce-digest -- --quick --onnx
    run_to 'test result: ok' cargo test --target "$target" -p reduce-tests --test portable -- --nocapture
  else
    cargo test --target "$target" "$@"
  fi
done
