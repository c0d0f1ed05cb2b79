# SPDX-License-Identifier: Apache-2.0
"""Packed bits beside faiss and NumKong: fingerprints of 2,048 bits, two sets, in one process, in turns.

Usage: python bench/peers/bits.py [--rounds N] [--file results.jsonl]

faiss has no matrix of Jaccard distances: its hammings() counts differing bits, the same work but a quotient.
"""

import machine

if __name__ == "__main__":
    machine.at_full_speed()

import argparse
import json
import statistics
from functools import partial

import faiss
import faiss_squares
import measure
import numkong
import numpy as np
import quadrance_distances
import table

import quadrance

N, BITS = 4_000, 2_048
# NumKong takes its quotients in float32.
TOLERANCE = 1e-6


def faiss_hammings(x, y):
    """Numbers of bits that differ, as fractions only where they are checked."""
    counts = np.empty((len(x), len(y)), np.int32)
    pointers = [faiss.swig_ptr(array) for array in (x, y, counts)]
    faiss.hammings(*pointers[:2], len(x), len(y), x.shape[1], pointers[2])
    return counts


def calls_of(metric, x, y):
    numkongs = {"tanimoto": "jaccard", "hamming": "hamming"}[metric]
    return {
        "quadrance": partial(quadrance.distances, x, y, metric, packed=True),
        "quadrance 1 thread": partial(quadrance.distances, x, y, metric, packed=True, threads=1),
        "NumKong": lambda: np.asarray(numkong.cdist(x, y, numkongs, dtype="uint1")),
        "faiss.hammings": partial(faiss_hammings, x, y),
    }


def error_of(system, metric, result, want):
    """Relative; None where it is another quantity."""
    if metric == "hamming" and system in ("NumKong", "faiss.hammings"):
        result = result / BITS
    elif system == "faiss.hammings":
        return None
    return float(np.max(np.abs(result - want) / want))


def lines_of(metric, rounds):
    random = np.random.default_rng(1)
    bits = [random.random((N, BITS)) < 0.3 for _ in range(2)]
    x, y = (np.packbits(rows, axis=1) for rows in bits)
    calls = calls_of(metric, x, y)
    ones = [rows.astype(np.float32) for rows in bits]
    both = ones[0] @ ones[1].T  # whole numbers below 2^24: exact
    either = ones[0].sum(axis=1)[:, None] + ones[1].sum(axis=1) - both
    want = (either - both).astype(np.float64) / (either if metric == "tanimoto" else BITS)
    times = dict(zip(calls, measure.time_in_turns(list(calls.values()), rounds), strict=True))
    ours = statistics.median(times["quadrance"])
    for system, seconds in times.items():
        median = statistics.median(seconds)
        line = {"case": f"bits/{metric}/n={N},d={BITS}/rectangular", "system": system, "median_s": median}
        line |= {"min_s": min(seconds), "runs": len(seconds), "speedup": median / ours}
        error = error_of(system, metric, calls[system](), want)
        if error is not None:
            line["max_rel_err"] = error
            if not error <= TOLERANCE:
                line["wrong"] = f"relative error {error:.1e}"
        yield line


def main():
    parser = argparse.ArgumentParser(description="Packed bits beside faiss and NumKong: bench/README.md.")
    parser.add_argument("--rounds", type=int, default=7, metavar="N")
    parser.add_argument("--file", metavar="RESULTS")
    options = parser.parse_args()
    context = machine.context([quadrance_distances, faiss_squares])
    context["versions"]["NumKong"] = numkong.__version__
    lines = [line for metric in ("tanimoto", "hamming") for line in lines_of(metric, options.rounds)]
    for line in lines:
        text = json.dumps(context | line)
        if options.file:
            with open(options.file, "a", encoding="utf-8") as file:
                file.write(text + "\n")
        else:
            print(text)
    print(table.of(lines))


if __name__ == "__main__":
    main()
