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
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import measure
import numpy as np
import quadrance_distances
import scipy_cdist
import scipy_pdist
import sklearn_distances
import table
from sklearn.metrics import pairwise

import quadrance

N = 3_000
DS = [40, 3, 1_000]


@dataclass
class Case:
    """One metric with its parameters, and who else has it."""

    variant: str = ""
    parameters: Callable[[int], dict] = lambda d: {}
    sklearn: Callable | None = (
        None  # of two arrays, where it is scikit-learn's own: for all others it calls SciPy
    )
    ds: list[int] = field(default_factory=lambda: DS)
    data: Callable = lambda random, shape: random.random(shape)
    metric: str = ""
    dtypes: list[str] = field(default_factory=lambda: ["float64", "float32"])

    @property
    def label(self):
        return f"{self.metric} {self.variant}".strip()

    @property
    def similarity(self):
        return quadrance.metrics()[self.metric].similarity


def sklearn_metric(metric):
    return lambda x, y, **_: pairwise.pairwise_distances(
        x, y, metric=metric, ensure_all_finite=metric != "nan_euclidean"
    )


def places(random, shape):
    return random.random(shape) * [np.pi, 2 * np.pi] - [np.pi / 2, np.pi]


def inverse_covariance(d):
    """Of correlations that fall with the distance of two features."""
    apart = np.abs(np.subtract.outer(np.arange(d), np.arange(d)))
    return np.linalg.inv(np.eye(d) + 0.5 / (1 + apart))


def with_holes(random, shape):
    x = random.random(shape)
    x[random.random(shape) < 0.1] = np.nan
    return x


def truths(random, shape):
    return random.random(shape) < 0.5


# As words of bits. hamming takes any numbers too.
OF_BOOL = {"data": truths, "dtypes": ["bool"]}


def is_scipys(metric):
    try:
        scipy_cdist.cdist(np.ones((1, 2)), np.ones((1, 2)), metric)
    except ValueError as error:
        return "Unknown Distance Metric" not in str(error)
    return True


# SciPy takes n^2 d^2 steps for mahalanobis, and a pow() a feature for minkowski: up to hours at d = 1,000.
SMALL = [40, 3]
# Metrics that need parameters, other points, or have another rival; of all others the name is enough.
SPECIAL = {
    "euclidean": [Case(sklearn=sklearn_metric("euclidean"))],
    "cityblock": [Case(sklearn=sklearn_metric("cityblock"))],
    "minkowski": [Case(f"p={p}", lambda d, p=p: {"p": p}, ds=SMALL) for p in (3, 1.5, 2.3)],
    "seuclidean": [Case(parameters=lambda d: {"V": np.linspace(0.5, 2, d)})],
    "mahalanobis": [Case(parameters=lambda d: {"VI": inverse_covariance(d)}, ds=SMALL)],
    "nan_euclidean": [Case(sklearn=sklearn_metric("nan_euclidean"), data=with_holes)],
    "periodic_euclidean": [Case(parameters=lambda d: {"box": np.full(d, 0.7)})],
    "cosine": [Case(sklearn=sklearn_metric("cosine"))],
    "haversine": [Case(sklearn=sklearn_metric("haversine"), ds=[2], data=places)],
    "inner_product": [Case(sklearn=lambda x, y: -pairwise.linear_kernel(x, y))],
    "hamming": [Case(), Case("of bool", **OF_BOOL)],
    "gower": [Case(parameters=lambda d: {"ranges": np.ones(d), "categorical": [0]}, data=with_holes)],
    "rbf": [Case(sklearn=pairwise.rbf_kernel)],
    "laplacian": [Case(sklearn=pairwise.laplacian_kernel)],
    "polynomial": [Case(sklearn=pairwise.polynomial_kernel)],
}
WEIGHTED = Case("w", lambda d: {"w": np.linspace(0.5, 2, d)}, ds=[40])
# With weights SciPy calls Python for each pair: minutes.
SCIPY_IN_PYTHON = ("cosine", "correlation")


def cases_of(metric):
    boolean = "not 0" in quadrance.metrics()[metric].domain
    plain = [Case(**OF_BOOL)] if boolean else SPECIAL.get(metric, [Case()])
    takes = quadrance.metrics()[metric].parameters
    weighted = takes == ["w"] and metric not in SCIPY_IN_PYTHON
    return [replace(case, metric=metric) for case in plain + [WEIGHTED] * weighted]


