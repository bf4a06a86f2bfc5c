"""What belongs to the code of a study: an edit of it makes what was measured before stale."""

import inspect
from pathlib import Path

import pytest

from ecocviz.lab.evidence import kept
from ecocviz.lab.evidence.catalogue import PAPERS
from ecocviz.lab.papers.liu_2016 import accuracies, trials

STUDIES = {
    f"{paper.key}-{exhibit.study.key}": exhibit.study
    for paper in PAPERS.values()
    for exhibit in paper.exhibits
}


def test_helpers_of_a_study_belong_to_its_code():
    names = {path.name for path in kept.measuring_files(Path(accuracies.__file__))}
    assert {"accuracies.py", Path(trials.__file__).name} <= names


@pytest.mark.parametrize("study", STUDIES.values(), ids=STUDIES)
def test_sentences_about_a_study_do_not(study):
    files = kept.measuring_files(Path(inspect.getsourcefile(study.measure)))
    assert files and not [path for path in files if path.name == "__init__.py"]


def test_helpers_of_helpers_are_found_once(tmp_path, monkeypatch):
    folder = tmp_path / "ecocviz" / "lab" / "papers"
    folder.mkdir(parents=True)
    (folder / "study.py").write_text(
        "from ecocviz.lab.papers import _helper\nfrom ecocviz.lab.papers.other import x\n"
    )
    (folder / "_helper.py").write_text("import numpy\nfrom ecocviz.lab.papers import study\n")
    (folder / "other.py").write_text("from ecocviz.engine.types import IntArray\n")
    monkeypatch.setattr(kept, "ROOT", tmp_path)
    found = kept.measuring_files(folder / "study.py")
    assert [path.name for path in found] == ["_helper.py", "other.py", "study.py"]
