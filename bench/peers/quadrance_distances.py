# SPDX-License-Identifier: Apache-2.0
"""Ours: D = quadrance.distances(x). `into` writes to an output that exists already."""

import quadrance

name = "quadrance"


def version():
    return quadrance.__version__


def prepare(x, y, kind, *, metric="euclidean", threads=None, into=False, **parameters):
    y = y if kind == "rectangular" else None
    condensed = kind == "condensed"
    options = {"condensed": condensed, "threads": threads, **parameters}
    out = quadrance.distances(x, y, metric, **options) if into else None
    return lambda: quadrance.distances(x, y, metric, out=out, **options)


def plan(x, y, kind, *, metric="euclidean", threads=None, **parameters):
    y = y if kind == "rectangular" else None
    return quadrance.plan(x, y, metric, condensed=kind == "condensed", threads=threads, **parameters)
