#!/usr/bin/env bash
# Tests on ARM: compiled for aarch64 with NEON, and run by an emulator. Without arguments, those that show that results have the same
# bits there. Arguments are those of `cargo test`, for others:
#
#   bash tests/neon.sh -p reduce-tests --test results paths
#
# The C compiler that starts the linker, the C library and the emulator are packages of Debian; so is the compiler, where rustup has no standard
# library for ARM. They are unpacked into folders of the cache, and nothing is installed. Where they cannot be had, the tests are skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
source tests/debian.sh

target=aarch64-unknown-linux-gnu
root="$cache/arm64"

skip() {
  echo "NEON is skipped: $1"
  exit 0
}

unpack "$root" bookworm gcc-12-aarch64-linux-gnu libgcc-12-dev-arm64-cross libgcc-s1-arm64-cross libc6-arm64-cross libc6-dev-arm64-cross \
  qemu-user-static || skip "the packages of Debian that link and emulate programs for ARM cannot be had"

has_standard_library "$target" \
  || take_compiler "$cache/rustc-arm64" bookworm-security rustc-web libstd-rust-web-1.96 libstd-rust-web-dev libstd-rust-web-dev:arm64 libllvm22 \
  || skip "there is no standard library for $target"

export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER="$root/usr/bin/aarch64-linux-gnu-gcc-12"
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUSTFLAGS="-Clink-arg=--sysroot=$root -Clink-arg=-fuse-ld=lld -Clink-arg=-B$linkers/gcc-ld"
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="$root/usr/bin/qemu-aarch64-static -L $root/usr/aarch64-linux-gnu"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/neon"
# Tests that start programs, or limit what they may take, would do so to the emulator.
export REDUCE_EMULATED=1 REDUCE_REQUIRE_LEVELS=scalar,neon

if [ $# -eq 0 ]; then
  # Clippy comes with the installed toolchain, and needs its library.
  [ -n "${RUSTC:-}" ] || cargo clippy --target "$target" -p reduce-core -p reduce-specs -- -D warnings
  # All operators, the gallery's too, take four times as long: `cargo run -p reduce-digest -- --quick`.
  cargo run --target "$target" -p reduce-digest -- --quick --onnx
  set -- -p reduce-tests --test portable
fi
cargo test --target "$target" "$@"
