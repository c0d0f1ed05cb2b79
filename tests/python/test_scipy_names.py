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


# Every name that SciPy's list gives these metrics.
ALIASES = {
    "euclidean": ["euclidean", "euclid", "eu", "e"],
    "sqeuclidean": ["sqeuclidean", "sqe", "sqeuclid"],
    "cityblock": ["cityblock", "cblock", "cb", "c"],
    "chebyshev": ["chebyshev", "chebychev", "cheby", "cheb", "ch"],
    "minkowski": ["minkowski", "mi", "m", "pnorm"],
    "canberra": ["canberra"],
    "braycurtis": ["braycurtis"],
    "cosine": ["cosine", "cos"],
    "correlation": ["correlation", "co"],
    "seuclidean": ["seuclidean", "se", "s"],
    "mahalanobis": ["mahalanobis", "mahal", "mah"],
    "hamming": ["hamming", "hamm", "ha", "h", "matching"],
    "jensenshannon": ["jensenshannon", "js"],
}
# They compare rows of true and false.
BOOLEAN = {
    "jaccard": ["jaccard", "jacc", "ja", "j"],
    "dice": ["dice"],
    "rogerstanimoto": ["rogerstanimoto"],
    "russellrao": ["russellrao"],
    "sokalsneath": ["sokalsneath"],
    "yule": ["yule"],
}
EVERY_BOOLEAN_ALIAS = [(alias, metric) for metric, aliases in BOOLEAN.items() for alias in aliases]
EVERY_ALIAS = [(alias, metric) for metric, aliases in ALIASES.items() for alias in aliases]


@pytest.mark.parametrize(("alias", "metric"), EVERY_ALIAS)
def test_alias_means_what_scipy_means(rng, alias, metric):
    X = rng.random((9, 3))
    p = {"p": 3} if metric == "minkowski" else {}  # at 2 it is euclidean
    got = quadrance.pdist(X, alias, **p)
    # SciPy subtracts cosines from 1.
    np.testing.assert_allclose(got, distance.pdist(X, alias, **p), rtol=1e-12, atol=1e-15)
    assert np.array_equal(got, quadrance.pdist(X, metric, **p))
    assert np.array_equal(got, quadrance.pdist(X, alias.upper(), **p))
    assert np.array_equal(quadrance.cdist(X, X, alias, **p), quadrance.cdist(X, X, metric, **p))
    for other in ALIASES.keys() - {metric}:
        assert not np.allclose(got, quadrance.pdist(X, other, **({"p": 3} if other == "minkowski" else {})))


@pytest.mark.parametrize(("alias", "metric"), EVERY_BOOLEAN_ALIAS)
def test_boolean_alias_means_what_scipy_means(rng, alias, metric):
    X = rng.random((9, 13)) < 0.5
    got = quadrance.pdist(X, alias)
    np.testing.assert_allclose(got, distance.pdist(X, alias), rtol=1e-15)
    assert np.array_equal(got, quadrance.pdist(X, metric))
    assert np.array_equal(got, quadrance.pdist(X.astype(np.float64), alias.upper()))
    assert np.array_equal(quadrance.cdist(X, X, alias), quadrance.cdist(X, X, metric))
    for other in BOOLEAN.keys() - {metric}:
        assert not np.allclose(got, quadrance.pdist(X, other))


def test_no_alias_of_scipys_is_missing():
    known = getattr(distance, "_METRIC_ALIAS", None)
    if known is None:
        pytest.skip("this SciPy keeps its aliases elsewhere")
    ours = {
        alias: info.canonical_name
        for alias, info in known.items()
        if info.canonical_name in ALIASES | BOOLEAN
    }
    assert ours == dict(EVERY_ALIAS + EVERY_BOOLEAN_ALIAS)
    names = quadrance.metrics().keys()
    assert {info.canonical_name for info in known.values()} & names == (ALIASES | BOOLEAN).keys()


