"""The report: one file without script and network, in which names from outside are letters."""

from datetime import UTC, datetime
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest
from runs_tools import HOSTILE, memory, over, scenario, some

import ecocviz
from ecocviz.lab.selection import Selection
from ecocviz.lab.to_keep import counted
from ecocviz.views.runs.facts import asked, list_runs
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


def test_a_run_without_test_points_has_no_figure():
    store = memory()
    for seed in (0, 1):
        store.record(scenario(seed=seed), {"train": counted(1, 10)}, 0.1)
    store.flush()
    runs = list_runs(store, asked(Selection(), None)).runs
    read = Read(report(runs, now=NOW))
    assert "Side by side" in read.shown
    assert not any(tag == "svg" for tag, _ in read.tags)
