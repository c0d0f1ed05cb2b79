# SPDX-License-Identifier: Apache-2.0
"""What is taken as points: every memory layout in place, every reason to refuse."""

import array
import tracemalloc

import numpy as np
import pytest

import quadrance

DTYPES = ["bool", "int8", "uint16", "int32", "uint64", "float16", "float32", "float64"]


def misaligned(a):
    """The same values, one byte off every boundary."""
    raw = np.empty(a.nbytes + 1, np.uint8)[1:]
    out = raw.view(a.dtype).reshape(a.shape)
    out[...] = a
    assert a.itemsize == 1 or not out.flags.aligned
    return out


def field(a):
    """The same values inside records whose size is no multiple of the element's."""
    records = np.zeros(a.shape, np.dtype([("pad", "u1"), ("x", a.dtype), ("tail", "u1", 2)]))
    records["x"] = a
    return records["x"]


def read_only(a):
    out = a.copy()
    out.flags.writeable = False
    return out


LAYOUTS = {
    "fortran": np.asfortranarray,
    "transposed": lambda a: np.ascontiguousarray(a.T).T,
    "rows reversed": lambda a: a[::-1].copy()[::-1],
    "columns reversed": lambda a: a[:, ::-1].copy()[:, ::-1],
    "both reversed": lambda a: a[::-1, ::-1].copy()[::-1, ::-1],
    "every other": lambda a: np.repeat(np.repeat(a, 2, 0), 3, 1)[::2, ::3],
    "misaligned": misaligned,
    "field": field,
    "read-only": read_only,
    "frombuffer": lambda a: np.frombuffer(a.tobytes(), a.dtype).reshape(a.shape),
    "foreign byte order": lambda a: a.astype(a.dtype.newbyteorder()),
    "subclass": lambda a: np.asmatrix(a) if a.dtype != bool else a.view(np.recarray),
}


def points(rng, dtype, n=37, d=11):
    return rng.integers(0, 100, (n, d)).astype(dtype) if dtype != "bool" else rng.random((n, d)) > 0.5


@pytest.mark.filterwarnings("ignore:the matrix subclass")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_any_layout_gives_the_bits_of_a_copy(rng, layout, dtype):
    X, Y = points(rng, dtype), points(rng, dtype, n=23)
    LX, LY = LAYOUTS[layout](X), LAYOUTS[layout](Y)
    assert np.array_equal(LX, X)
    for got, want in [
        (quadrance.distances(LX), quadrance.distances(X)),
        (quadrance.distances(LX, LY), quadrance.distances(X, Y)),
        (quadrance.distances(LX, condensed=True), quadrance.distances(X, condensed=True)),
    ]:
        assert got.dtype == want.dtype
        assert np.array_equal(got, want)


def test_broadcast_rows_are_equal_points():
    X = np.broadcast_to(np.array([1.0, 2.0, 3.0]), (5, 3))
    assert not quadrance.distances(X).any()
    X = np.broadcast_to(np.array([[1.0], [2.0]]), (2, 4))
    np.testing.assert_array_equal(quadrance.distances(X), [[0, 2], [2, 0]])


@pytest.mark.parametrize("layout", sorted(set(LAYOUTS) - {"foreign byte order", "subclass", "frombuffer"}))
def test_no_copy_is_made(rng, layout):
    X = LAYOUTS[layout](rng.random((4, 500_000)))
    tracemalloc.start()  # NumPy reports its arrays there
    quadrance.distances(X)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < X.nbytes / 100


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_inputs_are_never_modified(rng, layout):
    X = LAYOUTS[layout](rng.random((30, 5)))
    Y = LAYOUTS[layout](rng.random((20, 5)))
    before = X.tobytes(), Y.tobytes()
    quadrance.distances(X, Y)
    quadrance.distances(X, metric="sqeuclidean")
    assert (X.tobytes(), Y.tobytes()) == before


def test_memory_map(tmp_path, rng):
    X = rng.random((20, 3), dtype=np.float32)
    np.save(tmp_path / "x.npy", X)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    assert np.array_equal(quadrance.distances(mapped), quadrance.distances(X))


def test_lists_and_buffers():
    want = [[0, 5], [5, 0]]
    for X in [
        [[0, 0], [3, 4]],
        ((0.0, 0.0), (3.0, 4.0)),
        [np.zeros(2), np.array([3, 4])],
        memoryview(array.array("d", [0, 0, 3, 4])).cast("B").cast("d", (2, 2)),
    ]:
        np.testing.assert_array_equal(quadrance.distances(X), want)
    assert quadrance.distances([[0, 0], [3, 4]]).dtype == np.float64
    assert quadrance.distances([[True], [False]]).dtype == np.float32


