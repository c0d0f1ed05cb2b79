# SPDX-License-Identifier: Apache-2.0
"""Weights and variances through Python, held against SciPy where SciPy is right, and against plain sums."""

import math
from fractions import Fraction

import numpy as np
import pytest

import quadrance

distance = pytest.importorskip("scipy.spatial.distance")

SCIPY = (
    "euclidean sqeuclidean cityblock chebyshev minkowski canberra braycurtis seuclidean mahalanobis cosine "
    "correlation hamming"
).split()
WEIGHTED = [name for name in SCIPY if "w" in quadrance.metrics()[name].parameters]


def test_metrics_say_what_they_take():
    assert "euclidean" in WEIGHTED and "cosine" in WEIGHTED and "chebyshev" in WEIGHTED
    assert quadrance.metrics()["seuclidean"].parameters == ["V"]
    assert quadrance.metrics()["mahalanobis"].parameters == ["V", "VI"]


@pytest.mark.parametrize("metric", WEIGHTED)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_weights_are_scipys(rng, metric, dtype):
    X = rng.standard_normal((17, 9)).astype(dtype)
    Y = rng.standard_normal((11, 9)).astype(dtype)
    w = rng.random(9)
    w[4] = 0
    want = distance.cdist(X.astype(np.float64), Y.astype(np.float64), metric, w=w)
    np.testing.assert_allclose(
        quadrance.cdist(X, Y, metric, w=w), want, rtol=1e-5 if dtype == "float32" else 1e-12
    )
    np.testing.assert_allclose(quadrance.distances(X, Y, metric, w=list(w), dtype="float64"), want, rtol=1e-5)


@pytest.mark.parametrize("metric", SCIPY)
def test_values_are_scipys(rng, metric):
    X, Y = rng.random((20, 7)), rng.random((13, 7))
    np.testing.assert_allclose(quadrance.cdist(X, Y, metric), distance.cdist(X, Y, metric), rtol=1e-12)
    np.testing.assert_allclose(quadrance.pdist(X, metric), distance.pdist(X, metric), rtol=1e-12)


def test_43_variances_come_from_the_whole_data(rng):
    X, Y = rng.random((30, 5)), rng.random((21, 5)) * 3
    V = X.var(axis=0, ddof=1)
    want = np.sqrt((((X[:, None] - X[None]) ** 2) / V).sum(-1))
    D = quadrance.distances(X, metric="seuclidean")
    np.testing.assert_allclose(D, want, rtol=1e-13)
    assert np.array_equal(quadrance.cdist(X, X.copy(), "seuclidean"), D)
    assert np.array_equal(quadrance.pdist(X, "seuclidean"), D[np.triu_indices(30, 1)])
    np.testing.assert_allclose(quadrance.distances(X, metric="seuclidean", V=V), D, rtol=1e-13)
    both = np.vstack([X, Y]).var(axis=0, ddof=1)
    np.testing.assert_allclose(
        quadrance.cdist(X, Y, "seuclidean"), distance.cdist(X, Y, "seuclidean", V=both), rtol=1e-12
    )
    with pytest.raises(quadrance.MetricError, match="needs V"):
        quadrance.distances(X, Y, "seuclidean")
    with pytest.raises(quadrance.MetricError, match="needs V"):
        quadrance.pairwise_distances(X, Y, "seuclidean")


