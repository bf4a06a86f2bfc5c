"""The Reductions page with every reduction, refusals, picks, links and small and large numbers of classes."""

import json
import threading

import numpy as np
import pytest
from pages_tools import components, finished, received, texts
from strategies import nightly
from streamlit.testing.v1 import AppTest
from waiting import until

from ecocviz.engine.params import pack_matrix
from ecocviz.lab.catalogue import REDUCTIONS
from ecocviz.lab.report import JobState
from ecocviz.lab.scenario import make_scenario
from ecocviz.lab.selection import Selection
from ecocviz.views.reductions import page
from ecocviz.views.reductions.candidates import candidates
from ecocviz.views.reductions.facts import ENTRANT
from ecocviz.views.reductions.words import prediction_sentence
from ecocviz.views.shared.app import cache
from ecocviz.views.shared.app.job_panel import KEY

pytestmark = pytest.mark.page

FAST = {"data": "moons", "data__n_samples": "60"}


@pytest.fixture
def app(root):
    def start(page="reductions", **fields):
        test = AppTest.from_file(str(root / "app.py"), default_timeout=120)
        test.switch_page(f"pages/{page}.py")
        for name, value in fields.items():
            test.query_params[name.replace("__", ".")] = value
        return finished(test.run())

    return start


def assert_shown(test):
    assert not test.exception, test.exception
    assert not test.error, [error.value for error in test.error]


def table(test):
    return test.dataframe[0].value


def tiles(test):
    element = components(test)[0]
    assert element.proto.component_name == "ecocviz.decoder_tiles"
    return received(element)[0]


def charts(test):
    return [element.proto for element in test.get("plotly_chart")]


def test_everything_stands_side_by_side(app):
    test = app(**FAST)
    assert_shown(test)
    shown = table(test)
    everyone = candidates(make_scenario(data=("moons", {"n_samples": 60})))
    assert shown["Reduction"].tolist() == [candidate.title for candidate in everyone]
    assert {candidate.scenario.reduction.key for candidate in everyone} == set(REDUCTIONS)
    assert shown.notna().all().all()
    assert (shown["Predicted"] == shown["Measured"]).all()
    assert (shown["Training"] > 0).all()
    assert [tile["key"] for tile in tiles(test)["decoders"]] == [candidate.key for candidate in everyone]
    assert "Fewest errors: " in texts(test) or "reductions make" in texts(test)
    assert prediction_sentence(len(everyone), len(everyone)) in texts(test)
    assert all(proto.alt for proto in charts(test))


def test_each_shows_what_is_special_to_it(app):
    test = app(**FAST)
    seen = {}
    for tile in tiles(test)["decoders"]:
        test.session_state["ecocviz"].selection = Selection().put([ENTRANT], entrant=tile["key"])
        test.run()
        assert_shown(test)
        seen[tile["key"]] = {proto.alt.partition(":")[0] for proto in charts(test)}
        assert tiles(test)["own"] == [d["key"] for d in tiles(test)["decoders"]].index(tile["key"])
    everywhere = set.intersection(*seen.values())
    special = {key: alts - everywhere for key, alts in seen.items()}
    assert special["joint"] == {"Learned relation", "Relation of independent machines", "Objective"}
    assert special["support-pattern"] == {"Support patterns", "Duality gap"}
    assert special["continuous-code"] == {"Designed code"}
    assert special["ddag"] == {"Machines asked"}
    assert {"Class kernel", "Weights μ"} <= special["single-binary_kernel"]
    assert special["single-binary-ecoc"] == {"Column kernel"}
    assert special["ecoc_srm"] == {"Reliability of the machines"}
    assert special["ecoc_drm"] == {"Mean reliability at these points"}


@pytest.mark.parametrize("key", REDUCTIONS)
@pytest.mark.parametrize(
    "page",
    # The others have tests of their own with every reduction.
    [
        "reductions",
        *(pytest.param(p, marks=nightly) for p in ("playground", "decoders", "bits", "relations")),
    ],
)
def test_every_reduction_on_every_page(app, page, key):
    extra = {"entered": key, "entrant": key} if page == "reductions" else {}
    test = app(page, **FAST, reduction=key, **extra)
    assert not test.exception, test.exception
    # Only what has no machines to relate may refuse, in one sentence.
    assert len(test.error) <= (page == "relations")


@pytest.mark.parametrize("key", REDUCTIONS)
def test_a_learned_code_goes_with_every_reduction(app, key):
    test = app("playground", **FAST, coding="decoc", reduction=key)
    assert not test.exception, test.exception
    assert len(test.error) <= 1


