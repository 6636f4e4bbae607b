# What `neon.sh` and `wasm.sh` share: how they get what Rust's toolchain for this machine lacks. They source this file.

# The folder in which packages are unpacked, each list of them in one of its own.
cache="${XDG_CACHE_HOME:-$HOME/.cache}/reduce"

# The folder of the installed toolchain's own linkers.
linkers="$(rustc --print sysroot)/lib/rustlib/$(rustc --print host-tuple)/bin"

# Whether the compiler has the standard library for a target, or rustup can get it. `REDUCE_COMPILER=debian` says no, to try the other way.
has_standard_library() {
  [ "${REDUCE_COMPILER:-}" != debian ] || return 1
  compgen -G "$(rustc --print target-libdir --target "$1")/libstd-*.rlib" > /dev/null \
    || { command -v rustup > /dev/null && rustup target add "$1"; }
}

# Takes a compiler of Debian in place of the installed one: `take_compiler FOLDER SUITE PACKAGE...`. It is started with the libraries
# that are unpacked beside it, which may be newer than this machine's.
take_compiler() {
  local root="$1" libraries="$1/usr/lib/x86_64-linux-gnu"
  unpack "$@" || return 1
  local loader="$libraries/ld-linux-x86-64.so.2"
  [ -e "$loader" ] || loader=/lib64/ld-linux-x86-64.so.2
  printf '#!/bin/sh\nexec "%s" --library-path "%s" "%s/usr/bin/rustc" "$@"\n' "$loader" "$libraries" "$root" > "$root/rustc"
  chmod +x "$root/rustc"
  export RUSTC="$root/rustc"
  "$RUSTC" --version
}

# The address of a suite of Debian, as this machine's own list of sources names it. Lists of packages lie in the first folder.
mirror() {
  apt-get -o Dir::State::lists="$1" update --print-uris 2> /dev/null | sed -n "s|^'\(.*\)/dists/$2/InRelease'.*|\1|p" | head -n 1
}

# Unpacks packages of a suite into a folder, unless they are there: `unpack FOLDER SUITE PACKAGE...`. The lists of packages and all that
# is downloaded lie there, too, so that nothing of the machine's changes, and nobody has to be root.
unpack() {
  local root="$1" suite="$2"
  shift 2
  if [ "$(cat "$root/packages" 2> /dev/null)" == "$suite $*" ]; then
    return
  fi
  command -v apt-get > /dev/null && command -v dpkg-deb > /dev/null || return 1
  rm -rf "$root"
  mkdir -p "$root/apt/lists/partial" "$root/apt/archives/partial"
  # What is at the address of the stable suite is unstable too.
  local named="$suite" address
  [ "$suite" != unstable ] || named=bookworm
  address="$(mirror "$root/apt/lists" "$named")"
  [ -n "$address" ] || return 1
  echo "deb $address $suite main" > "$root/apt/sources.list"
  cat > "$root/apt/apt.conf" << END
Dir::State::lists "$root/apt/lists";
Dir::Cache "$root/apt";
Dir::Etc::sourcelist "$root/apt/sources.list";
Dir::Etc::sourceparts "-";
APT::Architectures { "amd64"; "arm64"; };
APT::Sandbox::User "";
Acquire::Languages "none";
END
  (
    export APT_CONFIG="$root/apt/apt.conf"
    cd "$root/apt"
    apt-get -qq update && apt-get -qq download "$@"
  ) || return 1
  local package
  for package in "$root"/apt/*.deb; do
    dpkg-deb -x "$package" "$root" || return 1
  done
  rm -rf "$root/apt"
  echo "$suite $*" > "$root/packages"
}
