#!/usr/bin/env bash
# Says which links lead nowhere: in the pages that rustdoc made, and in the Markdown of the repository.
# `bash tests/links.sh` after `cargo doc -p reduce-core --no-deps` and `cargo doc --workspace --no-deps`.
set -euo pipefail
cd "$(dirname "$0")/.."

doc="${CARGO_TARGET_DIR:-target}/doc"
[ -d "$doc" ] || { echo "error: no $doc; run \`cargo doc --workspace --no-deps\` first" >&2; exit 1; }
doc="$(realpath "$doc")"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
broken=0

# Lines `FILE<tab>LINK` in, those out whose file is not there, or has no such heading.
# The places are all files, and for each `id` of a page the file and `#id`.
broken_links() {
  local places="$1"
  awk -F '\t' '{
    folder = $1; sub("/[^/]*$", "", folder)
    split($2, parts, "#")
    # A link without a file is one to the page itself; one to a folder needs no more than the folder.
    print $1 "\t" $2 "\t" (parts[1] == "" ? $1 : folder "/" parts[1]) "\t" parts[2]
  }' > "$work/asked"
  cut -f 3 "$work/asked" | tr '\n' '\0' | xargs -0 realpath -ms > "$work/files"
  paste "$work/asked" "$work/files" | awk -F '\t' -v places="$places" '
    BEGIN { while ((getline line < places) > 0) there[line] }
    # An item of a private module: rustdoc itself links to it, where a program shows a hidden function.
    $5 ~ /\/(struct|enum|trait)\.[^\/]*$/ { module = $5; sub("[^/]*$", "index.html", module); if (!(module in there)) next }
    !($5 in there) || ($4 != "" && !(($5 "#" $4) in there)) { print $1 ": " $2 }' | sort -u
}

# The pages of rustdoc, but for its two about itself. `#method.run` and the like are its own, and links in our texts to members
# are held by its lint: only links to headings are looked at, which have no dot. What `::` is in is another crate's text.
pages="$work/pages"
find "$doc" -mindepth 2 -name '*.html' -not -path "$doc/src/*" > "$pages"
{
  find "$doc"
  xargs grep -oHE ' id="[^"]*"' < "$pages" | sed -E 's/: id="(.*)"$/#\1/'
} > "$work/places"
xargs grep -oHE ' href="[^"]*"' < "$pages" | sed -E 's/: href="(.*)"$/\t\1/; s/&amp;/\&/g' \
  | grep -vE $'\t(https?:|#$|[A-Za-z]+::)' | sed -E 's,#[^#]*\.[^#]*$,,; s,(/src/[^#]*\.html)#.*,\1,' | broken_links "$work/places" > "$work/broken"
printf '%s links of %s pages of rustdoc, %s of them lead nowhere\n' \
  "$(wc -l < "$work/asked")" "$(wc -l < "$pages")" "$(wc -l < "$work/broken")"
cat "$work/broken"
[ -s "$work/broken" ] && broken=1

# The Markdown, without the links to its pages: links in a line, and definitions. A heading is linked to by its words, in lower case, with dashes between.
git ls-files '*.md' ':!reduce-core/guide' ':!onnx/guide' | sed "s,^,$PWD/," > "$pages"
{
  find "$PWD" -path "$PWD/target" -prune -o -path "$PWD/.git" -prune -o -print
  xargs awk '
    /^```/ { code = !code }
    !code && /^#+ / {
      sub(/^#+ /, ""); heading = tolower($0)
      gsub(/[^a-z0-9 _-]/, "", heading); gsub(/ /, "-", heading)
      print FILENAME "#" heading
    }' < "$pages"
} > "$work/places"
{
  xargs grep -oHE '\]\([^) ]+\)' < "$pages" | sed -E 's/:\]\((.*)\)$/\t\1/'
  xargs grep -HE '^\[[^]]+\]: ' < "$pages" | sed -E 's/:\[[^]]+\]: (.*)$/\t\1/'
} | grep -vE $'\t(https?:|mailto:)' | grep -v '/src/links.md' | broken_links "$work/places" > "$work/broken"
printf '%s links of Markdown, %s of them lead nowhere\n' "$(wc -l < "$work/asked")" "$(wc -l < "$work/broken")"
cat "$work/broken"
[ -s "$work/broken" ] && broken=1
exit "$broken"
