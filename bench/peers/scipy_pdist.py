# SPDX-License-Identifier: Apache-2.0
"""SciPy by half the pairs: pdist(x), and D = squareform(pdist(x)) for the matrix. One thread."""

import numpy as np
import scipy
from scipy.spatial.distance import pdist, squareform

name = "scipy.pdist"


def version():
    return scipy.__version__


def threads():
    return 1


def prepare(x, y, kind, metric="euclidean", **parameters):
    if x.dtype not in (np.float64, np.bool_):
        return None, "float64 only"
    if kind == "rectangular":
        return None, "one set of points only"
    if kind == "condensed":
        return lambda: pdist(x, metric, **parameters)
    return lambda: squareform(pdist(x, metric, **parameters), checks=False)
