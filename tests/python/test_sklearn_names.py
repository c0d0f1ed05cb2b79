# SPDX-License-Identifier: Apache-2.0
"""pairwise_distances: scikit-learn's refusals, dtypes and n_jobs, and its consumers."""

import numpy as np
import pytest

import quadrance

sklearn_metrics = pytest.importorskip("sklearn.metrics")


def refusal(function, *arguments, **options):
    with pytest.raises(ValueError) as caught:
        function(*arguments, **options)
    return str(caught.value)


@pytest.mark.parametrize(
    ("X", "words"),
    [
        (np.ones(3), "Expected 2D array, got 1D array instead"),
        (np.ones((2, 2, 2)), "Found array with dim 3, while dim <= 2 is required"),
        (np.ones((0, 3)), "Found array with 0 sample(s) (shape=(0, 3)) while a minimum of 1 is required"),
        (np.ones((3, 0)), "Found array with 0 feature(s) (shape=(3, 0)) while a minimum of 1 is required"),
        ([[1.0, np.nan]], "contains NaN"),
        ([[1.0, np.inf]], "contains infinity"),
        ([[1j, 1]], "Complex data not supported"),
    ],
)
def test_refuses_in_scikit_learns_words(X, words):
    ours = refusal(quadrance.pairwise_distances, X)
    theirs = refusal(sklearn_metrics.pairwise_distances, X)
    assert words in ours
    assert words in theirs


def test_refuses_a_scalar():
    with pytest.raises(quadrance.ShapeError, match="Expected 2D array, got scalar array instead"):
        quadrance.pairwise_distances(3.0)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("layout", [np.asarray, np.asfortranarray, lambda a: a[::-1, ::-1]])
def test_not_finite_values_are_found_anywhere(dtype, bad, layout):
    for i, j in [(0, 0), (3, 4), (6, 8)]:
        X = np.ones((7, 9), dtype)
        X[i, j] = bad
        L = layout(X)
        i, j = np.argwhere(~np.isfinite(L))[0]
        with pytest.raises(quadrance.NotFiniteError, match=rf"Input X .*: X\[{i}, {j}\]"):
            quadrance.pairwise_distances(L)
        with pytest.raises(quadrance.NotFiniteError, match=rf"Input Y .*: Y\[{i}, {j}\]"):
            quadrance.pairwise_distances(np.ones((2, 9), dtype), L)
        assert np.isnan(quadrance.pairwise_distances(X, ensure_all_finite=False)).any()


def test_largest_numbers_are_finite():
    for dtype in ("float16", "float32", "float64"):
        X = np.array([[np.finfo(dtype).max, np.finfo(dtype).tiny, -np.finfo(dtype).max]], dtype)
        assert quadrance.pairwise_distances(X) == 0


def test_allow_nan():
    X = np.array([[1.0, np.nan], [1.0, 2.0]])
    assert np.isnan(quadrance.pairwise_distances(X, ensure_all_finite="allow-nan")[0, 1])
    X[1, 1] = np.inf
    with pytest.raises(quadrance.NotFiniteError, match=r"infinity: X\[1, 1\]"):
        quadrance.pairwise_distances(X, ensure_all_finite="allow-nan")
    with pytest.raises(ValueError, match="ensure_all_finite must be True, False or 'allow-nan'"):
        quadrance.pairwise_distances(X, ensure_all_finite="no")


def test_own_names_take_nan():
    assert np.isnan(quadrance.distances([[np.nan]])).all()
    assert np.isnan(quadrance.cdist([[np.nan]], [[1]])).all()


@pytest.mark.parametrize(
    ("x", "y", "want"),
    [
        ("float32", None, "float32"),
        ("float32", "float32", "float32"),
        ("float32", "float64", "float64"),
        ("float64", None, "float64"),
        ("int64", None, "float64"),
        ("uint8", None, "float64"),
        ("bool", None, "float64"),
        ("float16", None, "float64"),
    ],
)
@pytest.mark.parametrize("n_jobs", [None, 1, 2])
def test_dtype_is_scikit_learns_for_any_n_jobs(x, y, want, n_jobs):
    X = np.array([[0, 1], [1, 1], [1, 0]], x)
    Y = None if y is None else X.astype(y)
    got = quadrance.pairwise_distances(X, Y, n_jobs=n_jobs)
    assert got.dtype == want
    theirs = sklearn_metrics.pairwise_distances(X, Y)
    if x != "float16":  # depends on scikit-learn's version
        assert theirs.dtype == want
    np.testing.assert_allclose(got, theirs, rtol=1e-5, atol=1e-6)


def test_n_jobs_caps_the_threads(monkeypatch):
    from quadrance import _distances

    for available, n_jobs, want in [
        (8, 1, 1),
        (8, 3, 3),
        (8, 100, 8),
        (8, -1, 8),
        (8, -2, 7),
        (8, -8, 1),
        (8, -100, 1),
    ]:
        monkeypatch.setattr(_distances._core, "default_threads", lambda available=available: available)
        assert _distances._threads_of_jobs(n_jobs) == want
    with pytest.raises(ValueError, match="n_jobs = 0"):
        quadrance.pairwise_distances([[1.0]], n_jobs=0)
    with pytest.raises(TypeError, match="n_jobs and threads"):
        quadrance.pairwise_distances([[1.0]], n_jobs=1, threads=1)


def test_dbscan_on_precomputed_distances(rng):
    cluster = pytest.importorskip("sklearn.cluster")
    X = np.concatenate([rng.normal(c, 0.05, (30, 2)) for c in (0, 5, 10)]).astype(np.float32)
    labels = cluster.DBSCAN(eps=1, metric="precomputed").fit_predict(quadrance.distances(X))
    assert np.array_equal(labels, np.repeat([0, 1, 2], 30))


def test_pipeline_consumers_accept_the_matrix(rng):
    neighbors = pytest.importorskip("sklearn.neighbors")
    X = rng.random((30, 4))
    D = quadrance.pairwise_distances(X)
    precomputed = neighbors.NearestNeighbors(metric="precomputed", n_neighbors=3).fit(D)
    tree = neighbors.NearestNeighbors(algorithm="kd_tree", n_neighbors=3).fit(X)
    assert np.array_equal(precomputed.kneighbors(D)[1], tree.kneighbors(X)[1])
