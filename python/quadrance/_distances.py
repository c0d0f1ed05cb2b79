# SPDX-License-Identifier: Apache-2.0
"""The public functions. Arguments go to the extension as they came: it reads plain arrays itself."""

from collections.abc import Callable
from typing import Any, Literal, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import _core
from ._errors import DtypeError, MetricError, OptionError, ShapeError
from ._options import flag, number, whole

Progress = Callable[[int, int], object]
Distances = NDArray[np.floating[Any]]


class Parameters(TypedDict, total=False):
    """What metrics take beside the points: see `distances`."""

    w: ArrayLike | None
    V: ArrayLike | None
    VI: ArrayLike | None
    p: float | None
    box: ArrayLike | None
    degrees: bool | None
    radius: float | None
    base: float | None
    packed: bool | int | None
    ranges: ArrayLike | None
    categorical: ArrayLike | None


class KernelParameters(TypedDict, total=False):
    """What similarities take beside the points: see `similarity`."""

    gamma: float | None
    coef0: float | None
    degree: int | None


class AllParameters(Parameters, KernelParameters, total=False):
    """Of distances or similarities: see `plan`."""


def distances(
    X: ArrayLike,
    Y: ArrayLike | None = None,
    metric: str = "euclidean",
    *,
    out: Distances | None = None,
    dtype: DTypeLike | None = None,
    condensed: bool = False,
    device: str = "auto",
    threads: int | None = None,
    memory_limit: float | None = None,
    progress: Progress | None = None,
    **parameters: Unpack[Parameters],
) -> Distances:
    """Distances between all rows of X, or between the rows of X and the rows of Y.

    Parameters
    ----------
    X : array-like of shape (n, d)
        n points of d features. Any memory layout is read in place: strided, Fortran-ordered, reversed,
        read-only, misaligned, a field of a structured array. It is never modified.
    Y : array-like of shape (m, d), optional
        The other points. Left out: X, of which only one triangle is computed.
    metric : str, default "euclidean"
        A name or alias from `metrics`.
    out : ndarray of shape (n, m), or (n (n-1) / 2,) if condensed, optional
        Where to write: C-contiguous, writeable, aligned, float32 or float64 in native byte order, apart from
        X and Y. Its dtype is the dtype of the result. It is refused rather than converted.
    dtype : {"float32", "float64"} or numpy dtype, optional
        The dtype of the result. Left out: float32 for floats of up to 32 bits, and for bool and 8-bit
        integers (16-bit ones too) where the metric is exact in it, so not for ratios as "jaccard"; else
        float64.
    condensed : bool, default False
        Return only the pairs i < j, row by row, as `scipy.spatial.distance.pdist` does. Without Y only.
    device : str, default "auto"
        A device or one of its targets from `info`. A device that is named is used or the call fails.
    threads : int, optional
        At most this many threads. Left out or 0: ``info()["threads"]``, which is the environment's
        QUADRANCE_NUM_THREADS, else its SLURM_CPUS_PER_TASK, else the CPUs that the process may use
        (affinity and cgroup quota).
    memory_limit : int, optional
        Bytes the call may allocate. Left out: what the machine and the cgroup have left.
    progress : callable, optional
        ``progress(done, total)`` in pairs, first after 50 ms, then at most every 50 ms, at the end with done
        = total if it was called before. Called from this thread; return False (or NumPy's) to cancel. Its
        exceptions come out of the call.
    **parameters
        What the metric takes beside the points, see ``metrics()[name].parameters``:

        w : array-like of shape (d,)
            Weights of the features, as SciPy has them: inside the sum, not negative. The sum is taken in
            float64. For "chebyshev" a weight above 0 lets a feature count.
        p : float
            The power of "minkowski", above 0; ``inf`` for the largest difference. Left out: 2.
        V : array-like of shape (d,), or (d, d)
            Variances for "seuclidean", above 0. Left out: those of X (n - 1), if Y is left out or holds the
            same numbers. For "mahalanobis" the covariance (d, d).
        VI : array-like of shape (d, d)
            The inverse of the covariance, for "mahalanobis". V and VI left out: the covariance of X (n - 1).
        box : array-like of shape (d,)
            The lengths after which features repeat, for "periodic_euclidean"; ``inf`` for one that does not.
        degrees : bool
            For "haversine": latitude and longitude are in degrees. Left out: radians.
        radius : float
            For "haversine": the radius of the sphere, in the unit of the result. Left out: 1.
        base : float
            For "jensenshannon": the base of the logarithm, above 1. Left out: e.
        ranges : array-like of shape (d,)
            For "gower": the range of each feature, above 0; of a category any number. Left out: largest less
            smallest finite number of X, if Y is left out or holds the same numbers.
        categorical : array-like of int, or of bool of shape (d,)
            For "gower": which features are categories, by index or mask. Left out: none.
        packed : bool or int
            For "hamming" and the boolean metrics: the rows are integers whose bits are the features, as
            `numpy.packbits` packs them; True (or 0) for all bits, or how many of them are features. Those
            beyond are to be 0; any order of bits will do, the same in X and Y. Without `w`.

    Returns
    -------
    ndarray of shape (n, m), or (n (n-1) / 2,) if condensed
        In the unit of the input, its square for "sqeuclidean", none for ratios and angles. `out` if it was
        given.

    Raises
    ------
    ShapeError (a ValueError)
        X or Y is not two-dimensional, they differ in columns, out has the wrong shape or layout or shares
        memory with them, a condensed result of two sets.
    DtypeError (a ValueError)
        Complex, object, string, or longer than 64 bits; an integer beyond 2**53, named by row and column; a
        result dtype other than float32 and float64.
    MetricError (a ValueError)
        There is no such metric, or it does not take the parameter; a weight or variance out of its range.
    TypeError
        A masked or sparse array, an out that is no NumPy array, a metric that is no name, an unknown keyword.
    OutOfMemoryError (a MemoryError)
        The job does not fit. It is refused before it starts.
    OptionError (a ValueError)
        A number of threads or bytes out of its range.
    DeviceError, CancelledError (RuntimeErrors)
        The named device cannot run the job; progress returned False.

    Notes
    -----
    Accuracy: the metric's, see ``metrics()[name].accuracy``. Differences are taken directly, or by products
    where these are as good, so it does not depend on how far the points lie from the origin.

    Same bits: a pair gives the same bits whatever the batch, layout, thread count and position (one machine,
    device target and dtype). Without Y the result equals its transpose bit for bit, with exact zeros on the
    diagonal.

    Edges: d = 0 gives 0; n = 0 or m = 0 an empty array; NaN in a row gives NaN in its distances; Inf - Inf is
    NaN.

    Ctrl-C stops the call within a fraction of a second; the contents of `out` are unspecified then, and after
    an exception of `progress` or where scratch memory runs out. All else is refused before `out` is touched.

    Examples
    --------
    >>> import numpy as np
    >>> from quadrance import distances
    >>> X = np.array([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]])
    >>> distances(X)
    array([[ 0.,  5., 10.],
           [ 5.,  0.,  5.],
           [10.,  5.,  0.]])
    >>> distances(X, condensed=True)
    array([ 5., 10.,  5.])
    """
    return _core.distances(
        X,
        Y,
        metric,
        _parameters("distances", metric, parameters),
        out,
        dtype,
        condensed,
        device,
        threads,
        memory_limit,
        progress,
    )


