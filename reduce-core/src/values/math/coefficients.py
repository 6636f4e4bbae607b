"""Computes the polynomial coefficients and the split constants in exp.rs and ln.rs.

Run: pip install mpmath && python3 coefficients.py

Each polynomial is the weighted minimax fit of a function on an interval, found by the Remez
exchange: the weight is chosen so that the weighted error is the relative error of the finished
exp or ln. The coefficients are rounded one at a time, lowest degree first, and the others are
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


ln_2 = mp.log(2)
for bits in (24, 53):
    rest = round_to(bits, ln_2 - round_to(bits, ln_2))
    print(f"// ln 2 beyond its first {bits} bits: {shortest(rest, bits)}\n")

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
