# SPDX-License-Identifier: Apache-2.0
"""Lines of results for people."""

import itertools


def of(lines):
    out = []
    for case, group in itertools.groupby(lines, key=lambda line: line["case"]):
        out += ["", case, f"  {'':22}{'median':>11}{'min':>11}{'runs':>6}{'x ours':>9}{'error':>10}"]
        out += [f"  {line['system']:22}{_cells(line)}" for line in group]
    return "\n".join(out)


def _cells(line):
    if "skipped" in line:
        return f"   not run: {line['skipped']}"
    times = f"{duration(line['median_s']):>11}{duration(line['min_s']):>11}{line['runs']:>6}"
    error = f"{line['max_rel_err']:.1e}" if "max_rel_err" in line else "-"
    wrong = f"   WRONG: {line['wrong']}" if "wrong" in line else ""
    return f"{times}{line['speedup']:>9.2f}{error:>10}{wrong}"


def duration(seconds):
    unit, scale = next(u for u in [("s", 1), ("ms", 1e-3), ("us", 1e-6)] if seconds >= u[1] or u[0] == "us")
    return f"{seconds / scale:{'.0f' if seconds >= 100 * scale else '.3g'}} {unit}"
