"""Computes the polynomial coefficients and the split constants of this folder.

Run: pip install mpmath && python3 coefficients.py

Each polynomial is the weighted minimax fit of a function on an interval, found by the Remez
exchange: the weight is chosen so that the weighted error is the relative error of the finished
function. The coefficients are rounded one at a time, lowest degree first, and the others are
fitted again around those already fixed, because rounding all at once would lose some accuracy.
"""

import struct

from mpmath import mp, mpf

mp.prec = 200
GRID_POINTS = 800


def round_to(bits, value):
    with mp.workprec(bits):
        return +mpf(value)


def remez(samples, degree):
    """The polynomial minimising max |weight * (target - polynomial)| over the samples."""
    count = degree + 2
    reference = [samples[round(i * (len(samples) - 1) / (count - 1))] for i in range(count)]
    for _ in range(20):
        rows = [[w * x**p for p in range(degree + 1)] + [(-1) ** i]
                for i, (x, w, _) in enumerate(reference)]
        solved = list(mp.lu_solve(mp.matrix(rows), mp.matrix([w * t for _, w, t in reference])))
        coefficients, level = solved[:-1], abs(solved[-1])
        errors = [w * (t - mp.polyval(coefficients[::-1], x)) for x, w, t in samples]
        # The next reference: the worst point of each run of equal signs among the points that
        # are as bad as the present reference. If that is too many, the outer, smaller ones go.
        extrema = []
        for i, error in enumerate(errors):
            if abs(error) < level * mpf("0.999999"):
                continue
            if not extrema or error * errors[extrema[-1]] < 0:
                extrema.append(i)
            elif abs(error) > abs(errors[extrema[-1]]):
                extrema[-1] = i
        while len(extrema) > count:
            extrema.pop(0 if abs(errors[extrema[0]]) < abs(errors[extrema[-1]]) else -1)
        if max(map(abs, errors)) < level * mpf("1.001"):
            break
        reference = [samples[i] for i in extrema]
    return coefficients


def show(title, target, weight, low, high, degree, bits):
    """Fits target on [low, high], rounds to `bits` bits and prints the Rust constant."""
    # Chebyshev nodes: an even number of them keeps clear of both ends and of the middle, because
    # at 0 the targets below are 0/0.
    nodes = [(low + high - (high - low) * mp.cos(mp.pi * (i + mpf("0.5")) / GRID_POINTS)) / 2
             for i in range(GRID_POINTS)]
    samples = all_samples = [(x, abs(weight(x)), target(x)) for x in nodes]
    fixed = []
    for remaining in range(degree, -1, -1):
        fixed.append(round_to(bits, remez(samples, remaining)[0]))
        samples = [(x, w * abs(x), (t - fixed[-1]) / x) for x, w, t in samples]
    error = max(abs(w * (t - mp.polyval(fixed[::-1], x))) for x, w, t in all_samples)
    print(f"// {title}, degree {degree}, relative error 2^{float(mp.log(error, 2)):.1f}:")
    print(f"[{', '.join(shortest(value, bits) for value in fixed)}]\n")


def shortest(value, bits):
    """The shortest decimal that reads back as the same f32 or f64."""
    pack = lambda number: struct.pack("f" if bits == 24 else "d", number)
    decimals = (float(f"{float(value):.{digits}e}") for digits in range(18))
    return repr(next(d for d in decimals if pack(d) == pack(float(value))))


def split(title, value, bits, parts):
    """Prints the nearest number to a value, the nearest to what is left, and so on."""
    found = []
    for _ in range(parts):
        found.append(round_to(bits, value))
        value -= found[-1]
    print(f"// {title}: {', '.join(shortest(part, bits) for part in found)}\n")


def fraction(value, skipped):
    """What is behind the first `skipped` bits behind the point of a value."""
    return value - mp.floor(value * mpf(2) ** skipped) / mpf(2) ** skipped


ln_2 = mp.log(2)
for bits in (24, 53):
    split("ln 2", ln_2, bits, 2)
    split("log2(e)", 1 / ln_2, bits, 2)
split("1 / 3", mpf(1) / 3, 53, 2)
split("2 log2(e)", 2 / ln_2, 53, 2)
split("pi / 2", mp.pi / 2, 53, 3)

# For f32: 2 / pi without its first bits, cut behind 53 bits.
for skipped in (0, 28, 56, 84):
    behind = fraction(2 / mp.pi, skipped)
    first = behind - fraction(behind, skipped + 53)
    print(f"// 2 / pi behind {skipped} bits: {float(first)}, {float(behind - first)}\n")

# A little wider than half of ln 2, because the choice of the multiple of ln 2 is itself rounded.
edge = ln_2 / 2 * mpf("1.0001")
for bits, degree in ((24, 4), (53, 9)):
    show("q in exp(r) = 1 + r + r^2 q(r)", lambda r: (mp.exp(r) - 1 - r) / r**2,
         lambda r: r**2 / mp.exp(r), -edge, edge, degree, bits)

show("q in exp(r) = 1 + r q(r)", lambda r: mp.expm1(r) / r, lambda r: r / mp.exp(r),
     -edge, edge, 4, 24)

low, high = mp.sqrt(2) / 2 - 1, mp.sqrt(2) - 1
show("q in ln(1 + f) = f + f^2 q(f)", lambda f: (mp.log1p(f) - f) / f**2,
     lambda f: f**2 / mp.log1p(f), low, high, 8, 24)

# 2 artanh(s) / s, as a function of w = s^2; s = f / (2 + f) is largest at either end of f.
ratio = lambda w: 2 * mp.atanh(mp.sqrt(w)) / mp.sqrt(w)
show("p in 2 artanh(s) / s = 2 + w p(w)", lambda w: (ratio(w) - 2) / w,
     lambda w: w / ratio(w), mpf(0), (high / (2 + high)) ** 2, 6, 53)
show("p as above, for powers of f32", lambda w: (ratio(w) - 2) / w, lambda w: w / ratio(w),
     mpf(0), (high / (2 + high)) ** 2, 3, 53)
show("t in artanh(s) / s = 1 + w / 3 + w^2 t(w)", lambda w: (ratio(w) / 2 - 1 - w / 3) / w**2,
     lambda w: 2 * w**2 / ratio(w), mpf(0), (high / (2 + high)) ** 2, 6, 53)

half = mpf("0.50005")
for bits, degree in ((24, 5), (53, 10), (53, 6)):
    show("q in 2^r = 1 + r q(r)", lambda r: mp.expm1(r * ln_2) / r, lambda r: r / mpf(2) ** r,
         -half, half, degree, bits)

# Wider than a quarter of pi: for f64, the multiple of pi / 2 is chosen by a product that is rounded.
quarter = (mp.pi / 4 * mpf("1.02")) ** 2
for bits, degree in ((24, 2), (53, 5)):
    show("s in sin(r) = r + r^3 s(w)", lambda w: (mp.sin(mp.sqrt(w)) / mp.sqrt(w) - 1) / w,
         lambda w: w * mp.sqrt(w) / mp.sin(mp.sqrt(w)), mpf(0), quarter, degree, bits)
    show("c in cos(r) = 1 - w / 2 + w^2 c(w)", lambda w: (mp.cos(mp.sqrt(w)) - 1 + w / 2) / w**2,
         lambda w: w**2 / mp.cos(mp.sqrt(w)), mpf(0), quarter, degree, bits)
