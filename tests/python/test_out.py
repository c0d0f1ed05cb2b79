# SPDX-License-Identifier: Apache-2.0
"""out= is written in place or refused before anything is written; fresh results belong to NumPy."""

import gc
import os

import numpy as np
import pytest

import quadrance

FILL = 123.0


@pytest.fixture
def X(rng):
    return rng.random((12, 4))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_out_is_returned_and_chooses_the_dtype(X, dtype):
    for points in (X, X.astype(np.float32), (X * 100).astype(np.int32)):
        want = quadrance.distances(points, dtype=dtype)
        out = np.empty((12, 12), dtype)
        assert quadrance.distances(points, out=out) is out
        assert np.array_equal(out, want)
        out = np.empty((12, 7), dtype)
        assert quadrance.cdist(points, points[:7], out=out) is out
        assert np.array_equal(out, want[:, :7])
        out = np.empty((12, 12), dtype)
        assert quadrance.pairwise_distances(points, out=out) is out
        assert np.array_equal(out, want)
        out = np.empty(66, dtype)
        assert quadrance.pdist(points, out=out) is out
        assert quadrance.distances(points, condensed=True, out=out) is out
        assert np.array_equal(out, want[np.triu_indices(12, 1)])


def test_out_inside_a_larger_array(X):
    rows = np.full((20, 12), FILL)
    quadrance.distances(X, out=rows[3:15])
    assert np.array_equal(rows[3:15], quadrance.distances(X))
    assert (rows[:3] == FILL).all() and (rows[15:] == FILL).all()


def test_out_memory_map(X, tmp_path):
    out = np.lib.format.open_memmap(tmp_path / "d.npy", "w+", np.float32, (12, 12))
    assert quadrance.distances(X, out=out) is out
    out.flush()
    assert np.array_equal(np.load(tmp_path / "d.npy"), quadrance.distances(X, dtype="float32"))


def read_only():
    out = np.full((12, 12), FILL)
    out.flags.writeable = False
    return out


def misaligned():
    out = np.empty(12 * 12 * 8 + 1, np.uint8)[1:].view(np.float64).reshape(12, 12)
    out[...] = FILL
    return out


