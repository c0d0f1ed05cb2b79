# SPDX-License-Identifier: Apache-2.0
"""Time against the number of points, from lines of bench/peers. Needs matplotlib.

Usage: python bench/plot.py results.jsonl plot.png [--dtype float64]
"""

import argparse
import json
import re
import textwrap

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

D = 40
# Okabe and Ito's colours, told apart with any colour vision.
STYLES = {
    "numpy row loop": ("#E69F00", "s"),
    "scipy.cdist": ("#CC79A7", "P"),
    "scipy.pdist": ("#56B4E9", "X"),
    "scikit-learn": ("#009E73", "^"),
    "faiss + sqrt": ("#0072B2", "D"),
    "quadrance": ("#D55E00", "o"),
}
NEAREST = 1.8  # ratio of two labels that do not touch


def read(path, dtype):
    """({system: {n: seconds}}, the last line): a later line of a case replaces an earlier one."""
    case = re.compile(rf"peers/euclidean/{dtype}/n=(\d+),d={D}/symmetric")
    times, last = {}, None
    with open(path, encoding="utf-8") as file:
        for line in map(json.loads, file):
            match = case.fullmatch(line["case"])
            if match and line["system"] in STYLES and "median_s" in line:
                times.setdefault(line["system"], {})[int(match[1])] = line["median_s"]
                last = line
    if not times:
        raise SystemExit(f"{path} holds no line of peers/euclidean/{dtype}/n=...,d={D}/symmetric")
    return times, last


def label_heights(ends):
    """Heights of the labels: those of the lines' ends, moved up where two would touch."""
    heights, below = {}, 0
    for system, end in sorted(ends.items(), key=lambda item: item[1]):
        below = heights[system] = max(end, below * NEAREST)
    return heights


def draw(times, last, dtype):
    figure, axes = plt.subplots(figsize=(8, 5.6), layout="constrained")
    axes.set(xscale="log", yscale="log", xlabel="points n", ylabel="time of one call (s)")
    most = max(max(by_n) for by_n in times.values())
    heights = label_heights({system: by_n[max(by_n)] for system, by_n in times.items()})
    for system, by_n in times.items():
        colour, marker = STYLES[system]
        ours = system == "quadrance"
        n = sorted(by_n)
        axes.plot(n, [by_n[k] for k in n], color=colour, marker=marker, markersize=5, lw=2.4 if ours else 1.4)
        axes.annotate(
            system,
            (n[-1], heights[system]),
            (9, 0),
            textcoords="offset points",
            va="center",
            annotation_clip=False,
            color=colour,
            weight="bold" if ours else "normal",
        )
    _guide(axes, times.get("quadrance", {}))
    axes.set_xlim(right=most * 1.2)
    axes.grid(color="0.92")
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title(f"All Euclidean distances of n points, d = {D}, {dtype}", loc="left")
    caption = (
        f"{last['cpu']}, {last['cpus']} CPUs ({last['targets'][0]}), {last['date']}, commit {last['commit']}"
        ". Medians; the full n x n matrix in new memory; every system with its own default of threads."
    )
    figure.supxlabel("\n".join(textwrap.wrap(caption, 110)), fontsize=8, color="0.35", x=0.01, ha="left")
    return figure


def _guide(axes, by_n):
    """A line of slope 2 under ours, where work and not the call decides."""
    first, last = 1_000, max(by_n, default=0)
    if last > first:
        low = by_n[last] / 4
        axes.plot([first, last], [low * (first / last) ** 2, low], color="0.55", ls=":", lw=1.2)
        middle = (first * last) ** 0.5
        at = (middle, low * (middle / last) ** 2)
        axes.annotate("∝ n²", at, (6, -10), textcoords="offset points", color="0.4")


def main():
    parser = argparse.ArgumentParser(description="Time against the number of points: bench/README.md.")
    parser.add_argument("results")
    parser.add_argument("plot")
    parser.add_argument("--dtype", choices=["float32", "float64"], default="float32")
    options = parser.parse_args()
    draw(*read(options.results, options.dtype), options.dtype).savefig(options.plot, dpi=160)


if __name__ == "__main__":
    main()