def test_variances_of_offset_data_keep_their_digits(rng):
    X = rng.random((40, 3))
    near = quadrance.distances(X, metric="seuclidean")
    far = quadrance.distances(np.round(X * 2**20) / 2**20 + 2**30, metric="seuclidean")
    np.testing.assert_allclose(
        far, quadrance.distances(np.round(X * 2**20) / 2**20, metric="seuclidean"), rtol=1e-13
    )
    np.testing.assert_allclose(far, near, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("metric", ["euclidean", "cosine", "chebyshev"])
@pytest.mark.parametrize("w", [[-1, 1], [1], [np.nan, 1], [1, np.inf], [[1, 1]], ["a", "b"], [1, 2, 3]])
def test_30_bad_weights_are_refused(metric, w):
    with pytest.raises(ValueError, match="w"):
        quadrance.distances([[0, 1], [1, 0]], metric=metric, w=w)


@pytest.mark.parametrize("metric", WEIGHTED)
def test_30_weights_of_zero_mean_no_distance(metric):
    D = quadrance.cdist([[0, 1], [2, -5], [2, np.nan]], [[1, 0]], metric, w=[0, 0])
    assert np.array_equal(D, [[0], [0], [np.nan]], equal_nan=True)


def test_parameters_that_are_not_taken_are_refused():
    X = [[0, 1], [1, 0]]
    with pytest.raises(quadrance.MetricError, match=r"euclidean takes no parameter V; it takes w"):
        quadrance.distances(X, metric="euclidean", V=[1, 1])
    with pytest.raises(quadrance.MetricError, match=r"seuclidean takes no parameter w; it takes V"):
        quadrance.distances(X, metric="seuclidean", w=[1, 1])
    with pytest.raises(quadrance.MetricError, match=r"V\[1\] is 0"):
        quadrance.distances(X, metric="seuclidean", V=[1, 0])
    for name in ("w", "V", "VI"):
        with pytest.raises(quadrance.ShapeError, match=f"{name} is empty"):
            quadrance.distances(X, **{name: []})
        with pytest.raises(TypeError, match=f"{name} is a masked array"):
            quadrance.distances(X, **{name: np.ma.array([1, 2], mask=[0, 1])})
    with pytest.raises(quadrance.DtypeError, match="longdouble|float128"):
        quadrance.distances(X, w=np.ones(2, np.longdouble))


def test_one_point_is_an_answer():
    for metric in SCIPY:
        assert np.array_equal(quadrance.distances([[1.0, 2.0]], metric=metric), [[0]])


def test_preparing_many_rows_can_be_cancelled():
    X = np.broadcast_to(np.arange(300.0), (300_000, 300))
    calls = []

    def stop(done, total):
        calls.append(done)
        return False

    for metric in ("correlation", "seuclidean", "mahalanobis"):
        with pytest.raises(quadrance.CancelledError):
            quadrance.cdist(X, X[:1], metric, progress=stop)
    assert calls


def test_mahalanobis_is_scipys(rng):
    X, Y = rng.random((60, 6)) @ rng.random((6, 6)), rng.random((31, 6))
    VI = np.linalg.inv(np.cov(X.T))
    want = distance.cdist(X, X, "mahalanobis", VI=VI)
    np.testing.assert_allclose(quadrance.distances(X, metric="mahalanobis"), want, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(
        quadrance.distances(X, metric="mahalanobis", VI=VI), want, rtol=1e-9, atol=1e-9
    )
    np.testing.assert_allclose(
        quadrance.distances(X, metric="mahalanobis", V=np.cov(X.T)), want, rtol=1e-9, atol=1e-9
    )
    np.testing.assert_allclose(
        quadrance.cdist(X, Y, "mahalanobis"), distance.cdist(X, Y, "mahalanobis"), rtol=1e-9, atol=1e-9
    )
    assert np.array_equal(
        quadrance.pdist(X, "mahalanobis"), quadrance.cdist(X, X, "mahalanobis")[np.triu_indices(60, 1)]
    )
    with pytest.raises(quadrance.MetricError, match="singular"):
        quadrance.pdist(X[:6], "mahalanobis")
    with pytest.raises(quadrance.MetricError, match="needs V"):
        quadrance.distances(X, Y, "mahalanobis")
    with pytest.raises(quadrance.ShapeError, match=r"VI has shape \(2, 3\)"):
        quadrance.distances(X, metric="mahalanobis", VI=np.ones((2, 3)))
    with pytest.raises(quadrance.ShapeError, match="VI has 4 elements; 36 are needed"):
        quadrance.distances(X, metric="mahalanobis", VI=np.eye(2))


def exact_square(difference, V):
    """The square of the mahalanobis distance of two features, in rational numbers."""
    (a, b), (c, d) = V
    x, y = difference
    return (d * x * x - (b + c) * x * y + a * y * y) / (a * d - b * c)


def exact(numbers):
    return [[Fraction(float(value)) for value in row] for row in numbers]


def root(square):
    return math.isqrt(square.numerator * 4**200 // square.denominator) / 2**200


def test_mahalanobis_of_nearly_dependent_features_keeps_its_digits():
    rng = np.random.default_rng(33)
    X = rng.normal(size=(10, 2))
    X[:, 1] = X[:, 0] + 4e-3 * X[:, 1]
    rows = exact(X)
    mean = [sum(row[f] for row in rows) / 10 for f in (0, 1)]
    V = [[sum((r[i] - mean[i]) * (r[j] - mean[j]) for r in rows) / 9 for j in (0, 1)] for i in (0, 1)]
    want = [
        root(exact_square([a[f] - b[f] for f in (0, 1)], V))
        for i, a in enumerate(rows)
        for b in rows[i + 1 :]
    ]
    np.testing.assert_allclose(quadrance.pdist(X, "mahalanobis"), want, rtol=2e-14)


def test_an_inverse_counts_in_every_direction():
    for exponent in (20, 30, 36, 37, 40, 44):
        c = 1 - 2.0**-exponent
        got = quadrance.cdist([[1.0, 0]], [[0.0, 1]], "mahalanobis", VI=[[1, c], [c, 1]])
        assert got[0, 0] == pytest.approx(2.0 ** ((1 - exponent) / 2), rel=1e-9), exponent
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 2))
    X[:, 1] = X[:, 0] + 2e-6 * X[:, 1]
    VI = np.linalg.inv(np.cov(X.T))
    VI = (VI + VI.T) / 2
    (a, b), (_, d) = exact(VI)
    x, y = (p - q for p, q in zip(*exact(X[:2]), strict=True))
    want = root(a * x * x + 2 * b * x * y + d * y * y)
    assert quadrance.pdist(X[:2], "mahalanobis", VI=VI)[0] == pytest.approx(
        want, rel=4 * 2.0**-64 * np.linalg.cond(VI)
    )


@pytest.mark.parametrize("d", [3, 5, 10, 50])
def test_no_more_points_than_features_have_no_covariance(d):
    for seed in range(20):
        X = np.random.default_rng(seed).normal(size=(d, d)) + 1e3
        with pytest.raises(quadrance.MetricError, match="more points than features"):
            quadrance.pdist(X, "mahalanobis")


def test_a_dependent_feature_is_always_found():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(120, 40))
        X[:, 39] = X[:, :39] @ rng.normal(size=39)
        with pytest.raises(quadrance.MetricError, match="singular: feature 39"):
            quadrance.pdist(X, "mahalanobis")


