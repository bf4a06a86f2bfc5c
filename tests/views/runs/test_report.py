"""The report: one file without script and network, in which names from outside are letters."""

from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from runs_tools import HOSTILE, memory, over, scenario, some

import ecocviz
from ecocviz.lab.evidence.catalogue import PAPERS
from ecocviz.lab.evidence.entries import Setting
from ecocviz.lab.evidence.kept import KeptStudy, results_of
from ecocviz.lab.evidence.results import shipped
from ecocviz.lab.evidence.standing import stand
from ecocviz.lab.selection import Selection
from ecocviz.lab.store import open_store
from ecocviz.lab.store_about import key_of
from ecocviz.lab.to_keep import counted
from ecocviz.views.runs.facts import asked, list_runs
from ecocviz.views.runs.figures_report import linear_scale
from ecocviz.views.runs.inside import inside_of
from ecocviz.views.runs.words_report import report
from ecocviz.views.shared.draw.outside import JOINER

ROOT, NOW = "http://127.0.0.1:8501", datetime(2026, 5, 4, 3, 2, tzinfo=UTC)
KNOWN = {
    *("html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "b", "span", "br", "div", "a"),
    *("table", "thead", "tbody", "tr", "th", "td", "svg", "line", "circle", "path", "text"),
}


class Read(HTMLParser):
    """Tags with their attributes, and the text between them."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.text, self.open = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in {"meta", "br", "line", "circle", "path"}:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)

    @property
    def shown(self):
        return "".join(self.text).replace(JOINER, "")


def test_numbers_figures_and_links_are_in_one_file():
    runs = some(scenario(), scenario(decoding="linear", seed=5), names=["The first"])
    read = Read(report(runs, over=over(), root=ROOT, now=NOW))
    assert not read.open
    said = (
        *("ecocviz: 2 runs", "Written on 2026-05-04 at 03:02", ecocviz.__version__, "Seed", "7 · 0 · 0"),
        *("The first", "Iris, One-vs-all, Linear", "4.0 % (4 of 100)", "1.6 to 9.8 %", "0.0 % (0 of 100)"),
        *("Run 1 of 2 errs least, 4.0 %.", "Over 7 data sets, Hamming has the best average rank"),
        *("critical difference 1.25", "Demšar"),
    )
    for part in said:
        assert part in read.shown, part
    assert sum(tag == "svg" for tag, _ in read.tags) == 2
    links = [attributes["href"] for tag, attributes in read.tags if tag == "a"]
    assert links == [f"{ROOT}/?{one.scenario.to_query()}" for one in runs]
    assert all(link in read.shown for link in links)


@pytest.mark.parametrize("root", [ROOT, "", 'http://a"><script>alert(3)</script>'])
def test_nothing_is_fetched_and_nothing_runs_whatever_the_names_are(root):
    runs = some(*(scenario(seed=seed) for seed in range(len(HOSTILE))), names=HOSTILE)
    text = report(runs, over=over(), root=root, now=NOW)
    read = Read(text)
    assert {tag for tag, _ in read.tags} <= KNOWN
    for tag, attributes in read.tags:
        assert not [
            name for name in attributes if name.startswith("on") or name in {"src", "srcset", "style"}
        ]
        assert ("href" in attributes) == (tag == "a")
    assert "@import" not in text and "url(" not in text
    for name in HOSTILE:
        assert name in read.shown
    policy = [attributes["content"] for tag, attributes in read.tags if "http-equiv" in attributes]
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'"]


def test_the_figures_are_whole_drawings():
    text = report(some(scenario(), scenario(decoding="linear")), over=over(), now=NOW)
    drawings = [f"<svg{part.partition('</svg>')[0]}</svg>" for part in text.split("<svg")[1:]]
    errors, ranks = (ET.fromstring(one) for one in drawings)  # noqa: S314 - our own
    assert len(errors.findall("circle")) == 2
    bars = [line for line in ranks.findall("line") if line.get("class") == "bar"]
    assert len(bars) == len(over().ranking.cliques)
    for drawing in (errors, ranks):
        _, _, width, height = map(float, drawing.get("viewBox").split())
        for at in drawing.iter("text"):
            assert 0 <= float(at.get("x")) <= width and 0 <= float(at.get("y")) <= height


def test_both_themes_come_along_and_paper_is_light():
    text = report(some(scenario()), now=NOW)
    assert "@media screen and (prefers-color-scheme: dark)" in text
    assert "color-scheme: light dark" in text
    assert "@media print" in text


def test_one_run_a_sweep_and_a_study_are_listed_without_comparison():
    store = memory()
    number = store.begin("paper", "A study", {"paper": "p", "study": "s", "setting": "quick"}, 2)
    store.add(number, "a/b", {"rank": 2.0})
    store.end(number, "failed")
    runs = list_runs(store, asked(Selection(), None)).runs
    read = Read(report(runs, over=over(0), now=NOW))
    assert "Study of a paper, 1 of 2 points, failed" in read.shown
    assert (
        "Side by side" not in read.shown
        and "Over several" not in read.shown
        and "Scenarios" not in read.shown
    )


def a_sweep(store, gammas=(0.01, 0.1, 1.0, 10.0)):
    """Keep a sweep over gamma with two decoders, one point of which failed."""
    about = {"scenario": scenario().to_flat(), "over": {}, "measures": ["test"]}
    number = store.begin("sweep", HOSTILE[0], about, 2 * len(gammas))
    for k, gamma in enumerate(gammas):
        for key, more in (("hamming", 5), ("linear", 2)):
            point = scenario(decoding=key, machine=("kernel", {"gamma": gamma}))
            record = {"scenario": point.to_flat(), "test": counted(k + more, 40)}
            failed = {"scenario": point.to_flat(), "failed": HOSTILE[3]}
            store.add(number, key_of(point), failed if (k, key) == (1, "linear") else record)
    store.end(number, "done")


def reported(store, **options):
    runs = list_runs(store, asked(Selection(), None)).runs
    return report(runs, inside_of(store, runs, None), now=NOW, **options)


def test_a_sweep_has_its_curve_and_every_point_in_the_file():
    store = memory()
    a_sweep(store)
    text = reported(store, root=ROOT)
    read = Read(text)
    assert {tag for tag, _ in read.tags} <= KNOWN | {"h3"} and not read.open
    for said in (
        "Sweep, 8 points. Test errors from ",
        "12.5 % (5 of 40)",
        *HOSTILE[::3],
    ):
        assert said in read.shown, said
    for k, gamma in enumerate((0.01, 0.1, 1, 10)):
        assert f"{gamma:g}" in read.shown and f"{100 * (k + 5) / 40:.1f} % ({k + 5} of 40)" in read.shown
    drawing = ET.fromstring(f"<svg{text.partition('<svg')[2].partition('</svg>')[0]}</svg>")  # noqa: S314 - our own
    _, _, width, height = map(float, drawing.get("viewBox").split())
    dots = [(float(dot.get("cx")), float(dot.get("cy"))) for dot in drawing.findall("circle")]
    assert len(dots) == 7 and all(0 < x < width and 0 < y < height for x, y in dots)
    assert (
        len([path for path in drawing.findall("path") if "curve" in path.get("class")]) == 4
    )  # and a legend
    first = dots[:4]  # evenly spaced over gamma's logarithm, higher errors further up
    steps = [b[0] - a[0] for a, b in pairwise(first)]
    assert max(steps) - min(steps) < 0.2 and [y for _, y in first] == sorted(
        (y for _, y in first), reverse=True
    )
    assert [a["href"] for tag, a in read.tags if tag == "a"] == [f"{ROOT}/?{scenario().to_query()}"]


@settings(max_examples=60)
@given(st.floats(-1e9, 1e9), st.floats(0, 1e9))
def test_a_linear_scale_holds_its_values_and_has_few_round_ticks(low, more):
    scale = linear_scale(low, low + more)
    assert -1e-6 <= scale.place(low) <= scale.place(low + more) <= 1 + 1e-6
    assert 2 <= len(scale.ticks) <= 8 and scale.place(scale.ticks[0]) == 0


@pytest.mark.usefixtures("fresh_home")
def test_a_study_has_the_verdicts_that_its_page_gives():
    paper = PAPERS["gupta-amin-2021"]
    (study,) = (each for each in paper.studies if each.key == "distances")
    (exhibit,) = (each for each in paper.exhibits if each.study is study)
    ships = shipped(paper, study)
    kept = KeptStudy(paper, study, Setting.FULL, study.cells(Setting.FULL))
    first, *rest = ships.records
    kept.add(first, ships.records[first])
    kept.end("stopped")
    read = Read(reported(open_store()))
    assert "1 of its 25 cells are measured; it is judged when all are." in read.shown
    for key in rest:
        kept.add(key, ships.records[key])
    kept.end("done")
    standing = stand(paper, exhibit, ships)
    text = Read(reported(open_store())).shown
    for said in (f"{exhibit.title}: {standing.word}", exhibit.claim, exhibit.rule, standing.verdict.why):
        assert said in text, said
    assert all(each.text in text for each in standing.verdict.statements)
    assert first in text and "proved distance" in text and ships.command in text
    store = open_store()
    old = replace(store.runs()[0], version="0.0.1")
    with pytest.raises(ValueError, match="measured by another version of this study"):
        results_of(old, store.points(old.id))
    with pytest.raises(ValueError, match="has no such study"):
        results_of(replace(old, about={"paper": "x"}), {})


def test_more_numbers_of_single_runs_are_listed_and_many_runs_are_refused():
    store = memory()
    bits = {"points": 18, "wrong_bits": 5, "scores": {"mean": 1 / 3, "machines": [1, 2]}}
    store.keep(scenario(), {"test": counted(1, 18), "bits-test": bits, "bound": counted(2, 18)}, 0.1)
    shown = Read(reported(store)).shown
    assert "points 18 · wrong bits 5 · scores mean 0.333333 · scores machines 1, 2" in shown
    assert "Leave-one-out bound" in shown and "11.1 % (2 of 18)" in shown
    with pytest.raises(ValueError, match="A report has 200 runs at most, not 201"):
        inside_of(store, list_runs(store, asked(Selection(), None)).runs * 201, None)


def test_a_run_without_test_points_has_no_figure():
    store = memory()
    for seed in (0, 1):
        store.record(scenario(seed=seed), {"train": counted(1, 10)}, 0.1)
    store.flush()
    runs = list_runs(store, asked(Selection(), None)).runs
    read = Read(report(runs, now=NOW))
    assert "Side by side" in read.shown
    assert not any(tag == "svg" for tag, _ in read.tags)
