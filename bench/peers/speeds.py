# SPDX-License-Identifier: Apache-2.0
"""Writes cli/speeds.inc, the column "speed" of `quadrance metrics`, from lines of metrics.py.

Usage: python bench/peers/speeds.py bench/results/FILE.jsonl ... > cli/speeds.inc

float64 or bool, d = 40 (haversine: 2). A metric without peers is left out unless euclidean was measured on
its CPU. Of several runs of a case in the files the last one counts.
"""

import itertools
import json
import sys
from pathlib import Path

KINDS = ("symmetric", "rectangular")
PEERS = {"scipy.cdist": "SciPy", "scikit-learn": "scikit-learn"}  # in this order


def speeds_of(paths):
    """{label: {kind: {system: line}}} of the cases that count."""
    found = {}
    for text in itertools.chain(*(path.read_text(encoding="utf-8").splitlines() for path in paths)):
        line = json.loads(text)
        if not line["case"].startswith("metrics/"):
            continue
        _, label, dtype, shape, kind = line["case"].split("/")
        if dtype in ("float64", "bool") and shape.endswith((",d=40", ",d=2")):
            systems = found.setdefault(label, {}).setdefault(kind, {})
            if line["system"] == "quadrance":
                systems.clear()  # the first line of a run
            systems[line["system"]] = line
    return found


def words(kinds, euclidean):
    """ "11.6 / 6.3 (SciPy)": how many times as fast, one set / two sets."""
    for system, peer in PEERS.items():
        if all(system in kinds[kind] for kind in KINDS):
            ratios = (f"{kinds[kind][system]['speedup']:.3g}" for kind in KINDS)
            return f"{' / '.join(ratios)} ({peer})"
    if any(kinds[kind]["quadrance"]["cpu"] != euclidean[kind]["quadrance"]["cpu"] for kind in KINDS):
        return ""
    ours = (kinds[kind]["quadrance"]["median_s"] / euclidean[kind]["quadrance"]["median_s"] for kind in KINDS)
    return f"takes {' / '.join(f'{ratio:.2g}' for ratio in ours)} times as long as euclidean"


def main():
    paths = [Path(name) for name in sys.argv[1:]]
    found = speeds_of(paths)
    texts = {}
    for label, kinds in found.items():
        metric, _, parameters = label.partition(" ")
        text = words(kinds, found["euclidean"])
        if text:
            texts.setdefault(metric, []).append(f"{parameters}: {text}" if parameters else text)
    print("// SPDX-License-Identifier: Apache-2.0")
    print("// Written by bench/peers/speeds.py from bench/results.")
    print(f'constexpr std::string_view kSpeedSource = "{", ".join(path.name for path in paths)}";')
    print("constexpr Speed kSpeeds[] = {")
    for metric, parts in texts.items():
        print(f'    {{"{metric}", "{"; ".join(parts)}"}},')
    print("};")


if __name__ == "__main__":
    main()