def test_the_squares_of_mahalanobis_count_as_memory():
    X = np.zeros((3, 5000))
    assert quadrance.plan(X, metric="mahalanobis").bytes_scratch > 4 * 16 * 5000**2
    with pytest.raises(quadrance.OutOfMemoryError):
        quadrance.distances(X, metric="mahalanobis", memory_limit=50_000_000)


def test_features_in_units_far_apart(rng):
    X = np.c_[rng.normal(size=20) * 1e-9, rng.normal(size=20) * 1e5]
    np.testing.assert_allclose(quadrance.pdist(X, "seuclidean"), distance.pdist(X, "seuclidean"), rtol=1e-13)
    V = [1e30, 1, 1e-40]
    np.testing.assert_allclose(
        quadrance.pdist(np.eye(3), "seuclidean", V=V),
        distance.pdist(np.eye(3), "seuclidean", V=V),
        rtol=1e-14,
    )
    with pytest.raises(
        quadrance.MetricError, match=r"V reaches from 1e-60 \(feature 1\) to 1e\+30 \(feature 0\)"
    ):
        quadrance.pdist(np.eye(3), "seuclidean", V=[1e30, 1e-60, 1])


def test_small_powers_of_float32():
    x, y = np.float32([[0, 0]]), np.float32([[1e10, 1e-30]])
    for p in (0.05, 0.1, 0.25):
        want = float(y[0, 0]) * (1 + float(np.float64(y[0, 1]) / np.float64(y[0, 0])) ** p) ** (1 / p)
        assert quadrance.cdist(x, y, "minkowski", p=p)[0, 0] == pytest.approx(want, rel=1e-5)