def pairwise_distances(
    X: ArrayLike,
    Y: ArrayLike | None = None,
    metric: str = "euclidean",
    *,
    n_jobs: int | None = None,
    ensure_all_finite: bool | Literal["allow-nan"] = True,
    out: Distances | None = None,
    dtype: DTypeLike | None = None,
    device: str = "auto",
    threads: int | None = None,
    memory_limit: float | None = None,
    progress: Progress | None = None,
    **parameters: Unpack[Parameters],
) -> Distances:
    """`distances` under the name and by the rules of scikit-learn.

    Parameters
    ----------
    X : array-like of shape (n, d)
        At least one point of at least one feature.
    Y : array-like of shape (m, d), optional
        The other points. Left out: X.
    metric : str, default "euclidean"
        A name or alias from `metrics`.
    n_jobs : int, optional
        At most this many threads, and never more than ``info()["threads"]``. -1 is all of them, -2 all but
        one. Left out: all.
    ensure_all_finite : bool or "allow-nan", default True
        Refuse NaN and infinity (True), infinity only ("allow-nan"), or nothing.
    out, dtype, device, threads, memory_limit, progress, **parameters
        As in `distances`. `threads` may go beyond ``info()["threads"]``; not together with `n_jobs`.

    Returns
    -------
    ndarray of shape (n, m)
        float32 if X and Y are float32, float64 for everything else, unless `out` or `dtype` say otherwise.

    Raises
    ------
    NotFiniteError (a ValueError)
        NaN or infinity in X or Y, named by row and column.
    ShapeError (a ValueError)
        No points or no features; else as in `distances`.
    DtypeError, MetricError, OutOfMemoryError, DeviceError, CancelledError, TypeError
        As in `distances`.

    Notes
    -----
    Unlike scikit-learn's, distances of near points keep their digits and those of equal points are 0, also
    between two arrays: no norms are subtracted.

    Examples
    --------
    >>> from quadrance import pairwise_distances
    >>> pairwise_distances([[1e8], [1e8 + 1]])
    array([[0., 1.],
           [1., 0.]])
    """
    if n_jobs is not None:
        if threads is not None:
            raise TypeError("[pairwise_distances] n_jobs and threads are both given; one of them is needed")
        threads = _threads_of_jobs(n_jobs)
    given = _parameters("pairwise_distances", metric, parameters)
    return _core.pairwise_distances(
        X, Y, metric, given, ensure_all_finite, out, dtype, device, threads, memory_limit, progress
    )


