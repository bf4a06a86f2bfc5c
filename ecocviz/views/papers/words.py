"""Sentences about papers: verdicts, what they rest on, and where numbers are from."""

from collections import Counter
from collections.abc import Sequence

import pandas as pd

from ecocviz.lab.evidence.drawings import Drawing, Heatmap, Opens, Panels, Ranks, Table
from ecocviz.lab.evidence.entries import Exhibit, Setting, Word
from ecocviz.lab.evidence.results import Results
from ecocviz.lab.evidence.standing import NOT_RUN, Standing
from ecocviz.views.papers.facts import places
from ecocviz.views.shared.draw.outside import plain
from ecocviz.views.shared.draw.tables import fitted
from ecocviz.views.shared.draw.words import count, listed

PLACES: dict[type, str] = {Table: "number", Heatmap: "cell", Ranks: "method's line", Panels: "point"}
"""What is clicked."""
MOST_PHRASES = 2
"""Of what clicks on one drawing open; where there are more, one is an example."""
MARKS = {Word.AGREES.value: "●", Word.PARTLY.value: "◐", Word.DIFFERS.value: "○", NOT_RUN: "–"}
"""Before a verdict, so that it is not told by a word alone."""
VERBS = {
    Word.AGREES.value: ("agrees", "agree"),
    Word.PARTLY.value: ("partly agrees", "partly agree"),
    Word.DIFFERS.value: ("differs", "differ"),
    NOT_RUN: ("is not measured yet", "are not measured yet"),
}
"""Of one and of several."""
SETTINGS = {Setting.QUICK: "the quick setting", Setting.FULL: "the full setting"}


def marked(word: str) -> str:
    """Write a verdict with its mark.

    >>> marked("agrees")
    '● agrees'
    """
    return f"{MARKS[word]} {word}"


def list_sentence(stands: Sequence[Standing]) -> tuple[str, str]:
    """Say how many exhibits there are, and how they are judged."""
    counts = Counter(stand.word for stand in stands)
    parts = [f"{counts[word]} {VERBS[word][counts[word] != 1]}" for word in MARKS if counts[word]]
    n_papers = len({stand.paper.key for stand in stands})
    what = f"{count(len(stands), 'figure, table or claim', 'figures, tables and claims')}"
    return f"{what} of {count(n_papers, 'paper')}: {listed(parts)}.", (
        "Each was measured again here, and judged by a rule that was written down before. "
        "Choose a row to see it."
    )


WIDTHS = {"Verdict": 100, "Holds": 75, "Paper": 270, "Exhibit": 280, "Claim": 345}
"""Pixels of the list's columns, which fit a window of 1,440; long texts show their beginning."""


def list_table(stands: Sequence[Standing]) -> pd.DataFrame:
    """Return the table of all verdicts."""
    return pd.DataFrame(
        {
            "Verdict": [marked(stand.word) for stand in stands],
            "Holds": [counts_text(stand) for stand in stands],
            "Paper": [plain(fitted(stand.paper.name, WIDTHS["Paper"])) for stand in stands],
            "Exhibit": [plain(fitted(stand.exhibit.title, WIDTHS["Exhibit"])) for stand in stands],
            "Claim": [plain(fitted(stand.exhibit.claim, WIDTHS["Claim"])) for stand in stands],
        }
    )


def table_sentence(drawing: Table) -> str:
    """Say how a table is read."""
    entries = [entry for _, row in drawing.rows for entry in row]
    parts = [
        f"In {drawing.unit}." if drawing.unit else "",
        "The paper's numbers are in brackets." if any(entry.theirs is not None for entry in entries) else "",
        "Tinted: the best of its row." if any(entry.best for entry in entries) else "",
    ]
    return " ".join(filter(None, parts))


def opens_sentence(drawing: Drawing) -> str:
    """Say what a click on a drawing opens, and how that differs from what is shown; "" for nothing."""
    phrases = list(dict.fromkeys(opens.what for opens in places(drawing) if opens is not None))
    if not phrases:
        return ""
    click = f"A click on a {PLACES[type(drawing)]} opens"
    if len(phrases) <= MOST_PHRASES:
        return f"{click} {'; or '.join(phrases)}."
    return (
        f"{click} the scenario that comes nearest, for example: {phrases[0]}. The page that it opens says "
        "how it differs."
    )


def opened_sentence(standing: Standing, opens: Opens) -> str:
    """Say on the page that was opened what a click has opened there."""
    reference = standing.paper.reference
    paper = standing.paper.title if reference is None else reference.short
    return f"This scenario was opened from {paper}, {standing.exhibit.title}: {opens.what}."


def counts_text(standing: Standing) -> str:
    """Say how many statements of how many hold; "" where nothing was measured."""
    if standing.verdict is None:
        return ""
    statements = standing.verdict.statements
    return f"{sum(each.holds for each in statements)} of {len(statements)}"


def verdict_sentence(standing: Standing) -> str:
    """Say the verdict and how many statements hold."""
    if standing.verdict is None:
        return "Not measured yet: there is no verdict."
    n = len(standing.verdict.statements)
    parts = "the one statement holds" if n == 1 else f"{counts_text(standing)} statements hold"
    if n == 1 and standing.verdict.word is not Word.AGREES:
        parts = "the one statement does not hold"
    return f"{marked(standing.word)}: {parts}."


def protocol_title(exhibit: Exhibit) -> str:
    """Say what the protocol tells."""
    apart = ", and what is not as in the paper" if exhibit.deviations else ""
    return f"How it is measured and judged{apart}"


def made_sentence(results: Results) -> str:
    """Say when, by what and in which time numbers were measured."""
    return (
        f"Measured with {SETTINGS[results.setting]} on {results.date} by ecocviz {results.version}, in "
        f"{duration(results.seconds)} of one core."
    )


def duration(seconds: float) -> str:
    """Write a time.

    >>> duration(8.25), duration(180.0), duration(9000.0)
    ('8.2 s', '3 minutes', '2.5 hours')
    """
    if seconds < 100:
        return f"{seconds:.1f} s"
    if seconds < 6000:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds / 3600:.1f} hours"


def quick_sentence(n_cells: int, *, timed: bool, shared: bool = False) -> str:
    """Say what measuring here does, and whose the numbers are: on a `shared` server, of strangers."""
    times = " They are times of this computer, beside whatever else it computes." if timed else ""
    return (
        f"The quick setting takes {count(n_cells, 'measurement')} on this computer, judged by the same "
        f"rule; with few data it may say otherwise than the full one.{times} "
        + (
            "The numbers hold nothing of yours: they are measured once for all visitors, shown to each of "
            "them, and not listed among your runs."
            if shared
            else "The numbers are kept on the Runs page."
        )
    )


def beside_sentence(here: Standing, shipped: Standing) -> str:
    """Lay the verdict that was measured here beside the one that ships."""
    if shipped.verdict is None:
        return f"Measured here: {marked(here.word)}. No results ship."
    same = "the same as" if here.word == shipped.word else "not the same as"
    return f"Measured here: {marked(here.word)}, {same} the results that ship: {marked(shipped.word)}."
