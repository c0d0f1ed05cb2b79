# SPDX-License-Identifier: Apache-2.0
"""Writes scipy_values.inc: distances of SciPy and scikit-learn that oracle_test.cc holds the oracle against.

Run:  .venv/bin/python tests/support/make_scipy_values.py > tests/support/scipy_values.inc
Why:  a formula misread by hand would be misread in the oracle and in the library alike.
Rows: 1, 3, 7 features (places: 2) of few digits: a line shows them, and both sides read the same float64.
Left out: what those libraries get wrong or do not have. They lose small cosines in 1 - cos and near rows in
norms; angular and periodic_euclidean are nobody's.

Each value comes with the roundings of the library that computed it: the bound of its error in units of 2^-52
of it, counted for that pair of rows by the functions of_... below.
"""

import itertools
import math
import sys
import textwrap

import numpy as np
import scipy
import sklearn
from scipy import special
from scipy.spatial import distance
from sklearn.metrics import pairwise

rng = np.random.default_rng(20261203)

SIZES = (1, 3, 7)
# A case that its own roundings make worth less than 13 digits is left out.
MOST_ROUNDINGS = 500


def ordinary(d):
    return np.round(rng.normal(size=(2, d)), 4)


def integers(d):
    return rng.integers(-50, 50, size=(2, d)).astype(float)


def offset(d):
    return np.round(1e6 + rng.normal(size=(2, d)), 4)


def zeros(d):
    """Every third feature 0 in x, the next one in y, and from the third of seven on one that is 0 in both."""
    rows = ordinary(d)
    rows[0, ::3] = 0
    rows[1, 1::3] = 0
    rows[:, 5::6] = 0
    return rows


