#!/usr/bin/env bash
# Tests on ARM: compiled for aarch64 with NEON, and run by an emulator. Without arguments, those that show that results have the same
# bits there. Arguments are those of `cargo test`, for others:
#
#   bash tests/neon.sh -p reduce-tests --test results paths
#
# The linker, the C library and the emulator are packages of Debian. They are unpacked into a folder of the cache, and nothing
# is installed. Where they cannot be had, the tests are skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
source tests/debian.sh

target=aarch64-unknown-linux-gnu
root="${XDG_CACHE_HOME:-$HOME/.cache}/reduce/arm64"

skip() {
  echo "NEON is skipped: $1"
  exit 0
}

has_standard_library "$target" || skip "rustup has no standard library for $target"
unpack "$root" bookworm gcc-12-aarch64-linux-gnu libgcc-12-dev-arm64-cross libgcc-s1-arm64-cross libc6-arm64-cross libc6-dev-arm64-cross \
  qemu-user-static || skip "the packages of Debian that link and emulate programs for ARM cannot be had"

# The linker of Rust's own toolchain, under the name by which the C compiler starts it.
linkers="$(rustc --print sysroot)/lib/rustlib/$(rustc --print host-tuple)/bin/gcc-ld"
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER="$root/usr/bin/aarch64-linux-gnu-gcc-12"
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUSTFLAGS="-Clink-arg=--sysroot=$root -Clink-arg=-fuse-ld=lld -Clink-arg=-B$linkers"
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="$root/usr/bin/qemu-aarch64-static -L $root/usr/aarch64-linux-gnu"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/neon"
# Tests that start programs, or limit what they may take, would do so to the emulator.
export REDUCE_EMULATED=1 REDUCE_REQUIRE_LEVELS=scalar,neon

if [ $# -eq 0 ]; then
  cargo clippy --target "$target" -p reduce-core -p reduce-specs -- -D warnings
  set -- -p reduce-tests --test portable
fi
cargo test --target "$target" "$@"
