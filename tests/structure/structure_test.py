#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What:  the rules of the tree: who may include whom, list.inc and the metric headers agree, a metric is named nowhere
       else, every source has its test, paths named in documents exist, no machine's addresses, a licence line first in
       every source file.
Why:   the layers of ARCHITECTURE hold only as long as nothing includes across them.
Needs: nothing but Python's library.
Each rule is run on this tree, where it must find nothing, and on a small tree with planted violations, where it must
find exactly those. A path in exemptions.txt is tested by the file named there, for the reason given there.
"""
import re
import sys
import tempfile
import unittest
from os.path import normpath
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXEMPTIONS = "tests/structure/exemptions.txt"

NOT_OURS = {".git", ".venv", ".cache", "build", "dist", "demo-output", "__pycache__", ".pytest_cache", ".ruff_cache"}
SOURCES = {".cc", ".h", ".inc", ".gpu", ".py", ".pyi", ".cmake", ".in", ".sh"}
SOURCE_NAMES = {"CMakeLists.txt", "Makefile"}
SHAPELESS_NAMES = {"utils", "util", "common", "misc", "helpers", "sandbox"}

# The public headers, messages.h and the standard library are open to all folders of src/ but metrics/.
OPEN_TO_ALL = {"quadrance/", "messages.h"}
MAY_INCLUDE_HIGHWAY = "src/metrics/begin-inl.h"


def may_include():
    """The table of ARCHITECTURE.md: a folder of src/, and what its files may include besides itself."""
    rows = re.findall(r"^\| `(\w+)/` \| (.*) \|$", (ROOT / "ARCHITECTURE.md").read_text(), re.MULTILINE)
    paths = re.compile(r"`([\w/.]+(?:/|\.h))`")
    return {
        folder: {folder + "/"} | set(paths.findall(others))
        for folder, others in rows
    }


GENERATED = re.compile(r"(//|#) (Written|Made|Generated) by \S+[.]py\b")
COMMENT = re.compile(r"//.*|(^|\s)#\s.*")
HOSTS = re.compile(
    r"pypi[.]org|pythonhosted[.]|debian[.]org|anaconda[.]org|npmjs[.]|crates[.]io|golang[.]org|docker[.]io|ghcr[.]io"
)


class Tree:
    def __init__(self, root):
        self.root = root
        self.files = sorted(
            path.relative_to(root).as_posix() for path in root.rglob("*")
            if path.is_file() and not NOT_OURS & set(path.relative_to(root).parts)
        )  # fmt: skip
        self.folders = {parent.as_posix() for file in self.files for parent in Path(file).parents} - {"."}

    def text(self, file):
        return (self.root / file).read_text(encoding="utf-8", errors="replace")

    def under(self, folder, *endings):
        return [file for file in self.files if file.startswith(folder + "/") and file.endswith(endings)]


def includes(text):
    """(line number, path, quoted or hwy): the includes that are not the standard library's."""
    for number, line in enumerate(text.splitlines(), 1):
        found = re.match(r'\s*#\s*include\s+(?:"([^"]+)"|<(hwy/[^>]+)>)', line)
        if found:
            yield number, found[1] or found[2]


def allowed(path, permitted):
    return any(path.startswith(one) if one.endswith("/") else path == one for one in permitted)


def include_rule(tree):
    """Each folder of src/ includes only what its place in the data's way allows."""
    table = may_include()
    for file in tree.under("src", ".cc", ".h", ".inc", ".in"):
        folder = file.split("/")[1] if file.count("/") > 1 else None
        if folder is None:
            permitted = {"quadrance/"}
        elif folder not in table:
            yield f"{file}: src/{folder}/ is not in the table of ARCHITECTURE.md: say what it may include"
            continue
        else:
            permitted = table[folder] | (OPEN_TO_ALL if folder != "metrics" else set())
        if file == MAY_INCLUDE_HIGHWAY:
            permitted = permitted | {"hwy/"}
        for number, path in includes(tree.text(file)):
            if not allowed(path, permitted):
                yield f"{file}:{number}: includes {path}, which src/{folder or ''} may not"
    for file in tree.under("include/quadrance", ".h"):
        for number, path in includes(tree.text(file)):
            if not path.startswith("quadrance/"):
                yield f"{file}:{number}: a public header includes {path}, which is not installed"


def metric_list(tree):
    """list.inc names every metric header, and every name has its header and its struct."""
    lines = r"^(?:METRIC|KERNELS)\((\w+), (\w+)(?:, \w+)?\)$"
    listed = dict(re.findall(lines, tree.text("src/metrics/list.inc"), re.MULTILINE))
    headers = {Path(file).name.removesuffix("-inl.h"): file for file in tree.under("src/metrics", "-inl.h")}
    for name, struct in listed.items():
        if name not in headers:
            yield f"src/metrics/list.inc: {name} has no src/metrics/{name}-inl.h"
        elif not re.search(rf"\b(struct|using) {struct}\b", tree.text(headers[name])):
            yield f"{headers[name]}: no struct {struct}, which list.inc names"
    # What no source includes is no part of another metric, nor made of any: it was left out of the list.
    included = {Path(path).name.removesuffix("-inl.h") for file in tree.under("src", ".h", ".cc", ".in")
                for _, path in includes(tree.text(file))}  # fmt: skip
    for name in sorted(headers.keys() - listed.keys() - included):
        yield f"{headers[name]}: missing in src/metrics/list.inc"


