# SPDX-License-Identifier: Apache-2.0
"""What every line says about machine and software. Imported first: `at_full_speed` comes before NumPy."""

import datetime
import importlib
import os
import pathlib
import platform
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SLOWING = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")


def at_full_speed():
    """Starts this process again without the variables that make OpenBLAS slower than the CPU allows."""
    found = [name for name in SLOWING if name in os.environ]
    if found:
        print(f"without {' and '.join(found)}, which slow the peers", file=sys.stderr, flush=True)
        for name in found:
            del os.environ[name]
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def import_peers(names):
    """(modules, {name: why it cannot be imported})"""
    modules, missing = [], {}
    for name in names:
        try:
            modules.append(importlib.import_module(name))
        except ImportError as error:
            missing[name] = str(error)
    return modules, missing


def context(modules):
    import quadrance

    info = quadrance.info()
    return {
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
        "commit": _commit(),
        "cpu": _cpu(),
        "cpus": os.cpu_count(),
        "targets": [f"{device['name']}-{t}" for device in info["devices"] for t in device["targets"]],
        "python": platform.python_version(),
        "version": info["version"],
        "versions": {module.name: module.version() for module in modules},
        "thread_pools": thread_pools() | {"quadrance": f"{info['threads']} ({info['threads_source']})"},
    }


def thread_pools():
    """{library: kernel and threads} of every BLAS and OpenMP runtime in the process."""
    try:
        from threadpoolctl import threadpool_info
    except ImportError:
        return {}
    pools = {}
    for pool in threadpool_info():
        owner = pathlib.Path(pool["filepath"]).parent.name.removesuffix(".libs")
        what = f"{pool['internal_api']} {pool['version'] or ''} {pool.get('architecture', '')}"
        pools[f"{owner} {pool['user_api']}"] = f"{' '.join(what.split())}, {pool['num_threads']} threads"
    return pools


def bytes_available():
    with open("/proc/meminfo", encoding="ascii") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("MemAvailable"))


def _commit():
    def git(*arguments):
        return subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True).stdout.strip()

    dirty = git("status", "--porcelain", "--", "src", "include", "python")
    return git("rev-parse", "--short=12", "HEAD") + ("+" if dirty else "")


def _cpu():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return names[0] if names else "unknown"
