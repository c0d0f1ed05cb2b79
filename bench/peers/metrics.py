# SPDX-License-Identifier: Apache-2.0
"""Every metric beside SciPy and scikit-learn, on the same input, in one process, in turns.

Usage: python bench/peers/metrics.py [--filter TEXT] [--rounds N] [--file results.jsonl]

float32 input goes to SciPy too, which converts it. Results are held against SciPy's before anything is timed.
"""

import machine

if __name__ == "__main__":
    machine.at_full_speed()

import argparse
import itertools
import json
import statistics
import sys

import measure
import numpy as np
import quadrance_distances
import scipy_cdist
import scipy_pdist
import sklearn_distances
import table

import quadrance

SHAPES = [(3_000, 40), (3_000, 3), (3_000, 1_000)]
# SciPy takes n^2 d^2 steps for these: hours at d = 1,000.
ONLY_SMALL_D = {"mahalanobis"}
SKLEARN = {"euclidean", "cityblock", "cosine"}  # its own; for all others it calls SciPy
# Speedups over SciPy's float64 at d = 40.
MUST = {"symmetric": 6.0, "rectangular": 3.5}


def parameters_of(metric, d):
    """What SciPy needs to be given, or would compute in its own time."""
    return {"V": np.linspace(0.5, 2, d)} if quadrance.metrics()[metric].parameters == "V" else {}


def lines_of(metric, dtype, n, d, kind, rounds):
    random = np.random.default_rng(1)
    x, y = random.random((n, d), dtype=dtype), random.random((n, d), dtype=dtype)
    parameters = parameters_of(metric, d)
    wide = (x.astype(np.float64), y.astype(np.float64))
    want = scipy_cdist.prepare(*wide, kind, metric, **parameters)()
    calls = {
        "quadrance": quadrance_distances.prepare(x, y, kind, metric=metric, **parameters),
        "scipy.cdist": scipy_cdist.prepare(*wide, kind, metric, **parameters),
    }
    if kind == "symmetric":
        calls["scipy.pdist"] = scipy_pdist.prepare(*wide, kind, metric, **parameters)
    if metric in SKLEARN:
        calls["scikit-learn"] = sklearn_distances.prepare(x, y, kind, metric)
    case = f"metrics/{metric}/{dtype}/n={n},d={d}/{kind}"
    times = dict(zip(calls, measure.time_in_turns(list(calls.values()), rounds), strict=True))
    ours = statistics.median(times["quadrance"])
    for name, seconds in times.items():
        got = calls[name]()
        with np.errstate(invalid="ignore", divide="ignore"):
            error = float(np.nanmax(np.abs(got - want) / np.where(want > 1e-3, want, np.nan)))
        line = {"case": case, "system": name, "median_s": statistics.median(seconds), "min_s": min(seconds)}
        line |= {"runs": len(seconds), "max_rel_err": error, "speedup": statistics.median(seconds) / ours}
        if name == "quadrance":
            line["kernel"] = quadrance_distances.plan(x, y, kind, metric=metric, **parameters).kernel
        if not error <= measure.TOLERANCE[dtype]:
            line["wrong"] = f"relative error {error:.1e}"
        yield line


def report(lines):
    """What is promised over SciPy, case by case."""
    out = ["", "rules: speedup of ours over SciPy's cdist, float64, d = 40"]
    for kind, least in MUST.items():
        found = {
            line["case"].split("/")[1]: line["speedup"]
            for line in lines
            if line["system"] == "scipy.cdist" and "/float64/" in line["case"] and ",d=40/" in line["case"]
            and line["case"].endswith(kind)
        }  # fmt: skip
        for metric, speedup in found.items():
            word = "met   " if speedup >= least else "MISSED"
            out.append(f"  {word}   {kind}, {metric}: {speedup:.1f} (must: {least})")
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser(
        description="Every metric beside SciPy and scikit-learn: bench/README.md."
    )
    parser.add_argument("--filter", default="", metavar="TEXT")
    parser.add_argument("--rounds", type=int, default=7, metavar="N")
    parser.add_argument("--file", metavar="RESULTS")
    options = parser.parse_args()
    context = machine.context([quadrance_distances, scipy_cdist, scipy_pdist, sklearn_distances])
    lines = []
    kinds = ["symmetric", "rectangular"]
    for metric, dtype, (n, d), kind in itertools.product(
        quadrance.metrics(), ["float64", "float32"], SHAPES, kinds
    ):
        case = f"metrics/{metric}/{dtype}/n={n},d={d}/{kind}"
        if options.filter not in case:
            continue
        if metric in ONLY_SMALL_D and d > 100:
            print(f"{case}: not run, SciPy would take hours", file=sys.stderr)
            continue
        for line in lines_of(metric, dtype, n, d, kind, options.rounds):
            text = json.dumps(context | line)
            if options.file:
                with open(options.file, "a", encoding="utf-8") as file:
                    file.write(text + "\n")
            else:
                print(text, flush=True)
            lines.append(line)
    if not lines:
        sys.exit(f"no case holds {options.filter!r}")
    print(table.of(lines))
    print(report(lines))


if __name__ == "__main__":
    main()
