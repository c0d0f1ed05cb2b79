# SPDX-License-Identifier: Apache-2.0
"""cdist and pdist: SciPy's shapes, its aliases, and its consumers."""

import numpy as np
import pytest

import oracle
import quadrance

distance = pytest.importorskip("scipy.spatial.distance")


@pytest.mark.parametrize("n", [0, 1, 2, 3, 17, 101])
@pytest.mark.parametrize("d", [1, 5])
def test_shapes_are_scipys(rng, n, d):
    X, Y = rng.random((n, d)), rng.random((4, d))
    assert quadrance.pdist(X).shape == distance.pdist(X).shape
    assert quadrance.cdist(X, Y).shape == distance.cdist(X, Y).shape
    assert quadrance.cdist(Y, X).shape == distance.cdist(Y, X).shape


def test_order_of_pairs_is_scipys(rng):
    X = rng.random((23, 4))
    np.testing.assert_allclose(quadrance.pdist(X), distance.pdist(X), rtol=1e-14)
    got = quadrance.pdist(X)
    for i in range(23):
        for j in range(i + 1, 23):
            index = 23 * i + j - (i + 2) * (i + 1) // 2
            assert got[index] == quadrance.cdist(X[i : i + 1], X[j : j + 1])[0, 0]


def test_aliases_are_scipys(rng):
    X = rng.random((5, 3))
    for metric, aliases in {
        "euclidean": ["euclidean", "euclid", "eu", "e", "l2", "Euclidean"],
        "sqeuclidean": ["sqeuclidean", "sqe", "sqeuclid"],
        "cityblock": ["cityblock", "cblock", "cb", "c", "manhattan", "l1"],
        "chebyshev": ["chebyshev", "chebychev", "cheby", "cheb", "ch", "infinity"],
        "canberra": ["canberra"],
        "braycurtis": ["braycurtis"],
    }.items():
        for alias in aliases:
            assert np.array_equal(quadrance.pdist(X, alias), quadrance.pdist(X, metric))
    assert not np.array_equal(quadrance.pdist(X, "l2"), quadrance.pdist(X, "sqeuclidean"))


@pytest.mark.parametrize(
    "dtype",
    ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float64"],
)
def test_everything_but_float32_gives_float64(dtype):
    X = np.array([[0, 1], [1, 1], [1, 0]], dtype)
    X32 = X.astype(np.float32)
    assert quadrance.pdist(X).dtype == np.float64
    assert quadrance.cdist(X, X.copy()).dtype == np.float64
    assert quadrance.cdist(X32, X).dtype == np.float64
    assert quadrance.cdist(X, X32).dtype == np.float64
    oracle.assert_close(quadrance.cdist(X, X), X, X)


def test_float32_stays_float32(rng):
    X = rng.random((6, 3), dtype=np.float32)
    assert quadrance.pdist(X).dtype == np.float32
    assert quadrance.cdist(X, X[:2]).dtype == np.float32
    assert quadrance.pdist(X, dtype=np.float64).dtype == np.float64
    assert quadrance.cdist([[1]], [[2]], dtype="float32").dtype == np.float32


def test_refusals_name_the_argument():
    with pytest.raises(ValueError, match=r"\[cdist\] XA must be a 2-dimensional array"):
        quadrance.cdist([1, 2], [[1, 2]])
    with pytest.raises(ValueError, match=r"\[cdist\] XB must be a 2-dimensional array"):
        quadrance.cdist([[1, 2]], [1, 2])
    with pytest.raises(ValueError, match=r"\[pdist\] X must be a 2-dimensional array"):
        quadrance.pdist([1, 2])
    with pytest.raises(ValueError, match="columns"):
        quadrance.cdist([[1, 2]], [[1]])
    with pytest.raises(ValueError, match="Complex"):
        quadrance.cdist([[1j, 1]], [[1, 1]], "sqeuclidean")


def test_squareform_and_linkage_take_the_result(rng):
    hierarchy = pytest.importorskip("scipy.cluster.hierarchy")
    for dtype in ("float32", "float64"):
        X = rng.random((40, 3)).astype(dtype)
        condensed = quadrance.pdist(X)
        assert distance.is_valid_y(condensed.astype(np.float64), throw=True)
        square = distance.squareform(condensed)
        assert np.array_equal(square, quadrance.cdist(X, X))
        assert np.array_equal(distance.squareform(quadrance.distances(X), checks=True), condensed)
        tree = hierarchy.linkage(condensed, "average")
        np.testing.assert_allclose(
            tree[:, 2], hierarchy.linkage(distance.pdist(X), "average")[:, 2], rtol=1e-5
        )
