"""Computes lines of `reduce digest --types` from two pages alone, and holds them against those that are committed.

    python3 tests/digest.py [TYPE...]

`docs/digest.md` says what the inputs are and how a number is made of results; `docs/numerics.md` says in which order
elements are combined. The numbers in brackets are the rules there. Nothing here is the project's, and nothing is needed but
NumPy. It takes about a minute.
"""

import functools
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).parent.parent / "cli/src/digest/numbers"
MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15

# Of each type: how many bits it has, those of exponent and fraction of a float, and what is computed in.
TYPES = {
    "f16": (16, (5, 10), np.float32),
    "bf16": (16, (8, 7), np.float32),
    "f32": (32, (8, 23), np.float32),
    "f64": (64, (11, 52), np.float64),
    "bool": (8, None, np.bool_),
    "i8": (8, None, np.int8),
    "i32": (32, None, np.int32),
    "i64": (64, None, np.int64),
    "u8": (8, None, np.uint8),
    "u32": (32, None, np.uint32),
    "u64": (64, None, np.uint64),
}


def mix(x):
    """Mixes the bits of one number, or of an array of them."""
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & MASK
    return x ^ (x >> 31)


def mix_all(x):
    """The same of an array, whose products are modulo 2^64."""
    shifts = [np.uint64(n) for n in (30, 27, 31)]
    x = (x ^ (x >> shifts[0])) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> shifts[1])) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> shifts[2])


def digest(numbers, before=0):
    for number in numbers:
        before = mix((before ^ number) + STEP & MASK)
    return before


