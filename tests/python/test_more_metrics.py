# SPDX-License-Identifier: Apache-2.0
"""Metrics and similarities with parameters of their own, held against SciPy and scikit-learn where those are
right, and where not against values worked out by hand, plain sums in float64, or Fractions."""

import math
from fractions import Fraction

import numpy as np
import pytest

import quadrance

distance = pytest.importorskip("scipy.spatial.distance")
pairwise = pytest.importorskip("sklearn.metrics.pairwise")

f4 = np.float32


def close(got, want, dtype):
    np.testing.assert_allclose(got, want, rtol=3e-6 if dtype == "float32" else 1e-13)


@pytest.fixture(params=["float32", "float64"])
def dtype(request):
    return request.param


@pytest.fixture
def points(rng, dtype):
    return rng.standard_normal((43, 9)).astype(dtype), rng.standard_normal((31, 9)).astype(dtype)


@pytest.mark.parametrize("p", [0.3, 0.5, 1, 1.5, 2, 2.3, 2.5, 3, 4, 5.5, 6, 7.5, 15, 15.5, 16, 30, math.inf])
@pytest.mark.parametrize("weighted", [False, True])
def test_minkowski_is_scipys(rng, points, dtype, p, weighted):
    X, Y = points
    w = {"w": rng.random(9)} if weighted else {}
    want = distance.cdist(X.astype(float), Y.astype(float), "minkowski", p=p, **w)
    got = quadrance.cdist(X, Y, "minkowski", p=p, **w)
    assert got.dtype == dtype
    np.testing.assert_allclose(got, want, rtol=2e-5 if dtype == "float32" else 1e-13)


def test_27_minkowski_of_infinity():
    D = quadrance.cdist([[1.11132, 1.15693]], [[1.14994, 1.15386]], "minkowski", p=np.inf)
    assert D[0, 0] == 1.14994 - 1.11132


@pytest.mark.parametrize("p", [1000.0, 1e6, 1e15, 1e300])
def test_28_large_powers_do_not_overflow(dtype, p):
    X = np.array([[0, 0], [3, 4], [0.3, 0.4]], dtype)
    D = quadrance.distances(X, metric="minkowski", p=p)
    close(D[0, 1:], [4.0, 0.4], dtype)


@pytest.mark.parametrize("p", [0.5, 1.5, 2.5, 3.0, 5.5, 6.0, 15.0, 2.3, 40.0])
@pytest.mark.parametrize("scale", ["tiny", "huge", "subnormal"])
def test_28_no_power_over_or_underflows(dtype, p, scale):
    exponent = {"tiny": -40, "huge": 100, "subnormal": -140}[scale]
    if dtype == "float64":
        exponent *= 7
    unit = 2.0**exponent
    X = np.array([[0, 0, 0], [3, 5, 1]], dtype) * np.dtype(dtype).type(unit)
    want = (3**p + 5**p + 1) ** (1 / p) * unit
    got = float(quadrance.distances(X, metric="minkowski", p=p)[0, 1])
    rounding = 2 * float(np.finfo(dtype).smallest_subnormal) if scale == "subnormal" else 0
    assert abs(got - want) <= (1e-5 if dtype == "float32" else 1e-13) * want + rounding


@pytest.mark.parametrize("p", [0, -1, math.nan, -math.inf])
def test_29_powers_out_of_range_are_refused(p):
    with pytest.raises(quadrance.MetricError, match="it must be above 0"):
        quadrance.distances([[0, 1]], metric="minkowski", p=p)


def test_minkowski_of_nan_inf_and_equal_rows(dtype):
    X = np.array([[1, 2], [1, 2], [np.nan, 0], [np.inf, 0], [np.inf, 1]], dtype)
    for p in (0.5, 1.5, 3, 2.3, 100):
        D = quadrance.distances(X, metric="minkowski", p=p)
        assert D[0, 1] == D[0, 0] == 0
        assert np.isnan(D[2]).all() and np.isnan(D[3, 4]) and np.isposinf(D[0, 3])