@pytest.mark.parametrize(
    ("kwargs", "error", "text"),
    [
        ({"metric": "minkowski", "p": np.complex128(3 + 1j)}, TypeError, "p is a complex128"),
        ({"metric": "minkowski", "p": np.ma.masked}, TypeError, "p is a Masked"),
        ({"metric": "minkowski", "p": np.ma.array(3.0, mask=True)}, TypeError, "p is a Masked"),
        ({"metric": "minkowski", "p": np.array("3")}, TypeError, "p is a ndarray"),
        (
            {"metric": "sqeuclidean", "w": np.array([2**53 + 1, 1, 1, 1])},
            quadrance.DtypeError,
            r"w\[0\] is 9",
        ),
        ({"metric": "euclidean", "w": ["1", "2", "3", "4"]}, quadrance.DtypeError, "w has dtype"),
        ({"metric": "euclidean", "w": np.ones(4, complex)}, quadrance.DtypeError, "w has dtype complex"),
        ({"metric": "euclidean", "w": np.ones((2, 2))}, quadrance.ShapeError, r"w has shape \(2, 2\)"),
        ({"metric": "seuclidean", "V": [[1, 2], [3, 4]]}, quadrance.ShapeError, r"V has shape \(2, 2\)"),
        ({"metric": "mahalanobis", "V": np.eye(4).ravel()}, quadrance.ShapeError, r"V has shape \(16,\)"),
        ({"metric": "mahal", "VI": np.eye(4).ravel()}, quadrance.ShapeError, r"VI has shape \(16,\)"),
        ({"metric": "periodic_euclidean", "box": []}, quadrance.ShapeError, "box is empty; numbers for 4"),
    ],
)
def test_parameters_that_are_no_numbers_or_of_the_wrong_shape(rng, kwargs, error, text):
    X = rng.random((3, 4))
    out = np.full((3, 3), 7.0)
    with pytest.raises(error, match=text):
        quadrance.distances(X, out=out, **kwargs)
    assert (out == 7).all()


def test_no_features_need_no_numbers():
    for kwargs in ({"w": []}, {"metric": "seuclidean", "V": []}, {"metric": "periodic_euclidean", "box": []}):
        assert np.array_equal(quadrance.distances(np.zeros((2, 0)), **kwargs), np.zeros((2, 2)))


def test_numbers_of_jobs_and_rows_that_are_none():
    for bad in ("2", float("nan"), 1.5):
        with pytest.raises(TypeError, match="n_jobs is .*; a whole number is needed"):
            quadrance.pairwise_distances([[1.0]], n_jobs=bad)
    with pytest.raises(quadrance.ShapeError, match="rows of one length"):
        quadrance.distances([[1, 2], [3]])


def test_metrics_tell_their_degree():
    metrics = quadrance.metrics()
    degrees = {name: metrics[name].degree for name in ("euclidean", "sqeuclidean", "cosine", "rbf")}
    assert degrees == {"euclidean": 1, "sqeuclidean": 2, "cosine": 0, "rbf": None}


# --- rows of true and false ---------------------------------------------------------------------------------

