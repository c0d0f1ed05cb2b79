# SPDX-License-Identifier: Apache-2.0
"""The contract of values through Python: error bound, zeros, symmetry, same bits, edges, dtypes."""

import numpy as np
import pytest

import oracle
import quadrance

METRICS = ["euclidean", "sqeuclidean", "cityblock", "chebyshev", "canberra", "braycurtis"]
METRICS += ["hamming", "total_variation", "chi_square"]
METRICS += oracle.BOOLEAN
INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]


def bits(array):
    return array.view(f"u{array.itemsize}")


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", [(1, 1, 1), (3, 5, 2), (7, 9, 40), (2, 3, 131), (17, 4, 7)])
def test_matches_exact_arithmetic(rng, metric, dtype, shape):
    n, m, d = shape
    X = (rng.standard_normal((n, d)) + 10).astype(dtype)
    Y = (rng.standard_normal((m, d)) + 10).astype(dtype)
    if metric in oracle.BOOLEAN:
        X[X < 10] = 0
        Y[Y < 10] = 0
    got = quadrance.distances(X, Y, metric)
    assert got.dtype == dtype
    oracle.assert_close(got, X, Y, metric)
    oracle.assert_close(quadrance.distances(X, metric=metric), X, X, metric)


@pytest.mark.parametrize("metric", METRICS)
def test_offset_from_the_origin_costs_nothing(rng, metric):
    X = (rng.standard_normal((6, 20)) + 1e7).astype(np.float32)
    oracle.assert_close(quadrance.distances(X, metric=metric), X, X, metric)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_symmetric_with_zero_diagonal(rng, dtype):
    X = rng.standard_normal((301, 19)).astype(dtype)
    D = quadrance.distances(X)
    assert np.array_equal(bits(D), bits(D.T.copy()))
    assert not D.diagonal().any()
    assert not quadrance.distances(X, X.copy()).diagonal().any()
    assert np.array_equal(bits(D), bits(quadrance.distances(X, X.copy())))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_same_bits_in_any_batch_layout_and_thread_count(rng, dtype):
    X = rng.standard_normal((257, 23)).astype(dtype)
    Y = rng.standard_normal((130, 23)).astype(dtype)
    whole = quadrance.distances(X, Y)
    for i, j in [(0, 0), (13, 129), (256, 64)]:
        assert bits(quadrance.distances(X[i : i + 1], Y[j : j + 1]))[0, 0] == bits(whole)[i, j]
    assert np.array_equal(bits(quadrance.distances(X, Y, threads=1)), bits(whole))
    assert np.array_equal(bits(quadrance.distances(X, Y, threads=3)), bits(whole))
    assert np.array_equal(bits(quadrance.distances(Y, X).T.copy()), bits(whole))
    upper = quadrance.distances(X)[np.triu_indices(257, 1)]
    assert np.array_equal(bits(quadrance.distances(X, condensed=True)), bits(upper))


def test_reference_device_agrees(rng):
    X = rng.standard_normal((9, 33))
    oracle.assert_close(quadrance.distances(X, device="reference"), X, X)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_nan_and_infinity(dtype):
    X = np.array([[0, 0], [np.nan, 1], [np.inf, 0], [-np.inf, 0], [1, 0]], dtype)
    nan, inf = np.nan, np.inf
    want = [
        [0, nan, inf, inf, 1],
        [nan, nan, nan, nan, nan],
        [inf, nan, nan, inf, inf],
        [inf, nan, inf, nan, inf],
        [1, nan, inf, inf, 0],
    ]
    np.testing.assert_array_equal(quadrance.distances(X), want)
    np.testing.assert_array_equal(quadrance.distances(X, X.copy()), want)


