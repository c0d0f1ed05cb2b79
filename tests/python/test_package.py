# SPDX-License-Identifier: Apache-2.0
"""The package as installed: version, documentation, types."""

import ast
import doctest
import importlib.metadata
import importlib.resources
import inspect
import pathlib
import pickle
import re
import shutil
import subprocess

import pytest

import quadrance
from quadrance import _core, _distances

ROOT = pathlib.Path(__file__).parents[2]
FUNCTIONS = ["distances", "pairwise_distances", "cdist", "pdist", "plan", "explain", "metrics", "info"]


def test_version_comes_from_cmake():
    project = (ROOT / "CMakeLists.txt").read_text()
    version = re.search(r"project\(quadrance VERSION ([0-9.]+)", project).group(1)
    assert quadrance.__version__ == version
    try:
        installed = importlib.metadata.version("quadrance")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("imported from a build folder")
    assert installed == version


def test_command_is_installed():
    try:
        files = importlib.metadata.files("quadrance") or []
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("imported from a build folder")
    commands = [file.locate() for file in files if file.match("*/bin/quadrance")]
    if not commands:
        pytest.skip("built with QUADRANCE_CLI=OFF")
    done = subprocess.run([commands[0], "--version"], capture_output=True, text=True)
    assert done.returncode == 0
    assert quadrance.__version__ in done.stdout


def test_all_is_public_and_documented():
    for name in quadrance.__all__:
        assert hasattr(quadrance, name)
    for name in FUNCTIONS:
        assert name in quadrance.__all__
        function = getattr(quadrance, name)
        document = inspect.getdoc(function)
        assert len(document.splitlines()[0]) < 100
        sections = re.findall(r"^([A-Z]\w+)\n-+$", document, re.MULTILINE)
        assert "Returns" in sections
        if inspect.signature(function).parameters:
            assert "Parameters" in sections


def test_every_parameter_is_documented_and_typed():
    for name in FUNCTIONS:
        function = getattr(quadrance, name)
        parameters = inspect.signature(function).parameters
        text = inspect.getdoc(function)
        headings = re.findall(r"^([\w*, ]+?)(?: : .*)?$", text.split("Returns\n")[0], re.MULTILINE)
        documented = {word.strip(" *") for heading in headings for word in heading.split(",")}
        assert set(parameters) <= documented, name
        assert set(parameters) | {"return"} == set(inspect.get_annotations(function)), name


def test_examples_are_right():
    for module in (quadrance, _distances):
        assert doctest.testmod(module).failed == 0


def test_functions_can_be_pickled():
    for name in FUNCTIONS:
        function = getattr(quadrance, name)
        assert pickle.loads(pickle.dumps(function)) is function


def members(tree):
    """Names a stub declares: {"distances": [arguments], "Plan": {attributes}}."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = [a.arg for a in node.args.args]
        elif isinstance(node, ast.ClassDef):
            found[node.name] = {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
    return found


def test_stub_matches_the_extension():
    files = importlib.resources.files("quadrance")
    assert files.joinpath("py.typed").is_file()
    stub = members(ast.parse(files.joinpath("_core.pyi").read_text()))
    public = {name for name in vars(_core) if not name.startswith("_")}
    assert set(stub) == public
    for name, declared in stub.items():
        if isinstance(declared, set):
            assert declared == {n for n in vars(getattr(_core, name)) if not n.startswith("_")}
        else:
            signature = getattr(_core, name).__nb_signature__[0][0]
            assert declared == re.findall(r"(\w+): ", signature)


def test_module_exports_nothing_but_its_entry():
    nm = shutil.which("nm")
    if nm is None:
        pytest.skip("no nm")
    listed = subprocess.run(
        [nm, "-D", "--defined-only", _core.__file__], capture_output=True, text=True, check=True
    ).stdout
    names = {line.split()[-1] for line in listed.splitlines()}
    # Templates of std and types of exceptions are merged across modules whatever a module's visibility is.
    ours = {name for name in names if not name.startswith(("_ZTI", "_ZTS", "_ZTV", "_ZZNSt", "_ZNSt"))}
    assert ours - {"_init", "_fini"} == {"PyInit__core"}
