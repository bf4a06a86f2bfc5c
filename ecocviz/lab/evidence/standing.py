"""Where claims stand: every exhibit with the results that ship, and the verdict on them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ecocviz.lab.evidence.entries import Exhibit, Paper, Study, cells_of
from ecocviz.lab.evidence.results import Results, Verdict, digest_of, shipped, verdict

NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class Standing:
    """An exhibit, what was measured for it, and the verdict; None twice where nothing was."""

    paper: Paper
    exhibit: Exhibit
    results: Results | None
    verdict: Verdict | None

    @property
    def word(self) -> str:
        """The verdict in a word."""
        return NOT_RUN if self.verdict is None else self.verdict.word.value


def stand(paper: Paper, exhibit: Exhibit, results: Results | None) -> Standing:
    """Judge an exhibit by results, unless there are none, or some of its cells are not among them."""
    if results is None or not complete(exhibit.study, results):
        return Standing(paper, exhibit, None, None)
    return Standing(paper, exhibit, results, verdict(exhibit, results))


def complete(study: Study, results: Results) -> bool:
    """Say whether results have a record of every cell that the study has today."""
    whole = results.cells == digest_of(study, results.setting)
    return whole and all(cell.key in results.records for cell in cells_of(study, results.setting))


def standings(papers: Iterable[Paper]) -> Iterator[Standing]:
    """Yield where every exhibit stands by the results that ship, each study's read once."""
    for paper in papers:
        results = {study.key: shipped(paper, study) for study in paper.studies}
        for exhibit in paper.exhibits:
            yield stand(paper, exhibit, results[exhibit.study.key])


def as_dict(standing: Standing) -> dict[str, Any]:
    """Return what a program reads of a standing."""
    paper, exhibit, results, found = standing.paper, standing.exhibit, standing.results, standing.verdict
    about: dict[str, Any] = {
        "paper": paper.key,
        "name": paper.name,
        "exhibit": exhibit.key,
        "title": exhibit.title,
        "group": paper.group,
        "claim": exhibit.claim,
        "verdict": standing.word,
    }
    if results is None or found is None:
        return about
    return about | {
        "statements": [
            {"text": each.text, "held": each.held, "of": each.of, "least": each.least, "holds": each.holds}
            for each in found.statements
        ],
        "why": found.why,
        "setting": results.setting.value,
        "date": results.date,
        "version": results.version,
        "command": results.command,
        "seconds": results.seconds,
    }