def test_wminkowski_is_refused_with_the_way_out():
    with pytest.raises(quadrance.MetricError, match=r"use minkowski with the weights w\*\*p"):
        quadrance.cdist([[0]], [[1]], "wminkowski", p=3, w=[1])


def test_angular_is_the_angle(points, dtype):
    X, Y = points
    x, y = (A.astype(float) / np.linalg.norm(A.astype(float), axis=1, keepdims=True) for A in (X, Y))
    difference = np.linalg.norm(x[:, None] - y[None], axis=2)
    both = np.linalg.norm(x[:, None] + y[None], axis=2)
    close(quadrance.cdist(X, Y, "angular"), 2 * np.arctan2(difference, both), dtype)


def test_angular_near_zero_and_pi(dtype):
    tiny = 1e-3 if dtype == "float32" else 1e-9
    X = np.array([[1, 0], [1, tiny], [-1, 0], [-1, tiny], [0, 0], [0, 2], [3, 0]], dtype)
    D = quadrance.distances(X, metric="angular")
    np.testing.assert_allclose(D[0, :4], [0, tiny, math.pi, math.pi - tiny], rtol=4e-7, atol=1e-16)
    assert D[0, 6] == 0 and D[0, 2] == np.dtype(dtype).type(math.pi)
    assert D[4, 4] == 0 and D[4, 0] == D[5, 0] == np.dtype(dtype).type(math.pi / 2)


def test_haversine_is_sklearns(rng, dtype):
    X = np.column_stack([rng.uniform(-1.5, 1.5, 40), rng.uniform(-3, 3, 40)]).astype(dtype)
    want = pairwise.haversine_distances(X[:25].astype(float), X[25:].astype(float))
    close(quadrance.distances(X[:25], X[25:], "haversine"), want, dtype)
    degrees = np.degrees(X.astype(float))
    km = quadrance.distances(degrees[:25], degrees[25:], "haversine", degrees=True, radius=6371)
    np.testing.assert_allclose(km, 6371 * want, rtol=1e-13)


def test_54_antipodes_and_near_points(dtype):
    # latitude, longitude
    X = np.array([[-15.625, 1], [15.625, -179], [90, 17], [-90, -100]], dtype)
    D = quadrance.distances(X, metric="haversine", degrees=True)
    assert D.dtype == dtype
    close([D[0, 1], D[2, 3]], [math.pi, math.pi], dtype)
    near = np.array([[51.5, 0.125], [51.5, 0.125 + 2**-15]], dtype)  # 2.1 m: exact in float32 too
    metres = quadrance.distances(near, metric="haversine", degrees=True, radius=6_371_000)
    want = math.radians(2**-15) * math.cos(math.radians(51.5)) * 6_371_000
    np.testing.assert_allclose(metres[0, 1], want, rtol=2e-7)
    assert quadrance.distances([[0, 180]], [[0, -180]], "haversine", degrees=True)[0, 0] == 0


def test_haversine_takes_two_features():
    with pytest.raises(quadrance.ShapeError, match="the points have 3 features; haversine takes 2"):
        quadrance.distances([[1, 2, 3]], metric="haversine")
    with pytest.raises(quadrance.MetricError, match="radius is -1"):
        quadrance.distances([[1, 2]], metric="haversine", radius=-1)


def test_nan_euclidean_is_sklearns(rng, dtype):
    X, Y = rng.random((37, 8)).astype(dtype), rng.random((29, 8)).astype(dtype)
    X[rng.random(X.shape) < 0.4] = np.nan
    Y[rng.random(Y.shape) < 0.4] = np.nan
    X[3] = np.nan
    squares = (X[:, None].astype(float) - Y[None].astype(float)) ** 2
    present = (~np.isnan(squares)).sum(axis=2)
    with np.errstate(divide="ignore", invalid="ignore"):
        want = np.sqrt(8 / present * np.nansum(squares, axis=2))
    close(quadrance.pairwise_distances(X, Y, "nan_euclidean"), want, dtype)
    sklearns = pairwise.nan_euclidean_distances(X.astype(float), Y.astype(float))
    np.testing.assert_allclose(sklearns, want, rtol=1e-6)  # it subtracts norms
    D = quadrance.distances(X, metric="nan_euclidean")
    assert np.array_equal(D, D.T, equal_nan=True)
    assert np.isnan(D[3]).all() and (np.delete(np.diag(D), 3) == 0).all()


