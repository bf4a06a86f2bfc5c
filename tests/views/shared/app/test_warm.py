from functools import partial
from types import SimpleNamespace

import pytest

from ecocviz.lab.first_screen import first_scenario, first_selection
from ecocviz.lab.scenario import make_scenario
from ecocviz.lab.selection import Selection
from ecocviz.views.papers import page as papers
from ecocviz.views.shared.app import cache, warm
from ecocviz.views.shared.app.state import Session, read_link

FIRST, DEFAULTS = first_scenario(), make_scenario()


def test_the_first_screen_is_that_of_a_link_without_anything():
    assert read_link({}) == (FIRST, first_selection(), None)
    assert read_link({"v": "1"}) == (DEFAULTS, Selection(), None)


def test_pages_find_the_first_screen_and_it_stays():
    warm.warm_screen()
    session = Session(FIRST, first_selection(), [], [], {})
    for stage in warm.stages():
        found = stage.known(session)
        assert found is not None, stage.place
        assert found[0] is cache.keeper().find(FIRST)
    assert {"playground", "decoders", "bits", "relations"} <= {stage.place for stage in warm.stages()}
    pool, work = cache.views(), warm.stages()[0].works[0]
    for k in range(1000):  # more than are kept
        pool.start(("filler", k), lambda _report: None)
        pool.wait(("filler", k))
    assert pool.look(("filler", 0)) is None and work.known(session) is not None


def test_examples_are_made_known_one_by_one_while_nobody_needs_the_server(monkeypatch):
    made, rests = [], iter([True, True, False])
    monkeypatch.setattr(
        warm, "warm_screen", lambda scenario, *, comparisons: made.append((scenario, comparisons))
    )
    warm.warm_examples(lambda: next(rests))
    assert [comparisons for _, comparisons in made] == [False, False]
    assert [scenario for scenario, _ in made] == [
        DEFAULTS.chosen("data", key) for key in ("blobs", "circles")
    ]


@pytest.mark.thorough
def test_examples_are_the_data_sets_of_the_app_whose_training_is_short():
    keys = {scenario.data.key for scenario in warm.examples()}
    assert {"iris", "vowel", "optdigits"} <= keys
    assert not {"letter", "upload", "openml"} & keys


def test_an_example_is_made_without_the_comparisons_of_all_decoders():
    scenario = DEFAULTS.chosen("data", "lenses")
    warm.warm_screen(scenario, comparisons=False)
    session = Session(scenario, Selection(), [], [], {})
    known = {stage.place: stage.known(session) is not None for stage in warm.stages()}
    assert known["playground"] and known["bits"] and not known["decoders"]


def test_what_pages_show_to_all_is_made_known_while_nobody_needs_the_server(monkeypatch):
    made, rests = [], iter([True, True, False])
    pages = [SimpleNamespace(WARM=(partial(made.append, k),)) for k in range(4)]
    monkeypatch.setattr(warm, "_pages", lambda: [SimpleNamespace(), *pages])
    warm.warm_pages(lambda: next(rests))
    assert made == [0, 1]


def test_the_verdicts_of_all_papers_are_among_it():
    assert papers.everything in [make for page in warm._pages() for make in getattr(page, "WARM", ())]
