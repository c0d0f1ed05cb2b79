# SPDX-License-Identifier: Apache-2.0
"""NumPy, one row against all: what people write first. One thread."""

import numpy as np

name = "numpy row loop"

MOST_ROWS = 10_000
MOST_STEPS = 5e9  # about 8 s


def version():
    return np.__version__


def threads():
    return 1


def prepare(x, y, kind):
    y = y if kind == "rectangular" else x
    if kind == "condensed":
        return None, "has no condensed result"
    if len(x) > MOST_ROWS or len(x) * y.size > MOST_STEPS:
        return None, "too slow for this shape"

    def loop():
        distances = np.empty((len(x), len(y)), x.dtype)
        for i, row in enumerate(x):
            distances[i] = np.sqrt(((y - row) ** 2).sum(axis=1))
        return distances

    return loop
