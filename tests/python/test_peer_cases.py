# SPDX-License-Identifier: Apache-2.0
"""Problems that users of other libraries reported, each with its right answer.

Numbers are those of the list of peers' failures, 1-60. Here: 1-19, 24, 25, 31-39, 46-48, 55-57, 59, 60.
Beside their metric in test_more_metrics.py: 26-29, 53, 54; in test_parameters.py: 30, 43. Neighbours are
sought by argmin and argsort for now. Answers come from exact arithmetic on the stored values, or algebra.

Later work: 20-23 (boolean metrics), 40, 41, 49-52 (neighbours, sparse points), 44, 45 (callables). No values:
42 (threads that slow down, for bench), 58 (a patch that silently does nothing).
"""

import math

import numpy as np
import pytest

import oracle
import quadrance

f4 = np.float32
ENTRIES = [quadrance.distances, quadrance.cdist, quadrance.pairwise_distances]
every_entry = pytest.mark.parametrize("function", ENTRIES, ids=lambda f: f.__name__)


# no., X, Y, answer, relative tolerance of the answer as printed in the list (0: exactly)
PAIRS = [
    (
        1,
        f4([[61.22163773, 71.60662842, -65.75126648]]),
        f4([[61.22163773, 71.60894012, -65.72847748]]),
        0.0229059,
        3e-6,
    ),
    (2, np.full((1, 1000), 1.0, f4), np.full((1, 1000), 1.001, f4), 0.0316242, 3e-6),
    (3, [[500000.12, 4649776.22]], [[500000.12, 4649776.23]], 0.01, 1e-6),
    (3, [[1e8]], [[1e8 + 1]], 1, 0),
    (3, [[1.7e12]], [[1.7e12 + 250]], 250, 0),
    (10, f4([[1e20]]), f4([[0]]), f4(1e20), 0),
    (10, f4([[1e-25]]), f4([[0]]), f4(1e-25), 0),
    (10, [[1e200]], [[0.0]], 1e200, 0),
    (10, [[1e-200]], [[0.0]], 1e-200, 0),
    (31, np.array([[352, 916]], np.uint16), np.array([[350, 660]], np.uint16), 256.0078, 1e-7),
    (31, np.array([[0]], np.uint8), np.array([[1]], np.uint8), 1, 0),
    (32, np.array([[-1360]], np.int16), np.array([[-136]], np.int16), 1224, 0),
    (32, np.array([[100]], np.int8), np.array([[-100]], np.int8), 200, 0),
    (34, [[16777217.0]], [[16777216.0]], 1, 0),
    (35, np.array([[60000]], np.float16), np.array([[-60000]], np.float16), 120000, 0),
]


@pytest.mark.parametrize(("number", "X", "Y", "answer", "tolerance"), PAIRS)
@every_entry
def test_pair(function, number, X, Y, answer, tolerance):
    X, Y = np.asarray(X), np.asarray(Y)
    got = function(X, Y)
    assert abs(float(got[0, 0]) - float(answer)) <= tolerance * float(answer)
    oracle.assert_close(got, X, Y)
    both = np.concatenate([X, Y])
    assert function(both, both)[0, 1] == function(both, both)[1, 0] == got[0, 0]
    narrow = X.dtype == f4 or (X.dtype == np.float16 and function is quadrance.distances)
    assert X.dtype.kind in "iu" or got.dtype == (np.float32 if narrow else np.float64)


# no., metric, X, Y, answer: exactly
INTEGER_PAIRS = [
    (31, "cityblock", np.array([[0]], np.uint8), np.array([[1]], np.uint8), 1),
    (31, "chebyshev", np.array([[0]], np.uint8), np.array([[1]], np.uint8), 1),
    (31, "cityblock", np.array([[352, 916]], np.uint16), np.array([[350, 660]], np.uint16), 258),
    (31, "chebyshev", np.array([[352, 916]], np.uint16), np.array([[350, 660]], np.uint16), 256),
    (32, "canberra", np.array([[-128]], np.int8), np.array([[1]], np.int8), 1),
    (32, "braycurtis", np.array([[100]], np.int8), np.array([[-100]], np.int8), math.inf),
    (32, "braycurtis", np.array([[100, 1]], np.int8), np.array([[-100, 1]], np.int8), 100),
    (35, "cityblock", np.array([[60000]], np.float16), np.array([[-60000]], np.float16), 120000),
]


