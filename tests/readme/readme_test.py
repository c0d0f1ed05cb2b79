#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What:  what documents tell the reader to run runs: fenced blocks marked sh, python and cpp (whole programs), in order.
Why:   a first example that fails is the last thing a newcomer reads.
Needs: the release build, and quadrance importable by the Python that runs this.
Each block must exit with 0. All run in one scratch folder that has the checkout's examples/. Lines of sh that fetch,
install or call make are left out: CI does that itself. Blocks marked otherwise (text, console) are for the eye.
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "release"
DONE_BY_CI = re.compile(r"\s*(sudo|apt-get|git|cd|make|pip|python3? -m (pip|venv)|cmake)\b")
DOCUMENTS = [Path(argument) for argument in sys.argv[1:]]


def blocks(document):
    """(line number, language, text) of every fenced block."""
    text = document.read_text(encoding="utf-8")
    for found in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield text.count("\n", 0, found.start()) + 1, found[1], found[2]


class Documents(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        (self.folder / "examples").symlink_to(ROOT / "examples")
        (self.folder / "demo-output").mkdir()
        paths = [str(BUILD / "cli"), str(Path(sys.executable).parent), os.environ["PATH"]]
        self.environment = os.environ | {"PATH": os.pathsep.join(paths)}

    def run_block(self, language, text):
        if language == "sh":
            text = "\n".join(line for line in text.splitlines() if not DONE_BY_CI.match(line))
            commands = [["bash", "-euo", "pipefail", "-c", text]]
        elif language == "python":
            commands = [[sys.executable, "-c", text]]
        else:
            (self.folder / "program.cc").write_text(text)
            compiler = [os.environ.get("CXX", "g++"), "-std=c++20", f"-I{ROOT}/include", "program.cc", "-o", "program"]
            commands = [[*compiler, str(BUILD / "src" / "libquadrance.a"), "-lhwy", "-pthread"], ["./program"]]
        for command in commands:
            done = subprocess.run(command, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)  # fmt: skip
            self.assertEqual(done.returncode, 0, f"{text}\n--- said:\n{done.stdout}")

    def test_every_block(self):
        for document in DOCUMENTS:
            found = [block for block in blocks(document) if block[1] in ("sh", "python", "cpp")]
            self.assertTrue(found, f"{document} shows nothing to run")
            for number, language, text in found:
                with self.subTest(f"{document}:{number}"):
                    self.run_block(language, text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
