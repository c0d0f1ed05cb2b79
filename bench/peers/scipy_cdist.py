# SPDX-License-Identifier: Apache-2.0
"""SciPy: D = cdist(x, x). One thread."""

import numpy as np
import scipy
from scipy.spatial.distance import cdist

name = "scipy.cdist"


def version():
    return scipy.__version__


def threads():
    return 1


def prepare(x, y, kind, metric="euclidean", **parameters):
    if x.dtype not in (np.float64, np.bool_):
        return None, "float64 only"
    if kind == "condensed":
        return None, "has no condensed result"
    return lambda: cdist(x, y if kind == "rectangular" else x, metric, **parameters)
