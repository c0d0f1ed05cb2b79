# SPDX-License-Identifier: Apache-2.0
"""Rivals and ours on the same input, in one process, in turns, each result checked before it is timed.

Usage: python bench/peers/peers.py [--filter TEXT] [--rounds N] [--file results.jsonl] [--quick]

--filter takes the cases whose name holds TEXT, --quick the small shapes and the one of the must-figures.
Without --file the JSON lines go to stdout, ahead of the table. Fields and method: bench/README.md.
"""

import machine

if __name__ == "__main__":
    machine.at_full_speed()

import argparse
import functools
import itertools
import json
import statistics
import sys
from dataclasses import dataclass

import measure
import numpy as np
import quadrance_distances
import rules
import table

import quadrance

SHAPES = [(10, 40), (100, 40), (1_000, 40), (5_000, 40), (10_000, 40), (20_000, 40)]
SHAPES += [(20_000, 3), (5_000, 784), (3_000, 2_048)]
QUICK_ROWS = 1_000
RIVALS = "sklearn_distances scipy_cdist scipy_pdist numpy_row_loop faiss_pairwise faiss_squares".split()


@dataclass
class Case:
    n: int
    d: int
    dtype: str
    kind: str

    @property
    def name(self):
        return f"peers/euclidean/{self.dtype}/n={self.n},d={self.d}/{self.kind}"

    def points(self, seed):
        return np.random.default_rng(seed).random((self.n, self.d), dtype=self.dtype)


def cases(filter_text, quick):
    for (n, d), dtype, kind in itertools.product(
        SHAPES, ["float32", "float64"], ["symmetric", "rectangular", "condensed"]
    ):
        case = Case(n, d, dtype, kind)
        if filter_text in case.name and (not quick or n <= QUICK_ROWS or case.name == rules.MUST_CASE):
            yield case


def our_variants():
    """{system: options of quadrance_distances.prepare}"""
    variants = {"quadrance": {}, "quadrance out=": {"into": True}}
    threads = quadrance.info()["threads"]
    if threads > 1:
        variants["quadrance 1 thread"] = {"threads": 1}
    if threads > 2:
        variants["quadrance 2 threads"] = {"threads": 2}
    return variants


def lines_of(case, rivals, rounds, report):
    """One line per system."""
    x, y = case.points(1), case.points(2)
    ours = our_variants()
    lines = {name: {"case": case.name, "system": name} for name in [*ours, *(r.name for r in rivals)]}
    needed = 4 * case.n**2 * x.itemsize  # two results of ours, one of a rival and its scratch
    if needed > machine.bytes_available():
        return [line | {"skipped": f"{needed / 1e9:.1f} GB of memory needed"} for line in lines.values()]
    calls = {}
    for name, options in ours.items():
        calls[name] = quadrance_distances.prepare(x, y, case.kind, **options)
        plan = quadrance_distances.plan(x, y, case.kind, threads=options.get("threads"))
        lines[name] |= {"threads": plan.threads, "kernel": plan.kernel}
    for rival in rivals:
        call = rival.prepare(x, y, case.kind)
        if isinstance(call, tuple):
            lines[rival.name]["skipped"] = call[1]
        else:
            calls[rival.name] = call
            lines[rival.name]["threads"] = rival.threads()
    squared = {rival.name for rival in rivals if getattr(rival, "squared", False)}
    for name, call in calls.items():
        report(f"checking {name}")
        lines[name] |= measure.check(call(), x, y, case.kind, name in squared)
    times = dict(zip(calls, measure.time_in_turns(list(calls.values()), rounds, report), strict=True))
    ours_s = statistics.median(times["quadrance"])
    for name, seconds in times.items():
        median = statistics.median(seconds)
        lines[name] |= {"median_s": median, "min_s": min(seconds), "runs": len(seconds)}
        lines[name]["speedup"] = median / ours_s
    return list(lines.values())


def progress(case, text):
    if sys.stderr.isatty():
        print(f"\r\033[K{case.name}: {text}", end="", file=sys.stderr, flush=True)
    elif text == "begin":
        print(case.name, file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description="Rivals and ours in turns: bench/README.md.")
    parser.add_argument("--filter", default="", metavar="TEXT")
    parser.add_argument("--rounds", type=int, metavar="N", help="7 if not given, 3 with --quick")
    parser.add_argument("--file", metavar="RESULTS")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    rounds = options.rounds or (3 if options.quick else 7)
    rivals, missing = machine.import_peers(RIVALS)
    for name, reason in missing.items():
        print(f"without {name}: {reason}", file=sys.stderr)
    context = machine.context([quadrance_distances, *rivals])
    for pool, what in context["thread_pools"].items():
        print(f"{pool}: {what}", file=sys.stderr)
    lines = []
    for case in cases(options.filter, options.quick):
        progress(case, "begin")
        for line in lines_of(case, rivals, rounds, functools.partial(progress, case)):
            text = json.dumps(context | line)
            if options.file:
                with open(options.file, "a", encoding="utf-8") as file:
                    file.write(text + "\n")
            else:
                print(text, flush=True)
            lines.append(line)
    progress(case, "done\n") if lines else sys.exit(f"no case holds {options.filter!r}")
    print(table.of(lines))
    print(rules.report(lines))


if __name__ == "__main__":
    main()
