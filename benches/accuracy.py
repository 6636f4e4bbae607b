"""Holds results of operators, and those of other libraries, against exact ones: the tables of `docs/accuracy.md`.

    cargo run --release -p reduce-benches --bin accuracy -- FOLDER
    python3 benches/accuracy.py FOLDER > tables.md

The first line writes data and results of this project into a folder. The second computes exact results of the same
data by numbers of 300 bits. NumPy and gmpy2 are needed; PyTorch, and onnx with ONNX Runtime, are compared where they
are installed. The exit status is 1 if a result of this project is off by more than the bound that the page promises.

Each error has a unit: epsilon, half the distance from 1 to the next float, times a magnitude that follows from the data.
The magnitude of a sum is the sum of magnitudes. `exact` says it for each operator.
"""

import functools
import math
import multiprocessing
import pathlib
import pickle
import re
import sys

import gmpy2
import numpy as np

import accuracy_peers

gmpy2.get_context().precision = 300
gmpy2.get_context().emax = gmpy2.get_emax_max()
gmpy2.get_context().emin = gmpy2.get_emin_min()

PRECISION = {"f32": 24, "f64": 53}
LEAST_NORMAL = {"f32": -126, "f64": -1022}
GREATEST = {"f32": float(np.finfo(np.float32).max), "f64": sys.float_info.max}
# What layer norm and RMS norm add to the variance; a float of `f32`, since ONNX keeps it as one.
ADDED = 2.0**-17
# Data whose intermediate values leave the range of the type.
WIDE = {"values: all exponents"} | {f"factors: {name}" for name in ("near one", "all exponents", "ascending", "descending")}
PAGE = pathlib.Path(__file__).parent.parent / "docs" / "accuracy.md"


