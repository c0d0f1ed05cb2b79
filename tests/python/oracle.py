# SPDX-License-Identifier: Apache-2.0
"""True distances, by rational arithmetic on the stored values. Shares nothing with the library."""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np

# More digits than two float64 have: the root is as good as exact.
DIGITS = 60


def numbers(row):
    """A row's values as they are stored, exactly; bool counts as 0 and 1."""
    return [Fraction(v) for v in np.asarray(row).tolist()]


def squared(x, y):
    return sum(((a - b) ** 2 for a, b in zip(numbers(x), numbers(y), strict=True)), Fraction(0))


def absolute(x, y, sign=-1):
    return [abs(a + sign * b) for a, b in zip(numbers(x), numbers(y), strict=True)]


def canberra(x, y):
    sizes = [abs(a) + abs(b) for a, b in zip(numbers(x), numbers(y), strict=True)]
    return sum((a / b for a, b in zip(absolute(x, y), sizes, strict=True) if b), Fraction(0))


def chi_square(x, y):
    sizes = [abs(a) + abs(b) for a, b in zip(numbers(x), numbers(y), strict=True)]
    return sum((a * a / b for a, b in zip(absolute(x, y), sizes, strict=True) if b), Fraction(0)) / 2


def braycurtis(x, y):
    differences, sums = sum(absolute(x, y)), sum(absolute(x, y, +1))
    return Fraction(differences) / sums if sums else Fraction(0)


def boolean(over, under):
    """over / under of the numbers of features true in both rows, in x only, in y only, in neither."""

    def ratio(x, y):
        pairs = [(a != 0, b != 0) for a, b in zip(numbers(x), numbers(y), strict=True)]
        counts = [pairs.count(p) for p in ((True, True), (True, False), (False, True), (False, False))]
        return Fraction(over(*counts), under(*counts)) if under(*counts) else Fraction(over(*counts))

    return ratio


# What is summed; the root is taken of euclidean's.
FORMULAS = {
    "euclidean": squared,
    "sqeuclidean": squared,
    "cityblock": lambda x, y: sum(absolute(x, y), Fraction(0)),
    "chebyshev": lambda x, y: max(absolute(x, y), default=Fraction(0)),
    "canberra": canberra,
    "braycurtis": braycurtis,
    "hamming": lambda x, y: Fraction(sum(a > 0 for a in absolute(x, y)), max(len(x), 1)),
    "total_variation": lambda x, y: Fraction(sum(absolute(x, y))) / 2,
    "chi_square": chi_square,
    "jaccard": boolean(lambda a, b, c, n: b + c, lambda a, b, c, n: a + b + c),
    "dice": boolean(lambda a, b, c, n: b + c, lambda a, b, c, n: 2 * a + b + c),
    "rogerstanimoto": boolean(lambda a, b, c, n: 2 * (b + c), lambda a, b, c, n: a + n + 2 * (b + c)),
    "russellrao": boolean(lambda a, b, c, n: b + c + n, lambda a, b, c, n: a + b + c + n),
    "sokalsneath": boolean(lambda a, b, c, n: 2 * (b + c), lambda a, b, c, n: a + 2 * (b + c)),
    "yule": boolean(lambda a, b, c, n: 2 * b * c, lambda a, b, c, n: a * n + b * c),
}


BOOLEAN = ["jaccard", "dice", "rogerstanimoto", "russellrao", "sokalsneath", "yule"]


def distance(x, y, metric="euclidean"):
    """The true distance as a Decimal."""
    value = Fraction(FORMULAS[metric](x, y))
    with localcontext() as context:
        context.prec = DIGITS
        value = Decimal(value.numerator) / Decimal(value.denominator)
        return value.sqrt() if metric == "euclidean" else value


def bound(d, compute, result, metric="euclidean"):
    """The relative error the metric states, of `result` computed in `compute`."""
    narrowed = np.finfo(result).eps / 2 if np.dtype(result).itemsize < np.dtype(compute).itemsize else 0
    sums = {"chebyshev": 0, "braycurtis": 2, **dict.fromkeys(BOOLEAN, 0)}.get(metric, 1)
    return max(1, sums * (min(d, 128) + 4)) * np.finfo(compute).eps + narrowed


def assert_close(got, X, Y, metric="euclidean", compute=None):
    """Every element of got [n, m] lies within the bound; the worst one is named if not."""
    X, Y = np.asarray(X), np.asarray(Y)
    assert got.shape == (len(X), len(Y))
    allowed = Decimal(float(bound(X.shape[1], compute or got.dtype, got.dtype, metric)))
    worst = (Decimal(0), None)
    for i, x in enumerate(X):
        for j, y in enumerate(Y):
            want = distance(x, y, metric)
            have = Decimal(float(got[i, j]))
            if want == 0:
                assert have == 0, f"[{i}, {j}] is {have}, must be 0"
                continue
            error = abs(have - want) / want
            worst = max(worst, (error, (i, j, have, want)), key=lambda w: w[0])
    assert worst[0] <= allowed, f"relative error {worst[0]:.3e} > {allowed:.3e} at {worst[1]}"