def gaps(d):
    """One feature missing in x, another in y."""
    rows = ordinary(d)
    rows[0, 0] = rows[1, d // 2] = math.nan
    return rows


def places(d):
    """Latitudes and longitudes, no two of them near antipodes."""
    return np.round(rng.uniform([-1.2, -1.5], [1.2, 1.5], size=(2, 2)), 4)


def positives(d):
    return np.round(rng.uniform(0, 4, size=(2, d)), 3)


def truths(d):
    return ordinary(d) * rng.integers(0, 2, size=(2, d))


KINDS = (ordinary, integers, offset, zeros)


def positive(count):
    return np.round(rng.uniform(0.25, 4, size=count), 3)


def definite(d):
    """Symmetric, with eigenvalues of 1 to about 1 + d: a condition that costs less than a digit."""
    factor = np.round(rng.uniform(-1, 1, size=(d, d)), 2)
    return np.round(factor @ factor.T, 6) + np.eye(d)


def of_sum(x, y, value, **given):
    """Difference, weight, power and quotient of a term, the sum, a root: nothing cancels."""
    return len(x) + 8


def of_inverse(x, y, value, V=None, VI=None):
    """Terms of both signs: |x - y|^2 |VI| is at most condition times square; an inverse costs as much."""
    condition = np.linalg.cond(VI if V is None else V)
    return (len(x) + 4) * condition * (1 if V is None else 2)


def of_one_less_a_cosine(x, y, value, **given):
    """The cosine errs by the roundings of three sums, and is subtracted from 1."""
    return (2 * len(x) + 8) / value


def of_norms(x, y, value, **given):
    """scikit-learn takes |x - y|^2 as |x|^2 - 2 x.y + |y|^2."""
    norms = np.nansum(x * x) + np.nansum(y * y)
    return 4 + (len(x) + 4) * 2 * norms * (len(x) / value**2)


def of_exponent(x, y, value, gamma=None):
    """e^-s: the error of s, which for rbf is that of norms, counts whole."""
    size = np.sum(x * x) + np.sum(y * y) + np.sum(np.abs(x - y))
    return 4 + (len(x) + 4) * 2 * size * (1 / len(x) if gamma is None else gamma)


def of_products(x, y, value, gamma=None, coef0=1, degree=1):
    """Terms of both signs, raised to a power."""
    terms = np.sum(np.abs(x * y))
    if gamma is None and degree == 1:
        return (len(x) + 1) * terms / abs(value)
    base = terms / len(x) if gamma is None else gamma * terms
    return degree * (len(x) + 4) * (base + abs(coef0)) / abs(value) ** (1 / degree)


def of_relative_entropies(x, y, value, base=math.e):
    """Terms of both signs, of magnitudes that sum to 1 or so, under a root."""
    return 4 + (len(x) + 8) / (value**2 * math.log(base))


def of_entropy(x, y, value):
    """Terms of both signs, of magnitudes that sum to a few."""
    p, q = x / x.sum(), y / y.sum()
    return 4 + (len(x) + 8) * np.sum(np.abs(special.rel_entr(p, q)) + p + q) / value


def of_haversine(x, y, value):
    """Sines and cosines of 4 roundings, squared; asin near 1 makes tan(value / 2) of one."""
    return 16 * max(1.0, math.tan(value / 2))


def scipys(metric, **given):
    return lambda x, y: distance.cdist([x], [y], metric, **given)[0, 0]


def sklearns(function, **given):
    return lambda x, y: function([x], [y], **given)[0, 0]


def plain_and_weighted(metric, d, **given):
    yield metric, given, scipys(metric, **given)
    w = positive(d)
    w[1:2] = 0
    yield metric, {"w": w, **given}, scipys(metric, w=w, **given)


def sums(d):
    for metric in ("euclidean", "sqeuclidean", "cityblock", "chebyshev", "canberra", "braycurtis"):
        yield from plain_and_weighted(metric, d)
    for p in (0.5, 1.5, 3, 7.5, math.inf):
        yield from plain_and_weighted("minkowski", d, p=p)
    V = positive(d)
    yield "seuclidean", {"V": V}, scipys("seuclidean", V=V)


def inverses(d):
    VI, V = definite(d), definite(d)
    yield "mahalanobis", {"VI": VI}, scipys("mahalanobis", VI=VI)
    yield "mahalanobis", {"V": V}, scipys("mahalanobis", VI=np.linalg.inv(V))


def cosines(d):
    yield from plain_and_weighted("cosine", d)
    if d > 1:  # of one feature every row is constant
        yield from plain_and_weighted("correlation", d)


def exponents(d):
    for given in ({}, {"gamma": 0.3}):
        yield "rbf", given, sklearns(pairwise.rbf_kernel, **given)
        yield "laplacian", given, sklearns(pairwise.laplacian_kernel, **given)


def products(d):
    product = sklearns(pairwise.linear_kernel)
    yield "inner_product", {}, lambda x, y: -product(x, y)
    given = {"gamma": 0.5, "coef0": -0.25, "degree": 5}
    yield "polynomial", given, sklearns(pairwise.polynomial_kernel, **given)
    yield "polynomial", {"degree": 3}, sklearns(pairwise.polynomial_kernel)


def missing(d):
    yield "nan_euclidean", {}, sklearns(pairwise.nan_euclidean_distances)


def categories(d):
    yield from plain_and_weighted("hamming", d)


def booleans(d):
    for metric in ("jaccard", "dice", "rogerstanimoto", "russellrao", "sokalsneath", "yule"):
        for name, given, call in plain_and_weighted(metric, d):
            yield name, given, lambda x, y, call=call: call(x != 0, y != 0)


def entropies(d):
    yield "kl", {}, lambda x, y: np.sum(special.rel_entr(x / x.sum(), y / y.sum()))


def halves(d):
    chi_squares = sklearns(pairwise.additive_chi2_kernel)
    yield "chi_square", {}, lambda x, y: -0.5 * chi_squares(x, y)


def divergences(d):
    for given in ({}, {"base": 2}):
        yield "jensenshannon", given, lambda x, y, given=given: distance.jensenshannon(x, y, **given)


def angles(d):
    yield "haversine", {}, sklearns(pairwise.haversine_distances)


# Metrics of one bound: what yields (name, parameters, call), the bound, the rows that keep it small.
FAMILIES = (
    (sums, of_sum, KINDS, SIZES),
    (inverses, of_inverse, KINDS, SIZES),
    (cosines, of_one_less_a_cosine, (ordinary, integers, zeros), SIZES),
    (exponents, of_exponent, (ordinary, zeros), SIZES),
    (products, of_products, (ordinary, integers, zeros), SIZES),
    (missing, of_norms, (gaps,) * 4, SIZES[1:]),
    (angles, of_haversine, (places,) * 8, (2,)),
    (categories, of_sum, (integers, zeros) * 2, SIZES),
    (booleans, of_sum, (truths,) * 2, SIZES[1:] + (20,)),
    (entropies, of_entropy, (positives,) * 4, SIZES[1:]),
    (halves, of_sum, (positives,) * 3, SIZES),
    (divergences, of_relative_entropies, (positives,) * 4, SIZES[1:]),
)


def computed():
    """(metric, parameters, x, y, value, roundings) of everything."""
    for family, bound, kinds, sizes in FAMILIES:
        for d, kind in itertools.product(sizes, kinds):
            for metric, given, call in family(d):
                x, y = kind(d)
                with np.errstate(invalid="ignore"):  # a zero row has no cosine
                    value = call(x, y)
                if math.isfinite(value) and value != 0:  # roundings are of a value
                    yield metric, given, x, y, value, bound(x, y, value, **given)


def number(value):
    return {"inf": "HUGE_VAL", "nan": "NAN"}.get(repr(float(value)), repr(float(value)).removesuffix(".0"))


def text(value):
    """A number, or a list of numbers in braces."""
    if np.ndim(value) == 0:
        return number(value)
    return "{" + ", ".join(map(number, np.ravel(value))) + "}"


def literal(metric, given, x, y, value, roundings):
    """A ScipyCase."""
    order = ("w", "V", "VI", "p", "gamma", "coef0", "degree", "base")
    parameters = ", ".join(f".{name} = {text(given[name])}" for name in order if name in given)
    parts = [
        f'"{metric}"',
        f"{{{parameters}}}",
        text(x),
        text(y),
        repr(float(value)),
        str(math.ceil(roundings)),
    ]
    return textwrap.fill("{" + ", ".join(parts) + "},", width=110, subsequent_indent=" ")


def main():
    versions = f"SciPy {scipy.__version__}, scikit-learn {sklearn.__version__}, NumPy {np.__version__}"
    print("// SPDX-License-Identifier: Apache-2.0")
    print(f"// Made by tests/support/make_scipy_values.py with {versions}.")
    for case in computed():
        if case[-1] <= MOST_ROUNDINGS:
            print(literal(*case))


if __name__ == "__main__":
    sys.exit(main())
