#!/usr/bin/env bash
# Makes the packages, looks at what is in them, and uses them as somebody does who has nothing but them.
# `bash tests/package.sh`: needs nothing from the network once `cargo fetch` has run.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(reduce-macros reduce-core reduce-specs reduce-gallery reduce-tour reduce-onnx reduce-cli)
target="$(cargo metadata --no-deps --format-version 1 --offline | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')"
version="$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)"
mkdir -p "$target"
selected=()
for package in "${packages[@]}"; do selected+=(-p "$package"); done

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# Not built here: what is built below is built from the same files. `--verify` builds each package alone, too.
verify=--no-verify
[ "${1:-}" = --verify ] && verify=
cargo package "${selected[@]}" $verify --allow-dirty --offline --quiet 2> "$target/package.log" || {
  cat "$target/package.log" >&2
  fail "cargo package failed"
}

# What is in each: sources, one README, both licences, whole. No tests of the workspace, no benchmarks.
vendor="$target/package-user/vendor"
rm -rf "$target/package-user/vendor"
mkdir -p "$vendor"
for package in "${packages[@]}"; do
  tar -xf "$target/package/$package-$version.crate" -C "$vendor"
  folder="$vendor/$package-$version"
  for file in LICENSE-APACHE LICENSE-MIT; do
    cmp "$file" "$folder/$file" || fail "$package: not the workspace's $file"
  done
  [ -s "$folder/README.md" ] || fail "$package: no README.md"
  junk="$(find "$folder" -type f -printf '%P\n' | grep -vE \
    '^(src/.*|guide/.*\.md|data/(README\.md|elnino\.csv|onnx-operators\.json|rms\.onnx)|build\.rs|README\.md|LICENSE-(APACHE|MIT)|Cargo\.(toml|lock|toml\.orig)|\.cargo_vcs_info\.json)$' \
    || true)"
  [ -z "$junk" ] || fail "$package: has no use for $junk"
  # Pages of the workspace are not in a package; nor are they looked for there.
  outside="$(grep -rn 'cfg(doctest)' "$folder/src" || true)"
  [ -z "$outside" ] || fail "$package: reads pages that are not in it; write cfg(all(doctest, reduce_pages)): $outside"
done

# A crate outside the workspace, which has the packages and nothing else of it.
user="$target/package-user"
mkdir -p "$user/src"
{
  printf '[package]\nname = "package-user"\nversion = "0.0.0"\nedition = "2024"\npublish = false\n\n[workspace]\n\n'
  printf '[dependencies]\nreduce-core = "=%s"\nreduce-specs = "=%s"\nreduce-gallery = "=%s"\n\n' "$version" "$version" "$version"
  printf '[patch.crates-io]\n'
  for package in reduce-macros reduce-core reduce-specs reduce-gallery; do
    printf '%s = { path = "vendor/%s-%s" }\n' "$package" "$package" "$version"
  done
} > "$user/Cargo.toml"
cp Cargo.lock "$user/Cargo.lock"
cat > "$user/src/main.rs" <<'RUST'
use reduce_core::{Real, ReduceOp, Reduction, View, reduce_op};

#[derive(Clone, Copy, Debug, Default)]
pub struct SumOfSquares;

#[reduce_op(dtypes = [f32, f64])]
impl<A: Real> ReduceOp<A> for SumOfSquares {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, x: A) -> A { x * x }
    fn combine(&self, a: A, b: A) -> A { a + b }
    fn finalize(&self, sum: A, _: usize) -> A { sum }
}

fn main() -> Result<(), reduce_core::Error> {
    let data = View::new(&[3.0f32, 4.0, 6.0, 8.0], &[2, 2])?;
    let rows = Reduction::new(SumOfSquares).axes([1]).run(&data)?;
    let mean = Reduction::new(reduce_specs::ReduceMean).run(&data)?;
    let dot = Reduction::new(reduce_gallery::Dot).run(&(data.clone(), data.clone()))?;
    println!("{:?} {:?} {:?}", rows.data(), mean.data(), dot.data());
    Ok(())
}
RUST
# As from a registry: a package's warnings are its author's business, and its lints say nothing here.
printed="$(CARGO_TARGET_DIR="$user/target" cargo run --offline --quiet --manifest-path "$user/Cargo.toml")"
[ "$printed" = "[25.0, 100.0] [5.25] [125.0]" ] || fail "the user's program printed $printed"
printf 'packages of version %s: %s\n' "$version" "${packages[*]}"
