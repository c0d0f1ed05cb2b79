# SPDX-License-Identifier: Apache-2.0
"""One exception class per error code of the library, each also the built-in class that Python expects."""


class Error(Exception):
    """Base of everything Quadrance refuses. `code` is the library's name of the kind of error."""

    code = "internal"


class ShapeError(Error, ValueError):
    """Sizes, strides or overlap of arrays do not fit the operation."""

    code = "shape"


class DtypeError(Error, ValueError):
    """An element type, or a value of it, that cannot be taken without loss."""

    code = "dtype"


class NotFiniteError(Error, ValueError):
    """NaN or infinity where `pairwise_distances` was asked to refuse them."""

    code = "not_finite"


class MetricError(Error, ValueError):
    """Unknown metric or bad parameter of one."""

    code = "metric"


class OptionError(Error, ValueError):
    """A number of threads, jobs or bytes that is none."""

    code = "option"


class ExpressionError(Error, ValueError):
    """A formula that does not parse or has no meaning."""

    code = "expression"


class DeviceError(Error, RuntimeError):
    """The named device cannot run this job."""

    code = "device"


class CompileError(Error, RuntimeError):
    """Run-time compilation failed."""

    code = "compile"


class OutOfMemoryError(Error, MemoryError):
    """The job does not fit the memory it may use."""

    code = "memory"


class IoError(Error, OSError):
    """A file could not be read, understood or written."""

    code = "io"


class CancelledError(Error, RuntimeError):
    """The progress callback asked to stop."""

    code = "cancelled"


class InternalError(Error, RuntimeError):
    """A bug in Quadrance."""

    code = "internal"


# Read by the extension. NotFiniteError has no place here: the library itself takes NaN and infinity.
BY_CODE = {
    error.code: error
    for error in (
        ShapeError,
        DtypeError,
        MetricError,
        OptionError,
        ExpressionError,
        DeviceError,
        CompileError,
        OutOfMemoryError,
        IoError,
        CancelledError,
        InternalError,
    )
}

for _error in (Error, NotFiniteError, *BY_CODE.values()):
    _error.__module__ = "quadrance"  # where it is public: tracebacks and pickles name it so
del _error