CASES = [case for metric in quadrance.metrics() for case in cases_of(metric)]
# Speedups over SciPy's float64 at d = 40, symmetric and rectangular.
MUST = {"symmetric": 6.0, "rectangular": 3.5}
MUST_OF = {
    "mahalanobis": {"symmetric": 50.0},
    "minkowski p=3": {"symmetric": 50.0},
    "minkowski p=2.3": {"symmetric": 10.0, "rectangular": 10.0},
    "jensenshannon": {"symmetric": 15.0},
    **dict.fromkeys(
        ["hamming of bool", "jaccard", "dice", "rogerstanimoto", "russellrao", "sokalsneath", "yule"],
        {"symmetric": 20.0, "rectangular": 20.0},
    ),
}


def ours_of(case, x, y, kind, **parameters):
    if not case.similarity:
        return quadrance_distances.prepare(x, y, kind, metric=case.metric, **parameters)
    return partial(quadrance.similarity, x, y if kind == "rectangular" else None, case.metric, **parameters)


def lines_of(case, dtype, d, kind, rounds):
    random = np.random.default_rng(1)
    x, y = (case.data(random, (N, d)).astype(dtype) for _ in range(2))
    parameters = case.parameters(d)
    wide = (x, y) if dtype == "bool" else (x.astype(np.float64), y.astype(np.float64))
    calls = {"quadrance": ours_of(case, x, y, kind, **parameters)}
    want = ours_of(case, *wide, kind, **parameters)()
    scipys = scipy_cdist.prepare(*wide, kind, case.metric, **parameters) if is_scipys(case.metric) else ()
    if callable(scipys):
        calls["scipy.cdist"] = scipys
        want = scipys()
        if kind == "symmetric":
            calls["scipy.pdist"] = scipy_pdist.prepare(*wide, kind, case.metric, **parameters)
    if case.sklearn:
        calls["scikit-learn"] = partial(case.sklearn, x, y if kind == "rectangular" else None, **parameters)
    name = f"metrics/{case.label}/{dtype}/n={N},d={d}/{kind}"
    times = dict(zip(calls, measure.time_in_turns(list(calls.values()), rounds), strict=True))
    ours = statistics.median(times["quadrance"])
    for system, seconds in times.items():
        got = calls[system]()
        with np.errstate(invalid="ignore", divide="ignore"):
            error = float(np.nanmax(np.abs(got - want) / np.where(np.abs(want) > 1e-3, np.abs(want), np.nan)))
        line = {"case": name, "system": system, "median_s": statistics.median(seconds), "min_s": min(seconds)}
        line |= {"runs": len(seconds), "max_rel_err": error, "speedup": statistics.median(seconds) / ours}
        if system == "quadrance":
            y_of_plan = y if kind == "rectangular" else None
            line["kernel"] = quadrance.plan(x, y_of_plan, case.metric, **parameters).kernel
        if not error <= measure.TOLERANCE[dtype]:
            line["wrong"] = f"relative error {error:.1e}"
        yield line


def report(lines):
    """What is promised, case by case."""
    out = [
        "",
        "rules: speedup of ours over SciPy's cdist, float64 or bool, d = 40; scikit-learn never faster",
    ]
    for line in lines:
        _, label, dtype, shape, kind = line["case"].split("/")
        if line["system"] == "scipy.cdist" and dtype != "float32" and shape.endswith("d=40"):
            least = MUST_OF.get(label, MUST).get(kind, MUST[kind])
        elif line["system"] == "scikit-learn":
            least = 1.0
        else:
            continue
        word = "met   " if line["speedup"] >= least else "MISSED"
        out.append(f"  {word}   {line['case']}, {line['system']}: {line['speedup']:.2f} (must: {least})")
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
    for case, kind in itertools.product(CASES, kinds):
        for dtype, d in itertools.product(case.dtypes, case.ds):
            name = f"metrics/{case.label}/{dtype}/n={N},d={d}/{kind}"
            if options.filter not in name:
                continue
            for line in lines_of(case, dtype, d, kind, options.rounds):
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