@pytest.mark.parametrize(("number", "metric", "X", "Y", "answer"), INTEGER_PAIRS)
@every_entry
def test_pair_of_narrow_numbers(function, number, metric, X, Y, answer):
    assert function(X, Y, metric=metric)[0, 0] == function(Y, X, metric=metric)[0, 0] == answer


def test_04_neighbours_far_from_the_origin():
    D = quadrance.distances([[1e8], [1e8 + 1], [1e8 + 2]])
    assert np.array_equal(np.argsort(D[0], kind="stable"), [0, 1, 2])
    assert np.array_equal(D[0], [0, 1, 2])


def test_05_argmin_under_an_offset():
    assert np.argmin(quadrance.distances([[1e9, 0.5]], [[1e9, 0], [1e9, 0.5]])) == 1


@pytest.mark.parametrize("offset", [0, 1e4, 1e6])
def test_06_translation_keeps_the_neighbours(offset):
    base = np.zeros((3, 64), f4)
    base[:, 0] = [0, 5, 139.3]
    base += f4(offset)
    queries = np.repeat(base[2:], 2000, axis=0)
    D = quadrance.distances(queries, base, "sqeuclidean")
    assert np.array_equal(np.argsort(D, axis=1), np.tile([2, 1, 0], (2000, 1)))
    assert not D[:, 2].any()
    oracle.assert_close(D[:1], queries[:1], base, "sqeuclidean")
    # The offset moves 139.3 to the nearest float32; the list's figures hold to that.
    np.testing.assert_allclose(D[0, [1, 0]], [18036, 19404], rtol=2e-3)


def test_07_no_negative_squares(rng):
    X = (rng.random((50, 64)) * 100 + 1000).astype(f4)
    for D in (quadrance.distances(X, metric="sqeuclidean"), quadrance.distances(X, X.copy(), "sqeuclidean")):
        assert D.min() == 0
        assert not D.diagonal().any()
        assert (D[~np.eye(50, dtype=bool)] > 0).all()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_08_same_pair_same_bits_in_any_batch(rng, dtype):
    X = rng.random((2000, 40)).astype(dtype)
    whole = quadrance.distances(X)
    for count in (1, 2, 50, 777):
        assert np.array_equal(quadrance.distances(X[:1], X[:count])[0], whole[0, :count])
        assert np.array_equal(quadrance.distances(X[:count])[0], whole[0, :count])


def test_09_overflow_is_not_no_neighbour():
    D = quadrance.distances([[0.0]], [[1e200], [1e160]])
    assert (np.argmin(D), D.min()) == (1, 1e160)
    D = quadrance.distances(f4([[0]]), f4([[1e25], [1e20]]))
    assert (np.argmin(D), D.min()) == (1, f4(1e20))