def patterns(kind, ty, sequence, count):
    """The bits of elements that are made of a sequence of pseudo-random numbers."""
    bits, fields, _ = TYPES[ty]
    u = np.uint64
    x = mix_all(u(mix(sequence)) + np.arange(count, dtype=u) * u(STEP))
    top = x >> u(52)
    special = (kind == "special") & (top % u(32) == 0)
    if ty == "bool":
        return x >> u(63)
    if fields is None:
        signed = ty[0] == "i"
        least, greatest = (1 << bits - 1, (1 << bits - 1) - 1) if signed else (0, MASK)
        if kind == "near":
            return x % u(8) - u(3) if signed else x % u(8)
        limits = np.array([0, 1, greatest, least], dtype=u)
        return np.where(special, limits[(top // u(32) % u(4)).astype(int)], x)
    exponent, fraction = map(u, fields)
    ones, bias = (1 << int(exponent)) - 1, (1 << int(exponent) - 1) - 1
    low, half, full = x % (u(1) << fraction), 1 << int(fraction) - 1, (1 << int(fraction)) - 1
    join = lambda s, e, f: ((u(s) << exponent | u(e)) << fraction) | u(f)
    if kind == "wide":
        return join(0, 0, 0) | (((top & u(1)) << exponent | (x >> u(53)) % u(ones)) << fraction) | low
    if kind == "near":
        below = top % u(8) < 5
        return np.where(below, join(0, bias - 1, half) | low, join(0, bias, 0) | (low & ~u(half)))
    sign = (top // u(512) % u(4) == 0).astype(u)
    plain = (sign << exponent | (u(bias - 2) + top // u(128) % u(4))) << fraction | low
    table = [(0, 0, 0)] * 2 + [(1, 0, 0)] * 3 + [(0, bias, 0), (1, bias, 0), (0, 0, 1), (1, 0, 1), (0, 0, full)]
    table += [(1, 1, 0), (0, ones - 1, full), (1, ones - 1, full), (0, ones, 0), (1, ones, 0), (0, ones, full)]
    table = np.array([join(*row) for row in table], dtype=u)
    return np.where(special, table[(top // u(32) % u(16)).astype(int)], plain)


def elements(pattern, ty):
    """Elements of these bits, in the type that is computed in."""
    bits, _, compute = TYPES[ty]
    pattern = pattern.astype(f"u{bits // 8}")
    if ty == "bf16":
        return (pattern.astype(np.uint32) << np.uint32(16)).view(np.float32)
    if ty == "f16":
        return pattern.view(np.float16).astype(np.float32)
    return pattern.view(compute)


def numbers(results, ty):
    """The bits of results, rounded to their type; one number for every NaN."""
    nan = results != results
    if ty == "bf16":
        x = results.view(np.uint32).astype(np.uint64)
        # To nearest, and of two as near to the even one.
        bits = x + np.uint64(0x7FFF) + (x >> np.uint64(16) & np.uint64(1)) >> np.uint64(16)
    else:
        results = results.astype(np.float16) if ty == "f16" else results
        bits = results.view(f"u{TYPES[ty][0] // 8}").astype(np.uint64)
    return np.where(nan, np.uint64(MASK), bits).tolist()


def walk(axes, first):
    """[1] Axes (size, stride, step of results) as they are walked, and the place of the first element."""
    forward = []
    for size, stride, step in axes:
        if stride < 0:
            first += np.array([size - 1, size - 1]) * (stride, step)
            stride, step = -stride, -step
        forward.append((size, stride, step))
    forward.sort(key=lambda axis: (axis[1] != 0, -axis[1]))
    merged = []
    for size, stride, step in forward:
        if merged and merged[-1][1:] == (stride * size, step * size):
            size *= merged.pop()[0]
        merged.append((size, stride, step))
    return merged, first


def strands(kept, reduced, lanes, width):
    """[3] `k`, `r`, and whether each run is cut by itself: a result has `k r` strands."""
    count = int(np.prod([axis[0] for axis in reduced]))
    if count <= 16:
        return 1, 1, False
    part = lambda divisor: max(2, lanes // divisor)
    results = max([size for size, stride, _ in kept if stride], default=0)
    run, way = reduced[-1][:2]
    short = max(16, (7 if width >= 4 else 3) * lanes // 8)
    if len(reduced) == 1:
        is_short = run <= short and results >= part(1)
    else:
        is_short = run <= 128 and results >= part(4)
    k, r = rows(kept, reduced, lanes, is_short)
    if k * r > 1:
        return k, r, False
    nearest = min([stride for _, stride, _ in kept if stride], default=np.inf)
    if is_short or (nearest < way or way == 0) and results >= part(8):
        return 1, 1, False
    return 1, lanes, way == 1 and run >= lanes


def rows(kept, reduced, lanes, is_short):
    """[3] `k` and `r`; 1 and 1 if elements lie in no rows."""
    r, outer = (reduced[-1][0], reduced[:-1]) if reduced[-1][1] == 1 else (1, reduced)
    if not kept or not outer or kept[-1][1] != r:
        return 1, 1
    width, (along, way, _) = kept[-1][0] * r, outer[-1]
    count = int(np.prod([axis[0] for axis in outer]))
    least = 4 if r < lanes and not is_short else 16
    if way < width or r > 1 and (r > 16 * lanes or count < least):
        return 1, 1
    filled = lambda k: k * width / (-(-k * width // lanes) * lanes)
    divides = lambda k: len(outer) == 1 or along % k == 0
    k = 1
    if filled(1) < 3 / 4 and way == width:
        k = next((k for k in range(1, lanes + 1) if filled(k) >= 7 / 8 and divides(k)), 1)
    return (1 if count < 8 * k else k), r


def begins_with_first(kept, reduced, lanes, count, outputs):
    """[4] Whether a strand starts from its first element, and not from the identity."""
    widest = max([size for size, stride, _ in kept if stride], default=0)
    enough = max(2, lanes // (4 if reduced[-1][1] == 1 else 8))
    return count <= 16 and (count * outputs <= 64 or widest < enough)


def below(number):
    """The largest power of two below a number."""
    return 1 << (number - 1).bit_length() - 1


def fold(x, k, r, run, identity, combine):
    """[4], [5], [6] Results, of the mapped elements of each in a row."""
    s = k * r

    def block(x):
        state = np.full((len(x), s), identity, dtype=x.dtype)
        for first in range(0, x.shape[1], s):
            step = x[:, first : first + s]
            state[:, : step.shape[1]] = combine(state[:, : step.shape[1]], step)
        return state

    def tree(blocks):
        if len(blocks) == 1:
            return blocks[0]
        left = below(len(blocks))
        return combine(tree(blocks[:left]), tree(blocks[left:]))

    def halved(state):
        while state.shape[1] > 1:
            half = below(state.shape[1])
            upper = state[:, half:]
            lower = combine(state[:, : upper.shape[1]], upper)
            state = np.concatenate([lower, state[:, upper.shape[1] : half]], axis=1)
        return state[:, 0]

    runs = [x[:, first : first + run] for first in range(0, x.shape[1], run)]
    state = tree([block(part[:, first : first + 64 * s]) for part in runs for first in range(0, part.shape[1], 64 * s)])
    return halved(halved(state.reshape(-1, k, r)))


def results(layout, ty, op):
    """The results of an operator over a layout, in row-major order."""
    number, kind, shape, strides, offset, reduced_axes = layout
    bits, _, compute = TYPES[ty]
    mapped, combine, identity = OPERATORS[op](compute)
    kept, reduced, step = [], [], 1
    for axis in reversed(range(len(shape))):
        if axis in reduced_axes or not shape:
            reduced.insert(0, (shape[axis], strides[axis], 0))
        else:
            kept.insert(0, (shape[axis], strides[axis], step))
            step *= shape[axis]
    count = int(np.prod([axis[0] for axis in reduced]))
    if step == 0 or count == 0:
        return np.full(step, identity, dtype=compute)
    length = offset + sum((size - 1) * stride for size, stride in zip(shape, strides) if stride > 0) + 1
    data = elements(patterns(kind, ty, 256 * number, length), ty)
    kept, reduced = ([axis for axis in axes if axis[0] != 1] for axes in (kept, reduced))
    kept, start = walk(kept, np.array([offset, 0]))
    reduced, start = walk(reduced, start)
    places, targets, ways = np.array([start[0]]), np.array([start[1]]), np.array([0])
    for size, stride, way in kept:
        places = (places[:, None] + np.arange(size) * stride).ravel()
        targets = (targets[:, None] + np.arange(size) * way).ravel()
    for size, stride, _ in reduced:
        ways = (ways[:, None] + np.arange(size) * stride).ravel()
    ordered = np.empty(step, dtype=compute)
    ordered[targets] = combined(mapped(data[places[:, None] + ways]), kept, reduced, bits // 8, identity, combine)
    return ordered


def combined(x, kept, reduced, width, identity, combine):
    """Results, of the mapped elements of each in a row, in an order that follows from the axes."""
    outputs, count = x.shape
    # [2]: one scalar in an accumulator.
    lanes = 256 // x.dtype.itemsize
    if count == 1:
        return x[:, 0]
    if begins_with_first(kept, reduced, lanes, count, outputs):
        return functools.reduce(combine, x.T)
    k, r, by_run = strands(kept, reduced, lanes, width)
    return fold(x, k, r, reduced[-1][0] if by_run else count, identity, combine)


class Cascade:
    """[7], [8], [9] Sets of a stream, the oldest first: an accumulator, and its number of elements."""

    def __init__(self, combine):
        self.combine, self.sets = combine, []

    def all(self, sets):
        """[9] From the newest to the oldest."""
        return functools.reduce(lambda newer, older: self.combine(older, newer), [x for x, _ in reversed(sets)])

    def add(self, piece, count):
        """[7] A piece joins the newest set, or becomes it."""
        if self.sets and self.sets[-1][1] + count <= 64:
            newest, before = self.sets.pop()
            piece, count = self.combine(newest, piece), before + count
        elif len(self.sets) > 1:
            (before, size), (newest, more) = self.sets[-2:]
            del self.sets[-2:]
            if size + more <= 8 * 64:
                self.sets.append((self.combine(before, newest), size + more))
            else:
                self.close(before, size)
                self.sets.append((newest, more))
        self.sets.append((piece, count))

    def close(self, closed, count):
        """[8] A set takes up those before it whose rank is not higher."""
        while True:
            lower = len(self.sets)
            while lower and self.sets[lower - 1][1].bit_length() <= count.bit_length():
                lower -= 1
            taken = self.sets[lower:]
            del self.sets[lower:]
            if not taken:
                return self.sets.append((closed, count))
            closed, count = self.combine(self.all(taken), closed), count + sum(n for _, n in taken)


def stream(kind, number, sizes, ty, op):
    """The results behind each piece of a stream."""
    mapped, combine, identity = OPERATORS[op](TYPES[ty][2])
    data = mapped(elements(patterns(kind, ty, (1 << 32) + 256 * number, sum(sizes)), ty))
    cascade, first = Cascade(combine), 0
    for size in sizes:
        piece = data[None, first : first + size]
        first += size
        cascade.add(combined(piece, [], [(size, 1, 0)], TYPES[ty][0] // 8, identity, combine), size)
        yield cascade.all(cascade.sets)


def larger(a, b):
    """The first unless the other is greater; NaN if one is."""
    number = np.where(b > a, b, a)
    return number if a.dtype.kind != "f" else np.where((a != a) | (b != b), a.dtype.type(np.nan), number)


def lowest(compute):
    kind = np.dtype(compute).kind
    return {"f": lambda: -np.inf, "b": lambda: False}.get(kind, lambda: np.iinfo(compute).min)()


# Of a type that is computed in: `map`, `combine` and the identity.
OPERATORS = {
    "ReduceSum": lambda _: (lambda x: x, np.add, 0),
    "ReduceL1": lambda _: (np.abs, np.add, 0),
    "ReduceSumSquare": lambda _: (lambda x: x * x, np.add, 0),
    "ReduceMax": lambda compute: (lambda x: x, larger, lowest(compute)),
}


def lines_of(file):
    lines = [line.split() for line in (HERE / file).read_text().splitlines() if line[0] != "#"]
    return enumerate(lines, 1)


def all_results(name):
    """The numbers of an operator's results, layout by layout, or stream by stream."""
    op, ty = name.split()
    if op.startswith("stream:"):
        for number, (kind, groups) in lines_of("pieces.txt"):
            groups = [[int(word) for word in group.split("x")] for group in groups.split(",")]
            sizes = [size for count, size in groups for _ in range(count)]
            for found in stream(kind, number, sizes, ty, op.removeprefix("stream:")):
                yield numbers(found, ty)
        return
    listed = lambda text, separator: [] if text == "-" else [int(word) for word in text.split(separator)]
    for number, (kind, shape, strides, offset, axes) in lines_of("layouts.txt"):
        layout = number, kind, listed(shape, "x"), listed(strides, ","), int(offset), listed(axes, ",")
        yield numbers(results(layout, ty, op), ty)


def main(types):
    np.seterr(all="ignore")
    committed = (HERE / "committed.txt").read_text().splitlines()
    names = [line.split(" ", 1)[1] for line in committed]
    wanted = [name for name in names if " " in name and name.split()[0].removeprefix("stream:") in OPERATORS]
    wanted = [name for name in wanted if not types or name.split()[1] in types]
    other = 0
    for name in wanted:
        number = 0
        for found in all_results(name):
            number = digest([len(found)] + found, number)
        line = f"{number:016x} {name}"
        is_equal = line in committed
        other += not is_equal
        print(line if is_equal else f"{line}: another number than that of the page")
    print(f"{len(wanted) - other} of {len(wanted)} lines are those of the page")
    return 1 if other or not wanted else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