BOOLEAN = ["jaccard", "dice", "rogerstanimoto", "russellrao", "sokalsneath", "yule"]


@pytest.mark.parametrize("metric", BOOLEAN)
def test_boolean_weights_are_scipys(rng, metric):
    X, Y = rng.random((17, 12)) < 0.5, rng.random((11, 12)) < 0.5
    w = rng.random(12)
    w[4] = 0
    np.testing.assert_allclose(
        quadrance.cdist(X, Y, metric, w=w), distance.cdist(X, Y, metric, w=w), rtol=1e-13
    )
    ones = quadrance.cdist(X, Y, metric, w=np.ones(12))
    np.testing.assert_allclose(ones, quadrance.cdist(X, Y, metric), rtol=1e-15)


@pytest.mark.parametrize("metric", ["hamming", *BOOLEAN])
@pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32", "uint64", "int8", "int64"])
def test_packed_rows_are_bits(rng, metric, dtype):
    bits = rng.random((23, 192)) < 0.3
    packed = np.packbits(bits, axis=1).view(dtype)
    want = quadrance.distances(bits, metric=metric)
    assert np.array_equal(quadrance.distances(packed, metric=metric, packed=True), want)
    assert np.array_equal(quadrance.distances(packed[:5], packed, metric, packed=192), want[:5])
    assert np.array_equal(quadrance.distances(np.asfortranarray(packed), metric=metric, packed=True), want)
    assert np.array_equal(
        quadrance.pdist(packed[::2], metric, packed=True), quadrance.pdist(bits[::2], metric)
    )


@pytest.mark.parametrize("metric", ["hamming", *BOOLEAN])
def test_packed_rows_say_how_many_features_they_have(rng, metric):
    bits = rng.random((9, 41)) < 0.5
    packed = np.packbits(bits, axis=1)
    assert packed.shape == (9, 6)
    want = quadrance.distances(bits, metric=metric)
    assert np.array_equal(quadrance.distances(packed, metric=metric, packed=41), want)
    assert np.array_equal(quadrance.distances(packed, metric=metric, packed=np.int64(41)), want)
    assert quadrance.plan(packed, metric=metric, packed=41).d == 41
    assert quadrance.plan(packed, metric=metric, packed=True).d == 48
    assert quadrance.plan(packed, metric=metric, packed=False).d == 6


def test_what_is_wrong_with_packed_rows_is_said():
    X = np.zeros((2, 4), np.uint8)
    with pytest.raises(quadrance.MetricError, match="euclidean takes no parameter packed"):
        quadrance.distances(X, packed=True)
    with pytest.raises(quadrance.DtypeError, match="X is float64; packed rows are integers"):
        quadrance.distances(X.astype(float), metric="jaccard", packed=True)
    with pytest.raises(quadrance.DtypeError, match="X is bool; packed rows are integers"):
        quadrance.distances(X.astype(bool), metric="jaccard", packed=True)
    with pytest.raises(quadrance.DtypeError, match="uint8 and of uint16"):
        quadrance.distances(X, X.astype(np.uint16), metric="jaccard", packed=True)
    for wrong in (33, -1, 2**70):
        with pytest.raises(quadrance.MetricError, match="from 1 to 32, the bits of a row"):
            quadrance.distances(X, metric="jaccard", packed=wrong)
    ones = np.full((2, 4), 255, np.uint8)
    with pytest.raises(quadrance.MetricError, match="rows of X have 32 bits set in all, of 20 features"):
        quadrance.distances(ones, metric="jaccard", packed=20)
    with pytest.raises(quadrance.MetricError, match="rows of Y have 32 bits set"):
        quadrance.distances(X, ones, metric="jaccard", packed=20)
    assert quadrance.distances(ones, metric="jaccard", packed=np.True_)[0, 1] == 0
    with pytest.raises(quadrance.MetricError, match="packed is -5"):
        quadrance.distances(X, metric="jaccard", packed=-5)
    with pytest.raises(quadrance.MetricError, match="unpack them to give w"):
        quadrance.distances(X, metric="jaccard", packed=True, w=np.ones(32))
    for wrong in (1.5, "yes", [8]):
        with pytest.raises(TypeError, match="packed"):
            quadrance.distances(X, metric="jaccard", packed=wrong)