def cdist(
    XA: ArrayLike,
    XB: ArrayLike,
    metric: str = "euclidean",
    *,
    out: Distances | None = None,
    dtype: DTypeLike | None = None,
    device: str = "auto",
    threads: int | None = None,
    memory_limit: float | None = None,
    progress: Progress | None = None,
    **parameters: Unpack[Parameters],
) -> Distances:
    """Distances between two sets of points, as `scipy.spatial.distance.cdist` returns them.

    Parameters
    ----------
    XA : array-like of shape (n, d)
        Points; n and d may be 0.
    XB : array-like of shape (m, d)
        Points; m may be 0.
    metric : str, default "euclidean"
        A name or alias from `metrics`; SciPy's are among them.
    out, dtype, device, threads, memory_limit, progress, **parameters
        As in `distances`.

    Returns
    -------
    ndarray of shape (n, m)
        float32 if XA and XB are float32 (SciPy returns float64), float64 for everything else, unless `out` or
        `dtype` say otherwise.

    Raises
    ------
    ShapeError, DtypeError, MetricError, OutOfMemoryError, DeviceError, CancelledError, TypeError
        As in `distances`.

    Notes
    -----
    Source: `scipy.spatial.distance.cdist`. Accuracy, edges and interruption as in `distances`.

    Examples
    --------
    >>> from quadrance import cdist
    >>> cdist([[0, 0]], [[3, 4], [6, 8]])
    array([[ 5., 10.]])
    """
    given = _parameters("cdist", metric, parameters)
    return _core.cdist(XA, XB, metric, given, out, dtype, device, threads, memory_limit, progress)


