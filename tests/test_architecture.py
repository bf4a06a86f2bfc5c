"""The house rules that a machine can check: who imports whom, what is never used, what must be listed."""

import ast
import inspect
import json
import re
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

import ecocviz
from ecocviz.engine import references

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "ecocviz"
BIN = Path(sys.executable).parent
CONTRACTS = {
    contract["id"]: contract["name"]
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
}

# One bad import for every side of every contract: (contract, file, line). A file that is there gets
# the line appended, another one is made.
PLANTS = [
    ("rooms", "data/planted.py", "import ecocviz.lab.scenario"),
    ("rooms", "lab/planted.py", "import ecocviz.views.bits.facts"),
    ("rooms", "views/bits/facts.py", "import ecocviz.views.shared.draw.words"),
    ("rooms", "views/bits/planted.py", "import ecocviz.views.bits.words"),
    ("rooms", "views/shared/draw/words.py", "import ecocviz.views.bits.figures"),
    ("rooms", "views/bits/figures.py", "import ecocviz.views.shared.app.bound"),
    ("rooms", "views/shared/app/planted.py", "import ecocviz.views.bits.page"),
    ("rooms", "views/bits/page.py", "import ecocviz.views.data.page"),
    ("rooms", "views/bits/facts.py", "import ecocviz.views.data.facts"),
    ("rooms", "cli.py", "import ecocviz.views.bits.facts"),
    ("rooms", "serving/planted.py", "import ecocviz.cli"),
    ("rooms", "lab/planted.py", "import ecocviz.serving.ready"),
    ("serving-light", "serving/planted.py", "import ecocviz.data.home"),
    ("streamlit", "serving/planted.py", "import streamlit"),
    ("engine", "engine/types.py", "import ecocviz.engine.registry"),
    ("engine", "engine/kernels/planted.py", "import ecocviz.engine.params"),
    ("engine", "engine/memory.py", "import ecocviz.engine.kernels.gram"),
    ("engine", "engine/memory.py", "import ecocviz.engine.types"),
    ("engine", "engine/planted.py", "import math"),
    ("engine", "engine/references.py", "import ecocviz.engine.entries"),
    ("plotly", "engine/analysis/planted.py", "import plotly.graph_objects"),
    ("engine-pure", "engine/analysis/planted.py", "import pandas"),
    ("numba", "views/bits/figures.py", "import numba"),
    ("streamlit", "engine/analysis/planted.py", "import streamlit"),
    ("streamlit", "lab/planted.py", "import streamlit"),
    ("streamlit", "cli.py", "import streamlit"),
    ("streamlit", "views/bits/facts.py", "import streamlit"),
    ("streamlit", "views/bits/figures.py", "import streamlit"),
    ("plotly", "views/bits/facts.py", "import plotly.graph_objects"),
    ("plotly", "views/bits/words.py", "import plotly.graph_objects"),
    ("plotly", "views/bits/page.py", "import plotly.graph_objects"),
    ("codings-apart", "engine/codings/planted.py", "import ecocviz.engine.codings.one_vs_all"),
    ("decodings-apart", "engine/decodings/planted.py", "import ecocviz.engine.decodings.hamming"),
    ("kernels-apart", "engine/kernels/planted.py", "import ecocviz.engine.kernels.gram"),
    ("families", "engine/reductions/_shared/planted.py", "import ecocviz.engine.reductions.ecoc"),
    ("families", "engine/reductions/joint/planted.py", "import ecocviz.engine.reductions.ecoc"),
    ("families", "engine/reductions/ecoc/planted.py", "import ecocviz.engine.reductions.continuous"),
]


@cache
def trees():
    """Every Python file of the package, the app and its pages, parsed."""
    files = [*PACKAGE.rglob("*.py"), ROOT / "app.py", ROOT / "asgi.py", *(ROOT / "pages").glob("*.py")]
    return {file.relative_to(ROOT).as_posix(): ast.parse(file.read_text("utf-8")) for file in files}


