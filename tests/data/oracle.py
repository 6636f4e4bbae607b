"""What a reduction must give: exact arithmetic, rounded or wrapped once at the end.

Integers and fractions are Python's own; log-sum-exp is mpmath's. Nothing here is shared with
any engine, nor with the crates under test, and nothing here is fast.

A float element is a Python float that is a value of its type; an integer element is an int.
"""

import itertools
import math
import struct
from dataclasses import dataclass
from fractions import Fraction

from mpmath import mp
from mpmath.libmp import to_rational

NAN, INF = math.nan, math.inf


# --- Number types: rounding, wrapping and encoding ------------------------------------------


@dataclass(frozen=True)
class Integer:
    name: str
    bits: int
    signed: bool
    is_float = False

    @property
    def low(self):
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def high(self):
        return self.low + (1 << self.bits) - 1

    def wrap(self, value):
        return (value - self.low) % (1 << self.bits) + self.low

    def saturate(self, value):
        return min(max(value, self.low), self.high)

    def encode(self, value):
        return value.to_bytes(self.bits // 8, "little", signed=self.signed)


class Boolean(Integer):
    """False and true, as 0 and 1."""

    @property
    def high(self):
        return 1


@dataclass(frozen=True)
class Float:
    name: str
    bits: int
    precision: int
    max_exponent: int
    code: str
    is_float = True

    @property
    def largest(self):
        return math.ldexp(2 - 2.0 ** (1 - self.precision), self.max_exponent)

    @property
    def tiny(self):
        """The smallest subnormal."""
        return math.ldexp(1.0, 2 - self.max_exponent - self.precision)

    def ulp(self, value):
        """The distance between neighbours of this type around an exact, non-zero value."""
        numerator, denominator = abs(value).as_integer_ratio()
        exponent = numerator.bit_length() - denominator.bit_length()
        exponent -= Fraction(2) ** exponent > abs(value)
        return Fraction(2) ** (max(exponent, 1 - self.max_exponent) - self.precision + 1)

    def round(self, exact):
        """An exact fraction to the nearest value of this type, ties to even."""
        if exact == 0:
            return 0.0
        ulp = self.ulp(exact)
        rounded = round(exact / ulp) * ulp
        if abs(rounded) > self.largest:
            return INF if rounded > 0 else -INF
        return float(rounded)

    def encode(self, value):
        """Exact, because the value is one of this type's; bfloat16 is the upper half of float."""
        return struct.pack("<" + self.code, value)[-self.bits // 8:]


TYPES = {t.name: t for t in (
    Integer("int32", 32, True), Integer("int64", 64, True),
    Integer("uint32", 32, False), Integer("uint64", 64, False),
    Float("float16", 16, 11, 15, "e"), Float("bfloat16", 16, 8, 127, "f"),
    Float("float", 32, 24, 127, "f"), Float("double", 64, 53, 1023, "d"),
    Integer("int8", 8, True), Integer("uint8", 8, False), Integer("int16", 16, True),
    Integer("uint16", 16, False), Boolean("bool", 8, False))}


# --- Reductions: one set of elements, then a tensor -----------------------------------------


def exact_sum(values):
    """A fraction; or, as IEEE has it, what the values that are not finite add up to."""
    special = [x for x in values if not math.isfinite(x)]
    return sum(special) if special else sum(map(Fraction, values), Fraction(0))


def exact_product(values):
    if all(map(math.isfinite, values)):
        return math.prod(map(Fraction, values), start=Fraction(1))
    signs = [x if not math.isfinite(x) else math.copysign(bool(x), x) for x in values]
    return math.prod(signs)


def exact_mean(values):
    return exact_sum(values) / len(values) if values else NAN


def log_sum_exp(values):
    """To 300 bits, as a fraction; NaN wins, then +inf; a set of nothing but -inf gives -inf."""
    if any(map(math.isnan, values)):
        return NAN
    finite = [x for x in values if math.isfinite(x)]
    if INF in values or not finite:
        return INF if INF in values else -INF
    with mp.workprec(300):
        result = mp.log(mp.fsum(mp.exp(mp.mpf(x)) for x in finite))
    return Fraction(*map(int, to_rational(result._mpf_)))


def precise(function, exact):
    """A function of mpmath's of an exact fraction, to 300 bits, as a fraction."""
    with mp.workprec(300):
        result = function(mp.mpf(exact.numerator) / exact.denominator)
    return Fraction(*map(int, to_rational(result._mpf_)))


def exact_sum_square(values):
    special = [x * x for x in values if not math.isfinite(x)]
    return sum(special) if special else sum((Fraction(x) ** 2 for x in values), Fraction(0))


def euclidean(values):
    squares = exact_sum_square(values)
    return precise(mp.sqrt, squares) if isinstance(squares, Fraction) else squares


def log_sum(values):
    """Of zero -inf, of a negative sum NaN."""
    total = exact_sum(values)
    if total == 0:
        return -INF
    if not total > 0:
        return NAN
    return precise(mp.log, total) if isinstance(total, Fraction) else total


EXACT = {"ReduceSum": exact_sum, "ReduceMean": exact_mean, "ReduceProd": exact_product,
         "ReduceL1": lambda values: exact_sum([abs(x) for x in values]),
         "ReduceSumSquare": exact_sum_square, "ReduceL2": euclidean, "ReduceLogSum": log_sum,
         "ReduceLogSumExp": log_sum_exp}
# Integers are computed on in double, truncated and saturated.
IN_DOUBLE = ("ReduceLogSumExp", "ReduceLogSum", "ReduceL2")


def real_result(op, values):
    """Before it is rounded."""
    return EXACT[op](values)


def reduce_set(op, dtype, values):
    """The element that a set of elements reduces to."""
    if op in ("ReduceMax", "ReduceMin"):
        return extreme_of(op, dtype, values)
    if not dtype.is_float and op in IN_DOUBLE:
        result = reduce_set(op, TYPES["double"], [float(x) for x in values])
        if math.isnan(result):
            return 0
        if math.isinf(result):
            return dtype.low if result < 0 else dtype.high
        return dtype.saturate(math.trunc(result))
    result = real_result(op, values)
    if not dtype.is_float:
        return dtype.wrap(math.trunc(result))
    return dtype.round(result) if isinstance(result, Fraction) else result


def extreme_of(op, dtype, values):
    """Any NaN, else the largest or smallest; over nothing, the limit it starts from."""
    if not values:
        limits = (-INF, INF) if dtype.is_float else (dtype.low, dtype.high)
        return limits[op == "ReduceMin"]
    if any(map(math.isnan, values)):
        return NAN
    return max(values) if op == "ReduceMax" else min(values)


def position(op, values, last):
    """Where the largest or smallest element stands: the first, or the last of equal ones. NaN
    goes before everything."""
    places = [i for i, x in enumerate(values) if math.isnan(x)]
    if not places:
        best = max(values) if op == "ArgMax" else min(values)
        places = [i for i, x in enumerate(values) if x == best]
    return places[-1 if last else 0]


def map_element(op, dtype, value):
    """The no-op on empty axes: nothing is combined, so even the sign of a zero stays."""
    if op in ("ReduceL2", "ReduceSumSquare", "ReduceLogSum"):
        return reduce_set(op, dtype, [value])
    if op != "ReduceL1":
        return value
    return abs(value) if dtype.is_float else dtype.wrap(abs(value))


def reduced_sets(shape, axes, values):
    """The sets of elements that become one element each, in the order of the output."""
    def key(index):
        return tuple(0 if axis in axes else i for axis, i in enumerate(index))

    kept = [range(1 if axis in axes else size) for axis, size in enumerate(shape)]
    sets = {index: [] for index in itertools.product(*kept)}
    for index, value in zip(itertools.product(*map(range, shape)), values, strict=True):
        sets[key(index)].append(value)
    return list(sets.values())
