# SPDX-License-Identifier: Apache-2.0
"""What Quadrance promises against its peers, held against the lines of a run."""

import re
from dataclasses import dataclass

MUST_CASE = "peers/euclidean/float32/n=10000,d=40/symmetric"
MUST_AND_GOAL = {"scikit-learn": (10, 15), "faiss + sqrt": (2.7, 4), "numpy row loop": (60, 90)}
# Least part of faiss's speed where a dot product does half the arithmetic of direct differences.
WIDE = 256
WIDE_SHARE = {"avx2": 0.7, "avx512": 0.5}
NOISE = 0.05  # two runs of one program differ by as much: "tie"

PEERS = ("scikit-learn", "scipy.cdist", "scipy.pdist", "numpy row loop", "faiss + sqrt")


@dataclass
class Figure:
    """A speedup and what it has to be."""

    what: str
    speedup: float
    needed: float

    @property
    def verdict(self):
        if self.speedup >= self.needed:
            return "met"
        return "tie" if self.needed == 1 and self.speedup >= 1 - NOISE else "MISSED"

    def __str__(self):
        return f"{self.verdict:9}{self.speedup:.2f}  {self.what}"


def report(lines):
    timed = [line for line in lines if "speedup" in line]
    target = _target(timed)
    share = WIDE_SHARE.get(target, 1)

    def figures(kind, needed=1, systems=PEERS, least_d=0, most_d=10**9):
        return [
            Figure(f"{line['case']}, {line['system']}", line["speedup"], needed)
            for line in timed
            if line["case"].endswith(kind)
            and line["system"] in systems
            and least_d <= _features(line) <= most_d
        ]

    out = ["", "rules: speedup of ours, into fresh memory"]
    for peer, (must, goal) in MUST_AND_GOAL.items():
        out += _group(f"must: {must} times as fast as {peer}", figures(MUST_CASE, must, [peer]))
        out += _group(f"goal: {goal} times", figures(MUST_CASE, goal, [peer]))
    out += _group("symmetric: never slower than a peer", figures("symmetric"))
    out += _group("condensed: never slower than SciPy", figures("condensed"))
    out += _group("rectangular, d < 256: never slower than a peer", figures("rectangular", most_d=WIDE - 1))
    out += _group(
        f"rectangular, d >= 256: at least {share} of the speed of faiss + sqrt on {target}",
        figures("rectangular", share, ["faiss + sqrt"], WIDE),
    )
    out += _group(
        "the same of faiss without its sqrt (no promise)",
        figures("rectangular", share, ["faiss (squares)"], WIDE),
    )
    others = [peer for peer in PEERS if peer != "faiss + sqrt"]
    out += _group(
        "rectangular, d >= 256: never slower than the others", figures("rectangular", 1, others, WIDE)
    )
    out += _group("two threads never slower than one", _two_against_one(timed))
    ours = [line for line in timed if line["system"].startswith("quadrance")]
    wrong = [f"    {line['case']}, {line['system']}: {line['wrong']}" for line in ours if "wrong" in line]
    right = f"our results are right: {len(ours) - len(wrong)} of {len(ours)}"
    return "\n".join([*out, f"  {'MISSED' if wrong else 'met':9}{right}", *wrong])


def _group(title, figures):
    if not figures:
        return [f"  {'not run':9}{title}"]
    verdict = max((f.verdict for f in figures), key=["met", "tie", "MISSED"].index)
    met = sum(f.verdict == "met" for f in figures)
    least = min(f.speedup for f in figures)
    head = f"  {verdict:9}{title}: {least:.2f}"
    if len(figures) == 1:
        return [head]
    rest = sorted((f for f in figures if f.verdict != "met"), key=lambda f: f.speedup)
    return [f"{head} at least; {met} of {len(figures)} met", *(f"    {f}" for f in rest)]


def _two_against_one(lines):
    by_name = {(line["case"], line["system"]): line for line in lines}
    figures = []
    for (case, system), one in by_name.items():
        two = by_name.get((case, "quadrance 2 threads"), by_name.get((case, "quadrance")))
        if system == "quadrance 1 thread" and two["threads"] > 1:  # else the plan took one thread both times
            figures.append(Figure(case, one["median_s"] / two["median_s"], 1))
    return figures


def _features(line):
    return int(re.search(r"d=(\d+)", line["case"])[1])


def _target(lines):
    return next((line["kernel"].rsplit("-", 1)[-1] for line in lines if "kernel" in line), "unknown")
