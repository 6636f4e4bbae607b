#!/usr/bin/env bash
# Compares with PyTorch and CuPy on this machine's GPU, over a matrix of f32 that stays there: `bash measure/run.sh [SIDE]`.
# The matrix has SIDE rows of SIDE elements, 10,000 unless said otherwise: 400 MB. Prints a table in Markdown.
#
# PyTorch and CuPy are taken from the Python that is named by $PYTHON, or else installed where this script runs first.
set -euo pipefail
cd "$(dirname "$0")/.."
side="${1:-10000}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

if [ -z "${PYTHON:-}" ]; then
  environment="${XDG_CACHE_HOME:-$HOME/.cache}/reduce/gpu-peers"
  [ -x "$environment/bin/python" ] || python3 -m venv "$environment"
  PYTHON="$environment/bin/python"
  # Without a GPU there is nothing to compare with.
  if command -v nvidia-smi > /dev/null; then
    "$PYTHON" -c 'import torch, cupy' 2> /dev/null || "$PYTHON" -m pip install --quiet torch cupy-cuda12x
  fi
fi
cargo build --release --example measure
"${CARGO_TARGET_DIR:-target}/release/examples/measure" "$side" > "$work/ours"
"$PYTHON" measure/peers.py "$side" > "$work/peers"
"$PYTHON" measure/table.py "$work/ours" "$work/peers" "$side"
