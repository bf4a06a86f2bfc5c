"""A made-up paper, small enough to be measured in a test, and how to put it into the catalogue."""

from types import MappingProxyType

from ecocviz.engine.references import PASSERINI_2004
from ecocviz.lab.evidence import catalogue, results
from ecocviz.lab.evidence.drawings import (
    Entry,
    Heatmap,
    Line,
    Opens,
    Page,
    Panel,
    Panels,
    Point,
    Ranks,
    Table,
)
from ecocviz.lab.evidence.entries import Cell, Exhibit, Paper, Setting, Statement, Study
from ecocviz.lab.scenario import make_scenario

KEY = "made-up-1999"
MEASURED = []
"""The keys of cells that were measured in this process, in their order."""
STOPS = True


def cells(setting):
    return [Cell(f"{setting}/{k}", {"k": k}) for k in range(8 if setting is Setting.FULL else 4)]


def square(cell, progress):
    """Measure a cell; whoever listens to `progress` may stop it."""
    progress.check()
    MEASURED.append(cell.key)
    return {"square": cell.about["k"] ** 2, "pair": (1, 2)}


def refuse_two(cell, progress):
    del progress
    if cell.about["k"] == 2:
        raise ValueError("Two cannot be measured.")
    return {"square": 0}


def stop_at_one(cell, progress):
    """Be stopped by Ctrl+C at the second cell, as long as `STOPS`."""
    if STOPS and cell.about["k"] == 1:
        raise KeyboardInterrupt
    return square(cell, progress)


def scenario(k):
    return make_scenario(data="iris", decoding="hamming", machine=("kernel", {"gamma": float(2**k)}))


def drawings(found):
    """Draw everything that can be drawn."""
    squares = [(each.cell.about["k"], each.record["square"]) for each in found]
    ours = tuple(Point(float(k), float(y), y - 0.5, y + 0.5, Opens(scenario(k))) for k, y in squares)
    theirs = tuple(Point(float(k), y + 0.25) for k, y in squares)
    lines = (Line("Squares", ours), Line("Squares", theirs, theirs=True))
    bars = tuple(Point(f"set {k}", float(y), opens=Opens(scenario(k), Page.BITS)) for k, y in squares)
    return [
        Panels(
            title="Squares over numbers",
            panels=(
                Panel(title="Iris", x="number", y="square", lines=lines),
                Panel(title="Glass <b>", x="set", y="square", lines=(Line("Squares", bars),), bars=True),
            ),
        ),
        Table(
            title="Squares as a table",
            columns=("set", "square", "name"),
            rows=tuple(
                (f"set {k}", (Entry(y, y + 0.5, Opens(scenario(k)), 1, y == 0), Entry("word")))
                for k, y in squares
            ),
            unit="%",
            note="Set 3 is the last.",
        ),
        Ranks(
            title="Ranks of squares",
            names=("A", "B", "C"),
            ranks=(1.25, 1.75, 3.0),
            critical_difference=1.1,
            n_sets=4,
            opens=(Opens(scenario(0), differs="one of 4 sets"), Opens(scenario(1)), None),
        ),
        Heatmap(
            title="Pairs of squares",
            rows=("a", "b"),
            columns=("c", "d"),
            values=((0.5, -0.5), (None, 1.0)),
            low=-1.0,
            high=1.0,
            opens=Opens(scenario(1), Page.RELATIONS),
        ),
    ]


def judge(found):
    return [
        Statement("the square is at least the number", sum(_grows(each) for each in found), len(found)),
        Statement("the square is odd", sum(each.record["square"] % 2 for each in found), len(found)),
    ]


def _grows(each):
    return each.record["square"] >= each.cell.about["k"]


def make_paper(measure=square, *, timed=False, needs=lambda: None):
    """Make a paper with a figure and a claim that share a study, and a table of another."""
    shared = Study(key="squares", cells=cells, measure=measure, needs=needs)
    own = Study(key="times", cells=lambda _: cells(Setting.QUICK)[:2], measure=square, timed=timed)
    about = {"protocol": ("Numbers are squared.",), "judge": judge, "rule": "Both hold.", "draw": drawings}
    exhibits = (
        Exhibit(
            key="figure-1",
            title="Fig. 1: squares",
            claim="Squares are odd and large.",
            deviations=("Only small numbers.",),
            study=shared,
            why=lambda found: f"Even numbers among {len(found)} have even squares.",
            **about,
        ),
        Exhibit(key="claim-1", title="The claim", claim="Squares grow.", study=shared, **about),
        Exhibit(key="table-1", title="Table 1", claim="Squares are quick.", study=own, **about),
    )
    return Paper(key=KEY, title="Squares", reference=PASSERINI_2004, exhibits=exhibits)


def gathered(paper, setting=Setting.FULL, k=0, power=2):
    """Return results of the study of an exhibit, by hand."""
    study = paper.exhibits[k].study
    records = {cell.key: {"square": cell.about["k"] ** power} for cell in study.cells(setting)}
    return results.gather(paper, study, setting, records, "2026-11-19")


def put(monkeypatch, *papers):
    """Let the catalogue hold these papers, and nothing else."""
    held = MappingProxyType({each.key: each for each in papers})
    MEASURED.clear()
    for module in (catalogue, results):
        monkeypatch.setattr(module, "PAPERS", held)