def pdist(
    X: ArrayLike,
    metric: str = "euclidean",
    *,
    out: Distances | None = None,
    dtype: DTypeLike | None = None,
    device: str = "auto",
    threads: int | None = None,
    memory_limit: float | None = None,
    progress: Progress | None = None,
    **parameters: Unpack[Parameters],
) -> Distances:
    """Distances of the pairs of one set of points, as `scipy.spatial.distance.pdist` returns them.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points; n and d may be 0.
    metric : str, default "euclidean"
        A name or alias from `metrics`; SciPy's are among them.
    out, dtype, device, threads, memory_limit, progress, **parameters
        As in `distances`; `out` has shape (n (n-1) / 2,).

    Returns
    -------
    ndarray of shape (n (n-1) / 2,)
        The pairs i < j row by row: (i, j) is at ``n*i + j - (i+2)*(i+1)//2``. float32 if X is float32 (SciPy
        returns float64), float64 for everything else, unless `out` or `dtype` say otherwise.

    Raises
    ------
    ShapeError, DtypeError, MetricError, OutOfMemoryError, DeviceError, CancelledError, TypeError
        As in `distances`.

    Notes
    -----
    Source: `scipy.spatial.distance.pdist`. Accuracy, edges and interruption as in `distances`.

    Examples
    --------
    >>> from quadrance import pdist
    >>> pdist([[0, 0], [3, 4], [6, 8]])
    array([ 5., 10.,  5.])
    """
    given = _parameters("pdist", metric, parameters)
    return _core.pdist(X, metric, given, out, dtype, device, threads, memory_limit, progress)


def similarity(
    X: ArrayLike,
    Y: ArrayLike | None = None,
    kernel: str = "rbf",
    *,
    out: Distances | None = None,
    dtype: DTypeLike | None = None,
    device: str = "auto",
    threads: int | None = None,
    memory_limit: float | None = None,
    progress: Progress | None = None,
    **parameters: Unpack[KernelParameters],
) -> Distances:
    """Similarities between all rows of X, or between the rows of X and the rows of Y.

    Parameters
    ----------
    X, Y, out, dtype, device, threads, memory_limit, progress
        As in `distances`.
    kernel : {"rbf", "laplacian", "polynomial"}, default "rbf"
        "rbf" (or "gaussian"): ``exp(-gamma * sum((x - y)**2))``, "laplacian":
        ``exp(-gamma * sum(abs(x - y)))``, "polynomial" (or "poly"): ``(gamma * sum(x * y) + coef0)**degree``.
    **parameters
        gamma : float
            Not negative. Left out: 1 / d.
        coef0 : float
            For "polynomial". Left out: 1.
        degree : int
            For "polynomial", 1 to 255. Left out: 3.

    Returns
    -------
    ndarray of shape (n, m)
        `out` if it was given.

    Raises
    ------
    MetricError (a ValueError)
        `kernel` is a distance or unknown, a parameter is out of its range or not one of this kernel.
    ShapeError, DtypeError, OutOfMemoryError, DeviceError, CancelledError, TypeError
        As in `distances`.

    Notes
    -----
    Source: `sklearn.metrics.pairwise`'s rbf_kernel, laplacian_kernel and polynomial_kernel, with their
    defaults. Equal rows give exactly 1 ("rbf", "laplacian"): differences are taken directly. Accuracy and
    edges: ``metrics()[kernel].accuracy`` and ``.edges``.

    Examples
    --------
    >>> from quadrance import similarity
    >>> similarity([[0.0, 0.0], [3.0, 4.0]], kernel="polynomial", degree=2)
    array([[  1.  ,   1.  ],
           [  1.  , 182.25]])
    """
    given = _parameters("similarity", kernel, parameters, KernelParameters)
    return _core.similarity(X, Y, kernel, given, out, dtype, device, threads, memory_limit, progress)


