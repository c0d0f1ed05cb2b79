# SPDX-License-Identifier: Apache-2.0
"""The slow road for options that are no plain bool, int or str, and what is said to those that are none."""

import operator
from typing import Any, NoReturn

import numpy as np

from ._errors import MetricError


def flag(value: Any, operation: str, name: str, needed: str = "True or False") -> bool:
    """A bool, NumPy's too, or an integer that is 0 or 1."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    try:
        if operator.index(value) in (0, 1) and not isinstance(value, np.ma.MaskedArray):
            return bool(value)
    except TypeError:
        pass
    refuse(value, operation, name, needed)


def whole(value: Any, operation: str, name: str) -> int:
    """An integer, or a float that is one (8e9 bytes); True is no number."""
    try:
        if isinstance(value, (float, np.floating)) and value == int(value):
            return int(value)
        if not isinstance(value, (bool, np.ma.MaskedArray)):
            return operator.index(value)
    except (TypeError, ValueError, OverflowError):  # of int(), for NaN and infinity
        pass
    refuse(value, operation, name, "a whole number")


def number(value: Any, operation: str, name: str) -> float:
    """Whatever is one real number, a 0-d array too."""
    typed = isinstance(value, (np.ndarray, np.generic))
    refused = isinstance(value, (str, bytes, np.ma.MaskedArray)) or (typed and value.dtype.kind not in "fiub")
    if not refused:
        try:
            return float(value.item() if isinstance(value, np.ndarray) else value)
        except OverflowError:
            raise MetricError(
                f"[{operation}] {name} is beyond the range of float64; a smaller number is needed"
            ) from None
        except (TypeError, ValueError):
            pass
    refuse(value, operation, name, "a number")


def refuse(value: Any, operation: str, name: str, needed: str) -> NoReturn:
    raise TypeError(f"[{operation}] {name} is {_described(value)}; {needed} is needed")


def _described(value: Any) -> str:
    """A number or a short text as it is, of all else the type."""
    if value is None or isinstance(value, (bool, np.bool_, int, float, np.integer, np.floating)):
        return str(value)
    if isinstance(value, str) and len(value) <= 40:
        return repr(str(value))
    kind = type(value).__name__
    return ("an " if kind[0] in "aeiouAEIOU" else "a ") + kind
