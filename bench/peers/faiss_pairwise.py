# SPDX-License-Identifier: Apache-2.0
"""faiss: its squared distances (all threads), then NumPy's square root in place (one thread)."""

import faiss_squares
import numpy as np

name = "faiss + sqrt"
version = faiss_squares.version
threads = faiss_squares.threads


def prepare(x, y, kind):
    squares = faiss_squares.prepare(x, y, kind)
    if isinstance(squares, tuple):
        return squares

    def distances():
        result = squares()
        with np.errstate(invalid="ignore"):  # squares below zero become NaN
            return np.sqrt(result, out=result)

    return distances
