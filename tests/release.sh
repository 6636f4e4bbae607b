#!/usr/bin/env bash
# Makes a release: its version in all manifests, its entry in the changelog, a commit, a tag and the packages. Nothing is published.
# `bash tests/release.sh 0.2.0` tries it in a copy, shows what would change, and makes the packages there.
# `bash tests/release.sh 0.2.0 --really` does it here, after the checks of `tests/release-checks.sh`.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

new="${1:-}"
[[ "$new" =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "name the version: bash tests/release.sh 0.2.0"
case "${2:-}" in
  '' | --really) ;;
  *) fail "\`$2\` is not known; write --really, or nothing to try it" ;;
esac
old="$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)"
[ "$(printf '%s\n' "$old" "$new" | sort -V | tail -n 1)" = "$new" ] && [ "$old" != "$new" ] || {
  # The first release has the version that the manifests name already.
  [ "$old" = "$new" ] && [ -z "$(git tag --list "v$new")" ] || fail "version $new does not come after $old"
}
[ -z "$(git tag --list "v$new")" ] || fail "the tag v$new is there already"
[ -z "$(git status --porcelain)" ] || fail "there are changes that are not committed"
grep -q '^## Unreleased$' CHANGELOG.md || fail "CHANGELOG.md has no section \`## Unreleased\`"
sed -n '/^## Unreleased$/,/^## [0-9]/p' CHANGELOG.md | grep -q '^- ' || fail "CHANGELOG.md says nothing under \`## Unreleased\`"

# Writes the version and the date where they belong.
write_version() {
  local manifest
  for manifest in $(git ls-files '*Cargo.toml'); do
    sed -i -E "s/^version = \"$old\"/version = \"$new\"/; s/^(reduce-[a-z-]+ = .*version = \"=)$old\"/\1$new\"/" "$manifest"
  done
  sed -i "s/^## Unreleased\$/## Unreleased\n\n## $new – $(date -u +%F)/" CHANGELOG.md
  for manifest in Cargo.toml $(git ls-files 'integrations/*/Cargo.toml' 'fuzz/Cargo.toml'); do
    cargo update --quiet --offline --workspace --manifest-path "$manifest"
  done
}

if [ "${2:-}" = --really ]; then
  bash tests/release-checks.sh
  bash .ci/run
  write_version
  bash tests/package.sh --verify
  git commit --quiet --all --message "release: $new"
  git tag --annotate "v$new" --message "$new"
  echo "version $new is committed and has the tag v$new; publish its packages in this order:"
  sed -n 's/^packages=(\(.*\))$/\1/p' tests/package.sh | tr ' ' '\n' | sed 's/^/  cargo publish -p /'
else
  copy="$(mktemp -d)"
  trap 'git worktree remove --force "$copy/release" > /dev/null 2>&1 || true; rm -rf "$copy"' EXIT
  git worktree add --quiet --detach "$copy/release" HEAD
  cd "$copy/release"
  write_version
  git --no-pager diff --stat
  git --no-pager diff -- CHANGELOG.md Cargo.toml
  CARGO_TARGET_DIR="$copy/target" bash tests/package.sh
  echo "nothing was changed here: this was tried in a copy"
fi