class Exact:
    """Exact results over two lists, each with its magnitude."""

    def __init__(self, x, y):
        self.n = len(x)
        self.x = [gmpy2.mpfr(v) for v in x.tolist()]
        self.y = [gmpy2.mpfr(v) for v in y.tolist()]
        # Where there is a result for each element, some thousand of them are looked at, and the last.
        self.places = [*range(0, self.n - 1, max(1, self.n // 1000)), self.n - 1]

    @functools.cached_property
    def total(self):
        return gmpy2.fsum(self.x)

    @functools.cached_property
    def magnitudes(self):
        return gmpy2.fsum(map(abs, self.x))

    @functools.cached_property
    def squares(self):
        return gmpy2.fsum(v * v for v in self.x)

    @functools.cached_property
    def products(self):
        return [a * b for a, b in zip(self.x, self.y)]

    @functools.cached_property
    def from_mean(self):
        mean = self.total / self.n
        return [v - mean for v in self.x]

    @functools.cached_property
    def variance(self):
        return gmpy2.fsum(d * d for d in self.from_mean) / self.n

    @functools.cached_property
    def joint(self):
        """The covariance and the variance of the second list."""
        mean = gmpy2.fsum(self.y) / self.n
        distances = [v - mean for v in self.y]
        covariance = gmpy2.fsum(a * b for a, b in zip(self.from_mean, distances)) / self.n
        return covariance, gmpy2.fsum(d * d for d in distances) / self.n

    @functools.cached_property
    def exponentials(self):
        """The largest element, the exponentials of all divided by its, and the logarithm of their sum."""
        most = max(self.x)
        shares = [gmpy2.exp(v - most) for v in self.x]
        return most, shares, gmpy2.log(gmpy2.fsum(shares))

    @functools.cached_property
    def weighted_variance(self):
        weights = [abs(v) for v in self.y]
        total = gmpy2.fsum(weights)
        mean = gmpy2.fsum(w * v for w, v in zip(weights, self.x)) / total
        return gmpy2.fsum(w * (v - mean) ** 2 for w, v in zip(weights, self.x)) / total

    def divergence(self):
        pairs = [(abs(p), abs(q)) for p, q in zip(self.x, self.y)]
        if any(q == 0 and p != 0 for p, q in pairs):
            return gmpy2.inf(), gmpy2.mpfr(1)
        terms = [p * gmpy2.log(p / q) for p, q in pairs if p]
        return gmpy2.fsum(terms), gmpy2.fsum(map(abs, terms)) + self.magnitudes

    def standardised(self):
        root = gmpy2.sqrt(self.variance + ADDED)
        emitted = [self.from_mean[place] / root for place in self.places]
        return [(v, 1 + abs(v)) for v in emitted]

    def softmax(self):
        most, shares, log = self.exponentials
        total = gmpy2.exp(log)
        return [(shares[p] / total, shares[p] / total * (1 + most - self.x[p])) for p in self.places]

    def log_softmax(self):
        most, _, log = self.exponentials
        return [own(self.x[place] - most - log) for place in self.places]

    def moment(self, power, size=lambda x: x):
        powers = (size(d) ** power for d in self.from_mean)
        return gmpy2.fsum(powers) / self.n / self.variance ** gmpy2.mpfr(power / 2)

    def product(self):
        return functools.reduce(lambda a, b: a * b, self.x)


def own(value):
    return value, abs(value)


def over(e, divisor):
    return [own(e.x[place] / divisor) for place in e.places]


EXACT = {
    "ReduceSum": lambda e: (e.total, e.magnitudes),
    "ReduceMean": lambda e: (e.total / e.n, e.magnitudes / e.n),
    "ReduceProd": lambda e: own(e.product()),
    "ReduceL1": lambda e: own(e.magnitudes),
    "ReduceL2": lambda e: own(gmpy2.sqrt(e.squares)),
    "ReduceSumSquare": lambda e: own(e.squares),
    "ReduceLogSum": lambda e: (gmpy2.log(e.magnitudes), 1 + abs(gmpy2.log(e.magnitudes))),
    "ReduceLogSumExp": lambda e: (
        e.exponentials[0] + e.exponentials[2],
        abs(e.exponentials[0]) + e.exponentials[2],
    ),
    "ReduceSum, compensated": lambda e: (e.total, e.magnitudes),
    "ReduceSum, in f64": lambda e: (e.total, e.magnitudes),
    "ExactSum": lambda e: own(e.total),
    "ExactMean": lambda e: own(e.total / e.n),
    "ExactDot": lambda e: own(gmpy2.fsum(e.products)),
    "Variance": lambda e: own(e.variance),
    "StandardDeviation": lambda e: own(gmpy2.sqrt(e.variance)),
    "MeanVariance: mean": lambda e: (e.total / e.n, e.magnitudes / e.n),
    "Shape: skewness": lambda e: (e.moment(3), e.moment(3, abs)),
    "Shape: kurtosis": lambda e: own(e.moment(4)),
    "Dot": lambda e: (gmpy2.fsum(e.products), gmpy2.fsum(map(abs, e.products))),
    "SquaredError": lambda e: own(gmpy2.fsum((a - b) ** 2 for a, b in zip(e.x, e.y)) / e.n),
    "Cosine": lambda e: tuple(
        gmpy2.fsum(part) / gmpy2.sqrt(e.squares * gmpy2.fsum(v * v for v in e.y))
        for part in (e.products, map(abs, e.products))
    ),
    "Covariance": lambda e: (e.joint[0], gmpy2.sqrt(e.variance * e.joint[1])),
    "Correlation": lambda e: (e.joint[0] / gmpy2.sqrt(e.variance * e.joint[1]), gmpy2.mpfr(1)),
    "Regression: slope": lambda e: (e.joint[0] / e.variance, gmpy2.sqrt(e.joint[1] / e.variance)),
    "Divergence": Exact.divergence,
    "WeightedVariance": lambda e: own(e.weighted_variance),
    "WeightedDeviation": lambda e: own(gmpy2.sqrt(e.weighted_variance)),
    "LayerNorm": Exact.standardised,
    "RmsNorm": lambda e: over(e, gmpy2.sqrt(e.squares / e.n + ADDED)),
    "UnitLength": lambda e: over(e, gmpy2.sqrt(e.squares)),
    "softmax": Exact.softmax,
    "LogSoftmax": Exact.log_softmax,
}


class Right:
    """An exact result, or one of each element, as sums of two f64, with magnitudes and the distance to the next float."""

    def __init__(self, pairs, places, type_):
        self.places = places if isinstance(pairs, list) else [0]
        self.type = type_
        pairs = pairs if isinstance(pairs, list) else [pairs]
        greatest = gmpy2.mpfr(GREATEST[type_]) * (1 + gmpy2.exp2(-PRECISION[type_] - 1))
        values = [v if abs(v) <= greatest else gmpy2.inf() * gmpy2.sign(v) for v, _ in pairs]
        self.high = np.array([float(v) for v in values])
        rest = [v - gmpy2.mpfr(h) if gmpy2.is_finite(v) else 0 for v, h in zip(values, self.high.tolist())]
        self.low = np.array([float(v) for v in rest])
        least = gmpy2.exp2(LEAST_NORMAL[type_])
        self.magnitude = np.array([float(min(max(m, least), greatest)) for _, m in pairs])
        with np.errstate(divide="ignore"):
            _, exponent = np.frexp(self.high)
        exponent = np.maximum(exponent - 1, LEAST_NORMAL[type_])
        self.ulp = np.ldexp(1.0, np.where(np.isfinite(self.high), exponent, 0) - PRECISION[type_] + 1)

    def errors(self, found):
        """The largest error in epsilon times the magnitude; and in ulp, where the exact result is not below half of it."""
        found = np.atleast_1d(np.asarray(found)).reshape(-1)[self.places].astype(np.float64)
        with np.errstate(invalid="ignore", over="ignore"):
            off = np.abs((found - self.high) - self.low)
            same = (found == self.high) | (np.isnan(found) & np.isnan(self.high))
            off = np.where(same, np.abs(self.low), off)
            off = np.where(np.isfinite(off), off, np.inf)
            scaled = off / self.magnitude * 2.0 ** PRECISION[self.type]
            well = 2 * np.abs(self.high) >= self.magnitude
            return scaled.max(), np.where(well, off / self.ulp, -1).max()


class Case:
    """Two lists, and the results of this project over them."""

    def __init__(self, folder, type_, length, family, set_):
        self.type, self.length, self.set = type_, int(length), f"{family}: {set_}"
        self.dtype = {"f32": np.float32, "f64": np.float64}[type_]
        self.stem = f"{folder}/{type_}.{length}.{family}.{set_.replace(' ', '-')}."
        self.lines = []

    def read(self, what):
        return np.fromfile(self.stem + what, dtype=self.dtype)

    def exact(self, x, y):
        """The exact results of each operator; they are kept in a file, since they take long."""
        file = pathlib.Path(self.stem + "exact")
        if not file.exists():
            exact = Exact(x, y)
            operators = dict.fromkeys(operator for operator, _, _ in self.lines)
            found = {name: Right(EXACT[name](exact), exact.places, self.type) for name in operators}
            file.write_bytes(pickle.dumps(found))
        return pickle.loads(file.read_bytes())

    def errors(self):
        """The errors of every library: by operator, type, length, set, library and way."""
        print(self.stem, file=sys.stderr)
        found = {}
        x, y = self.read("x"), self.read("y")
        for operator, right in self.exact(x, y).items():
            if operator == "ReduceSum, in f64" and self.type == "f64":
                continue
            ours = [
                (("ours", way), self.read(f"{name}.{way}") if value.startswith(self.type) else float(value))
                for name, way, value in self.lines
                if name == operator
            ]
            for key, value in ours + accuracy_peers.results(operator, x, y):
                place = (operator, self.type, self.length, self.set, *key)
                found[place] = tuple(map(max, right.errors(value), found.get(place, (-1, -1))))
        return found


def measure(folder):
    """The errors over all data."""
    cases = {}
    for line in (folder / "ours.csv").read_text().splitlines():
        # The name of an operator may have a comma.
        operator, type_, family, set_, length, way, value = line.rsplit(",", 6)
        case = cases.setdefault((type_, length, family, set_), Case(folder, type_, length, family, set_))
        case.lines.append((operator, way, value))
    with multiprocessing.Pool() as pool:
        found = pool.map(Case.errors, cases.values(), chunksize=1)
    return {place: errors for part in found for place, errors in part.items()}


def bounds():
    """The bounds of the page: operator to a function of type and length, in epsilon times the magnitude."""
    rows = re.findall(r"^\| `([^`]+)` \| .* \| `([^`]+)` \|$", PAGE.read_text(), re.MULTILINE)
    return {operator: functools.partial(bound, text) for operator, text in rows}


def bound(text, type_, length):
    """A bound such as `128 + 2 log2 n`, `n` or `1e-4 / ε`: the sum of its terms."""
    factors = {"": 1, "log2 n": math.log2(length), "n": length, "/ ε": 2.0 ** PRECISION[type_]}
    total = 0
    for term in text.split(" + "):
        found = re.fullmatch(r"([\d.e-]*) ?(log2 n|n|/ ε|)", term)
        if not found:
            raise SystemExit(f"error: `{term}` of {PAGE} is no term of a bound; write a number, `log2 n`, `n` or `1 / ε`")
        total += float(found[1] or 1) * factors[found[2]]
    return total


# Columns of the tables: a title, a library, and ways.
COLUMNS = [
    ("ours", "ours", ("list", "rows", "columns")),
    ("ours by key", "ours", ("key",)),
    ("ours in pieces", "ours", ("pieces",)),
    ("NumPy", "NumPy", ("list",)),
    ("NumPy, columns", "NumPy", ("columns",)),
    ("PyTorch", "PyTorch", ("list",)),
    ("PyTorch, columns", "PyTorch", ("columns",)),
    ("ONNX Runtime", "ONNX Runtime", ("list",)),
    ("ONNX Runtime, columns", "ONNX Runtime", ("columns",)),
]
EPSILONS, ULPS = 0, 1


def largest(found, unit, fits):
    """The largest error in each column, among the places that fit: operator, type, length and set."""
    cells = []
    for _, library, ways in COLUMNS:
        places = (place for place in found if place[4] == library and place[5] in ways and fits(*place[:4]))
        cells.append(max((found[place][unit] for place in places), default=-1))
    return cells


def text(error):
    if error < 0:
        return ""
    if error == np.inf:
        return "∞"
    if error >= 1e4:
        return re.sub(r"e\+0?", "e", f"{error:.0e}")
    return f"{error:.2f}" if error < 10 else f"{error:.0f}"


def table(title, first, rows):
    print(f"\n{title}\n\n| {first} | {' | '.join(name for name, _, _ in COLUMNS)} |\n|---|{'---|' * len(COLUMNS)}")
    for name, cells in rows:
        if max(cells) >= 0:
            print(f"| {name} | {' | '.join(map(text, cells))} |")


def tables(found):
    for type_ in PRECISION:
        for title, unit, is_wide in [
            ("in ε of the magnitude", EPSILONS, False),
            ("in ulp, where nothing cancels", ULPS, False),
            ("in ε of the magnitude, over the whole range", EPSILONS, True),
        ]:
            rows = [
                (f"`{name}`", largest(found, unit, lambda op, ty, _, set_: (op, ty, set_ in WIDE) == (name, type_, is_wide)))
                for name in EXACT
            ]
            table(f"### Largest errors of `{type_}`, {title}", "operator", rows)
    longest = max(place[2] for place in found)
    for operator in "ReduceSum", "ReduceL2", "Variance", "ReduceProd", "ReduceLogSumExp", "softmax":
        sets = dict.fromkeys(place[3] for place in found if place[0] == operator)
        one = lambda set_: largest(found, EPSILONS, lambda *place: place == (operator, "f32", longest, set_))
        rows = [(set_.split(": ")[1], one(set_)) for set_ in sets]
        table(f"### `{operator}` of {longest} elements of `f32`, in ε of the magnitude", "data", rows)


def broken(found):
    """Results of this project that are off by more than the page promises."""
    promised = bounds()
    for (operator, type_, length, set_, library, way), (error, _) in found.items():
        if library != "ours" or operator not in promised or (operator == "ExactDot" and set_ in WIDE):
            continue
        most = promised[operator](type_, length)
        if error > most:
            yield f"{operator} {type_} {length} {set_} {way}: {error} is above {most}"


def main():
    if len(sys.argv) != 2:
        raise SystemExit("error: no folder was named; write `python3 benches/accuracy.py FOLDER`")
    found = measure(pathlib.Path(sys.argv[1]))
    tables(found)
    breaks = list(broken(found))
    print(*breaks, sep="\n", file=sys.stderr)
    sys.exit(1 if breaks else 0)


if __name__ == "__main__":
    main()