def metric_in_one_place(tree):
    """Code names a metric in its header and in list.inc alone. Of all of them canberra has least to set it apart."""
    own = {"src/metrics/list.inc", "src/metrics/canberra-inl.h"}
    for file in tree.files:
        path = Path(file)
        if file in own or path.parts[0] in {"tests", "docs"} or not (path.suffix in SOURCES or path.name in SOURCE_NAMES):
            continue
        lines = tree.text(file).splitlines()
        if any(GENERATED.match(line) for line in lines[:3]):
            continue
        for number, line in enumerate(lines, 1):
            if re.search("canberra", COMMENT.sub("", line), re.IGNORECASE):
                yield f"{file}:{number}: names canberra; what is of one metric belongs to its header"


def sources_have_tests(tree):
    """src/a/b.cc is tested by tests/a/b_test.cc, or exemptions.txt says why not."""
    exempt = {}  # path -> the test that covers it
    if EXEMPTIONS in tree.files:
        for number, line in enumerate(tree.text(EXEMPTIONS).splitlines(), 1):
            if line and not line.startswith("#"):
                path, test, *reason = [*line.split(maxsplit=2), ""]
                exempt[path] = test
                if not any(reason):
                    yield f"{EXEMPTIONS}:{number}: {path} is exempt for no reason"
                if test not in tree.files:
                    yield f"{EXEMPTIONS}:{number}: {test or 'no test'} does not exist"
    sources = tree.under("src", ".cc")
    for file in sources:
        test = "tests/" + file.removeprefix("src/").removesuffix(".cc") + "_test.cc"
        if test in tree.files and file in exempt:
            yield f"{EXEMPTIONS}: {file} has a test and needs no exemption"
        elif test not in tree.files and file not in exempt:
            yield f"{file}: no {test}, and no line in {EXEMPTIONS}"
    for file in sorted(exempt.keys() - set(sources)):
        yield f"{EXEMPTIONS}: {file} does not exist"


def paths_in_documents(tree):
    """A path that a document names exists: links, and words of code that look like paths."""
    tops = {file.split("/")[0] for file in tree.files}
    known = tree.folders | set(tree.files)
    for file in (file for file in tree.files if file.endswith(".md")):
        beside = Path(file).parent
        for number, line in enumerate(tree.text(file).splitlines(), 1):
            for target in re.findall(r"\]\(([^)\s]+)\)", line):
                target = target.split("#")[0]
                if target and not re.match(r"\w+:", target) and not (tree.root / beside / target).exists():
                    yield f"{file}:{number}: links to {target}, which does not exist"
            line = re.sub(r"\]\([^)]*\)|\w+://\S+", "", line)
            for word in re.findall(r"(?<![\w./<*{-])[\w.-]+(?:/[\w.-]+)+/?(?![\w<*{]|/\w)", line):
                word = word.rstrip("./")
                top = word.split("/")[0]
                if top in NOT_OURS | {"hwy"} or (top not in tops and Path(word).suffix not in SOURCES | {".md", ".csv", ".txt"}):
                    continue
                if not any(normpath(place / word) in known for place in (Path(), beside, Path("src"), Path("include"))):
                    yield f"{file}:{number}: names {word}, which does not exist"


def folder_names(tree):
    """No folder whose name does not say what it holds."""
    for folder in sorted(tree.folders):
        if Path(folder).name in SHAPELESS_NAMES:
            yield f"{folder}/: the name says nothing of what it holds"


def hosts(tree):
    """No address of a package registry: apt and pip are configured on the machine."""
    for file in tree.files:
        for number, line in enumerate(tree.text(file).splitlines(), 1):
            found = HOSTS.search(line)
            if found:
                yield f"{file}:{number}: names {found[0]}"


def licence_lines(tree):
    """An SPDX line opens every source file, after #! where there is one."""
    for file in tree.files:
        text = tree.text(file)
        if Path(file).suffix not in SOURCES and Path(file).name not in SOURCE_NAMES and not text.startswith("#!"):
            continue
        lines = text.splitlines()[:2]
        if lines and lines[0].startswith("#!"):
            lines = lines[1:]
        if not lines or not re.match(r"(//|#) SPDX-License-Identifier: Apache-2.0$", lines[0]):
            yield f"{file}:1: no SPDX line"


RULES = [include_rule, metric_list, metric_in_one_place, sources_have_tests, paths_in_documents, folder_names, hosts, licence_lines]

