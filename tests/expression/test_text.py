# SPDX-License-Identifier: Apache-2.0
"""The text of every metric: NVRTC takes it, and OpenCL, as one program, which has the bits of plain C.

Where: `make text`, which builds print_text. QUADRANCE_PRINT_TEXT names another one.
Not here: GPUs. NVRTC compiles for one without having one, OpenCL runs on the CPU (PoCL).
"""

import ctypes
import os
import pathlib
import subprocess

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PRINT_TEXT = os.environ.get("QUADRANCE_PRINT_TEXT", ROOT / "build/release/tests/print_text")
ARCHITECTURE = "sm_90"
TYPES = {"f32": (np.float32, ctypes.c_float), "f64": (np.float64, ctypes.c_double)}
PAIRS, FEATURES, FEATURE_PARAMETERS, PARAMETERS = 64, 9, 3, 10


def text(language, name=""):
    return subprocess.run([PRINT_TEXT, language, name], check=True, capture_output=True, text=True).stdout


NAMES = text("c", "--names").split()


# --- CUDA ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def nvrtc():
    nvidia = pytest.importorskip("nvidia", reason="there is no nvidia-cuda-nvrtc")
    folders = [pathlib.Path(folder) for folder in nvidia.__path__]
    libraries = [path for folder in folders for path in sorted(folder.glob("*/lib/libnvrtc.so.*"))]
    assert libraries, f"no libnvrtc below {folders}"
    return ctypes.CDLL(str(libraries[-1]))


def compile_cuda(nvrtc, source):
    """(cubin, log). --fmad=false: multiply-adds are where the text has them."""
    program = ctypes.c_void_p()
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"metric.cu", 0, None, None) == 0
    options = [f"--gpu-architecture={ARCHITECTURE}".encode(), b"--fmad=false"]
    status = nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
    size = ctypes.c_size_t()
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    if status != 0:
        return b"", log.value.decode()
    nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size))
    cubin = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetCUBIN(program, cubin)
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return cubin.raw, log.value.decode()


@pytest.mark.parametrize("name", NAMES)
def test_cuda_compiles(nvrtc, name):
    cubin, log = compile_cuda(nvrtc, text("cuda", name))
    assert cubin.startswith(b"\x7fELF"), log
    assert f"{name}_pairs_f64".encode() in cubin


def test_cuda_that_is_wrong_does_not_compile(nvrtc):
    cubin, log = compile_cuda(nvrtc, text("cuda", NAMES[0]).replace("x - y", "x - z"))
    assert not cubin
    assert '"z" is undefined' in log


# --- OpenCL -------------------------------------------------------------------------------------------------


def functions(real):
    """A row of the table that print_text writes in C: tests/expression/text_table.h."""
    array = ctypes.POINTER(real)
    step = ctypes.CFUNCTYPE(None, real, real, real, array, array, real, array)
    finish = ctypes.CFUNCTYPE(real, array, array, real, real, real)

    class Functions(ctypes.Structure):
        _fields_ = [
            ("metric", ctypes.c_char_p),
            ("accumulators", ctypes.c_int),
            ("step", step),
            ("finish", finish),
            ("first_step", step),
            ("first_finish", finish),
        ]

    return Functions


@pytest.fixture(scope="session")
def plain_c(tmp_path_factory):
    """{"f32": {name: functions}, "f64": ...} of the C text, with multiply-adds that round once."""
    folder = tmp_path_factory.mktemp("text")
    (folder / "metrics.c").write_text(text("c"), encoding="utf-8")
    flags = ["-O1", "-ffp-contract=off", "-DQDR_FUSED", "-fPIC", "-shared", "-lm", f"-I{ROOT / 'tests'}"]
    source, library = folder / "metrics.c", folder / "metrics.so"
    subprocess.run([os.environ.get("CC", "cc"), source, "-o", library, *flags], check=True)
    loaded = ctypes.CDLL(str(library))
    tables = {}
    for suffix, (_, real) in TYPES.items():
        table = (functions(real) * (len(NAMES) + 1)).in_dll(loaded, f"qdr_texts_{suffix}")
        rows = {}
        for row in table:
            if row.metric is None:
                break
            rows[row.metric.decode()] = row
        tables[suffix] = rows
    return tables


