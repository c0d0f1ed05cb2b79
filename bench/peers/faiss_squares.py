# SPDX-License-Identifier: Apache-2.0
"""faiss as it comes: squared distances, another task than ours. All threads."""

import faiss
import numpy as np

name = "faiss (squares)"
squared = True


def version():
    return faiss.__version__


def threads():
    return faiss.omp_get_max_threads()


def prepare(x, y, kind):
    if x.dtype != np.float32:
        return None, "float32 only"
    if kind == "condensed":
        return None, "has no condensed result"
    return lambda: faiss.pairwise_distances(x, y if kind == "rectangular" else x)
