"""What the documents say is there: files, commands, examples, and recipes that stay short."""

import re
from pathlib import Path

import pytest

from ecocviz.cli import _parser

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [
    *("README.md", "CONTRIBUTING.md", "CHANGELOG.md"),
    *(f"docs/{name}.md" for name in ("architecture", "deploy", "reliability", "threat_model")),
]
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*.md"))
TOP = {path.name for path in ROOT.iterdir()}
RECIPES = [
    "a coding",
    "a decoding",
    "a machine",
    "a reduction",
    "a data set",
    "a figure",
    "a page",
    "a paper",
]


def text(name):
    return (ROOT / name).read_text("utf-8")


def named_paths(content):
    """Every path (it has a slash) that starts at the top of the checkout; `*` may stand for anything."""
    for path in re.findall(r"(?<![\w/.-])[\w.-]+/[\w.*/-]*\w", content):
        if path.split("/")[0] in TOP - {".venv"}:
            yield path


@pytest.mark.parametrize("name", [*DOCUMENTS, *(f"docs/decisions/{path.name}" for path in DECISIONS)])
def test_every_link_leads_to_a_file(name):
    folder = (ROOT / name).parent
    for target in re.findall(r"\]\(([^)#:]+)\)", text(name)):
        assert (folder / target).exists(), f"{name} links to {target}"


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/deploy.md"])
def test_every_named_file_exists(name):
    paths = set(named_paths(text(name)))
    assert paths
    assert {path for path in paths if not any(ROOT.glob(path))} == set()


def test_every_named_make_target_exists():
    targets = set(re.findall(r"^([a-z0-9]+):", text("Makefile"), flags=re.MULTILINE))
    phony = set(re.search(r"^\.PHONY: (.*)$", text("Makefile"), flags=re.MULTILINE)[1].split())
    assert targets == phony
    named = set()
    for name in DOCUMENTS:
        code = re.findall(r"`([^`\n]+)`", text(name)) + re.findall(
            r"```\n(.*?)```", text(name), flags=re.DOTALL
        )
        for line in "\n".join(code).splitlines():
            if line.startswith("make "):
                words = re.sub(r"#.*|\w+=(\"[^\"]*\"|\S*)", "", line).split()[1:]
                named |= set(words)
    assert {"app", "test", "check", "setup"} <= named <= targets


def test_every_target_is_explained_by_make_help():
    explained = set(re.findall(r"^([a-z0-9]+):.*## \w", text("Makefile"), flags=re.MULTILINE))
    assert explained == set(re.findall(r"^([a-z0-9]+):", text("Makefile"), flags=re.MULTILINE))


def test_the_readme_opens_with_the_two_commands():
    code = re.search(r"```\n(.*?)```", text("README.md"), flags=re.DOTALL)
    assert [line.split("#")[0].strip() for line in code[1].splitlines()] == ["make app", "make test"]
    assert text("README.md")[: code.start()].count("\n") < 10


def test_the_python_example_of_the_readme_runs(capsys):
    (example,) = re.findall(r"```python\n(.*?)```", text("README.md"), flags=re.DOTALL)
    exec(compile(example, "README.md", "exec"), {})  # noqa: S102 - our own file's example
    lines = capsys.readouterr().out.splitlines()
    for line, decoding in zip(lines[:3], ("hamming", "linear", "likelihood"), strict=True):
        name, accuracy = line.split()
        assert name == decoding
        assert 0.9 <= float(accuracy) <= 1.0
    assert "\n".join(lines[3:]) == "[[ 1 -1 -1]\n [-1  1 -1]\n [-1 -1  1]]"


@pytest.mark.parametrize(("name", "least"), [("README.md", 5), ("docs/deploy.md", 2)])
def test_the_command_lines_of_the_documents_are_understood(name, least):
    lines = re.findall(r"^ecocviz( [^#\n]*|)", text(name), flags=re.MULTILINE)
    assert len(lines) >= least
    for line in lines:
        _parser().parse_args(line.split())


@pytest.mark.parametrize("what", RECIPES)
def test_a_recipe_has_at_most_eight_steps_and_ends_with_its_proof(what):
    section = re.search(
        rf"^## Add {what}\n(.*?)(?=^## |\Z)", text("CONTRIBUTING.md"), flags=re.DOTALL | re.MULTILINE
    )
    steps = re.findall(r"^(\d)\. (.*)$", section[1], flags=re.MULTILINE)
    assert [int(number) for number, _ in steps] == list(range(1, len(steps) + 1))
    assert 3 <= len(steps) <= 8
    assert "`make check test`" in steps[-1][1]


@pytest.mark.parametrize("path", DECISIONS, ids=lambda path: path.stem)
def test_a_decision_is_numbered_and_has_a_status(path):
    lines = path.read_text("utf-8").splitlines()
    assert lines[0].startswith(f"# {path.name[:4]}: ")
    assert re.fullmatch(r"Status: (accepted|superseded by \d{4})", lines[2])


def test_decisions_are_numbered_without_a_gap():
    assert [int(path.name[:4]) for path in DECISIONS] == list(range(1, len(DECISIONS) + 1))


def test_the_newest_change_comes_first():
    assert re.findall(r"^## (.*)$", text("CHANGELOG.md"), flags=re.MULTILINE)[0] == "Unreleased"