def test_data_frame():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [0.0, 3.0], "b": [0, 4]})
    np.testing.assert_array_equal(quadrance.distances(frame), [[0, 5], [5, 0]])
    with pytest.raises(quadrance.DtypeError, match="X has dtype object"):
        quadrance.distances(pandas.DataFrame({"a": [1.0], "b": ["x"]}))


def test_array_protocol_objects():
    class Points:
        def __array__(self, dtype=None, copy=None):
            return np.array([[0.0], [2.0]])

    np.testing.assert_array_equal(quadrance.distances(Points()), [[0, 2], [2, 0]])


@pytest.mark.parametrize(
    ("X", "match"),
    [
        (np.ones((2, 2), complex), "Complex data not supported: X has dtype complex128"),
        (np.ones((2, 2), np.complex64), "complex64"),
        (np.ones((2, 2), np.longdouble), "X has dtype .*would be narrowed"),
        (np.ones((2, 2), object), "X has dtype object"),
        (np.array([["1", "2"]]), "X has dtype <U1"),
        (np.array([[b"1"]]), "X has dtype .S1"),
        (np.zeros((2, 2), "M8[s]"), "X has dtype datetime64"),
        (np.zeros((2, 2), "m8[s]"), "X has dtype timedelta64"),
        (np.zeros((2, 2), [("x", "f8"), ("y", "f8")]), r"one field of it is an array: X\['x'\]"),
        ([[1, None]], "X has dtype object"),
        ([[2**64]], "X has dtype object"),
    ],
)
def test_dtypes_that_are_refused(X, match):
    with pytest.raises(quadrance.DtypeError, match=match):
        quadrance.distances(X)
    with pytest.raises(quadrance.DtypeError, match=match.replace("X", "Y")):
        quadrance.distances(np.ones((1, 2)), X)


@pytest.mark.parametrize("X", [5.0, np.float64(5), [1.0, 2.0], np.ones(3), np.ones((2, 2, 2))])
def test_other_than_two_dimensions_is_refused(X):
    with pytest.raises(quadrance.ShapeError, match=r"\[distances\] X must be a 2-dimensional array"):
        quadrance.distances(X)


def test_ragged_lists_are_refused():
    with pytest.raises(ValueError, match="inhomogeneous"):
        quadrance.distances([[1], [2, 3]])


def test_columns_must_agree():
    with pytest.raises(quadrance.ShapeError, match=r"\[distances\] X has 3 columns, Y has 2; they"):
        quadrance.distances(np.ones((4, 3)), np.ones((4, 2)))


def test_masked_arrays_are_refused():
    masked = np.ma.array(np.ones((2, 2)), mask=[[0, 1], [0, 0]])
    with pytest.raises(TypeError, match="X is a masked array"):
        quadrance.distances(masked)
    with pytest.raises(TypeError, match="Y is a masked array"):
        quadrance.distances(np.ones((2, 2)), masked)
    with pytest.raises(TypeError, match="out is a masked array"):
        quadrance.distances(np.ones((2, 2)), out=masked)


def test_sparse_matrices_are_refused():
    sparse = pytest.importorskip("scipy.sparse")
    for matrix in (sparse.csr_matrix(np.eye(2)), sparse.coo_array(np.eye(2))):
        with pytest.raises(TypeError, match="X is a sparse matrix"):
            quadrance.distances(matrix)


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"metric": max}, r"metric is a builtin.*; the name of a metric, see metrics\(\), is needed"),
        ({"metric": None}, "metric is None; the name"),
        ({"metric": 2}, "metric is 2; the name"),
        ({"device": 0}, "device is 0; 'auto' or the name of a device is needed"),
        ({"threads": 1.5}, "threads is 1.5; a whole number is needed"),
        ({"threads": "2"}, "threads is '2'; a whole"),
        ({"threads": True}, "threads is True; a whole"),
        ({"threads": np.True_}, "threads is True; a whole"),
        ({"threads": np.float32(2.5)}, "threads is 2.5; a whole"),
        ({"threads": [2]}, "threads is a list; a whole"),
        ({"threads": np.array([2])}, "threads is a ndarray; a whole"),
        ({"threads": np.ma.array(2, mask=True)}, "threads is a MaskedArray; a whole"),
        ({"memory_limit": "8GB"}, "memory_limit is '8GB'; a whole"),
        ({"memory_limit": float("nan")}, "memory_limit is nan; a whole"),
        ({"memory_limit": float("inf")}, "memory_limit is inf; a whole"),
        ({"progress": True}, r"progress is True; a function progress\(done, total\) is needed"),
        ({"dtype": "no such dtype"}, "dtype is 'no such dtype'; float32 or float64 is needed"),
        ({"dtype": 1}, "dtype is 1; float32"),
        ({"dtype": object()}, "dtype is an object; float32"),
        ({"q": 3}, "unexpected keyword argument 'q'"),
    ],
)
def test_arguments_of_the_wrong_type_are_named(arguments, match):
    for function in (quadrance.distances, quadrance.pairwise_distances, quadrance.pdist):
        with pytest.raises(TypeError, match=match):
            function(np.ones((2, 2)), **arguments)


