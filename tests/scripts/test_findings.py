"""What README and docs/findings.md say of papers is what the script writes from the results that ship."""

import pytest
from papers_tools import gathered, make_paper

from ecocviz.lab.evidence.catalogue import PAPERS
from ecocviz.lab.evidence.standing import stand, standings
from scripts.findings import PARTS, ROOT, findings, put, verdict_table


@pytest.fixture(scope="module")
def stands():
    return tuple(standings(PAPERS.values()))


@pytest.mark.parametrize("name", PARTS)
def test_the_document_is_what_the_script_writes(name, stands):
    text = (ROOT / name).read_text("utf-8")
    assert text == put(text, PARTS[name](stands)), "Run: python scripts/findings.py"


def test_an_exhibit_is_told_with_its_counts_and_numbers():
    paper = make_paper()
    found = [stand(paper, paper.exhibits[0], gathered(paper)), stand(paper, paper.exhibits[2], None)]
    told = " ".join(findings(found).split())
    assert told.startswith("## The five papers ### Passerini et al. 2004: squares")
    assert "**Fig. 1: squares.** Squares are odd and large. **partly: 1 of 2** (full setting, 2026" in told
    assert "the square is odd: 4 of 8. Beside 16 numbers" in told and "have even squares." in told
    assert "**Table 1.** Squares are quick. **not run**." in told
    assert all(len(line) <= 140 for line in findings(found).splitlines())
    assert verdict_table(found).splitlines()[2:] == [
        "| Passerini et al. 2004: squares | Fig. 1: squares | partly: 1 of 2 |",
        "|  | Table 1 | not run |",
    ]
