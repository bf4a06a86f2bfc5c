"""The wheel: everything the app needs is inside, nothing else is, and it serves from any folder."""

import ast
import configparser
import http.client
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from waiting import until

import ecocviz
from ecocviz.serving.addresses import free_port

ROOT = Path(__file__).resolve().parent.parent


def get(port, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read().decode("utf-8")
    finally:
        connection.close()


def wait_until_healthy(port, process):
    def healthy():
        assert process.poll() is None, process.communicate()[0]
        try:
            return get(port, "/_stcore/health") == (200, "ok")
        except OSError:
            return False  # not listening yet

    until(healthy, 60)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-w", folder, ROOT]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (file,) = folder.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def names(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def unpacked(wheel, tmp_path_factory):
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def test_it_is_named_after_the_version(wheel):
    assert wheel.name == f"ecocviz-{ecocviz.__version__}-py3-none-any.whl"


def test_every_file_of_the_package_is_inside(names):
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "ecocviz"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    files = {name for name in listed.split("\0") if name and (ROOT / name).is_file()}
    assert "ecocviz/data/files/manifest.json" in files
    assert len([name for name in files if name.endswith(".csv.gz")]) >= 24
    assert files - names == set()


def test_the_app_and_its_pages_are_inside(names, unpacked):
    assert "ecocviz/_site/.streamlit/config.toml" in names
    pages = [f"pages/{page.name}" for page in (ROOT / "pages").glob("*.py")]
    assert pages
    for name in ["app.py", "asgi.py", *pages]:
        assert (unpacked / "ecocviz" / "_site" / name).read_bytes() == (ROOT / name).read_bytes()


def test_licence_and_attribution_are_inside(names, unpacked):
    info = f"ecocviz-{ecocviz.__version__}.dist-info"
    for name in ("LICENSE", "ecocviz/data/files/ATTRIBUTION.md"):
        assert f"{info}/licenses/{name}" in names
    metadata = (unpacked / info / "METADATA").read_text("utf-8")
    assert "License-Expression: BSD-3-Clause" in metadata
    entries = configparser.ConfigParser()
    entries.read(unpacked / info / "entry_points.txt", "utf-8")
    assert dict(entries["console_scripts"]) == {"ecocviz": "ecocviz.cli:main"}


def test_what_is_compiled_of_an_installed_package_is_not_left_in_its_folder(unpacked, tmp_path):
    program = (
        "import numpy as np; from ecocviz.engine.kernels.assignment import total as f\n"
        "f(np.eye(2), np.eye(2), np.arange(2))\n"
        "print(f.stats.cache_path, sum(f.stats.cache_hits.values()))"
    )
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    environment |= {"PYTHONPATH": str(unpacked), "NUMBA_DISABLE_JIT": "0", "NUMBA_CACHE_DIR": ""}
    for n_found in (0, 1):
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        place, n_hits = done.stdout.split()
        assert (
            Path(place).is_relative_to(tmp_path)
            and list(Path(place).glob("*.nbi"))
            and int(n_hits) == n_found
        )
    assert not [*unpacked.rglob("*.nb[ic]")]


def test_nothing_else_is_inside(names):
    assert {name.split("/")[0] for name in names} == {"ecocviz", f"ecocviz-{ecocviz.__version__}.dist-info"}
    ends = (".pyc", ".nbi", ".nbc", ".orig", "~")
    assert [name for name in names if name.endswith(ends) or "test" in name.split("/")] == []


def test_every_dependency_is_pinned_once():
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert [pin for pin in pins if pin.count("==") != 1 or not pin.replace("==", "").isprintable()] == []
    pinned = [pin.split("==")[0].lower().replace("_", "-") for pin in pins]
    assert len(pinned) == len(set(pinned))
    needed = set(needed_distributions())
    assert {"streamlit", "starlette", "distributed", "pytest", "pluggy"} <= needed
    assert needed - set(pinned) <= {"pip"}  # every environment comes with one


def needed_distributions():
    """What pyproject.toml asks for, extras too, and what that asks for in turn where it is installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    seen, waiting = set(), [Requirement(line) for line in [*project["dependencies"], *chain(*extras)]]
    while waiting:
        asked = waiting.pop()
        found = (asked.name.lower().replace("_", "-"), frozenset(asked.extras or {""}))
        if found in seen:
            continue
        seen.add(found)
        try:
            listed = requires(asked.name) or []
        except PackageNotFoundError:
            continue  # an environment without some extra
        for requirement in map(Requirement, listed):
            marker = requirement.marker
            if marker is None or any(marker.evaluate({"extra": extra}) for extra in found[1]):
                waiting.append(requirement)
    return sorted({name for name, _ in seen})


def test_the_lowest_versions_are_tested_with_the_tools_of_all_tests():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    tools = re.search(r"^TEST_TOOLS := (.+)$", (ROOT / "Makefile").read_text("utf-8"), flags=re.MULTILINE)[1]
    declared = {Requirement(line).name for line in project["optional-dependencies"]["dev"]}
    assert set(tools.split()) - declared == {"pip"}
    bounds = [Requirement(line).specifier for line in project["dependencies"]]
    assert all([one.operator for one in bound] == [">="] for bound in bounds)


def test_what_is_imported_is_declared_and_what_is_declared_is_needed():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    declared = {Requirement(line).name for line in project["dependencies"]}
    installed = packages_distributions()
    files = [*(ROOT / "ecocviz").rglob("*.py"), ROOT / "app.py", ROOT / "asgi.py"]
    outside = set().union(*map(imported, files)) - sys.stdlib_module_names - {"ecocviz"}
    assert {"numpy", "sklearn", "starlette"} <= outside
    needed = {name: set(installed[name]) for name in outside}
    dask = {Requirement(line).name for line in project["optional-dependencies"]["dask"]}
    assert {name for name, found in needed.items() if not found & declared} <= dask
    at_once = set().union(*(imported(file, at_once=True) for file in files))
    assert not at_once & dask, "an extra may be missing: import it where it is used"
    # uvicorn takes up httptools and uvloop where they are installed, loky psutil.
    assert declared - set().union(*needed.values()) <= {"httptools", "uvloop", "psutil"}


def imported(file, *, at_once=False):
    """The top-level packages that a file imports anywhere in it, or as soon as it is imported itself."""
    tree = ast.parse(file.read_text("utf-8"))
    for node in tree.body if at_once else ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module.partition(".")[0]


def test_the_installed_app_serves_from_any_folder(unpacked, tmp_path):
    port = free_port()
    environment = {**os.environ, "PYTHONPATH": str(unpacked), "ECOCVIZ_HOME": str(tmp_path / "home")}
    process = subprocess.Popen(
        [sys.executable, "-m", "ecocviz.cli", "--no-browser", "--port", str(port)],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        wait_until_healthy(port, process)
        status, page = get(port, "/")
        assert status == 200
        assert "<title>" in page
    finally:
        process.terminate()
        output = process.communicate(timeout=20)[0]
    assert f"ecocviz is at http://127.0.0.1:{port}" in output
    assert "Traceback" not in output