# --- gower --------------------------------------------------------------------------------------------------


def gower(x, y, ranges, categorical, w):
    """Plainly, by the definition."""
    parts = [
        (weight, float(a != b) if f in categorical else abs(a - b) / span if span else 0.0)
        for f, (a, b, span, weight) in enumerate(zip(x, y, ranges, w, strict=True))
        if not (math.isnan(a) or math.isnan(b))
    ]
    total = sum(weight for weight, _ in parts)
    return sum(weight * s for weight, s in parts) / total if total else math.nan


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("missing", [False, True])
def test_gower_is_its_definition(rng, weighted, missing):
    X = rng.normal(size=(31, 6)) * [1, 10, 1e-3, 1, 1e5, 0]
    X[:, 3] = rng.integers(0, 4, 31)
    if missing:
        X[rng.random(X.shape) < 0.4] = math.nan
    w = rng.random(6) if weighted else np.ones(6)
    given = {"w": w} if weighted else {}
    ranges = np.nan_to_num(np.nanmax(X, axis=0) - np.nanmin(X, axis=0))
    want = [[gower(x, y, ranges, {3}, w) for y in X] for x in X]
    got = quadrance.distances(X, metric="gower", categorical=[3], **given)
    np.testing.assert_allclose(got, want, rtol=1e-13)
    mask = np.arange(6) == 3
    assert np.array_equal(
        quadrance.distances(X, metric="gower", categorical=mask, **given), got, equal_nan=True
    )
    ranges[5] = 1
    between = quadrance.distances(X[:4], X, "gower", ranges=ranges, categorical=np.array([3]), **given)
    np.testing.assert_allclose(between, got[:4], rtol=1e-13)


def test_what_is_wrong_with_gower_is_said():
    X = np.arange(6.0).reshape(2, 3)
    with pytest.raises(quadrance.MetricError, match="of two sets of points needs ranges"):
        quadrance.distances(X, X + 1, "gower")
    assert quadrance.distances(X, X.copy(), "gower")[0, 1] == 1
    with pytest.raises(quadrance.MetricError, match=r"categorical\[0\] is 3; the points have 3 features"):
        quadrance.distances(X, metric="gower", categorical=[3])
    with pytest.raises(quadrance.MetricError, match=r"ranges\[1\] is 0; ranges must be finite and above 0"):
        quadrance.distances(X, metric="gower", ranges=[1, 0, 1])
    assert quadrance.distances(X, metric="gower", ranges=[3, 0, 3], categorical=[1])[0, 1] == 1
    with pytest.raises(quadrance.MetricError, match="names a feature twice; a mask must be of bool"):
        quadrance.distances(X, metric="gower", categorical=[0, 1, 0])
    with pytest.raises(TypeError, match="categorical is a masked array"):
        quadrance.distances(X, metric="gower", categorical=np.ma.array([0, 1], mask=[0, 1]))
    with pytest.raises(quadrance.MetricError, match="the points have 3 features, counted from 0"):
        quadrance.distances(X, metric="gower", categorical=np.array([2**63], np.uint64))
    for mask in ([True], [False] * 4, np.array([False, True])):
        with pytest.raises(
            quadrance.ShapeError, match="categorical is a mask of . features; the points have 3"
        ):
            quadrance.distances(X, metric="gower", categorical=mask)
    for wrong in ([0.5], [[1]], "all"):
        with pytest.raises(TypeError, match="the indices of features, or a mask"):
            quadrance.distances(X, metric="gower", categorical=wrong)