def test_26_a_pair_with_nothing_in_common_is_no_neighbour():
    nan = np.nan
    D = quadrance.distances([[1, nan]], [[nan, 2], [1, 3]], "nan_euclidean")
    assert np.isnan(D[0, 0]) and D[0, 1] == 0
    assert np.nanargmin(D) == 1


def test_nan_euclidean_scales_what_is_missing():
    nan = np.nan
    D = quadrance.distances(
        [[3, nan, nan, 6], [1, nan, 4, 5]], metric="nan_euclidean"
    )  # scikit-learn's example
    assert D[0, 1] == math.sqrt(4 / 2 * ((3 - 1) ** 2 + (6 - 5) ** 2))
    assert quadrance.distances([[1e200, nan]], [[0, 0]], "nan_euclidean")[0, 0] == pytest.approx(
        math.sqrt(2) * 1e200
    )
    with pytest.raises(quadrance.NotFiniteError):
        quadrance.pairwise_distances([[np.inf]], metric="nan_euclidean")


def test_53_nearest_image():
    a = [7.90146923, -13.72858524, 3.75326586]
    b = [-1.36250901, 13.45423985, -0.36317623]
    D = quadrance.cdist([a], [b], "periodic_euclidean", box=[5.5457325] * 3)
    L = Fraction(5.5457325)
    r = [Fraction(x) - Fraction(y) for x, y in zip(a, b, strict=True)]
    r = [d - L * round(d / L) for d in r]
    assert float(D[0, 0]) == pytest.approx(math.sqrt(sum(d * d for d in r)), rel=1e-15)
    assert float(D[0, 0]) == pytest.approx(2.3833836, rel=1e-7)


def test_periodic_over_the_edge_keeps_its_digits(dtype):
    X = np.array([[0.5, 1.0], [10.5, 1.0], [9.999999, 3.0], [-0.25, 1.0]], dtype)
    D = quadrance.distances(X, metric="periodic", box=[10, np.inf])
    assert D[0, 1] == 0 and D[0, 3] == 0.75
    want = math.hypot(0.5 + (10 - float(X[2, 0])), 2.0)
    np.testing.assert_allclose(D[0, 2], want, rtol=1e-15 if dtype == "float64" else 6e-8)


def test_inner_product_is_the_negative_product(points, dtype):
    X, Y = points
    want = -(X.astype(float) @ Y.astype(float).T)
    np.testing.assert_allclose(
        quadrance.distances(X, Y, "inner_product"), want, atol=1e-5 if dtype == "float32" else 1e-14
    )


@pytest.mark.parametrize(
    ("kernel", "function", "parameters"),
    [
        ("rbf", pairwise.rbf_kernel, {}),
        ("rbf", pairwise.rbf_kernel, {"gamma": 0.3}),
        ("laplacian", pairwise.laplacian_kernel, {}),
        ("laplacian", pairwise.laplacian_kernel, {"gamma": 2}),
        ("polynomial", pairwise.polynomial_kernel, {}),
        ("polynomial", pairwise.polynomial_kernel, {"gamma": 0.5, "coef0": -0.25, "degree": 7}),
    ],
)
def test_similarities_are_sklearns(points, dtype, kernel, function, parameters):
    X, Y = points
    got = quadrance.similarity(X, Y, kernel, **parameters)
    assert got.dtype == dtype
    want = function(X.astype(float), Y.astype(float), **parameters)
    rounding = 1e-6 * np.abs(want).max() if kernel == "polynomial" else 0
    if dtype == "float64":
        rounding *= 1e-8
    np.testing.assert_allclose(got, want, rtol=1e-5 if dtype == "float32" else 1e-13, atol=rounding)
    K = quadrance.similarity(X, kernel=kernel, **parameters)
    assert np.array_equal(K, K.T)
    if kernel != "polynomial":
        assert (np.diag(K) == 1).all()


