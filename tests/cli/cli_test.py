#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What:  the command as people and scripts meet it: values, streams, exit statuses, error texts, signals, files left.
Why:   a wrong exit status or a half-written file is trusted by the next step of a pipeline.
Needs: the command in QUADRANCE_BIN; nothing but Python's library (NumPy, where installed, reads our files too).
Values: math.dist; the tolerance is that of float32 or float64 sums of 36 squares.
Out of scope: the readers' rules (tests/input), the distances themselves (tests/metrics).
"""
import array
import ast
import itertools
import json
import math
import os
import pty
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

COMMAND = os.environ.get("QUADRANCE_BIN", "quadrance")
LANDSAT = Path(__file__).resolve().parents[2] / "examples" / "data" / "landsat-satellite.csv"
POINTS = [[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]]
POINTS_CSV = "a,b\n0,0\n3,4\n6,8\n"


def read_npy(data):
    """Shape, element code and values; independent of the code under test."""
    assert data[:8] == b"\x93NUMPY\x01\x00", data[:8]
    length = int.from_bytes(data[8:10], "little")
    assert (10 + length) % 64 == 0, "not aligned for mapping"
    header = ast.literal_eval(data[10 : 10 + length].decode("ascii"))
    assert header["fortran_order"] is False
    values = array.array({"<f4": "f", "<f8": "d"}[header["descr"]])
    values.frombytes(data[10 + length :])
    assert len(values) == math.prod(header["shape"])
    return header["shape"], header["descr"], values


def write_npy(path, code, shape, data):
    header = repr({"descr": code, "fortran_order": False, "shape": shape}).encode() + b"\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + data)


class Cli(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = Path(self._folder.name)
        self.points = self.folder / "points.csv"
        self.points.write_text(POINTS_CSV)
        self.out = self.folder / "out.npy"

    def run_command(self, *arguments, **options):
        return subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, timeout=120, **options)

    def dist(self, *arguments, **options):
        """Runs `dist` that must succeed; returns what it said on stderr."""
        done = self.run_command("dist", *arguments, **options)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done.stderr.decode()

    def refused(self, status, what, where, hint, *arguments, **options):
        """The command ends with this status, three lines on stderr that hold these words, nothing on stdout."""
        done = self.run_command(*arguments, **options)
        lines = [line for line in done.stderr.decode().splitlines() if not line.startswith(("read   ", "note   "))]
        self.assertEqual(done.returncode, status, lines)
        self.assertEqual(done.stdout, b"")
        self.assertEqual(len(lines), 3, lines)
        for line, label, words in zip(lines, ("error: ", "where: ", "hint: "), (what, where, hint), strict=True):
            self.assertTrue(line.startswith(label), lines)
            self.assertIn(str(words), line)

    def names(self):
        return sorted(entry.name for entry in self.folder.iterdir())

    def slow_job(self, features):
        """500,000 pairs on the plain loops: on a machine of 2024 about 2 seconds for 6,000 features."""
        path = self.folder / "slow.npy"
        write_npy(path, "|u1", (1000, features), bytes(i * i % 251 for i in range(features)) * 1000)
        return ["dist", str(path), "-o", str(self.out), "--device", "reference", "--threads", "1"]


class Results(Cli):
    def test_matrix(self):
        said = self.dist(self.points, "-o", self.out)
        shape, code, values = read_npy(self.out.read_bytes())
        self.assertEqual((shape, code), ((3, 3), "<f8"))
        self.assertEqual(list(values), [math.dist(x, y) for x in POINTS for y in POINTS])
        self.assertEqual(self.names(), ["out.npy", "points.csv"])
        self.assertIn("3 points of 2 features, float64", said)
        self.assertIn("3 x 3 float64, 72 bytes", said)

    def test_condensed_float32(self):
        self.dist(self.points, "-o", self.out, "--condensed", "--dtype", "float32")
        self.assertEqual(read_npy(self.out.read_bytes())[:2], ((3,), "<f4"))
        self.assertEqual(list(read_npy(self.out.read_bytes())[2]), [5, 10, 5])

    def test_two_files_and_metric(self):
        other = self.folder / "other.npy"
        write_npy(other, "<f4", (1, 2), array.array("f", [0, 1]).tobytes())
        self.dist(self.points, "-y", other, "-o", self.out, "-m", "sqeuclidean")
        shape, code, values = read_npy(self.out.read_bytes())
        self.assertEqual((shape, code, list(values)), ((3, 1), "<f8", [1, 18, 85]))

    def test_npy_of_float32_gives_float32(self):
        path = self.folder / "points.npy"
        write_npy(path, ">f4", (2, 1), b"\x3f\x80\x00\x00\x40\x00\x00\x00")  # 1, 2 big-endian
        self.dist(path, "-o", self.out)
        self.assertEqual(read_npy(self.out.read_bytes())[1:], ("<f4", array.array("f", [0, 1, 1, 0])))

    def test_landsat(self):
        said = self.dist(LANDSAT, "-o", self.out, "--dtype", "float32")
        self.assertIn("label column 'classes' set aside", said)
        shape, code, values = read_npy(self.out.read_bytes())
        self.assertEqual((shape, code), ((6435, 6435), "<f4"))
        lines = LANDSAT.read_text().splitlines()[1:]
        rows = [[float(field) for field in line.split(",")[:-1]] for line in lines]
        for i, j in itertools.product((0, 1, 77, 6434), (0, 3000, 6433, 6434)):
            expected = math.dist(rows[i], rows[j])
            self.assertLessEqual(abs(values[6435 * i + j] - expected), 40 * 2**-24 * expected, (i, j))

    def test_numpy_reads_it(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("NumPy is not installed")
        self.dist(self.points, "-o", self.out)
        matrix = numpy.load(self.out, mmap_mode="r", allow_pickle=False)
        self.assertTrue(numpy.array_equal(matrix, [[math.dist(x, y) for x in POINTS] for y in POINTS]))
        numpy.save(self.folder / "numpy.npy", numpy.asfortranarray(POINTS))
        self.dist(self.folder / "numpy.npy", "-o", self.out, "--overwrite")
        self.assertTrue(numpy.array_equal(numpy.load(self.out), matrix))

    def test_no_points(self):
        (self.folder / "none.csv").write_text("a,b\n")
        self.dist(self.folder / "none.csv", "-o", self.out)
        self.assertEqual(read_npy(self.out.read_bytes())[0], (0, 0))

    def test_locale_does_not_matter(self):
        self.points.write_text("1.5,0\n3,0\n")
        self.dist(self.points, "-o", self.out, env={**os.environ, "LC_ALL": "de_DE.UTF-8"})
        self.assertEqual(read_npy(self.out.read_bytes())[2][1], 1.5)


class Streams(Cli):
    def test_data_on_stdout_everything_else_on_stderr(self):
        done = self.run_command("dist", self.points, "-o", "-", "--explain")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(read_npy(done.stdout)[0], (3, 3))
        self.assertIn(b"kernel", done.stderr)
        self.assertIn(b"standard output: 3 x 3", done.stderr)

    def test_standard_input(self):
        done = self.run_command("dist", "-", "-o", "-", input=POINTS_CSV.encode())
        self.assertEqual(read_npy(done.stdout)[0], (3, 3))
        again = self.run_command("dist", "-", "-o", "-", input=done.stdout)
        self.assertEqual(read_npy(again.stdout)[0], (3, 3))

    def test_quiet_says_nothing(self):
        self.assertEqual(self.dist(LANDSAT, "-q", "--explain", "-o", self.out, "--condensed"), "")

    def test_explain_alone_writes_nothing(self):
        done = self.run_command("dist", self.points, "--explain")
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"3 x 3, d = 2, euclidean", done.stdout)
        self.assertEqual(self.names(), ["points.csv"])

    def test_explain_with_output_does_both(self):
        done = self.run_command("dist", self.points, "--explain", "-o", self.out)
        self.assertIn(b"kernel", done.stdout)
        self.assertTrue(self.out.exists())

    def test_doubts_are_told(self):
        self.points.write_text("0,1,2\n5,6,7\n")
        self.assertIn("note   line 1 counts 0, 1, 2", self.dist(self.points, "-o", self.out))

    def test_help_has_examples_and_statuses(self):
        for arguments in (["--help"], ["dist", "--help"]):
            done = self.run_command(*arguments)
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            for words in (b"quadrance dist examples/data/landsat-satellite.csv -o", b"Exit status:", b"130"):
                self.assertIn(words, done.stdout)

    def test_examples_of_the_help_run(self):
        for command in ("dist", "info", "metrics"):
            help_text = self.run_command(command, "--help").stdout.decode()
            examples = [line.split()[1:] for line in help_text.splitlines() if line.startswith("  quadrance ")]
            self.assertGreaterEqual(len(examples), 2)
            (self.folder / "examples").exists() or (self.folder / "examples").symlink_to(LANDSAT.parents[1])
            for example in examples:
                done = self.run_command(*example, cwd=self.folder)
                self.assertEqual(done.returncode, 0, (example, done.stderr))

    def test_version(self):
        self.assertRegex(self.run_command("--version").stdout.decode(), r"^\d+\.\d+\.\d+\n$")

    def test_info(self):
        text = self.run_command("info").stdout.decode()
        for word in ("version", "cpu", "threads", "memory", "device", "reference", "euclidean"):
            self.assertIn(word, text)
        told = json.loads(self.run_command("info", "--json", env={"QUADRANCE_NUM_THREADS": "3"}).stdout)
        self.assertEqual(told["threads"], {"count": 3, "source": "QUADRANCE_NUM_THREADS"})
        self.assertEqual([device["name"] for device in told["devices"]][-1], "reference")
        self.assertGreater(told["memory"]["available_bytes"], 0)
        self.assertIn("euclidean", told["metrics"])

    def test_metrics(self):
        told = json.loads(self.run_command("metrics", "--json").stdout)
        names = [metric["name"] for metric in told]
        self.assertEqual(names[:2], ["euclidean", "sqeuclidean"])
        text = self.run_command("metrics").stdout.decode()
        for metric in told:
            self.assertIn(f"\n{metric['name']}\n" if metric is not told[0] else metric["name"], text)
            self.assertIn(metric["formula"], text)
        one = self.run_command("metrics", "L1").stdout.decode()
        self.assertEqual(one.splitlines()[0], "cityblock")
        self.assertNotIn("euclidean\n", one)
        self.refused(2, "no metric 'cityblok'", "argument cityblok", "did you mean 'cityblock'", "metrics", "cityblok")

    def test_parameters(self):
        self.dist(self.points, "-m", "minkowski", "--param", "p=3", "-o", self.out)
        self.assertAlmostEqual(read_npy(self.out.read_bytes())[2][1], (3**3 + 4**3) ** (1 / 3), delta=1e-14)
        self.dist(self.points, "-m", "l2", "--param", "w=4,0", "-o", self.out, "--overwrite")
        self.assertEqual(list(read_npy(self.out.read_bytes())[2])[:3], [0, 6, 12])
        self.dist(self.points, "-m", "periodic", "--param", "box=5,inf", "-o", self.out, "--overwrite")
        self.assertEqual(list(read_npy(self.out.read_bytes())[2])[:2], [0, math.hypot(2, 4)])
        self.dist(self.points, "-m", "haversine", "--param", "degrees", "--param", "radius=6371", "-o", self.out, "--overwrite")
        self.assertAlmostEqual(read_npy(self.out.read_bytes())[2][1], 555.81, delta=0.01)
        for text, what in (("p=x", "'x' is no number"), ("p=", "'' is no number"), ("q=3", "no such parameter"),
                           ("p=1,2", "one number is needed"), ("degrees=1", "true or false is needed"), ("degree=1.5", "a whole number is needed"), ("w=1,,2", "'' is no number")):
            self.refused(2, what, f"option --param {text}", "give NAME=VALUE", "dist", self.points, "-m", "minkowski",
                         "--param", text, "-o", self.folder / "no.npy")
        self.refused(2, "p is 0", "option -m minkowski --param p=0", "must be above 0", "dist", self.points, "-m", "minkowski",
                     "--param", "p=0", "-o", self.folder / "no.npy")
        self.refused(3, "w has 3 elements", f"{self.points}, option -m l2 --param w=1,2,3", "2 are needed", "dist", self.points,
                     "-m", "l2", "--param", "w=1,2,3", "-o", self.folder / "no.npy")
        self.refused(2, "rbf is a similarity", "option -m rbf", "give a distance: quadrance metrics", "dist", self.points, "-m", "rbf",
                     "-o", self.folder / "no.npy")

    def test_hints_about_parameters_fit_the_command(self):
        def refused(what, hint, metric, *more):
            self.refused(2, what, f"option -m {metric}", f"hint: {hint}", "dist", *more, "-m", metric, "-o", self.folder / "no.npy")

        other = self.folder / "other.csv"
        other.write_text("0,1\n")
        refused("two sets of points needs V", "give a variance for each feature", "seuclidean", self.points, "-y", other)
        refused("two sets of points needs V", "give the covariance of the features, or VI", "mahalanobis", self.points, "-y", other)
        other.write_text("0,1\n2,2\n")
        refused("the covariance of 2 points of 2 features is singular", "give more points than features", "mahalanobis", other)
        refused("V[0, 1] and [1, 0] differ", "a covariance and its inverse are symmetric: if only rounding parts them, give "
                "the mean of V and its transpose", "mahalanobis", self.points, "--param", "V=2,1,0,2")

    def test_the_table_of_metrics_is_in_the_documents(self):
        table = (LANDSAT.parents[2] / "docs/metrics.md").read_bytes()
        self.assertEqual(self.run_command("metrics", "--markdown").stdout, table)

    def test_closed_pipe_ends_quietly(self):
        with subprocess.Popen([COMMAND, "dist", LANDSAT, "-q", "-o", "-"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as child:
            child.stdout.close()
            self.assertEqual(child.stderr.read(), b"")
            self.assertEqual(child.wait(60), -signal.SIGPIPE)


class Refusals(Cli):
    def test_usage(self):
        points, out = self.points, self.out
        self.refused(2, "subcommand", "command line", "quadrance --help")
        self.refused(2, "no subcommand 'dits'", "command line", "quadrance --help", "dits")
        self.refused(2, "FILE is required", "command line", "quadrance dist --help", "dist")
        self.refused(2, "--bogus", "command line", "dist --help", "dist", points, "-o", out, "--bogus")
        self.refused(2, "no output", "option -o", "--explain", "dist", points)
        self.refused(2, "NumPy's format", "out.csv", ".npy", "dist", points, "-o", self.folder / "out.csv")
        self.refused(2, "no metric 'euclidaen'", "option -m", "did you mean 'euclidean'", "dist", points, "-o", out,
                     "-m", "euclidaen")
        self.refused(2, "int8", "command line", "--help", "dist", points, "-o", out, "--dtype", "int8")
        self.refused(2, "--threads", "command line", "--help", "dist", points, "-o", out, "--threads", "-1")
        self.refused(2, "excludes", "command line", "--help", "dist", points, "-y", points, "--condensed", "-o", out)
        self.refused(2, "standard input", "option -y", "file for one", "dist", "-", "-y", "-", "-o", out)
        self.assertEqual(self.names(), ["points.csv"])

    def test_bad_input(self):
        bad = self.folder / "bad.csv"
        bad.write_text("a,b\n1,2\n3,x4\n")
        self.refused(3, "'x4', not a number", f"{bad}:3:3", "nan", "dist", bad, "-o", self.out)
        missing = self.folder / "missing.csv"
        self.refused(3, "No such file", missing, "path", "dist", missing, "-o", self.out)
        self.refused(3, "x has 2 columns, y has 1", f"x = {self.points}, y = ", "equal", "dist", self.points, "-y",
                     self.column(1), "-o", self.out)
        flat = self.folder / "flat.npy"
        write_npy(flat, "<f8", (2,), bytes(16))
        self.refused(3, "1 dimension", flat, "reshape(-1, 1)", "dist", flat, "-o", self.out)
        write_npy(flat, "<f8", (), bytes(8))
        self.refused(3, "0 dimensions", flat, "save a row for each point", "dist", flat, "-o", self.out)
        write_npy(flat, "<i8", (1, 1), (2**53 + 1).to_bytes(8, "little"))
        self.refused(3, "beyond 2^53", flat, "offset", "dist", flat, "-o", self.out)
        self.assertFalse(self.out.exists())

    def column(self, rows):
        path = self.folder / "column.csv"
        path.write_text("0\n" * rows)
        return path

    def test_does_not_fit(self):
        self.refused(4, "needs 32.0 TB", "column.csv", "hint: the condensed triangle takes half, dtype float32 takes half, "
                     "rows can be computed in parts, each against all", "dist", self.column(2_000_000), "-o", self.out)
        self.assertFalse(self.out.exists())

    def test_existing_output_is_refused_before_any_work(self):
        self.out.write_text("precious")
        self.refused(6, "exists already", self.out, "--overwrite", "dist", "no such file", "-o", self.out)
        self.assertEqual(self.out.read_text(), "precious")
        self.dist(self.points, "-o", self.out, "--overwrite")
        self.assertEqual(read_npy(self.out.read_bytes())[0], (3, 3))
        self.refused(6, "No such file or directory", "nowhere", "folder", "dist", self.points, "-o",
                     self.folder / "nowhere" / "out.npy")

    def test_input_is_never_overwritten(self):
        points = self.folder / "points.npy"
        write_npy(points, "<f8", (2, 1), bytes(16))
        before = points.read_bytes()
        link = self.folder / "link.npy"
        link.symlink_to(points)
        for arguments in ([points, "-o", points], [points, "-o", link], [self.column(2), "-y", points, "-o", points]):
            self.refused(2, "same file as the input", "option -o", "another name", "dist", *arguments, "--overwrite")
        self.assertEqual(points.read_bytes(), before)

    def test_full_disk_leaves_nothing(self):
        def limit_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

        self.refused(6, "cannot be written", self.out, "nothing half-written", "dist", LANDSAT, "-o", self.out,
                     "--condensed", preexec_fn=limit_files)
        self.assertEqual(self.names(), ["points.csv"])

    def test_full_standard_output(self):
        with open("/dev/full", "wb") as full:
            for arguments in (["dist", self.points, "-o", "-"], ["info"], ["metrics"], ["dist", self.points, "--explain"]):
                done = subprocess.run([COMMAND, *map(str, arguments)], stdout=full, stderr=subprocess.PIPE, timeout=60)
                self.assertEqual(done.returncode, 6, arguments)
                self.assertRegex(done.stderr.decode(), r"error: cannot be written: .+\nwhere: standard output\n"
                                 r"hint: what came out so far is not all: throw it away; is the disk full, or the output closed\?\n$")

    def test_standard_input_is_named_as_such(self):
        self.refused(3, "not a number", "standard input:2:3", "nan", "dist", "-", "-o", self.out, input=b"0,1\n2,x\n")

    def test_link_to_nowhere(self):
        self.out.symlink_to("nowhere.npy")
        for more in ([], ["--overwrite"]):
            self.refused(6, "is a symbolic link to a file that does not exist", self.out, "remove the link", "dist",
                         self.points, "-o", self.out, *more)
        self.assertEqual(self.names(), ["out.npy", "points.csv"])

    def test_memory_that_the_system_refuses(self):
        def limit_memory():
            resource.setrlimit(resource.RLIMIT_AS, (40 << 20, 40 << 20))

        if self.run_command("--version", preexec_fn=limit_memory).returncode != 0:
            self.skipTest("this build does not start in 40 MiB of address space")
        # What comes through a pipe has no size to be refused by; the copy of it grows until there is no more.
        self.refused(4, "the system refused memory", "standard input", "free memory", "dist", "-", "-o", self.out,
                     input=b"1\n" * (30 << 20), preexec_fn=limit_memory)
        self.assertEqual(self.names(), ["points.csv"])

    def test_unknown_device(self):
        self.refused(7, "no device 'cuda9'", "option --device cuda9", "reference", "dist", self.points, "-o", self.out,
                     "--device", "cuda9")
        self.refused(7, "no kernels for target 'nope'", "option --device cpu-nope", "auto", "dist", self.points, "-o",
                     self.out, "--device", "cpu-nope")


class Signals(Cli):
    def interrupt(self, number, **options):
        with subprocess.Popen([COMMAND, *self.slow_job(6000)], stderr=subprocess.PIPE, **options) as child:
            child.stderr.readline()  # the file is read
            time.sleep(0.5)
            self.assertIsNone(child.poll(), "the job was over before the signal came")
            child.send_signal(number)
            begin = time.monotonic()
            said = child.stderr.read().decode()
            status = child.wait(60)
        return status, said, time.monotonic() - begin

    def test_signal_ends_it_at_once_and_leaves_nothing(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            status, said, seconds = self.interrupt(number)
            self.assertEqual(status, -number)
            self.assertLess(seconds, 1)
            self.assertRegex(said, r"error: cancelled after \d+ of \d+ pairs\nwhere: .*slow.npy\nhint: nothing has")
            self.assertEqual(self.names(), ["points.csv", "slow.npy"])

    def test_ignored_signal_stays_ignored(self):
        status, said, _ = self.interrupt(signal.SIGINT,
                                         preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        self.assertEqual(status, 0)
        self.assertTrue(self.out.exists())
        self.assertNotIn("\r", said, "no progress line in a log")

    def test_progress_line_on_a_terminal(self):
        terminal, end = pty.openpty()
        begin = time.monotonic()
        with subprocess.Popen([COMMAND, *self.slow_job(15000)], stderr=end) as child:
            os.close(end)
            said = b""
            while select.select([terminal], [], [], 60)[0]:
                try:
                    piece = os.read(terminal, 4096)
                except OSError:
                    break
                if not piece:
                    break
                said += piece
            self.assertEqual(child.wait(60), 0)
        os.close(terminal)
        if time.monotonic() - begin < 2.5:
            self.skipTest("this machine is too fast for a progress line")
        self.assertIn(b"\r\x1b[Kcomputing ", said)
        self.assertIn(b"s left\r\x1b[Kwrote", said.replace(b"\r\n", b"\n"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
