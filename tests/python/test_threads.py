# SPDX-License-Identifier: Apache-2.0
"""Python threads, forked and spawned processes."""

import concurrent.futures
import multiprocessing
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import quadrance


def test_calls_from_many_threads(rng):
    jobs = [rng.random((int(n), 40), dtype=np.float32) for n in rng.integers(5, 900, 60)]
    want = [quadrance.distances(X, threads=1) for X in jobs]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for _ in range(3):
            got = list(pool.map(lambda X: quadrance.distances(X, threads=2), jobs))
            assert all(np.array_equal(a, b) for a, b in zip(got, want, strict=True))


def test_other_threads_run_meanwhile():
    X = np.zeros((1000, 4000))
    ended = threading.Event()
    longest = 0.0

    def work():
        quadrance.pdist(X, device="reference", threads=1)
        ended.set()

    worker = threading.Thread(target=work)
    start = last = time.monotonic()
    worker.start()
    while not ended.is_set():
        now = time.monotonic()
        longest, last = max(longest, now - last), now
    worker.join()
    assert longest < (time.monotonic() - start) / 2


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_children_compute_after_the_parent_did(rng, method):
    X = rng.random((600, 40))
    want = quadrance.distances(X, threads=2)
    context = multiprocessing.get_context(method)
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        for future in [pool.submit(quadrance.distances, X, threads=2) for _ in range(4)]:
            assert np.array_equal(future.result(timeout=60), want)
    assert np.array_equal(quadrance.distances(X, threads=2), want)


def run_script(script):
    """Exit status and stderr of a process of its own; -9 after a minute."""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stderr


FORK_IN_CALLBACK = """
import os, sys, numpy as np, quadrance
children = []
def progress(done, total):
    if not children:
        children.append(os.fork())
X = np.zeros((1500, 3000))
try:
    quadrance.distances(X, threads=2, device="reference", progress=progress)
except quadrance.CancelledError as error:
    os._exit(7 if children[0] == 0 and "forked" in str(error) else 1)
if children[0] == 0:
    os._exit(2)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(children[0], 0)[1]))
"""


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_child_forked_by_the_callback_is_told():
    assert run_script(FORK_IN_CALLBACK) == (7, "")


DAEMON = """
import threading, time, numpy as np, quadrance
X = np.zeros((2000, 3000))
begun = threading.Event()
def work():
    while True:
        quadrance.distances(X, threads=THREADS, device="reference", progress=lambda done, total: begun.set())
threading.Thread(target=work, daemon=True).start()
begun.wait()
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_a_daemon_thread_ends_with_the_process(threads):
    for _ in range(3):
        assert run_script(DAEMON.replace("THREADS", str(threads))) == (0, "")


# The C library sleeps a second at its exit, long after Python's end, while the thread goes on computing.
OUTLIVES = """
import ctypes, sys
libc = ctypes.CDLL(None)
assert libc.on_exit(ctypes.cast(libc.sleep, ctypes.c_void_p), None) == 0
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_a_daemon_thread_may_outlive_the_interpreter(threads):
    script = OUTLIVES + DAEMON.replace("THREADS", str(threads)) + "sys.exit(1)  # sleep(1)\n"
    assert run_script(script) == (1, "")
