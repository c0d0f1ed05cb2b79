# SPDX-License-Identifier: Apache-2.0
"""`make demo`: all distances of the Landsat pixels, by ours and by every peer that is installed.

Usage: python bench/peers/demo.py [points.csv]
"""

import machine

if __name__ == "__main__":
    machine.at_full_speed()

import statistics
import sys

import measure
import numpy as np
import quadrance_distances
import table

LANDSAT = machine.ROOT / "examples/data/landsat-satellite.csv"
RIVALS = "faiss_pairwise sklearn_distances numpy_row_loop".split()
ROUNDS = 3


def read(path):
    """All columns but the last, which names the class."""
    with open(path, encoding="utf-8") as file:
        features = len(file.readline().split(",")) - 1
        return np.loadtxt(file, dtype=np.float32, delimiter=",", usecols=range(features), ndmin=2)


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else LANDSAT
    x = read(path)
    n, d = x.shape
    print(
        f"{n:,} points of {d} features, {x.dtype}: {n * n:,} distances, {n * n * x.itemsize / 1e6:.0f} MB",
        flush=True,
    )
    rivals, missing = machine.import_peers(RIVALS)
    systems = {module.name: module for module in [quadrance_distances, *rivals]}
    calls, checks = {}, {}
    for name, module in systems.items():
        call = module.prepare(x, None, "symmetric")
        if isinstance(call, tuple):
            missing[name] = call[1]
            continue
        calls[name] = call
        checks[name] = measure.check(call(), x, None, "symmetric")
    times = measure.time_in_turns(list(calls.values()), ROUNDS)
    medians = {name: statistics.median(t) for name, t in zip(calls, times, strict=True)}
    ours_s = medians[quadrance_distances.name]

    for name, seconds in medians.items():
        verdict = checks[name].get("wrong", f"right, relative error {checks[name]['max_rel_err']:.0e}")
        print(f"  {name:18}{table.duration(seconds):>9}{seconds / ours_s:>7.1f} x  {verdict}")
    for name, reason in missing.items():
        print(f"  {name:18} not run: {reason}")
    print(f"medians of {ROUNDS} rounds, a new matrix each; errors against float64 at {measure.PAIRS:,} pairs")
    if "wrong" in checks[quadrance_distances.name]:
        sys.exit("quadrance is wrong")


if __name__ == "__main__":
    main()