@pytest.mark.parametrize("bad", [2, -1, None, "yes", 1.0, [1], np.array([True]), np.ma.array(1, mask=True)])
def test_flags_that_are_none_are_named(bad):
    X = np.ones((3, 2))
    for function in (quadrance.distances, quadrance.plan, quadrance.explain):
        with pytest.raises(TypeError, match=r"^\[\w+\] condensed is .*; True or False is needed$"):
            function(X, condensed=bad)
    if bad != "yes":
        text = r"^\[pairwise_distances\] ensure_all_finite is .*; True, False or 'allow-nan' is needed$"
        with pytest.raises(TypeError, match=text):
            quadrance.pairwise_distances(X, ensure_all_finite=bad)
    if bad is not None:
        with pytest.raises(TypeError, match=r"^\[distances\] degrees is .*; True or False is needed$"):
            quadrance.distances(X, metric="haversine", degrees=bad)


@pytest.mark.parametrize("kind", [bool, int, np.bool_, np.int64, np.uint8, np.array])
def test_flags_are_bools_of_any_kind(kind):
    X = np.array([[0.0, 0.0], [0.1, 0.2], [np.nan, 0.0]])
    truth = kind(True) if kind is not np.array else np.array(1)
    falsehood = kind(False) if kind is not np.array else np.array(0)
    assert quadrance.distances(X, condensed=truth).shape == (3,)
    assert quadrance.distances(X, condensed=falsehood).shape == (3, 3)
    assert quadrance.plan(X, condensed=truth).condensed
    assert np.isnan(quadrance.pairwise_distances(X, ensure_all_finite=falsehood)[0, 2])
    with pytest.raises(quadrance.NotFiniteError):
        quadrance.pairwise_distances(X, ensure_all_finite=truth)
    degrees = quadrance.pdist(X[:2], "haversine", degrees=truth)
    assert degrees == quadrance.pdist(np.radians(X[:2]), "haversine", degrees=falsehood)


@pytest.mark.parametrize("kind", [int, float, np.int8, np.uint64, np.float32, np.float64, np.array])
def test_whole_numbers_are_of_any_kind(kind):
    X = np.broadcast_to(np.float32(0), (9_000, 40))
    assert quadrance.plan(X, threads=kind(2)).threads == 2
    assert quadrance.plan(X, threads=kind(1)).threads_source == "asked for"
    with pytest.raises(quadrance.OutOfMemoryError, match="100 bytes are left"):
        quadrance.distances(X, memory_limit=kind(100))
    assert quadrance.pairwise_distances([[1.0]], n_jobs=kind(2)) == 0
    assert quadrance.similarity([[1.0]], kernel="poly", degree=kind(2)) == 4


def test_arguments_of_the_wrong_value_are_named():
    X = np.ones((2, 2))
    with pytest.raises(quadrance.MetricError, match="no metric 'euclidian'; did you mean 'euclidean'"):
        quadrance.distances(X, metric="euclidian")
    with pytest.raises(quadrance.DeviceError, match="no device 'tpu'"):
        quadrance.distances(X, device="tpu")
    with pytest.raises(quadrance.OptionError, match="-1 threads"):
        quadrance.distances(X, threads=-1)
    for limit in (0, -1):
        with pytest.raises(quadrance.OptionError, match="memory_limit must be a number of bytes above 0"):
            quadrance.distances(X, memory_limit=limit)
    for dtype in ("int32", "float16", ">f4" if np.little_endian else "<f4", complex):
        with pytest.raises(quadrance.DtypeError, match="must be float32 or float64"):
            quadrance.distances(X, dtype=dtype)
    with pytest.raises(quadrance.ShapeError, match="condensed"):
        quadrance.distances(X, X.copy(), condensed=True)
    with pytest.raises(TypeError, match=r"XB is None; an array of points \(distances\(X\) takes one set\)"):
        quadrance.cdist(X, None)