SPDX = "// SPDX-License-Identifier: Apache-2.0\n"
PLANTED = {
    "src/metrics/list.inc": SPDX + "METRIC(good, Good, good)\nMETRIC(gone, Gone, good)\nMETRIC(renamed, Renamed, renamed)\n"
    "KERNELS(lost, Lost)\n",
    "src/metrics/good-inl.h": SPDX + '#include "metrics/shared-inl.h"\n#include "plan/plan.h"\nstruct Good {};\n',
    "src/metrics/renamed-inl.h": SPDX + "#include <hwy/highway.h>\nstruct Other {};\n",
    "src/metrics/shared-inl.h": SPDX,
    "src/metrics/forgotten-inl.h": SPDX,
    "src/metrics/begin-inl.h": SPDX + '#include "quadrance/metric.h"\n#include "hwy/highway.h"\n',
    "src/metrics/end-inl.h": SPDX + '#include "metrics/begin-inl.h"\n#include "metrics/end-inl.h"\n',
    "src/backends/cpu/a.cc": SPDX + '#include "metrics/good-inl.h"\n#include "tiles/pool.h"\n',
    "src/sinks/b.cc": SPDX + '#include "backends/backend.h"\n#include "backends/cpu/cpu.h"\nbool f = g("canberra");\n',
    "src/tiles/c.cc": SPDX + '#include "sinks/sink.h"\n#include "messages.h"\n#include <vector>  // as Canberra does\n',
    "src/new/d.h": SPDX,
    "src/messages.h": SPDX + '#include "quadrance/error.h"\n#include "plan/job.h"\n',
    "include/quadrance/a.h": SPDX + '#include "messages.h"\n',
    "tests/tiles/c_test.cc": SPDX,
    EXEMPTIONS: "# why\nsrc/sinks/b.cc tests/tiles/c_test.cc\nsrc/tiles/c.cc tests/tiles/c_test.cc it is tested\n"
                "src/gone.cc tests/gone_test.cc was here\n",
    "docs/utils/guide.md": "`src/tiles/c.cc` [ok](../../README.md#top) `tiles/c.cc` and/or `tests/<path>_test.cc` build/x/y.h\n"
                           "`src/tiles/x.cc`, [no](there.md), `scr/tiles/c.cc` (src/sinks/), docs/gone.\n",
    "README.md": "see https://example.invalid/src/x.cc\npip from pypi" + ".org\n",
    "cli/made.inc": SPDX + '// Written by bench/peers/made.py from bench/results.\n{"canberra", 8},\n',
    "bench/no.py": "#!/usr/bin/env python3\nprint()\n",
    "bench/yes.py": "#!/usr/bin/env python3\n# SPDX-License-Identifier: Apache-2.0\nwithout(Canberra)  # a comment\n",
    ".ci/run": "#!/bin/sh\n",
}  # fmt: skip
FOUND = {
    include_rule: [
        "include/quadrance/a.h:2", "src/backends/cpu/a.cc:3", "src/messages.h:3", "src/metrics/good-inl.h:3",
        "src/metrics/renamed-inl.h:2", "src/new/d.h", "src/sinks/b.cc:3",
    ],
    metric_list: [
        "src/metrics/forgotten-inl.h", "src/metrics/list.inc", "src/metrics/list.inc", "src/metrics/renamed-inl.h",
    ],
    metric_in_one_place: ["bench/yes.py:3", "src/sinks/b.cc:4"],
    sources_have_tests: [
        "src/backends/cpu/a.cc", "tests/structure/exemptions.txt", "tests/structure/exemptions.txt",
        "tests/structure/exemptions.txt:2", "tests/structure/exemptions.txt:4",
    ],
    paths_in_documents: [
        "docs/utils/guide.md:2", "docs/utils/guide.md:2", "docs/utils/guide.md:2", "docs/utils/guide.md:2",
    ],
    folder_names: ["docs/utils/"],
    hosts: ["README.md:2"],
    licence_lines: [".ci/run:1", "bench/no.py:1"],
}  # fmt: skip


class TheTree(unittest.TestCase):
    """Filled below: test_<rule> for every rule."""


class PlantedViolations(unittest.TestCase):
    """Filled below: test_<rule> for every rule."""


def keeps(rule):
    def test(self):
        violations = list(rule(Tree(ROOT)))
        self.assertFalse(violations, f"\n{rule.__doc__}\n  " + "\n  ".join(violations))

    return test


def finds(rule):
    def test(self):
        with tempfile.TemporaryDirectory() as folder:
            for path, text in PLANTED.items():
                file = Path(folder, path)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            violations = list(rule(Tree(Path(folder))))
        self.assertEqual(sorted(line.split(": ")[0] for line in violations), sorted(FOUND[rule]), violations)

    return test


for rule in RULES:
    setattr(TheTree, f"test_{rule.__name__}", keeps(rule))
    setattr(PlantedViolations, f"test_{rule.__name__}", finds(rule))


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