@cache
def project_files():
    """Every file that is, or is about to be, under version control."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def imported_modules(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def broken_contracts(status, output):
    """Return the names of broken contracts in what the linter said."""
    said = " ".join(output.split())
    verdicts = {name: re.search(rf"{re.escape(name)} (KEPT|BROKEN)", said) for name in CONTRACTS.values()}
    assert all(verdicts.values()), output
    broken = {name for name, verdict in verdicts.items() if verdict[1] == "BROKEN"}
    assert bool(broken) == bool(status), output
    return broken


# Imports -------------------------------------------------------------------------------------------


def lint(folder, plants=()):
    """What the linter says of a copy of the package in a folder, and of each planted import."""
    shutil.copytree(
        PACKAGE, folder / "ecocviz", ignore=shutil.ignore_patterns("__pycache__", "*.gz", "*.nb[ic]")
    )
    shutil.copy(ROOT / "pyproject.toml", folder)
    (folder / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "import_contracts.py", folder / "scripts")
    done = subprocess.run(
        [sys.executable, "-P", ROOT / "tests" / "plant_imports.py"],
        cwd=folder,
        input=json.dumps(plants),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_all_import_contracts_hold(tmp_path):
    ((status, output),) = lint(tmp_path)
    assert broken_contracts(status, output) == set()


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    _whole, *said = lint(tmp_path_factory.mktemp("planted"), [plant[1:] for plant in PLANTS])
    return dict(zip(PLANTS, said, strict=True))


@pytest.mark.thorough
@pytest.mark.parametrize(("contract", "file", "line"), PLANTS)
def test_a_planted_import_breaks_exactly_its_contract(planted, contract, file, line):
    assert broken_contracts(*planted[contract, file, line]) == {CONTRACTS[contract]}


def test_every_contract_has_a_planted_import():
    assert {contract for contract, _, _ in PLANTS} == set(CONTRACTS)


def test_importing_the_package_imports_no_numerics_and_no_interface():
    heavy = {"numpy", "scipy", "sklearn", "numba", "pandas", "plotly", "streamlit", "pyarrow"}
    code = f"import sys, ecocviz; dir(ecocviz); print(*sorted({heavy!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


@pytest.mark.parametrize("name", ecocviz.__all__)
def test_public_names_are_loaded_when_they_are_used(name):
    assert name in dir(ecocviz)
    assert getattr(ecocviz, name).__name__ == name


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'teapot'"):
        _ = ecocviz.teapot


def test_the_documented_version_is_the_installed_one():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert ecocviz.__version__ == project["version"]


@pytest.mark.parametrize(
    "line",
    [
        "import numpy",
        "from sklearn.svm import SVC",
        "import plotly.graph_objects",
        "import ecocviz.engine.kernels.x",
    ],
)
def test_a_page_may_not_compute_or_draw(line):
    done = subprocess.run(
        [BIN / "ruff", "check", "--select", "TID251", "--stdin-filename", "pages/planted.py", "-"],
        cwd=ROOT,
        input=f"{line}\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert "TID251" in done.stdout, done.stdout + done.stderr


# Kernels -------------------------------------------------------------------------------------------


def kernels():
    return {name: tree for name, tree in trees().items() if "/kernels/" in name}


def compiled_functions(tree):
    """Go through the decorators of everything that numba compiles."""
    for node in ast.walk(tree):
        for decorator in getattr(node, "decorator_list", []):
            text = ast.unparse(decorator)
            if re.match(r"(numba\.)?(n?jit|vectorize|guvectorize)\b", text):
                yield text


def test_kernels_import_nothing_of_ecocviz_but_array_aliases():
    """A file that compiles nothing may ask how much memory there is: nothing of it can be frozen there."""
    offenders = [
        (name, module)
        for name, tree in kernels().items()
        for compiles in [any(compiled_functions(tree))]
        for module in imported_modules(tree)
        if module.partition(".")[0] == "ecocviz"
        and not module.startswith("ecocviz.engine.types")
        and (compiles or not module.startswith("ecocviz.engine.memory"))
    ]
    assert offenders == []


def test_every_compiled_function_is_cached_releases_the_lock_and_is_not_parallel():
    compiled = 0
    for name, tree in trees().items():
        names = {part.id for part in ast.walk(tree) if isinstance(part, ast.Name)}
        assert "prange" not in names, f"{name} uses prange"
        for text in compiled_functions(tree):
            compiled += 1
            assert name in kernels(), f"{name} compiles outside engine/kernels"
            assert re.fullmatch(r"(numba\.)?njit\(cache=True, nogil=True(, .*)?\)", text), (name, text)
            assert "parallel" not in text, (name, text)
    assert compiled > 0


# What is never used, what must be listed -----------------------------------------------------------


OWN_PICKLES = {"ecocviz/lab/parcels.py", "ecocviz/engine/tasks/_crates.py"}
"""What comes from our own processes: docs/decisions/0010-worker-processes.md, 0024-tasks-on-a-cluster.md."""


def test_nothing_unpickles_or_evaluates():
    forbidden = {"pickle", "_pickle", "cloudpickle", "dill", "shelve", "marshal"}
    for name, tree in trees().items():
        used = {module.partition(".")[0] for module in imported_modules(tree)}
        assert not used & (forbidden if name not in OWN_PICKLES else forbidden - {"pickle"}), name
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                assert called not in {"eval", "exec", "compile", "__import__", "joblib.load"}, (
                    name,
                    node.lineno,
                )
            if isinstance(node, ast.keyword) and node.arg == "allow_pickle":
                assert ast.unparse(node.value) == "False", name


def test_every_page_is_in_the_table_of_contents():
    listed = set(re.findall(r"pages/([\w-]+\.py)", (ROOT / "app.py").read_text("utf-8")))
    assert listed == {page.name for page in (ROOT / "pages").glob("*.py")}


def test_every_citation_resolves_to_a_reference():
    known = {value.key for value in vars(references).values() if isinstance(value, references.Reference)}
    cited = {}
    for name, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                for key in re.findall(r"\[(\w+)\]_", ast.get_docstring(node) or ""):
                    cited.setdefault(key, name)
    assert cited
    cited.pop("Key")  # how references.py itself says what a citation looks like
    assert {key: name for key, name in cited.items() if key not in known} == {}


def test_browser_tests_are_where_they_are_looked_for():
    elsewhere = set((ROOT / "tests").rglob("test_*.py")) - set((ROOT / "tests" / "e2e").glob("test_*.py"))
    elsewhere.remove(Path(__file__))  # which only speaks of it
    assert not [file for file in elsewhere if re.search(r"mark\.e2e|sync_api", file.read_text("utf-8"))]


def test_references_are_told_apart_by_their_keys():
    keys = [value.key for value in vars(references).values() if isinstance(value, references.Reference)]
    assert len(keys) == len(set(keys))


def test_no_module_is_longer_than_500_lines():
    long = {
        file.relative_to(ROOT).as_posix(): length
        for file in project_files()
        if file.suffix == ".py" and (length := len(file.read_text("utf-8").splitlines())) > 500
    }
    assert long == {}


def test_no_file_names_a_package_registry_or_a_place_on_one_machine():
    # Written in pieces, so that this file does not find itself.
    hosts = ["py" + "pi.org", "python" + "hosted", "npm" + "js.", "deb." + "debian", "conda." + "anaconda"]
    options = ["index" + "-url", "find" + "-links", "/sim" + "ple/"]
    places = ["/wo" + "rk/", "/ro" + "ot/", "/opt/" + "py", "/opt/" + "wheels", "/t" + "mp/x/", "/ho" + "me/"]
    pattern = re.compile("|".join(map(re.escape, hosts + options + places)))
    found = {}
    for file in project_files():
        try:
            match = pattern.search(file.read_text("utf-8"))
        except UnicodeDecodeError:
            continue  # a compressed table or a picture
        if match:
            found[file.relative_to(ROOT).as_posix()] = match[0]
    assert found == {}


def test_every_public_parameter_is_in_the_glossary():
    glossary = (ROOT / "docs" / "architecture.md").read_text("utf-8").partition("## Glossary")[2]
    entries = set(
        re.findall(r"`(\w+)`", "\n".join(re.findall(r"^\| (`.*?) \|", glossary, flags=re.MULTILINE)))
    )
    for name in ecocviz.__all__:
        public = getattr(ecocviz, name)
        if inspect.isclass(public):
            missing = set(inspect.signature(public).parameters) - entries
            assert missing == set(), f"{name}: not in the glossary of docs/architecture.md"
