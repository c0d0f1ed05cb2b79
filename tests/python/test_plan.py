# SPDX-License-Identifier: Apache-2.0
"""plan, explain, metrics, info."""

import numpy as np
import pytest

import quadrance


def shape(n, d, dtype=np.float32):
    return np.broadcast_to(dtype(0), (n, d))


def test_plan_says_what_will_run():
    plan = quadrance.plan(shape(10_000, 40), threads=2)
    assert (plan.n, plan.m, plan.d) == (10_000, 10_000, 40)
    assert plan.metric == "euclidean"
    assert plan.symmetric and not plan.condensed
    assert plan.input_dtype == plan.compute_dtype == plan.dtype == "float32"
    assert plan.bytes_in == 1_600_000
    assert plan.bytes_out == plan.bytes_out_new == 400_000_000
    assert 0 < plan.bytes_scratch < 50_000_000
    assert plan.kernel == f"euclidean/f32/direct/{plan.device}-{plan.target}"
    assert plan.threads == 2
    assert 10_000 * 9_999 // 2 <= plan.pairs < 10_000 * 10_000 * 0.6
    assert plan.explain() == str(plan) == quadrance.explain(shape(10_000, 40), threads=2)
    assert "10,000 x 10,000, d = 40" in str(plan)
    assert "10000 x 10000" in repr(plan)
    with pytest.raises(AttributeError):
        plan.n = 3


def test_plan_takes_the_arguments_of_distances():
    X, Y = shape(100, 3), shape(50, 3, np.float64)
    assert not quadrance.plan(X, Y).symmetric
    assert quadrance.plan(X, Y).dtype == "float64"
    assert quadrance.plan(X, Y, "sqe").metric == "sqeuclidean"
    assert quadrance.plan(X, condensed=True).bytes_out == 4 * 4950
    assert quadrance.plan(X, dtype="float64").bytes_out == 80_000
    out = np.empty((100, 100))
    assert quadrance.plan(X, out=out).dtype == "float64"
    assert quadrance.plan(X, out=out).bytes_out_new == 0
    assert "(the caller's)" in quadrance.explain(X, out=out)
    reference = quadrance.plan(X, device="reference")
    assert reference.device == "reference"
    with pytest.raises(quadrance.ShapeError):
        quadrance.plan(X, out=np.empty((100, 99)))
    with pytest.raises(quadrance.DtypeError):
        quadrance.plan(X, out=np.empty((100, 100)), dtype="float32")


@pytest.mark.parametrize("n", [46_341, 65_536, 65_537, 92_683, 3_000_000])
def test_sizes_are_counted_in_64_bits(n):
    X = shape(n, 2)
    assert quadrance.plan(X, memory_limit=1 << 62).bytes_out == 4 * n * n
    assert quadrance.plan(X, condensed=True, memory_limit=1 << 62).bytes_out == 4 * (n * (n - 1) // 2)


def test_memory_limit_is_kept_before_any_work():
    X = shape(10_000, 40)
    for call in (quadrance.plan, quadrance.distances):
        with pytest.raises(MemoryError, match="the job needs 40") as caught:
            call(X, memory_limit=1e8)
        assert isinstance(caught.value, quadrance.OutOfMemoryError)
    with pytest.raises(MemoryError):
        quadrance.distances(np.ones((10, 2)), memory_limit=100)
    with pytest.raises(MemoryError, match="left"):
        quadrance.distances(shape(4_000_000, 2))


def test_metrics_describe_themselves():
    metrics = quadrance.metrics()
    assert list(metrics)[:2] == ["euclidean", "sqeuclidean"]
    euclidean = metrics["euclidean"]
    assert euclidean.name == "euclidean"
    assert "l2" in euclidean.aliases and "euclidean" not in euclidean.aliases
    assert euclidean.symmetric and euclidean.nonnegative and euclidean.zero_self
    assert "scipy" in euclidean.source
    for metric in metrics.values():
        assert metric.formula and metric.accuracy and metric.edges
        assert metric.name in repr(metric)


def test_info():
    info = quadrance.info()
    assert info["version"] == quadrance.__version__
    assert info["threads"] >= 1 and info["threads_source"]
    names = [device["name"] for device in info["devices"]]
    assert names[-1] == "reference"
    for device in info["devices"]:
        for target in device["targets"]:
            D = quadrance.distances([[0, 0], [3, 4]], device=f"{device['name']}-{target}")
            assert D[0, 1] == 5


def test_threads_follow_the_environment(monkeypatch):
    monkeypatch.setenv("QUADRANCE_NUM_THREADS", "3")
    assert quadrance.info()["threads"] == 3
    assert quadrance.info()["threads_source"] == "QUADRANCE_NUM_THREADS"
    assert quadrance.plan(shape(5000, 40)).threads == 3


def test_plan_into_an_out_that_memory_could_not_hold(tmp_path):
    out = np.lib.format.open_memmap(tmp_path / "d.npy", "w+", np.float32, (10_000, 10_000))
    plan = quadrance.plan(shape(10_000, 40), out=out, memory_limit=1e8)
    assert plan.bytes_out == 400_000_000 and plan.bytes_out_new == 0