def test_rbf_at_the_ends_of_the_range():
    K = quadrance.similarity([[0.0]], [[0.0], [1e200], [np.nan], [math.sqrt(720.0)]], gamma=1)
    assert K[0, 0] == 1 and K[0, 1] == 0 and np.isnan(K[0, 2])
    assert K[0, 3] == pytest.approx(math.exp(-720), rel=1e-12)  # subnormal


def test_similarities_and_distances_are_told_apart():
    with pytest.raises(quadrance.MetricError, match="similarity"):
        quadrance.distances([[1, 2]], metric="rbf")
    with pytest.raises(quadrance.MetricError, match="similarities are rbf, laplacian, polynomial"):
        quadrance.similarity([[1, 2]], kernel="euclidean")


def test_parameters_of_the_wrong_kind():
    X = [[0, 1], [1, 0]]
    with pytest.raises(TypeError, match="unexpected keyword argument 'q'"):
        quadrance.distances(X, q=3)
    with pytest.raises(TypeError, match="p is '3'; a number is needed"):
        quadrance.cdist(X, X, "minkowski", p="3")
    with pytest.raises(TypeError, match="degree is 2.5; a whole number is needed"):
        quadrance.similarity(X, kernel="poly", degree=2.5)
    with pytest.raises(quadrance.MetricError, match="euclidean takes no parameter p"):
        quadrance.distances(X, p=3)
    with pytest.raises(quadrance.MetricError, match="periodic_euclidean has no box; give 2 lengths"):
        quadrance.distances(X, metric="periodic")
    with pytest.raises(quadrance.MetricError, match=r"box\[1\] is 0"):
        quadrance.distances(X, metric="periodic", box=[1, 0])
    assert quadrance.cdist(X, X, "minkowski", p=np.float32(3)).shape == (2, 2)
    with pytest.raises(TypeError, match="unexpected keyword argument 'foo'"):
        quadrance.distances(X, foo=None)
    with pytest.raises(TypeError, match="unexpected keyword argument 'gamma'"):
        quadrance.distances(X, gamma=1)
    with pytest.raises(TypeError, match="degrees is 'no'; True or False is needed"):
        quadrance.distances(X, metric="haversine", degrees="no")
    for big in ({"degree": 2**70}, {"gamma": 10**400}):
        with pytest.raises(quadrance.MetricError, match=next(iter(big))):
            quadrance.similarity(X, kernel="poly", **big)
    assert np.array_equal(
        quadrance.similarity(X, kernel="poly", degree=3.0), quadrance.similarity(X, kernel="poly", degree=3)
    )
    for bad in ({"w": [[1], [1, 2]]}, {"VI": [1, 0, 0, 1]}):
        with pytest.raises(quadrance.ShapeError, match=next(iter(bad))):
            quadrance.distances(X, metric="mahalanobis", **bad)
    huge = [1, 1e30]
    assert (
        quadrance.cdist(X, X, "chebyshev", w=huge)[0, 1] == quadrance.cdist(X, X, "m", p=np.inf, w=huge)[0, 1]
    )


def test_pseudo_inverses_of_singular_covariances(rng):
    for _ in range(30):
        Z = rng.standard_normal((10, 20)) @ rng.standard_normal((20, 20))
        VI = np.linalg.pinv(np.cov(Z.T))
        want = distance.cdist(Z[:4], Z[4:], "mahalanobis", VI=VI)
        np.testing.assert_allclose(quadrance.cdist(Z[:4], Z[4:], "mahalanobis", VI=VI), want, rtol=1e-4)
    with pytest.raises(quadrance.MetricError, match="negative square"):
        quadrance.distances([[0, 1], [1, 0]], metric="mahalanobis", VI=[[1, 2], [2, 1]])


def test_near_places_keep_their_digits():
    near = np.nextafter(0.7, 1)
    D = quadrance.distances([[0.7, 2.0]], [[near, 2.0]], "haversine")
    assert D[0, 0] == pytest.approx(near - 0.7, rel=1e-15)