def test_11_no_block_is_left_unwritten(rng):
    X = rng.random((8131, 1024), dtype=f4)
    out = np.zeros(8131 * 8130 // 2, f4)
    quadrance.pdist(X, out=out)
    assert out.min() > 0
    dense = quadrance.distances(X[:3001], X[3001:6007])
    assert dense.min() > 0
    i = rng.integers(0, 3001, 50)
    j = rng.integers(0, 3006, 50)
    want = np.sqrt(np.square(X[i].astype(float) - X[3001 + j]).sum(axis=1))
    np.testing.assert_allclose(dense[i, j], want, rtol=1e-5)


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_12_equal_rows_are_at_zero(rng, metric):
    X = rng.random((50, 7))
    for function in ENTRIES:
        assert not function(X, X.copy(), metric=metric).diagonal().any()
    for n_jobs in (1, 2):
        assert not quadrance.pairwise_distances(X, metric=metric, n_jobs=n_jobs).diagonal().any()


@every_entry
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_13_cosine_of_equal_rows_is_not_below_zero(function, dtype):
    for n in range(1, 33):
        X = np.ones((1, n), dtype)
        for D in (function(X, X, metric="cosine"), function(X, X.copy(), metric="cosine")):
            assert D[0, 0] == 0 and not np.signbit(D[0, 0])


MISSING = ("nan_euclidean", "gower")  # to them NaN is a feature that is missing
EVERY_METRIC = sorted(
    name for name, metric in quadrance.metrics().items() if metric.symmetric and not metric.similarity
)


def parameters_for(metric, d):
    """What a metric cannot do without, whatever the data."""
    needed = {
        "periodic_euclidean": {"box": np.full(d, 3.0)},
        "seuclidean": {"V": 1.0 + np.arange(d)},
        "mahalanobis": {"V": np.diag(1.0 + np.arange(d))},
        "gower": {"ranges": 1.0 + np.arange(d)},
    }
    return needed.get(metric, {})


@pytest.mark.parametrize("metric", EVERY_METRIC)
def test_14_symmetric_bit_for_bit(rng, metric):
    parameters = parameters_for(metric, 2)
    for rows in ("finite", "with NaN"):
        X = rng.normal(size=(70, 2))
        if quadrance.metrics()[metric].domain == "numbers not below 0":
            X = np.abs(X)
        if "not 0" in quadrance.metrics()[metric].domain:
            X[X < 0] = 0
        if rows == "with NaN":
            X[::7, 0] = np.nan
        for dtype in (np.float32, np.float64):
            D = quadrance.distances(X.astype(dtype), metric=metric, **parameters)
            assert np.array_equal(D.view(f"i{D.itemsize}"), D.T.copy().view(f"i{D.itemsize}"))
            assert np.isnan(D).any() == (rows == "with NaN" and metric not in MISSING)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_15_a_zero_row_has_one_cosine(dtype):
    X = np.array([[0, 0], [1, 0], [-0.0, 0]], dtype)
    want = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    for D in (function(X, X, metric="cosine") for function in ENTRIES):
        assert np.array_equal(D, want)
    assert np.array_equal(quadrance.distances(X, metric="cosine"), want)
    assert np.array_equal(quadrance.pdist(X, "cosine"), [1, 0, 1])


@every_entry
@pytest.mark.parametrize(
    ("dtype", "unit"), [("float64", 1e200), ("float64", 1e-200), ("float32", 1e30), ("float32", 1e-30)]
)
def test_16_cosine_at_extreme_lengths(function, dtype, unit):
    D = function(np.array([[unit, 0]], dtype), np.array([[unit, unit]], dtype), metric="cosine")
    want = 1 - 1 / math.sqrt(2)
    assert abs(float(D[0, 0]) - want) <= 8 * np.finfo(dtype).eps * want + 4 * np.finfo(dtype).eps


@every_entry
def test_17_small_angles_keep_their_digits(function):
    t = 1e-9
    got = function([[1, 0]], [[1, t]], metric="cosine")[0, 0]
    want = t * t / 2  # 1 - 1 / sqrt(1 + t^2), but for t^4
    # Each number of a row of length 1 is off by less than eps, the difference of two rows by less than 2 eps.
    assert abs(got - want) <= math.sqrt(2 * want) * 2 * np.finfo(float).eps


@every_entry
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_18_constant_rows_have_one_correlation(function, dtype):
    constant = np.array([[0.1, 0.1, 0.1], [1, 1, 1], [0, 0, 0], [1e10, 1e10, 1e10]], dtype)
    row = np.array([[1, 2, 3]], dtype)
    assert np.array_equal(function(constant, row, metric="correlation"), np.ones((4, 1)))
    assert np.array_equal(function(row, constant, metric="correlation"), np.ones((1, 4)))
    assert np.array_equal(function(constant, constant.copy(), metric="correlation"), np.zeros((4, 4)))


@every_entry
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_18_nearly_constant_rows_are_not_constant(function, dtype):
    one = np.dtype(dtype).type(1)
    nearly = [[one, one, np.nextafter(one, 2 * one)]]
    got = function(np.array(nearly, dtype), np.array([[1, 2, 3]], dtype), metric="correlation")[0, 0]
    # (-1, -1, 2) and (-1, 0, 1), whatever their lengths.
    assert float(got) == pytest.approx(1 - 3 / math.sqrt(6 * 2), rel=40 * float(np.finfo(dtype).eps))


@every_entry
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_19_braycurtis_of_zero_and_signed_rows(function, dtype):
    zero = np.zeros((1, 2), dtype)
    assert function(zero, zero.copy(), metric="braycurtis")[0, 0] == 0
    assert function(zero, np.array([[1, 2]], dtype), metric="braycurtis")[0, 0] == 1
    # (2 + 3.5) / (0 + 0.5)
    assert function(np.array([[1, 2]], dtype), np.array([[-1, -1.5]], dtype), metric="braycurtis")[0, 0] == 11


@every_entry
@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("metric", ["jaccard", "dice", "rogerstanimoto", "sokalsneath", "yule"])
def test_20_two_empty_sets(function, metric, dtype):
    zeros = np.zeros((2, 5), dtype)
    assert np.array_equal(function(zeros, zeros.copy(), metric=metric), np.zeros((2, 2)))
    assert np.array_equal(function(zeros, zeros.copy(), metric="russellrao"), np.ones((2, 2)))


@every_entry
def test_21_jaccard_reads_what_is_not_0(function):
    assert function([[18, 11, 13, 22]], [[19, 11, 13, 12]], metric="jaccard")[0, 0] == 0
    assert function([[18, 0, 13, 22]], [[19, 11, 0, 12]], metric="jaccard")[0, 0] == 0.5


@every_entry
def test_22_dice_of_counts_is_not_negative(function):
    assert function([[1, 0, 0]], [[2, 0, 0]], metric="dice")[0, 0] == 0


@every_entry
def test_23_yule_of_equal_constant_rows(function):
    for row in ([[1, 1, 1]], [[0, 0, 0]], [[1, 0, 1]]):
        assert function(row, [list(row[0])], metric="yule")[0, 0] == 0


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_24_the_largest_difference_to_nan_is_nan(dtype):
    zero = np.zeros((1, 2), dtype)
    for row in ([np.nan, 1], [1, np.nan], [np.nan, np.inf]):
        X = np.array([row], dtype)
        for D in (quadrance.distances(X, zero, "chebyshev"), quadrance.cdist(zero, X, "chebyshev")):
            assert np.isnan(D[0, 0])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_25_canberra_where_both_are_zero_or_one_is_missing(dtype):
    X = np.array([[0, 1], [0, 3], [np.nan, 1], [-0.0, 1]], dtype)
    for D in (quadrance.distances(X, metric="canberra"), quadrance.cdist(X, X.copy(), "canberra")):
        assert D[0, 1] == D[3, 1] == 0.5 and D[0, 3] == 0
        assert np.isnan(D[2]).all()


def test_33_integers_that_float64_cannot_hold():
    for function in ENTRIES:
        with pytest.raises(quadrance.DtypeError, match=r"(Y|XB)\[0, 0\] = 9007199254740993"):
            function(np.array([[2**53]]), np.array([[2**53 + 1]]))


@every_entry
def test_36_complex_numbers_are_refused(function):
    with pytest.raises(quadrance.DtypeError, match="omplex"):
        function([[1j, 1]], [[1, 1]], metric="cosine")


def test_37_condensed_float32_takes_half_of_half():
    X = np.broadcast_to(f4(0), (60_000, 10))
    plan = quadrance.plan(X, condensed=True, memory_limit=1 << 40)
    assert plan.dtype == "float32"
    assert plan.bytes_out == 60_000 * 59_999 // 2 * 4  # 7.2 GB; float64 would be 14.4


@pytest.mark.parametrize(
    "metric", [name for name, metric in quadrance.metrics().items() if not metric.similarity]
)
def test_38_dtype_does_not_depend_on_n_jobs(rng, metric):
    X = rng.random((6, 2), dtype=f4)
    box = {"box": [1, 2]} if metric == "periodic_euclidean" else {}
    got = [quadrance.pairwise_distances(X, metric=metric, n_jobs=n, **box) for n in (1, 2)]
    assert [D.dtype for D in got] == [f4, f4]
    assert np.array_equal(*got)


def test_39_indices_beyond_32_bits():
    X = np.broadcast_to(f4(0), (65_537, 1))
    assert quadrance.plan(X, condensed=True, memory_limit=1 << 40).bytes_out == 4 * 2_147_516_416


def test_46_read_only_buffers(tmp_path):
    raw = np.arange(12, dtype=f4).tobytes()
    X = np.frombuffer(raw, f4).reshape(4, 3)
    assert not X.flags.writeable
    want = quadrance.distances(X.copy())
    assert np.array_equal(quadrance.distances(X), want)
    (tmp_path / "x.bin").write_bytes(raw)
    assert np.array_equal(quadrance.distances(np.memmap(tmp_path / "x.bin", f4, "r", shape=(4, 3))), want)


def test_47_strided_structured_and_transposed():
    H = np.zeros((5, 4), [("t", "i2"), ("x", "f8")])
    H["x"] = np.arange(20).reshape(5, 4) ** 2
    for view in (H["x"], H["x"].T, H["x"][::-1], H["x"][::2, ::-1]):
        assert np.array_equal(quadrance.distances(view), quadrance.distances(view.copy()))


def test_48_inputs_are_not_modified(rng):
    X, Y = rng.random((20, 3)), rng.random((9, 3))
    before = X.tobytes(), Y.tobytes()
    for function in ENTRIES:
        function(X, Y)
    quadrance.pdist(X)
    assert (X.tobytes(), Y.tobytes()) == before


@pytest.mark.parametrize("metric", EVERY_METRIC)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_57_more_than_eight_rows(rng, metric, dtype):
    X, Y = rng.random((2, 2)).astype(dtype), rng.random((9, 2)).astype(dtype)
    if "not 0" in quadrance.metrics()[metric].domain:
        X[:, 0] = Y[:, 1] = 0
    parameters = parameters_for(metric, 2)
    D = quadrance.distances(X, Y, metric, **parameters)
    # Two features correlate by 1 or -1: as many distances are 0 as are not.
    assert (D != 0).all() if metric != "correlation" else set(np.round(D.ravel(), 5)) <= {0, 2}
    one_by_one = [[quadrance.distances(x[None], y[None], metric, **parameters)[0, 0] for y in Y] for x in X]
    assert np.array_equal(D, one_by_one)


@pytest.mark.parametrize("metric", EVERY_METRIC)
def test_59_lists(metric):
    rows = [[1, 0], [0, 1], [2, 1]]
    parameters = parameters_for(metric, 2)
    want = quadrance.pairwise_distances(np.array(rows), metric=metric, **parameters)
    assert np.array_equal(quadrance.pairwise_distances(rows, metric=metric, **parameters), want)


def test_59_jaccard_of_lists():
    assert quadrance.pairwise_distances([[1, 0], [0, 1]], metric="jaccard")[0, 1] == 1


def test_59_every_listed_metric_can_be_called():
    assert "wminkowski" not in quadrance.metrics()
    with pytest.raises(quadrance.MetricError, match="minkowski with the weights"):
        quadrance.pairwise_distances([[1, 0], [0, 1]], metric="wminkowski")


@pytest.mark.parametrize("metric", EVERY_METRIC)
def test_60_empty_input_gives_the_empty_answer(metric):
    d = 2
    parameters = parameters_for(metric, d)
    none, two = np.zeros((0, d)), np.zeros((2, d))
    assert quadrance.distances(none, two, metric, **parameters).shape == (0, 2)
    assert quadrance.distances(two, none, metric, **parameters).shape == (2, 0)
    assert quadrance.distances(none, metric=metric, **parameters).shape == (0, 0)
    for rows, pairs in ((0, 0), (1, 0), (2, 1)):
        assert quadrance.pdist(np.zeros((rows, d)), metric, **parameters).shape == (pairs,)


@pytest.mark.parametrize("metric", [metric for metric in EVERY_METRIC if metric != "haversine"])
def test_60_no_features_no_distance(metric):
    D = quadrance.distances(np.zeros((2, 0)), np.zeros((3, 0)), metric)
    assert D.shape == (2, 3)
    assert np.array_equal(D, np.zeros((2, 3)))


@pytest.mark.parametrize("function", [quadrance.distances, quadrance.cdist])
def test_55_equal_distributions_are_not_nan_apart(function):
    (got,) = function([[0.1, 0.2, 0.3]], [[0.3, 0.6, 0.9]], "jensenshannon").ravel()
    assert 0 <= got < 4e-16


def test_56_jensenshannon_is_a_root_of_scaled_rows():
    got = quadrance.distances([[1.0, 0.0]], [[0.5, 0.5]], "jensenshannon")[0, 0]
    assert math.isclose(got, 0.464501404022459, rel_tol=1e-15)
    bits = quadrance.distances([[1.0, 0.0]], [[0.0, 3.0]], "js", base=2)[0, 0]
    assert math.isclose(bits, 1, rel_tol=1e-15)
    with pytest.raises(quadrance.MetricError, match="base"):
        quadrance.distances([[1.0]], metric="js", base=1)