def test_names_that_scipy_lacks(rng):
    X = rng.random((5, 3))
    for alias, metric in {
        "l2": "euclidean",
        "manhattan": "cityblock",
        "l1": "cityblock",
        "infinity": "chebyshev",
        "linf": "chebyshev",
    }.items():
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
    with pytest.raises(ValueError, match="Complex"):
        quadrance.cdist([[1j, 1]], [[1, 1]], "sqeuclidean")


def cube(n):
    return np.broadcast_to(np.float32(0), (n, 3))


REFUSED_UNDER_THE_CALLERS_NAMES = [
    (lambda: quadrance.cdist([[1, 2]], [[1]]), "[cdist] XA has 2 columns, XB has 1; they must be equal"),
    (lambda: quadrance.cdist([[2**53 + 1]], [[1]]), "[cdist] XA[0, 0] = 9007199254740993 is beyond 2^53"),
    (lambda: quadrance.cdist([[1]], [[2**53 + 1]]), "[cdist] XB[0, 0] = 9007199254740993 is beyond 2^53"),
    (lambda: quadrance.pdist([[2**53 + 1]]), "[pdist] X[0, 0] = 9007199254740993 is beyond 2^53"),
    (lambda: quadrance.pdist(cube(10**7)), "[pdist] the job needs 200 TB and "),
    (lambda: quadrance.pdist(cube(9), "euclidaen"), "[pdist] there is no metric 'euclidaen'; did you mean"),
    (lambda: quadrance.cdist(cube(2), cube(3), w=[1]), "[cdist] w has 1 elements; 3 are needed"),
    (lambda: quadrance.cdist(cube(2), cube(3), w=[[1]]), "[cdist] w has shape (1, 1); "),
    (lambda: quadrance.cdist(cube(2), cube(3), "x", V=[1]), "[cdist] there is no metric 'x'; "),
    (lambda: quadrance.cdist(cube(2), cube(3), threads=-1), "[cdist] -1 threads asked for; "),
    (lambda: quadrance.cdist(cube(2), cube(3), device="far"), "[cdist] there is no device 'far'; "),
    (lambda: quadrance.distances([[1]], [[1]], condensed=True), "[distances] condensed output of two sets"),
    (lambda: quadrance.pairwise_distances([[1, 2]], [[1]]), "[pairwise_distances] X has 2 columns, Y has 1"),
    (lambda: quadrance.pairwise_distances([[1]], metric="x"), "[pairwise_distances] there is no metric 'x'"),
    (lambda: quadrance.plan([[1, 2]], [[1]]), "[plan] X has 2 columns, Y has 1; "),
    (lambda: quadrance.similarity([[1, 2]], [[1]]), "[similarity] X has 2 columns, Y has 1; "),
    (lambda: quadrance.similarity([[1]], kernel="l2"), "[similarity] euclidean is a distance, "),
]  # fmt: skip


@pytest.mark.parametrize("call, text", REFUSED_UNDER_THE_CALLERS_NAMES)
def test_refusals_of_the_library_name_the_call_and_its_arguments(call, text):
    with pytest.raises(quadrance.Error) as caught:
        call()
    assert str(caught.value).startswith(text)


def test_out_over_an_input_names_the_argument():
    memory = np.ones((6, 3))
    with pytest.raises(quadrance.ShapeError, match=r"^\[cdist\] out shares memory with XA; "):
        quadrance.cdist(memory[:3], np.ones((3, 3)), out=memory[1:4])
    with pytest.raises(quadrance.ShapeError, match=r"^\[cdist\] out shares memory with XB; "):
        quadrance.cdist(np.ones((3, 3)), memory[:3], out=memory[1:4])


def test_a_kernel_that_is_no_name_is_called_a_kernel():
    with pytest.raises(TypeError, match=r"^\[similarity\] kernel is 1; "):
        quadrance.similarity([[1]], kernel=1)


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
