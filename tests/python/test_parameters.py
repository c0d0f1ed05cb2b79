# SPDX-License-Identifier: Apache-2.0
"""Weights and variances through Python, held against SciPy where SciPy is right, and against plain sums."""

import numpy as np
import pytest

import quadrance

distance = pytest.importorskip("scipy.spatial.distance")

SCIPY = (
    "euclidean sqeuclidean cityblock chebyshev minkowski canberra braycurtis seuclidean mahalanobis cosine correlation"
).split()
WEIGHTED = [name for name in SCIPY if "w" in quadrance.metrics()[name].parameters.split()]


def test_metrics_say_what_they_take():
    assert "euclidean" in WEIGHTED and "cosine" in WEIGHTED and "chebyshev" in WEIGHTED
    assert quadrance.metrics()["seuclidean"].parameters == "V"
    assert quadrance.metrics()["mahalanobis"].parameters == "V VI"


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
    with pytest.raises(quadrance.ShapeError, match="longdouble|float128"):
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
