# SPDX-License-Identifier: Apache-2.0
"""One class per error code; each is also the built-in class that Python code expects."""

import pickle

import numpy as np
import pytest

import quadrance
from quadrance import _errors

BUILT_IN = {
    "shape": ValueError,
    "dtype": ValueError,
    "metric": ValueError,
    "option": ValueError,
    "expression": ValueError,
    "device": RuntimeError,
    "compile": RuntimeError,
    "memory": MemoryError,
    "io": OSError,
    "cancelled": RuntimeError,
    "internal": RuntimeError,
}


def test_every_code_of_the_library_has_its_class():
    assert set(_errors.BY_CODE) == set(BUILT_IN)
    for code, error in _errors.BY_CODE.items():
        assert issubclass(error, quadrance.Error)
        assert issubclass(error, BUILT_IN[code])
        assert error.code == code
        assert getattr(quadrance, error.__name__) is error
        assert error.__module__ == "quadrance"


def test_one_base_catches_them_all():
    X = np.ones((2, 2))
    for call, code in [
        (lambda: quadrance.distances(X, np.ones((2, 3))), "shape"),
        (lambda: quadrance.distances(X * 1j), "dtype"),
        (lambda: quadrance.distances(X, metric="none"), "metric"),
        (lambda: quadrance.distances(X, device="none"), "device"),
        (lambda: quadrance.distances(X, memory_limit=1), "memory"),
        (lambda: quadrance.pairwise_distances(X * np.nan), "not_finite"),
    ]:
        with pytest.raises(quadrance.Error) as caught:
            call()
        assert caught.value.code == code


def test_errors_travel_between_processes():
    for error in (*_errors.BY_CODE.values(), quadrance.NotFiniteError):
        copy = pickle.loads(pickle.dumps(error("[operation] text")))
        assert type(copy) is error
        assert str(copy) == "[operation] text"
        assert copy.code == error.code


def test_a_failed_call_leaves_the_next_one_alone():
    X = np.array([[0.0], [1.0]])
    for _ in range(1000):
        with pytest.raises(quadrance.MetricError):
            quadrance.distances(X, metric="none")
    np.testing.assert_array_equal(quadrance.distances(X), [[0, 1], [1, 0]])
