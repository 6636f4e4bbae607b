"""The time of PyTorch's and CuPy's reductions of a matrix on a GPU, as rows `library,operator,axes,seconds`.

As in `main.rs`: many runs are started before the device is waited for, and the least of five times counts. `python peers.py SIDE`.
"""

import sys
import time

RUNS, TIMES = 50, 5
AXES = {"all": None, "last": 1, "first": 0}


def least(run, wait):
    run()
    wait()
    seconds = []
    for _ in range(TIMES):
        start = time.perf_counter()
        for _ in range(RUNS):
            run()
        wait()
        seconds.append((time.perf_counter() - start) / RUNS)
    return min(seconds)


def torch_operators(torch, x):
    def over(name, axis):
        dims = (0, 1) if axis is None else (axis,)
        flat = x.reshape(-1) if axis is None else x
        along = 0 if axis is None else axis
        return {
            "sum": lambda: torch.sum(x, dim=dims),
            "max": lambda: torch.amax(x, dim=dims),
            "logsumexp": lambda: torch.logsumexp(x, dim=dims),
            "mean and variance": lambda: torch.var_mean(x, dim=dims, correction=0),
            "argmax": lambda: torch.argmax(flat, dim=along),
            "softmax": lambda: torch.softmax(flat, dim=along),
        }[name]

    return over


def cupy_operators(cupy, x):
    def logsumexp(axis):
        largest = x.max(axis=axis, keepdims=True)
        return cupy.log(cupy.exp(x - largest).sum(axis=axis, keepdims=True)) + largest

    def softmax(axis):
        powers = cupy.exp(x - x.max(axis=axis, keepdims=True))
        return powers / powers.sum(axis=axis, keepdims=True)

    def over(name, axis):
        return {
            "sum": lambda: x.sum(axis=axis),
            "max": lambda: x.max(axis=axis),
            "logsumexp": lambda: logsumexp(axis),
            "mean and variance": lambda: (x.mean(axis=axis), x.var(axis=axis)),
            "argmax": lambda: x.argmax(axis=axis),
            "softmax": lambda: softmax(axis),
        }[name]

    return over


def rows(library, operators, wait):
    for name in ["sum", "max", "logsumexp", "mean and variance", "argmax", "softmax"]:
        for axes, axis in AXES.items():
            print(f"{library},{name},{axes},{least(operators(name, axis), wait):e}", flush=True)


def main():
    side = int(sys.argv[1])
    try:
        import torch

        torch.manual_seed(0)
        x = torch.rand(side, side, device="cuda") * 2 - 1
        # Fused by its compiler would be another contest: these are the operators that it has.
        rows("PyTorch", torch_operators(torch, x), torch.cuda.synchronize)
        del x
        torch.cuda.empty_cache()
    except ImportError:
        print("PyTorch is not installed, and is left out", file=sys.stderr)
    try:
        import cupy

        x = cupy.random.rand(side, side, dtype=cupy.float32) * 2 - 1
        rows("CuPy", cupy_operators(cupy, x), cupy.cuda.runtime.deviceSynchronize)
    except ImportError:
        print("CuPy is not installed, and is left out", file=sys.stderr)


if __name__ == "__main__":
    main()