def plan(
    X: ArrayLike,
    Y: ArrayLike | None = None,
    metric: str = "euclidean",
    *,
    out: Distances | None = None,
    dtype: DTypeLike | None = None,
    condensed: bool = False,
    device: str = "auto",
    threads: int | None = None,
    memory_limit: float | None = None,
    **parameters: Unpack[AllParameters],
) -> _core.Plan:
    """What `distances`, or `similarity`, would do with the same arguments; nothing is computed.

    Parameters
    ----------
    X, Y, metric, out, dtype, condensed, device, threads, memory_limit, **parameters
        As in `distances`; `metric` may name a similarity, with its parameters. No element is read, so
        ``np.broadcast_to(np.float32(0), (n, d))`` stands for n points without memory.

    Returns
    -------
    Plan
        Read-only attributes: n, m, d, metric, condensed, symmetric, input_dtype, compute_dtype, dtype,
        device, target, target_source, skipped, kernel, threads, threads_source, tiles of
        tile_rows x tile_cols, pairs, and in bytes bytes_in, bytes_out, bytes_out_new, bytes_scratch,
        bytes_available. ``str(plan)`` tells it in lines for people.

    Raises
    ------
    ShapeError, DtypeError, MetricError, OutOfMemoryError, DeviceError, TypeError
        As `distances` would, but for what only the elements say (integers beyond 2**53; of two sets
        without V, whether they are the same), matrices that have to be factorised (V and VI of
        mahalanobis), and shape and overlap of out.

    Examples
    --------
    >>> import numpy as np
    >>> from quadrance import plan
    >>> plan(np.broadcast_to(np.float32(0), (10_000, 40))).bytes_out
    400000000
    """
    given = _parameters("plan", metric, parameters, AllParameters)
    return _core.plan(X, Y, metric, given, out, dtype, condensed, device, threads, memory_limit)


def explain(
    X: ArrayLike,
    Y: ArrayLike | None = None,
    metric: str = "euclidean",
    *,
    out: Distances | None = None,
    dtype: DTypeLike | None = None,
    condensed: bool = False,
    device: str = "auto",
    threads: int | None = None,
    memory_limit: float | None = None,
    **parameters: Unpack[AllParameters],
) -> str:
    """What `distances` would do with the same arguments, in lines for people: ``str(plan(...))``.

    Parameters
    ----------
    X, Y, metric, out, dtype, condensed, device, threads, memory_limit, **parameters
        As in `plan`.

    Returns
    -------
    str
        Shape and metric, symmetry, dtypes, kernel and what was passed over for it, threads, tiles, memory.
    """
    given = _parameters("explain", metric, parameters, AllParameters)
    return _core.plan(X, Y, metric, given, out, dtype, condensed, device, threads, memory_limit).explain()


def metrics() -> dict[str, _core.Metric]:
    """Every metric by name.

    Returns
    -------
    dict of str to Metric
        Read-only attributes: name, aliases, formula, source, symmetric, nonnegative, zero_self, triangle,
        degree (distances of rows times s are s**degree times as large; None: not so), similarity, domain,
        accuracy, edges, parameters. Similarities are among them.

    Examples
    --------
    >>> from quadrance import metrics
    >>> "l2" in metrics()["euclidean"].aliases
    True
    """
    return _core.metrics()


def info() -> dict[str, Any]:
    """What this build is and where it can run.

    Returns
    -------
    dict
        "version"; "threads", how many a call gets that does not ask, and "threads_source", who said so;
        "devices", best first, each with "name", "description", "targets" (instruction sets, best first) and
        "unavailable" (why it cannot be used here, empty when it can).
    """
    return _core.info()


def release_memory() -> None:
    """Gives the memory that is kept for the next result back to the system.

    When a result of 1 to 512 MiB is freed, its memory is kept, one block of up to 4 MiB and a larger one in
    the process, and the next result of about its size is written into it: several times as fast as into fresh
    memory. The system takes it back by itself whenever it is short; until then it counts in the process's
    resident size.
    """
    _core.release_memory()


def _parameters(
    operation: str,
    metric: str,
    given: Parameters | KernelParameters | AllParameters,
    known: type = Parameters,
) -> dict[str, Any] | None:
    if not given:
        return None
    for name in given:
        if name not in known.__annotations__:
            raise TypeError(f"{operation}() got an unexpected keyword argument '{name}'")
    taken: dict[str, Any] = {
        name: _checked(operation, metric, name, value)
        for name, value in given.items()
        if value is not None and not (name == "packed" and _is(value, False))
    }
    if np.asarray(given.get("categorical")).dtype == bool:
        taken["categorical_mask"] = np.size(given["categorical"])  # _core knows how long it must be
    return taken or None


