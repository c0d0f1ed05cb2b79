# SPDX-License-Identifier: Apache-2.0
from typing import Any

from numpy.typing import NDArray

class Metric:
    """What a metric says of itself, once, in its header under src/metrics/."""

    @property
    def name(self) -> str: ...
    @property
    def aliases(self) -> list[str]: ...
    @property
    def formula(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def symmetric(self) -> bool: ...
    @property
    def nonnegative(self) -> bool: ...
    @property
    def zero_self(self) -> bool: ...
    @property
    def triangle(self) -> bool: ...
    @property
    def similarity(self) -> bool: ...
    @property
    def domain(self) -> str: ...
    @property
    def accuracy(self) -> str: ...
    @property
    def edges(self) -> str: ...
    @property
    def parameters(self) -> list[str]: ...

class Plan:
    """What a call would do. `str(plan)` is `plan.explain()`."""

    @property
    def metric(self) -> str: ...
    @property
    def condensed(self) -> bool: ...
    @property
    def n(self) -> int: ...
    @property
    def m(self) -> int: ...
    @property
    def d(self) -> int: ...
    @property
    def symmetric(self) -> bool: ...
    @property
    def input_dtype(self) -> str: ...
    @property
    def compute_dtype(self) -> str: ...
    @property
    def dtype(self) -> str: ...
    @property
    def device(self) -> str: ...
    @property
    def target(self) -> str: ...
    @property
    def skipped(self) -> list[tuple[str, str]]: ...
    @property
    def kernel(self) -> str: ...
    @property
    def threads(self) -> int: ...
    @property
    def threads_source(self) -> str: ...
    @property
    def tile_rows(self) -> int: ...
    @property
    def tile_cols(self) -> int: ...
    @property
    def tiles(self) -> int: ...
    @property
    def pairs(self) -> int: ...
    @property
    def bytes_in(self) -> int: ...
    @property
    def bytes_out(self) -> int: ...
    @property
    def bytes_out_new(self) -> int: ...
    @property
    def bytes_scratch(self) -> int: ...
    @property
    def bytes_available(self) -> int: ...
    def explain(self) -> str: ...

def version() -> str: ...
def info() -> dict[str, Any]: ...
def release_memory() -> None: ...
def metrics() -> dict[str, Metric]: ...
def takes(metric: object, parameter: str) -> bool: ...
def default_threads() -> int: ...
def distances(
    X: object,
    Y: object,
    metric: object,
    parameters: object,
    out: object,
    dtype: object,
    condensed: bool,
    device: object,
    threads: object,
    memory_limit: object,
    progress: object,
) -> NDArray[Any]: ...
def pairwise_distances(
    X: object,
    Y: object,
    metric: object,
    parameters: object,
    ensure_all_finite: object,
    out: object,
    dtype: object,
    device: object,
    threads: object,
    memory_limit: object,
    progress: object,
) -> NDArray[Any]: ...
def cdist(
    XA: object,
    XB: object,
    metric: object,
    parameters: object,
    out: object,
    dtype: object,
    device: object,
    threads: object,
    memory_limit: object,
    progress: object,
) -> NDArray[Any]: ...
def pdist(
    X: object,
    metric: object,
    parameters: object,
    out: object,
    dtype: object,
    device: object,
    threads: object,
    memory_limit: object,
    progress: object,
) -> NDArray[Any]: ...
def similarity(
    X: object,
    Y: object,
    kernel: object,
    parameters: object,
    out: object,
    dtype: object,
    device: object,
    threads: object,
    memory_limit: object,
    progress: object,
) -> NDArray[Any]: ...
def plan(
    X: object,
    Y: object,
    metric: object,
    parameters: object,
    out: object,
    dtype: object,
    condensed: bool,
    device: object,
    threads: object,
    memory_limit: object,
) -> Plan: ...
