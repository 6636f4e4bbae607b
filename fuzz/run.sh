#!/usr/bin/env bash
# Builds the fuzz targets and runs each: `bash fuzz/run.sh [SECONDS [TARGET...]]`, 10 seconds and all of them if nothing else is
# said; 0 runs the committed inputs alone. It prints a line for each; where something is found, what is wrong and where the input lies, and the status is 1.
set -euo pipefail
cd "$(dirname "$0")"

seconds="${1:-10}"
targets=("${@:2}")
if [ ${#targets[@]} == 0 ]; then
  for file in targets/*.rs; do targets+=("$(basename "$file" .rs)"); done
fi

# libFuzzer takes no seconds as no end.
limit="-max_total_time=$seconds"
if [ "$seconds" == 0 ]; then limit=-runs=0; fi

host="$(rustc -vV | sed -n 's/^host: //p')"
export RUSTC_WRAPPER="$PWD/rustc.sh"
cargo build --quiet --locked --target "$host" $(printf -- '--bin %s ' "${targets[@]}")
programs="$(realpath "${CARGO_TARGET_DIR:-target}")/$host/debug"

# Files of the targets are in memory, where that can be had.
folder="$(mktemp -d "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")/reduce-fuzz-XXXXXX")"
trap 'rm -rf "$folder"' EXIT
export TMPDIR="$folder"

status=0
for target in "${targets[@]}"; do
  mkdir -p "artifacts/$target" "$folder/$target" "corpus/$target"
  dictionary="dictionaries/$target.txt"
  if "$programs/$target" "$folder/$target" "corpus/$target" "$limit" -max_len=4096 -timeout=10 \
    -rss_limit_mb=2048 -print_final_stats=0 -artifact_prefix="artifacts/$target/" \
    $([ -f "$dictionary" ] && echo "-dict=$dictionary") > "$folder/log" 2>&1; then
    # The last line of libFuzzer's has the number of inputs and of places in the code that they reach.
    last="$(grep -E '^#[0-9]+' "$folder/log" | tail -1)"
    number="$(sed 's/^#\([0-9]*\).*/\1/' <<< "$last")"
    cover="$(sed -n 's/.*cov: \([0-9]*\).*/\1/p' <<< "$last")"
    printf '%-12s %9d inputs in %d s, %d places reached\n' "$target" "$number" "$seconds" "${cover:-0}"
  else
    status=1
    printf '%-12s something was found:\n' "$target"
    grep -m1 -A3 -E 'panicked at|ERROR: ' "$folder/log" | sed 's/^stack backtrace:$//' || tail -3 "$folder/log"
    sed -n "s/.*Test unit written to /  input: fuzz\\//p" "$folder/log"
  fi
done
exit "$status"
