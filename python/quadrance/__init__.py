# SPDX-License-Identifier: Apache-2.0
"""Quadrance: all-pairs distances at the speed of memory, right to the last digits.

>>> import numpy as np
>>> import quadrance
>>> quadrance.distances(np.array([[0.0, 0.0], [3.0, 4.0]]))
array([[0., 5.],
       [5., 0.]])
"""

from ._core import Metric, Plan, version
from ._distances import (
    cdist,
    distances,
    explain,
    info,
    metrics,
    pairwise_distances,
    pdist,
    plan,
    release_memory,
    similarity,
)
from ._errors import (
    CancelledError,
    CompileError,
    DeviceError,
    DtypeError,
    Error,
    ExpressionError,
    InternalError,
    IoError,
    MetricError,
    NotFiniteError,
    OptionError,
    OutOfMemoryError,
    ShapeError,
)

__version__ = version()

__all__ = [
    "CancelledError",
    "CompileError",
    "DeviceError",
    "DtypeError",
    "Error",
    "ExpressionError",
    "InternalError",
    "IoError",
    "Metric",
    "MetricError",
    "NotFiniteError",
    "OptionError",
    "OutOfMemoryError",
    "Plan",
    "ShapeError",
    "__version__",
    "cdist",
    "distances",
    "explain",
    "info",
    "metrics",
    "pairwise_distances",
    "pdist",
    "plan",
    "release_memory",
    "similarity",
]