def _checked(
    operation: str, metric: str, name: str, value: Any
) -> list[float] | list[int] | float | int | bool:
    if name == "categorical":
        return _features(operation, name, value)
    if name in ("w", "V", "VI", "box", "ranges"):
        square = name == "VI" or (name == "V" and _core.takes(operation, metric, "VI"))
        return _numbers(operation, name, square, value)
    if name == "degrees":
        return flag(value, operation, name)
    if name == "packed":
        return 0 if _is(value, True) else max(-(2**62), min(2**62, whole(value, operation, name)))
    if name == "degree":
        return max(-(2**62), min(2**62, whole(value, operation, name)))  # beyond: refused by its range
    return number(value, operation, name)


def _is(value: Any, flag: bool) -> bool:
    """Python's or NumPy's."""
    return isinstance(value, (bool, np.bool_)) and bool(value) == flag


def _features(operation: str, name: str, values: ArrayLike) -> list[int]:
    if isinstance(values, np.ma.MaskedArray):
        raise TypeError(f"[{operation}] {name} is a masked array; fill it first")
    try:
        array = np.asarray(values)
    except ValueError:
        raise ShapeError(
            f"[{operation}] {name} has rows of different lengths; indices or a mask are needed"
        ) from None
    if array.size == 0:
        return []
    if array.ndim != 1 or array.dtype.kind not in "iub":
        raise TypeError(
            f"[{operation}] {name} has dtype {array.dtype} and shape {array.shape}; the indices of features, "
            "or a mask of all of them, are needed"
        )
    if array.dtype.kind != "b":
        if len(set(array.tolist())) < array.size:
            raise MetricError(f"[{operation}] {name} names a feature twice; a mask must be of bool")
        return [max(-(2**62), min(2**62, int(feature))) for feature in array]
    return [int(feature) for feature in np.flatnonzero(array)]


def _numbers(operation: str, name: str, square: bool, values: ArrayLike) -> list[float]:
    needed = "a square matrix (d, d)" if square else "one number for each feature, shape (d,),"
    if isinstance(values, np.ma.MaskedArray):
        raise TypeError(f"[{operation}] {name} is a masked array; fill it first")
    try:
        array = np.asarray(values)
    except ValueError:
        raise ShapeError(f"[{operation}] {name} has rows of different lengths; {needed} is needed") from None
    if array.size > 0 and not (array.dtype.kind in "fiub" and array.dtype.itemsize <= 8):
        raise DtypeError(
            f"[{operation}] {name} has dtype {array.dtype}; real numbers of up to 64 bits are needed"
        )
    if array.dtype.kind in "iu" and array.itemsize == 8:
        beyond = np.argwhere((array > 2**53) | (array < -(2**53)))
        if beyond.size > 0:
            at = ", ".join(str(i) for i in beyond[0])
            raise DtypeError(
                f"[{operation}] {name}[{at}] is {array[tuple(beyond[0])]}, an integer beyond 2**53, which "
                "float64 does not hold exactly; convert it if rounding is meant"
            )
    fits = array.ndim == 2 and array.shape[0] == array.shape[1] if square else array.ndim == 1
    if array.size > 0 and not fits:
        raise ShapeError(f"[{operation}] {name} has shape {array.shape}; {needed} is needed")
    return array.astype(np.float64).ravel().tolist()


def _threads_of_jobs(n_jobs: int) -> int:
    available = _core.default_threads()
    n_jobs = whole(n_jobs, "pairwise_distances", "n_jobs")
    if n_jobs == 0:
        raise OptionError(
            "[pairwise_distances] n_jobs = 0 has no meaning; a positive or negative number is needed"
        )
    return min(n_jobs, available) if n_jobs > 0 else max(1, available + 1 + n_jobs)