@pytest.mark.parametrize("condensed", [False, True])
@pytest.mark.parametrize("n", [0, 1, 2])
@pytest.mark.parametrize("d", [0, 3])
def test_empty_and_single_points(n, d, condensed):
    got = quadrance.distances(np.ones((n, d)), condensed=condensed)
    assert got.shape == ((n * (n - 1) // 2,) if condensed else (n, n))
    assert not got.any()


def test_empty_sets():
    assert quadrance.distances(np.ones((0, 3)), np.ones((2, 3))).shape == (0, 2)
    assert quadrance.distances(np.ones((2, 3)), np.ones((0, 3))).shape == (2, 0)
    np.testing.assert_array_equal(quadrance.distances(np.ones((2, 0)), np.ones((3, 0))), np.zeros((2, 3)))


# --- dtypes under our own names -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dtype", "metric", "want"),
    [
        ("bool", "euclidean", "float32"),
        ("int8", "euclidean", "float32"),
        ("uint8", "euclidean", "float32"),
        ("uint8", "sqeuclidean", "float32"),
        ("int32", "euclidean", "float64"),
        ("uint32", "euclidean", "float64"),
        ("int64", "euclidean", "float64"),
        ("uint64", "euclidean", "float64"),
        ("float16", "euclidean", "float32"),
        ("float32", "euclidean", "float32"),
        ("float64", "euclidean", "float64"),
    ],
)
def test_result_dtype(dtype, metric, want):
    X = np.array([[0, 1], [1, 1]], dtype)
    assert quadrance.distances(X, metric=metric).dtype == want
    assert quadrance.distances(X, metric=metric, dtype="float32").dtype == np.float32
    assert quadrance.distances(X, metric=metric, dtype=np.float64).dtype == np.float64


def test_mixed_inputs_take_the_wider_dtype():
    X32, X64 = np.ones((1, 2), np.float32), np.ones((1, 2))
    assert quadrance.distances(X32, X64).dtype == np.float64
    assert quadrance.distances(X64, X32).dtype == np.float64
    assert quadrance.distances(X32, X32.astype(np.float16)).dtype == np.float32
    assert quadrance.distances(X32, X64.astype(np.uint8)).dtype == np.float32
    assert quadrance.distances(X32, X64.astype(int)).dtype == np.float64


@pytest.mark.parametrize("dtype", ["bool", *INTEGERS, "float16", "float32", "float64"])
@pytest.mark.parametrize("metric", METRICS)
def test_elements_are_read_as_what_they_are(dtype, metric):
    if dtype == "bool":
        X = np.array([[True, False, True], [False, False, True]])
    elif dtype.startswith("float"):
        X = np.array([[0.5, -2, 1000], [-1.25, 7, 60]], dtype)
    else:
        info = np.iinfo(dtype)
        X = np.array([[max(info.min, -(2**53)), 1, 0], [min(info.max, 2**53), 0, 3]], dtype)
    compute = "float32" if quadrance.plan(X, metric=metric).compute_dtype == "float32" else "float64"
    oracle.assert_close(quadrance.distances(X, metric=metric), X, X, metric, compute)


def test_bfloat16():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    X = np.array([[1.5, -3], [2.25, 1e30]]).astype(ml_dtypes.bfloat16)
    got = quadrance.distances(X)
    assert got.dtype == np.float32
    oracle.assert_close(got, X.astype(np.float64), X.astype(np.float64))
    assert np.array_equal(quadrance.distances(X[::-1].T), quadrance.distances(X[::-1].T.astype(np.float32)))


def test_float64_input_into_float32_keeps_the_offset():
    X = np.array([[1e9 + 0.25], [1e9]])
    got = quadrance.distances(X, dtype="float32")
    assert got.dtype == np.float32
    assert got[0, 1] == 0.25


def test_integer_beyond_2_to_53_is_refused_by_row_and_column():
    for dtype in ("int64", "uint64"):
        X = np.zeros((3, 4), dtype)
        X[2, 1] = 2**53
        assert quadrance.distances(X)[0, 2] == 2.0**53
        X[2, 1] = 2**53 + 1
        with pytest.raises(quadrance.DtypeError, match=r"X\[2, 1\] = 9007199254740993"):
            quadrance.distances(X)
    with pytest.raises(quadrance.DtypeError, match=r"Y\[0, 0\] = -9007199254740993"):
        quadrance.distances(np.zeros((1, 1)), np.array([[-(2**53) - 1]]))
    with pytest.raises(quadrance.DtypeError, match="18446744073709551615"):
        quadrance.distances([[2**64 - 1]])
