"""What README and docs/findings.md say of papers is what the script writes from the results that ship."""

import pytest
from papers_tools import cells, make_paper

from ecocviz.lab.evidence import results
from ecocviz.lab.evidence.catalogue import PAPERS
from ecocviz.lab.evidence.entries import Setting
from ecocviz.lab.evidence.standing import complete, stand, standings
from scripts.findings import PARTS, ROOT, findings, put, verdict_table


@pytest.fixture(scope="module")
def stands():
    return tuple(standings(PAPERS.values()))


@pytest.mark.parametrize("name", PARTS)
def test_the_document_is_what_the_script_writes(name, stands):
    text = (ROOT / name).read_text("utf-8")
    assert text == put(text, PARTS[name](stands)), "Run: python scripts/findings.py"


@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
def test_results_that_ship_are_small_full_and_of_the_studies_of_today(paper):
    folder = ROOT / "ecocviz/lab/evidence/results" / paper.key
    files = {file.stem: file.stat().st_size for file in folder.glob("*")}
    assert set(files) <= {study.key for study in paper.studies}
    assert all(size < 250_000 for size in files.values())
    for study in paper.studies:
        found = results.shipped(paper, study)
        assert found is None or complete(study, found), f"{study.key} was changed after it was measured"
        assert found is None or (found.paper, found.study, found.setting) == (
            paper.key,
            study.key,
            Setting.FULL,
        )


def test_an_exhibit_is_told_with_its_counts_and_numbers():
    paper = make_paper()
    records = {cell.key: {"square": cell.about["k"] ** 2} for cell in cells(Setting.FULL)}
    kept = results.gather(paper, paper.studies[0], Setting.FULL, records, "2026-11-19")
    found = [stand(paper, paper.exhibits[0], kept), stand(paper, paper.exhibits[2], None)]
    told = " ".join(findings(found).split())
    assert told.startswith("## The five papers ### Passerini et al. 2004: squares")
    assert (
        "**Fig. 1: squares.** Squares are odd and large. **partly: 1 of 2** (full setting, 2026-11-19)"
        in told
    )
    assert "the square is odd: 4 of 8. Beside 16 numbers" in told and "have even squares." in told
    assert "**Table 1.** Squares are quick. **not run**." in told
    assert all(len(line) <= 140 for line in findings(found).splitlines())
    assert verdict_table(found).splitlines()[2:] == [
        "| Passerini et al. 2004: squares | Fig. 1: squares | partly: 1 of 2 |",
        "|  | Table 1 | not run |",
    ]