@pytest.fixture(scope="session")
def opencl():
    """(queue, program of all metrics)"""
    cl = pytest.importorskip("pyopencl", reason="there is no pyopencl")
    platforms = [p for p in cl.get_platforms() if "Portable Computing Language" in p.name]
    if not platforms:
        pytest.skip("there is no PoCL")
    context = cl.Context(platforms[0].get_devices()[:1])
    options = ["-cl-std=CL1.2", "-cl-fp32-correctly-rounded-divide-sqrt"]
    return cl.CommandQueue(context), cl.Program(context, text("opencl")).build(options)


def points(random, dtype, name):
    """Rows and a summary behind each; of distributions no number is below 0, of bits any will do."""
    shape = (PAIRS, FEATURES + 1)
    if name in ("boolean", "jaccard", "dice", "rogerstanimoto", "russellrao", "sokalsneath", "yule"):
        x = random.integers(0, 2**63, shape, dtype=np.uint64).view(np.float64).astype(dtype)
        x[:, -1] = random.integers(100, 300, PAIRS)
        return x
    x = random.random(shape).astype(dtype)
    x[random.random(shape) < 0.1] = 0
    x[:, -1] = 1
    return x


def run_c(row, real, x, y, w, f, p):
    """Row i of x against row i of y."""
    none = real(0)
    of_features = [np.ascontiguousarray(f[:, k]) for k in range(f.shape[1])]

    def pointer(array):
        return array.ctypes.data_as(ctypes.POINTER(real))

    def one_pass(step, finish, a, b, first):
        sums = np.zeros(row.accumulators, x.dtype)
        for k in range(FEATURES):
            step(
                real(a[k]), real(b[k]), real(w[k]), pointer(of_features[k]), pointer(p), first, pointer(sums)
            )
        return finish(pointer(sums), pointer(p), first, real(a[-1]), real(b[-1]))

    out = []
    for a, b in zip(x, y, strict=True):
        first = real(one_pass(row.first_step, row.first_finish, a, b, none)) if row.first_step else none
        out.append(one_pass(row.step, row.finish, a, b, first))
    return np.array(out, x.dtype)


@pytest.mark.parametrize("suffix", TYPES)
@pytest.mark.parametrize("name", NAMES)
def test_opencl_has_the_bits_of_c(opencl, plain_c, name, suffix):
    import pyopencl.array

    if name not in plain_c[suffix]:
        assert suffix == "f32", f"{name} is missing"
        pytest.skip(f"{name} computes in float64 only")
    queue, program = opencl
    dtype, real = TYPES[suffix]
    random = np.random.default_rng(7)
    x, y = points(random, dtype, name), points(random, dtype, name)
    w = random.random(FEATURES).astype(dtype) + dtype(0.5)
    f = (random.random((FEATURE_PARAMETERS, FEATURES)) + 0.5).astype(dtype)
    p = (random.random(PARAMETERS) + (FEATURES if name == "hamming" else 0.5)).astype(dtype)
    out = pyopencl.array.zeros(queue, PAIRS, dtype)
    arguments = [pyopencl.array.to_device(queue, array).data for array in (x, y, w, f, p)]
    kernel = getattr(program, f"{name}_pairs_{suffix}")
    kernel(queue, (PAIRS,), None, *arguments, np.int32(FEATURES), out.data)
    got, want = out.get(), run_c(plain_c[suffix][name], real, x, y, w, f, p)
    same = (got.view(f"u{got.itemsize}") == want.view(f"u{got.itemsize}")) | (np.isnan(got) & np.isnan(want))
    assert same.all(), (got[~same][:3], want[~same][:3])
    assert np.isfinite(want).any()
