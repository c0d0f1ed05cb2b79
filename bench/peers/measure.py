# SPDX-License-Identifier: Apache-2.0
"""Checks a result against float64, and times calls in turns."""

import gc
import statistics
import time

import numpy as np

PAIRS = 2_000
# What the norm trick loses on uniform data stays below.
TOLERANCE = {"float32": 1e-4, "float64": 1e-10, "bool": 1e-10}
TURN_S = 0.01
FIRST_CALLS, MOST_CALLS = 20, 200
SLOW_S, SLOW_ROUNDS = 5, 3


def sampled_pairs(n, m, kind):
    random = np.random.default_rng(0)
    i, j = random.integers(n, size=PAIRS), random.integers(m, size=PAIRS)
    if kind != "rectangular":
        apart = i != j
        i, j = np.minimum(i, j)[apart], np.maximum(i, j)[apart]
    return i, j


def check(result, x, y, kind, squared=False):
    """Errors of a result as fields of a line; "wrong" says what is wrong, if anything is."""
    n, m = len(x), len(y) if kind == "rectangular" else len(x)
    shape = (n * (n - 1) // 2,) if kind == "condensed" else (n, m)
    if result.shape != shape or result.dtype != x.dtype:
        return {"wrong": f"{result.dtype}{result.shape} instead of {x.dtype}{shape}"}
    i, j = sampled_pairs(n, m, kind)
    got = result[n * i + j - (i + 2) * (i + 1) // 2] if kind == "condensed" else result[i, j]
    with np.errstate(invalid="ignore"):
        got = np.sqrt(got.astype(np.float64)) if squared else got.astype(np.float64)
    rows = y if kind == "rectangular" else x
    wanted = np.sqrt(((x[i].astype(np.float64) - rows[j]) ** 2).sum(axis=1))
    errors = np.abs(got - wanted) / wanted
    fields = {"max_rel_err": float(np.max(errors[~np.isnan(errors)], initial=0)), "nan": 0}
    for block in np.array_split(result, max(1, result.nbytes >> 26)):
        bad = np.isnan(block) | (block < 0) if squared else np.isnan(block)
        fields["nan"] += int(np.count_nonzero(bad))
    wrong = []
    if not fields["max_rel_err"] <= TOLERANCE[x.dtype.name]:
        wrong.append(f"relative error {fields['max_rel_err']:.1e}")
    if fields["nan"]:
        wrong.append(f"{fields['nan']:,} {'below 0' if squared else 'NaN'}")
    if kind == "symmetric":
        not_zero = int(np.count_nonzero(np.diagonal(result)))
        if not_zero:
            wrong.append(f"{not_zero:,} of {n:,} on the diagonal not 0")
    return fields | ({"wrong": ", ".join(wrong)} if wrong else {})


def settle():
    """Waits until the threads of the last call sleep: OpenBLAS spins for 25 ms after a job, libgomp 5 ms."""
    for _ in range(60):
        before = time.process_time()
        time.sleep(0.005)
        if time.process_time() - before < 0.0005:
            return


def seconds(call):
    """Seconds of one call; what it returns is freed after the clock has stopped."""
    begin = time.perf_counter()
    result = call()
    end = time.perf_counter()
    del result
    return end - begin


def turn(call, calls):
    settle()
    return statistics.median(seconds(call) for _ in range(calls))


def usual(call):
    """About how many seconds a call takes, not the first of many short ones."""
    once = turn(call, 1)
    return turn(call, FIRST_CALLS) if once < TURN_S else once


def time_in_turns(calls, rounds, report=lambda text: None):
    """Seconds of each turn of each call: a b c a b c, so that a slow spell of the machine meets all alike.

    A turn is one call, or the median of as many as fill 10 ms. Calls above 5 s get 3 rounds at most.
    """
    gc.collect()
    gc.disable()
    try:
        once = [usual(call) for call in calls]
        repeats = [min(MOST_CALLS, 1 + int(TURN_S / max(s, 1e-9))) for s in once]
        limits = [min(rounds, SLOW_ROUNDS) if s > SLOW_S else rounds for s in once]
        times = [[] for _ in calls]
        for round_ in range(rounds):
            report(f"round {round_ + 1} of {rounds}")
            for k, call in enumerate(calls):
                if round_ < limits[k]:
                    times[k].append(turn(call, repeats[k]))
        return times
    finally:
        gc.enable()