def test_what_cannot_run_says_why(app):
    test = app(data="blobs", data__n_samples="60", coding="one-vs-one", entered="ecoc.single-binary-ecoc")
    assert_shown(test)
    shown = table(test).set_index("Reduction")
    title = REDUCTIONS["single-binary-ecoc"].title
    assert shown.loc[title, "Interval"] == "cannot run"
    assert shown["Errors"].isna().sum() == 1
    assert any(c.value.startswith(title) and "zeros" in c.value for c in test.caption)


def test_a_scenario_that_cannot_run_still_compares_the_others(app):
    test = app(data="blobs", data__n_samples="60", coding="one-vs-one", reduction="single-binary-ecoc",
               entered="ddag")  # fmt: skip
    assert_shown(test)
    assert table(test)["Errors"].notna().tolist() == [True, False]


def test_the_button_makes_a_reduction_the_scenarios_own(app):
    test = app(**FAST, entered="ecoc.ddag", entrant="ddag")
    assert test.button(key="reductions.use").disabled is False
    finished(test.button(key="reductions.use").click().run())
    assert_shown(test)
    assert test.session_state["ecocviz"].scenario.reduction.key == "ddag"
    assert test.button(key="reductions.use").disabled is True
    assert table(test)["Reduction"].tolist()[-1] == REDUCTIONS["ddag"].title


def test_own_parameters_are_kept_and_others_take_theirs(app):
    test = app(**FAST, reduction="joint", reduction__lambda2="1.0", entered="joint.support-pattern")
    assert_shown(test)
    kept = {e.key: e.scenario for e in candidates(test.session_state["ecocviz"].scenario)}
    assert kept["joint"].reduction.values["lambda2"] == 1.0
    assert kept["support-pattern"].reduction.values["beta"] == 1.0


@pytest.mark.parametrize("n_classes", [2, 26])
def test_few_and_many_classes(app, n_classes):
    test = app(data="blobs", data__n_classes=str(n_classes), data__n_samples=str(8 * n_classes),
               entered="ecoc.joint.ddag.support-pattern", entrant="ddag")  # fmt: skip
    assert not test.exception, test.exception
    shown = table(test)
    assert shown["Errors"].notna().all()
    assert (shown["Predicted"] == shown["Measured"]).all()


def test_a_code_that_nobody_reads_need_not_suit_the_data(app):
    code = [[1, -1], [-1, 1]]
    matrix = pack_matrix(np.array(code, dtype=np.int8))
    test = app(data="blobs", data__n_samples="60", coding="custom", coding__matrix=matrix,
               entered="ecoc.support-pattern")  # fmt: skip
    assert_shown(test)
    shown = table(test)
    assert shown["Errors"].notna().tolist() == [False, True]
    assert any("rows" in caption.value for caption in test.caption)


def test_cross_validation_judges_every_point(app):
    test = app(**FAST, split="k-fold", entered="ecoc.support-pattern")
    assert_shown(test)
    assert "of 60" in json.dumps(tiles(test)["decoders"])


def test_hostile_fields(app):
    test = app(**FAST, entered="...x.__", entrant="nobody")
    assert_shown(test)


def test_stopping_and_running_again(root, monkeypatch):
    monkeypatch.setattr("ecocviz.views.shared.app.job_panel.PATIENCE_SECONDS", 0.0)
    release = threading.Event()
    real = page.compare_reductions

    def slow(compared, plane, report, keeper):
        while not release.wait(0.01):
            report.note("waiting")
        real(compared, plane, report, keeper)

    monkeypatch.setattr(page, "compare_reductions", slow)
    test = AppTest.from_file(str(root / "app.py"), default_timeout=120)
    test.switch_page("pages/reductions.py")
    for name, value in {"data": "moons", "data.n_samples": "64", "entered": "ddag"}.items():
        test.query_params[name] = value
    test.run()
    assert test.get("progress")
    test.button(key="reductions.cancel").click().run()
    _, key = test.session_state[KEY].jobs["reductions"]
    until(lambda: cache.jobs().look(key).state is JobState.CANCELLED, 5)
    release.set()
    finished(test.button(key="reductions.again").click().run())
    assert_shown(test)
    assert table(test)["Errors"].notna().all()


def test_the_page_stands_without_the_table_of_contents(root):
    test = AppTest.from_file(str(root / "pages" / "reductions.py"), default_timeout=120)
    for name, value in {"data": "moons", "data.n_samples": "60", "entered": "ddag"}.items():
        test.query_params[name] = value
    assert_shown(finished(test.run()))


def test_columns_are_wider_while_type_is_larger(app):
    def widths(**fields):
        shown = app(data__n_samples="60", **fields).dataframe[0].proto.columns
        return {
            name: column.get("width") for name, column in json.loads(shown).items() if column.get("width")
        }

    usual, large = widths(), widths(present="1")
    assert usual and {name: round(1.6 * width) for name, width in usual.items()} == large
