# SPDX-License-Identifier: Apache-2.0
"""The slow road for arguments that are no plain 2-d array of native numbers, and why some are refused."""

from typing import Any

import numpy as np

from ._errors import DtypeError, ShapeError
from ._options import refuse

# What quadrance::DType has a member for, by NumPy's name. bfloat16 is registered by ml_dtypes.
_DTYPES = frozenset(
    "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 bfloat16 float32 float64".split()
)

_RESHAPE = (
    "Reshape your data either using array.reshape(-1, 1) if your data has a single feature "
    "or array.reshape(1, -1) if it contains a single sample."
)


def as_array(points: Any, operation: str, name: str) -> tuple[np.ndarray, str, np.ndarray | None]:
    """Return (array with a buffer, dtype name, the caller's array if the first is a converted copy of it)."""
    refuse_masked(points, operation, name)
    if hasattr(points, "tocsr"):
        raise TypeError(
            f"[{operation}] {name} is a sparse matrix; a dense array is needed ({name}.toarray())"
        )
    try:
        array = np.asarray(points)
    except ValueError as error:
        raise ShapeError(
            f"[{operation}] {name} is no array: {error}; rows of one length are needed"
        ) from None
    _check_dtype(array.dtype, operation, name)
    if array.ndim != 2:
        raise ShapeError(_not_two_dimensional(array, operation, name))
    dtype = array.dtype.name
    if not array.dtype.isnative:
        return array.astype(array.dtype.newbyteorder("=")), dtype, array
    if dtype == "bfloat16":  # NumPy's buffer protocol has no letter for it
        return array.view(np.uint16), dtype, None
    return array, dtype, None


def refuse_masked(array: Any, operation: str, name: str) -> None:
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError(
            f"[{operation}] {name} is a masked array; a plain array is needed, as the mask would be lost: "
            f"{name}.filled(value), or {name}.data to use what is under the mask"
        )


def refuse_masked_out(out: Any, operation: str) -> None:
    if isinstance(out, np.ma.MaskedArray):  # out.filled() would be a copy, and the results lost with it
        raise TypeError(
            f"[{operation}] out is a masked array; a plain array is needed: give out.data, which is written "
            "under the mask as well, or numpy.empty(out.shape, out.dtype)"
        )


def result_dtype(dtype: Any, operation: str) -> str:
    try:
        wanted = np.dtype(dtype)
    except (TypeError, ValueError):
        refuse(dtype, operation, "dtype", "float32 or float64")
    name = str(wanted.name)
    if name not in ("float32", "float64") or not wanted.isnative:
        asked = name if wanted.isnative else str(wanted)
        raise DtypeError(f"[{operation}] dtype {asked} asked for; it must be float32 or float64")
    return name


def _check_dtype(dtype: np.dtype, operation: str, name: str) -> None:
    if dtype.name in _DTYPES:
        return
    if dtype.kind == "c":
        raise DtypeError(
            f"[{operation}] Complex data not supported: {name} has dtype {dtype}; "
            "give real and imaginary part as features of their own"
        )
    hint = ""
    if dtype.kind == "f":
        hint = f"; it would be narrowed: {name}.astype(float) if that is meant"
    elif dtype.kind == "O":
        hint = "; does every row have the same length, and is every element a number?"
    elif dtype.names:
        hint = f"; one field of it is an array: {name}[{dtype.names[0]!r}]"
    raise DtypeError(
        f"[{operation}] {name} has dtype {dtype}; real numbers of up to 64 bits are needed{hint}"
    )


def _not_two_dimensional(array: np.ndarray, operation: str, name: str) -> str:
    if operation == "pairwise_distances":  # scikit-learn's words
        if array.ndim > 2:
            return f"Found array with dim {array.ndim}, while dim <= 2 is required: {name} of {operation}."
        kind = "scalar" if array.ndim == 0 else "1D"
        return f"Expected 2D array, got {kind} array instead:\n{name}={array}.\n{_RESHAPE}"
    return (
        f"[{operation}] {name} must be a 2-dimensional array (points, features); it has shape {array.shape}"
        + (f". {_RESHAPE}" if array.ndim < 2 else "")
    )
