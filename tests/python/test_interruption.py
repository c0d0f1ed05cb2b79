# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C, progress callbacks, and what they leave behind."""

import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import quadrance

# Seconds of work on the reference loops, whatever the machine; a small result.
SLOW = {"device": "reference"}


@pytest.fixture(scope="module")
def slow():
    return np.random.default_rng(1).random((2000, 4000))


# Seconds. Without load a call stops within 0.1 s of being asked; whole, these jobs take several times this.
PROMPT = 3


def run(script):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("device", ["auto", "reference"])
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_stops_the_call_and_the_next_call_works(device, threads):
    n, d = (2000, 4000) if device == "reference" else (12_000, 12_000)
    output = run(f"""
        import os, signal, threading, time
        import numpy as np
        import quadrance
        signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background begin without it
        X = np.broadcast_to(np.arange({d}, dtype=np.float32), ({n}, {d}))
        out = np.empty(({n} * ({n} - 1) // 2,), np.float32)
        sent = []
        def interrupt():
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)
        threading.Timer(0.3, interrupt).start()
        try:
            quadrance.pdist(X, out=out, device={device!r}, threads={threads})
            print("finished")
        except KeyboardInterrupt:
            print("interrupted after", time.monotonic() - sent[0])
        print(quadrance.distances([[0, 0], [3, 4]], threads={threads})[0, 1])
        Y = X[:500, :40].copy()
        print(quadrance.distances(Y, threads={threads}).sum())
    """)
    first, second, third = output.splitlines()
    assert first.startswith("interrupted"), output
    assert float(first.split()[-1]) < PROMPT
    assert (second, third) == ("5.0", "0.0")


def test_signal_handlers_run_meanwhile():
    run("""
        import signal
        import numpy as np
        import quadrance
        class Alarm(Exception):
            pass
        def ring(*_):
            raise Alarm
        signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        X = np.zeros((2000, 4000))
        try:
            quadrance.pdist(X, device="reference")
        except Alarm:
            pass
        else:
            raise SystemExit("not interrupted")
    """)


def test_progress_counts_up_to_the_total(slow):
    seen = []
    quadrance.pdist(slow[:1000], progress=lambda done, total: seen.append((done, total)), **SLOW)
    assert len(seen) >= 2
    totals = {total for _, total in seen}
    assert totals == {quadrance.plan(slow[:1000], condensed=True, **SLOW).pairs}
    counts = [done for done, _ in seen]
    assert counts == sorted(counts)
    assert counts[-1] == totals.pop()


def test_progress_of_a_short_job_is_not_told():
    quadrance.distances(np.ones((10, 2)), progress=lambda *_: pytest.fail("called"))


@pytest.mark.parametrize("threads", [1, 2])
def test_progress_cancels(slow, threads):
    out = np.zeros(2000 * 1999 // 2)
    start = time.monotonic()
    with pytest.raises(quadrance.CancelledError, match="cancelled after") as caught:
        quadrance.pdist(slow, out=out, threads=threads, progress=lambda done, total: False, **SLOW)
    assert time.monotonic() - start < PROMPT
    assert isinstance(caught.value, RuntimeError)
    assert caught.value.code == "cancelled"
    np.testing.assert_array_equal(quadrance.distances([[0.0], [2.0]], threads=threads), [[0, 2], [2, 0]])


def test_progress_goes_on_for_anything_but_false(slow):
    for answer in (None, 0, "", True):
        calls = []
        quadrance.pdist(slow[:400], progress=lambda *_, a=answer, c=calls: c.append(1) or a, **SLOW)
        assert calls
    for answer in (False, np.float64(1) > 2):
        with pytest.raises(quadrance.CancelledError):
            quadrance.pdist(slow, progress=lambda *_, a=answer: a, **SLOW)


@pytest.mark.parametrize("threads", [1, 2])
def test_exceptions_of_progress_come_out(slow, threads):
    class Stop(Exception):
        pass

    def stop(done, total):
        raise Stop(f"{done} of {total}")

    with pytest.raises(Stop, match="of"):
        quadrance.pdist(slow, threads=threads, progress=stop, **SLOW)
    assert quadrance.distances([[0.0], [2.0]])[0, 1] == 2


def test_progress_may_call_the_library(slow):
    inner = []
    X = np.random.default_rng(2).random((600, 40))
    want = quadrance.distances(X)
    quadrance.pdist(slow[:500], progress=lambda *_: inner.append(quadrance.distances(X)), **SLOW)
    assert inner
    assert all(np.array_equal(D, want) for D in inner)
