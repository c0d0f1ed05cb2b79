# SPDX-License-Identifier: Apache-2.0
"""Python threads, forked and spawned processes."""

import concurrent.futures
import multiprocessing
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