REFUSED = {
    "integers": (lambda: np.full((12, 12), 123), "out has dtype int64; float32 or float64"),
    "float16": (lambda: np.full((12, 12), FILL, np.float16), "out has dtype float16"),
    "complex": (lambda: np.full((12, 12), FILL, complex), "out has dtype complex128"),
    "foreign byte order": (
        lambda: np.full((12, 12), FILL, np.dtype("f8").newbyteorder()),
        "native byte order",
    ),
    "too few rows": (lambda: np.full((11, 12), FILL), r"out has shape \(11, 12\); \(12, 12\) is needed"),
    "too many columns": (lambda: np.full((12, 13), FILL), r"out has shape \(12, 13\)"),
    "one dimension": (lambda: np.full(144, FILL), r"out has shape \(144,\)"),
    "three dimensions": (lambda: np.full((1, 12, 12), FILL), r"out has shape \(1, 12, 12\)"),
    "fortran": (lambda: np.full((12, 12), FILL, order="F"), "not C-contiguous"),
    "strided": (lambda: np.full((24, 12), FILL)[::2], "not C-contiguous"),
    "wide rows": (lambda: np.full((12, 24), FILL)[:, :12], "not C-contiguous"),
    "reversed": (lambda: np.full((12, 12), FILL)[::-1], "not C-contiguous"),
    "read-only": (read_only, "read-only"),
    "misaligned": (misaligned, "not aligned"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_before_anything_is_written(X, case):
    make, match = REFUSED[case]
    out = make()
    for function in (quadrance.distances, quadrance.pairwise_distances):
        with pytest.raises(ValueError, match=match) as caught:
            function(X, out=out)
        assert isinstance(caught.value, quadrance.ShapeError | quadrance.DtypeError)
        assert (out == FILL).all()
    with pytest.raises(ValueError, match=match):
        quadrance.cdist(X, X.copy(), out=out)
    assert (out == FILL).all()


def test_condensed_shape_is_exact(X):
    for shape in [(65,), (67,), (1, 66), (66, 1), (12, 12)]:
        out = np.full(shape, FILL)
        with pytest.raises(quadrance.ShapeError, match=r"\(66,\) is needed"):
            quadrance.pdist(X, out=out)
        assert (out == FILL).all()


@pytest.mark.parametrize("out", [[[0.0] * 12] * 12, memoryview(bytearray(1152)), "out", 3])
def test_only_numpy_arrays_are_written_to(X, out):
    with pytest.raises(TypeError, match="out is .*; a NumPy array is needed"):
        quadrance.distances(X, out=out)


def test_of_a_masked_out_the_array_under_the_mask_is_written_to(X):
    out = np.ma.masked_equal(np.full((12, 12), FILL), FILL)
    for call in (quadrance.distances, quadrance.pairwise_distances, quadrance.plan):
        text = r"^\[\w+\] out is a masked array; a plain array is needed: give out\.data, which is"
        with pytest.raises(TypeError, match=text) as caught:
            call(X, out=out)
        assert "filled" not in str(caught.value)
    assert (out.data == FILL).all()
    quadrance.distances(X, out=out.data)
    assert np.array_equal(out.data, quadrance.distances(X)) and out.mask.all()


def test_dtype_that_contradicts_out(X):
    out = np.full((12, 12), FILL)
    with pytest.raises(quadrance.DtypeError, match="out is float64 but dtype is float32"):
        quadrance.distances(X, out=out, dtype="float32")
    assert (out == FILL).all()
    assert quadrance.distances(X, out=out, dtype="float64") is out


def test_overlap_is_refused():
    for build in (
        lambda a: (a[:12], None, a[:12]),
        lambda a: (a[:12], None, a[6:18]),
        lambda a: (a[12:24], a[:12], a[:12]),
        lambda a: (a[12:24], a[11::-1], a[:12]),
        lambda a: (a[:12].T, None, a[:12]),
    ):
        memory = np.arange(24 * 12, dtype=np.float64).reshape(24, 12)
        before = memory.copy()
        X, Y, out = build(memory)
        with pytest.raises(quadrance.ShapeError, match="shares memory with [XY]"):
            quadrance.distances(X, Y, out=out)
        assert np.array_equal(memory, before)


def test_overlap_with_an_input_that_has_to_be_converted_is_refused_too():
    memory = np.zeros((24, 12))
    foreign = memory.view(memory.dtype.newbyteorder())
    with pytest.raises(quadrance.ShapeError, match="out shares memory with X"):
        quadrance.distances(foreign[:12], out=memory[:12])
    with pytest.raises(quadrance.ShapeError, match="out shares memory with Y"):
        quadrance.distances(np.ones((12, 12)), foreign[:12], out=memory[:12])
    quadrance.distances(foreign[12:], out=memory[:12])


def test_out_may_touch_its_inputs_neighbour():
    memory = np.ones((24, 12))
    quadrance.distances(memory[12:], out=memory[:12])
    assert not memory[:12].any() and (memory[12:] == 1).all()


def test_nothing_is_written_on_an_error_in_the_values():
    X = np.zeros((3, 1), np.int64)
    X[2] = 2**53 + 1
    out = np.full((3, 3), FILL)
    with pytest.raises(quadrance.DtypeError):
        quadrance.distances(X, out=out)
    assert (out == FILL).all()


@pytest.mark.parametrize("n", [0, 1, 10, 100, 1500])
@pytest.mark.parametrize("condensed", [False, True])
def test_fresh_results_are_ordinary_arrays(rng, n, condensed):
    X = rng.random((n, 3), dtype=np.float32)
    D = quadrance.distances(X, condensed=condensed)
    assert type(D) is np.ndarray
    assert D.flags.writeable and D.flags.c_contiguous and D.flags.aligned
    assert D.ndim == (1 if condensed else 2)
    if n == 1500:
        assert D.ctypes.data % 64 == 0
    copy = D.copy()
    view = D[..., ::2]
    del D
    gc.collect()
    quadrance.distances(X)  # would reuse freed memory
    assert np.array_equal(view, copy[..., ::2])
    view[...] = 0


def test_results_are_freed(rng):
    import resource

    X = rng.random((2000, 2))  # 32 MB of results
    quadrance.distances(X)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(20):
        quadrance.distances(X)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # kB


def test_memory_of_a_result_is_kept_until_it_is_released(rng):
    def resident_mib():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

    X = rng.random((3_000, 4))
    want = quadrance.distances(X[:5])
    quadrance.release_memory()
    before = resident_mib()
    address = quadrance.distances(X).ctypes.data
    assert resident_mib() - before > 60
    D = quadrance.distances(X)
    assert D.ctypes.data == address
    assert np.array_equal(D[:5, :5], want)
    del D
    quadrance.release_memory()
    assert resident_mib() - before < 30
