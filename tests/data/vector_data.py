"""The elements of the test vectors: ordinary data, and sets that go to the limits.

Nothing here says what is expected; that is oracle.py's.
"""

import itertools
from fractions import Fraction

from oracle import INF, NAN, log_sum_exp, real_result, reduce_set

# Operators that pick an element, so that no rounding can spoil them.
PICKING = ("ReduceMax", "ReduceMin", "ArgMax", "ArgMin")
# Operators that compute on integers in double.
IN_DOUBLE = ("ReduceL2", "ReduceLogSum")


def sample(op, dtype, rng):
    """One element of ordinary data: signs mixed, products and exponentials tame. The factors of
    an integer product are odd, so that it wraps without ever becoming zero."""
    u, negative = rng.random(), rng.random() < 0.3 and op != "ReduceLogSum"
    if dtype.name == "bool":
        return int(u < 0.5)
    if op in ("ArgMax", "ArgMin"):  # many ties
        magnitude = float(int(u * 6) / 2) if dtype.is_float else int(u * 7)
    elif dtype.is_float:
        low, high = {"ReduceProd": (0.7, 1.4), "ReduceLogSumExp": (0.0, 4.0)}.get(op, (0.5, 4.0))
        magnitude = dtype.round(Fraction(low + u * (high - low)))
    elif op == "ReduceProd":
        magnitude = 1 + 2 * int(u * 5)
    else:
        magnitude = 1 + int(u * (3 if op == "ReduceLogSumExp" else 100))
    return -magnitude if negative and (dtype.is_float or dtype.signed) else magnitude


def well_conditioned(op, dtype, values):
    """Whether a correct engine's rounding errors stay far below the tolerance."""
    result = None if op in PICKING else reduce_set(op, dtype, values)
    if op in PICKING:
        return True
    if op in IN_DOUBLE and not dtype.is_float:
        return far_from_integers(op, dtype, values)
    if not dtype.is_float:
        if op != "ReduceLogSumExp" or len(values) < 2:
            return True
        return 0.02 < float(log_sum_exp(values)) % 1 < 0.98
    if op in ("ReduceSum", "ReduceMean"):
        return abs(sum(values)) >= 0.1 * sum(map(abs, values))
    return 2 ** -10 < abs(result) < 2 ** 10 if op == "ReduceProd" else abs(result) > 0.25


def far_from_integers(op, dtype, values):
    """Whether truncation gives the same after any rounding in double, on the way there."""
    if sum(1 for x in values if x) < 2 and op == "ReduceL2":
        return True  # the root of a rounded square is exact
    result = real_result(op, [float(x) for x in values])
    if not isinstance(result, Fraction) or abs(result) < Fraction(1, 2):
        return True
    saturates = result >= dtype.high
    return saturates or (result < 2 ** 40 and 0.02 < float(result % 1) < 0.98)


def float_rows(op, dtype):
    """Sets of three with special values."""
    big, tiny = dtype.largest, dtype.tiny
    half = dtype.name == "float16"  # computed in float, so that squares do not overflow
    signs = [(big, -big, 0.0), (-big, -big, -big), (-tiny, 0.0, tiny), (tiny, -0.0, -tiny),
             (-INF, NAN, -INF), (INF, 1.0, INF), (NAN, 1.0, NAN), (2.0, 5.0, 5.0),
             (5.0, 5.0, 2.0), (-2.0, -5.0, -2.0), (-2.0, -2.0, -5.0)]
    rows = [(NAN, 1.0, 2.0), (1.0, NAN, 2.0), (1.0, 2.0, NAN), (NAN, INF, -INF), (INF, 1.0, 2.0),
            (1.0, -INF, 2.0), (INF, -INF, 1.0), (-INF, -INF, -INF), (0.0, -0.0, 0.0),
            (-0.0, -0.0, -0.0)]
    if op != "ReduceL2" or half:
        rows.append((tiny, tiny, tiny))
    return rows + {
        "ReduceSum": [(big, big, 0.0), (-big, 0.0, -big), (big, -0.0, 0.0), (tiny, -2 * tiny, 0.0)],
        "ReduceMean": [(big, 0.0, 0.0), (-3 * tiny, -3 * tiny, 0.0)],
        "ReduceProd": [(big, 2.0, 1.0), (1.0, -2.0, big), (-tiny, 2.0, 1.0), (0.0, INF, 1.0)],
        "ReduceL1": [(-big, big, 0.0), (-tiny, tiny, -tiny), (-big, -0.0, 0.0)],
        "ReduceLogSumExp": [(big, big, 0.0), (-big, -big, -big), (1000.0, 1000.0, -1000.0),
                            (-1000.0, -1000.0, -1000.0), (-INF, 1.0, -INF), (-INF, NAN, -INF),
                            (INF, INF, INF), (100.0, 0.0, -100.0)],
        "ReduceL2": [(3.0, -4.0, 0.0), (-0.5, 0.0, -0.0), (big, 0.0, 0.0) if half else
                     (3 * 2.0 ** 60, 4 * 2.0 ** 60, 0.0), (300.0, 400.0, 0.0)],
        "ReduceSumSquare": [(2.0, 3.0, -4.0), (big, 0.0, 0.0), (-big, 1.0, big),
                            (255.0, 1.0, 1.0), (-0.5, 0.25, 0.0)],
        "ReduceLogSum": [(1.0, 0.0, 0.0), (0.5, 0.25, 0.25), (3.0, -1.0, -1.0),
                         (-1.0, -2.0, 0.0), (2.0, -2.0, 0.0), (1000.0, 1000.0, -500.0),
                         (2 * tiny, -tiny, 0.0), (big, 0.0, 0.0)],
    }.get(op, signs)


def integer_rows(op, dtype):
    """Sets of three at the type's limits: overflow that wraps, quotients that truncate."""
    if dtype.name == "bool":
        return list(itertools.product((0, 1), repeat=3))
    low, high, half = dtype.low, dtype.high, 1 << dtype.bits // 2
    rows = [(high, 1, 0), (high, 0, 0), (high, high, high), (low, low, low), (high, 2, 1),
            (half, half, 1), (half + 1, half + 1, 3), (1, 2, 4), (7, 8, 8)]
    if dtype.signed:
        rows += [(low, -1, 1), (low, -1, 0), (low, 0, 0), (high, high, -high), (-1, 0, 0),
                 (-3, -4, 0), (-1, -2, -4), (-5, -5, -5)]
    if dtype.bits == 64 and op != "ReduceLogSumExp":
        rows += [(2 ** 53 + 1, 2, 0), (2 ** 53 + 1, 1, 1), (2 ** 62 + 1, 2 ** 62 + 1, 1)]
    if op in PICKING:
        rows += [(low, high, high), (high, high, low), (low, low, high), (5, 4, 5), (4, 5, 4)]
    if op in IN_DOUBLE:
        rows = [row for row in rows if far_from_integers(op, dtype, row)]
        rows += [(3, 4, 12), (0, 0, 0), (20, 20, 20)]
    return rows


def noop_values(op, dtype):
    """Elements for the no-op on empty axes; `None` for ordinary ones."""
    if dtype.is_float:
        if op == "ReduceL2":
            return (NAN, INF, -INF, -0.0, -2.0, 1024.0)
        return (NAN, INF, -INF, -0.0, -dtype.tiny, dtype.largest)
    if op == "ReduceLogSumExp":
        return None
    if op in IN_DOUBLE:
        return (dtype.low, dtype.high, 0, 3, -4 if dtype.signed else 4, 12)
    return (dtype.low, dtype.high, 0, dtype.high - 1, dtype.low + 1, dtype.high // 2)
