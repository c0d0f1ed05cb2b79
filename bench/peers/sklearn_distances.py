# SPDX-License-Identifier: Apache-2.0
"""scikit-learn: D = pairwise_distances(x). BLAS threads; n_jobs=-1 is no faster."""

import sklearn
from sklearn.metrics import pairwise_distances
from threadpoolctl import threadpool_info

name = "scikit-learn"


def version():
    return sklearn.__version__


def threads():
    return max(pool["num_threads"] for pool in threadpool_info())


def prepare(x, y, kind, metric="euclidean", **parameters):
    if kind == "condensed":
        return None, "has no condensed result"
    return lambda: pairwise_distances(x, y if kind == "rectangular" else None, metric=metric, **parameters)
