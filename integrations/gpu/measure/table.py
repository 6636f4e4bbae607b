"""Joins the rows of `main.rs` and `peers.py` in a table: `python table.py OURS PEERS SIDE`."""

import csv
import sys


def main():
    ours, peers, side = sys.argv[1], sys.argv[2], int(sys.argv[3])
    theirs = {}
    with open(peers, newline="") as file:
        for library, operator, axes, seconds in csv.reader(file):
            theirs.setdefault((operator, axes), {})[library] = float(seconds)
    gigabytes = 4e-9 * side * side
    print("| operator | axes | ms | GB/s read | PyTorch, ms | CuPy, ms | times as fast as the faster | same bits as the CPU |")
    print("|---|---|---|---|---|---|---|---|")
    with open(ours, newline="") as file:
        for operator, axes, seconds, same in csv.reader(file):
            seconds = float(seconds)
            known = theirs.get((operator, axes), {})
            cells = [f"{1e3 * known[library]:.3f}" if library in known else "" for library in ("PyTorch", "CuPy")]
            ratio = f"{min(known.values()) / seconds:.2f}" if known else ""
            bits = "yes" if same == "true" else "no"
            cells = [operator, axes, f"{1e3 * seconds:.3f}", f"{gigabytes / seconds:.0f}", *cells, ratio, bits]
            print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
