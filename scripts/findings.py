"""Write what was found of the papers' claims into docs/findings.md and README.md, from the results that ship.

    python scripts/findings.py

Only what stands between the two markers is written; the rest of both files is written by hand.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from ecocviz.lab.evidence.catalogue import PAPERS
from ecocviz.lab.evidence.results import measured
from ecocviz.lab.evidence.standing import NOT_RUN, Standing, standings
from ecocviz.lab.evidence.told import beside

ROOT = Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- written by scripts/findings.py -->", "<!-- end of what it writes -->"
WIDTH = 140
"""Letters of a line."""


def main() -> None:
    """Write both files."""
    stands = tuple(standings(PAPERS.values()))
    for name, part in PARTS.items():
        file = ROOT / name
        file.write_text(put(file.read_text("utf-8"), part(stands)), "utf-8")


def put(text: str, part: str) -> str:
    r"""Return a document with another part between its markers.

    >>> put(f"a\n{BEGIN}\nold\n{END}\nb", "new").splitlines()[2]
    'new'
    """
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n{part}\n{END}{after}"


# The table of README.md ------------------------------------------------------------------------------


def verdict_table(stands: Sequence[Standing]) -> str:
    """Return all verdicts as a table."""
    rows = []
    for _, exhibits in groupby(stands, key=lambda each: each.paper.key):
        for k, each in enumerate(exhibits):
            paper = "" if k else _plain(each.paper.name)
            rows.append(f"| {paper} | {_plain(each.exhibit.title)} | {_word(each)} |")
    return "\n".join(["| paper | figure, table or claim | verdict |", "|---|---|---|", *rows])


def _word(standing: Standing) -> str:
    if standing.verdict is None:
        return NOT_RUN
    statements = standing.verdict.statements
    return f"{standing.word}: {sum(each.holds for each in statements)} of {len(statements)}"


# The part of docs/findings.md ------------------------------------------------------------------------


def findings(stands: Sequence[Standing]) -> str:
    """Return what was found, paper by paper."""
    parts: list[str] = []
    for group, papers in groupby(stands, key=lambda each: each.paper.group):
        parts.append(f"## {_plain(group)}")
        for _, exhibits in groupby(papers, key=lambda each: each.paper.key):
            found = list(exhibits)
            parts.append(f"### {_plain(found[0].paper.name)}")
            parts.append("\n".join(_item(each) for each in found))
    return "\n\n".join(parts)


def _item(standing: Standing) -> str:
    """Tell an exhibit: claim, verdict, counts, ours beside theirs, why, and what measures it again."""
    exhibit = standing.exhibit
    sentences = [f"**{_plain(exhibit.title)}.** {_plain(exhibit.claim)}", *map(_plain, _found(standing))]
    command = f"`ecocviz paper {standing.paper.key} {exhibit.key} --full`"
    text = f"- {' '.join(sentences)} ({command})".replace("VERDICT", f"**{_word(standing)}**")
    return "\n".join(_lines(text))


def _found(standing: Standing) -> Iterator[str]:
    verdict, results = standing.verdict, standing.results
    if verdict is None or results is None:
        yield "VERDICT."
        return
    yield f"VERDICT ({results.setting} setting, {results.date}): {'; '.join(map(str, verdict.statements))}."
    numbers = beside(standing.exhibit.draw(measured(standing.exhibit.study, results)))
    if numbers.n:
        yield str(numbers)
    if verdict.why:
        yield verdict.why


def _plain(text: str) -> str:
    r"""Return text that Markdown shows as it is.

    >>> print(_plain("a_b | c*d"))
    a\_b \| c\*d
    """
    return re.sub(r"([\\`*_|<\[\]])", r"\\\1", text)


def _lines(text: str) -> Iterator[str]:
    """Break a paragraph into lines, those after the first indented as a list's."""
    line = ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > WIDTH:
            yield line
            line = f"  {word}"
        else:
            line = f"{line} {word}" if line else word
    yield line


PARTS: dict[str, Callable[[Sequence[Standing]], str]] = {
    "docs/findings.md": findings,
    "README.md": verdict_table,
}

if __name__ == "__main__":
    main()
