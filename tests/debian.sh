# What `neon.sh` and `wasm.sh` share: how they get what Rust's toolchain for this machine lacks. They source this file.

# Whether the compiler has the standard library for a target, or rustup can get it.
has_standard_library() {
  compgen -G "$(rustc --print target-libdir --target "$1")/libstd-*.rlib" > /dev/null \
    || { command -v rustup > /dev/null && rustup target add "$1"; }
}

# The address of a suite of Debian, as this machine's own lists of packages name it.
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
  command -v apt-get dpkg-deb > /dev/null || return 1
  rm -rf "$root"
  mkdir -p "$root/apt/lists/partial" "$root/apt/archives/partial"
  local address
  address="$(mirror "$root/apt/lists" "$suite")"
  [ -n "$address" ] || return 1
  echo "deb $address $suite main" > "$root/apt/sources.list"
  cat > "$root/apt/apt.conf" << END
Dir::State::lists "$root/apt/lists";
Dir::Cache "$root/apt";
Dir::Etc::sourcelist "$root/apt/sources.list";
Dir::Etc::sourceparts "-";
Acquire::Languages "none";
APT::Sandbox::User "";
END
  export APT_CONFIG="$root/apt/apt.conf"
  apt-get -qq update && (cd "$root/apt" && apt-get -qq download "$@") || return 1
  local package
  for package in "$root"/apt/*.deb; do
    dpkg-deb -x "$package" "$root" || return 1
  done
  rm -rf "$root/apt"
  unset APT_CONFIG
  echo "$suite $*" > "$root/packages"
}
