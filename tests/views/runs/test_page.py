"""The Runs page: what other pages show is kept, listed, named, pinned, compared, deleted and ranked."""

import re
from unittest.mock import create_autospec

import pytest
import streamlit as st
from pages_tools import assert_fine, charts, finished, page_at, read, texts
from runs_tools import HOSTILE, keep, scenario

from ecocviz.engine.params import shorten
from ecocviz.lab.run import run
from ecocviz.lab.scenario import from_flat
from ecocviz.lab.store import open_store
from ecocviz.lab.store_looks import totals
from ecocviz.lab.to_keep import counted
from ecocviz.views.runs import words
from ecocviz.views.runs.facts import PER_PAGE
from ecocviz.views.runs.figures import LONGEST
from ecocviz.views.shared.app import cache, keeping, state

pytestmark = [pytest.mark.page, pytest.mark.usefixtures("fresh_home")]

SMALL = {"data": "blobs", "data__n_samples": "60", "data__n_classes": "3"}


@pytest.fixture
def shown(root):
    def open_page(page="runs", **fields):
        test = finished(page_at(root / "pages" / f"{page}.py", fields).run())
        assert_fine(test)
        return test

    return open_page


def kept():
    """Every run that is kept, once all are written."""
    keeping.written()
    return open_store().runs()


def table(test):
    return test.dataframe[0].value


def choose(test, *rows):
    """Choose rows of the list, as a click in the browser does."""
    numbers = [one.id for one in open_store().runs()]
    chosen = ".".join(str(numbers[row]) for row in rows)
    session = test.session_state["ecocviz"]
    session.selection = state.put(session.selection, chosen=chosen)
    test.run()
    assert_fine(test)
    return test


def click(test, key):
    test.button(key=key).click().run()
    assert_fine(test)
    return test


# What is kept ----------------------------------------------------------------------------------------


def test_without_runs_one_sentence_says_what_to_do(shown):
    test = shown()
    assert words.EMPTY in texts(test) and "open the Playground" in texts(test)
    assert not test.dataframe
    assert test.button(key="runs.start").label == "Open the Playground"


def test_the_playground_keeps_what_it_shows_with_the_numbers_of_a_run(shown):
    for key in ("hamming", "linear"):
        shown("playground", **SMALL, decoding=key)
    found = kept()
    assert [one.about["scenario"]["decoding"] for one in found] == ["linear", "hamming"]
    for one in found:
        whole, problems = from_flat(one.about["scenario"])
        assert not problems
        result = run(whole)
        assert open_store().points(one.id) == {
            "test": counted(result.test.n_wrong, result.test.n),
            "train": counted(result.train.n_wrong, result.train.n),
        }
        assert one.seconds > 0


def test_drawing_again_writes_nothing(shown, monkeypatch):
    test = shown("playground", **SMALL)
    before = (len(kept()), totals(open_store(), None).stamp)
    written = []
    monkeypatch.setattr(keeping._writer, "put", written.append)
    for pick in (1, 2, 3):
        session = test.session_state["ecocviz"]
        session.selection = state.put(session.selection, pick=pick)
        test.run()
    again = shown("playground", **SMALL)  # another session that looks at the same
    assert_fine(again)
    assert written == []
    assert (len(kept()), totals(open_store(), None).stamp) == before


@pytest.mark.parametrize(
    ("page", "fields", "kinds"),
    [
        ("decoders", {"judged": "hamming.linear", "grid": "-1,1,3"}, {"run": 2, "sweep": 1}),
        ("reductions", {"entered": "ecoc.ddag", "reduction": "ddag"}, {"run": 2}),
        ("model_selection", {"grid": "-1,1,3", "decoding": "hamming"}, {"sweep": 1}),
        ("bits", {"against": "joint"}, {"run": 2}),
        ("relations", {}, {"run": 1}),
        ("code_matrix", {"beside": "one-vs-one", "errors": "1"}, {"run": 2}),
        ("code_matrix", {"coding": "decoc"}, {"run": 1}),
        ("code_matrix", {"beside": "one-vs-one"}, {}),
    ],
)
def test_other_pages_keep_what_they_show(shown, page, fields, kinds):
    shown(page, **SMALL, decoding=fields.pop("decoding", "hamming"), **fields)
    found = kept()
    counts = {kind: sum(one.kind == kind for one in found) for kind in kinds}
    assert counts == kinds
    assert len(found) == sum(kinds.values())
    assert all(one.state == "done" and one.n_done == one.n_points for one in found)
    assert {one.page for one in found} <= {page} and all(one.recent for one in found)
    test = shown()
    assert len(table(test)) == len(found) if found else words.EMPTY in texts(test)


def test_bits_relations_and_codes_are_kept_with_the_numbers_of_a_run(shown, monkeypatch):
    for page, fields in (
        ("bits", {}),
        ("relations", {}),
        ("code_matrix", {"beside": "one-vs-one", "errors": "1"}),
    ):
        shown(page, **SMALL, decoding="hamming", **fields)
        keeping.written()
    one = next(one for one in kept() if "coding" not in one.about["scenario"])
    whole, _ = from_flat(one.about["scenario"])
    result = run(whole)
    points = open_store().points(one.id)
    assert set(points) == {"test", "bits-test", "relations-test", "code"}
    assert points["test"] == counted(result.test.n_wrong, result.test.n)
    assert points["bits-test"]["machines"] == points["code"]["machines"] == 3
    assert points["bits-test"]["wrong_bits"] == sum(points["bits-test"]["wrong_of_machines"])
    assert sum(points["bits-test"]["points_by_wrong_bits"]) == result.test.n
    assert 0 <= points["relations-test"]["scores"]["mean_strength"] <= 1
    test = choose(shown(), [each.id for each in kept()].index(one.id))
    assert "Bits, test points" in texts(test) and "repaired 0" in texts(test)
    went = []
    monkeypatch.setattr("ecocviz.views.runs.page_chosen.st.switch_page", went.append)
    assert test.button(key="runs.open").label == "Open in Code matrix"
    click(test, "runs.open")
    assert went == ["pages/code_matrix.py"]


@pytest.mark.parametrize("page", ["bits", "relations", "code_matrix"])
def test_drawing_what_is_kept_again_writes_nothing(shown, monkeypatch, page):
    fields = {"beside": "one-vs-one", "errors": "1"} if page == "code_matrix" else {}
    test = shown(page, **SMALL, decoding="hamming", **fields)
    keeping.written()
    written = []
    monkeypatch.setattr(keeping._writer, "put", written.append)
    for _ in range(2):
        assert_fine(test.run())
    assert written == []


def test_a_study_opens_on_papers(shown, monkeypatch):
    about = {"paper": "gupta-amin-2021", "study": "errors", "setting": "quick"}
    store = open_store()
    store.end(store.begin("paper", "A study", about, 0), "done")
    went = []
    monkeypatch.setattr("ecocviz.views.runs.page_chosen.st.switch_page", went.append)
    test = click(choose(shown(), 0), "runs.open")
    fields = test.session_state["ecocviz"].selection.to_flat()
    assert went == ["pages/papers.py"]
    assert (fields["paper"], fields["numbers"]) == ("gupta-amin-2021", "here")


def test_on_a_shared_server_visitors_see_their_own_runs(shown, monkeypatch):
    monkeypatch.setenv("ECOCVIZ_SHARED", "1")
    for visitor in ("one", "two", "one"):
        monkeypatch.setattr(keeping, "viewer_name", lambda visitor=visitor: visitor)
        shown("playground", **SMALL, compare="hamming", decoding="hamming")
        keeping.written()
        assert len(table(shown())) == 1
    assert len({one.owner for one in kept()}) == 2
    assert "" not in {one.owner for one in kept()}
    monkeypatch.setattr(keeping, "viewer_name", lambda: "three")
    assert words.EMPTY in texts(shown())
    theirs = kept()[0]
    test = shown(chosen=str(theirs.id))
    assert not test.get("plotly_chart") and theirs.title not in texts(test)


# What is done with them ------------------------------------------------------------------------------


def fill(*scenarios):
    """Keep scenarios, the last of them the last used; return their runs, the last used first."""
    for k, one in enumerate(scenarios):
        keep(open_store(), one, 10 + k, train=k)
    return open_store().runs()


def test_filters_narrow_the_list_and_stand_in_the_link(shown):
    fill(scenario(), scenario(decoding="linear"), scenario("glass"))
    test = shown()
    assert table(test)["Differs"].tolist() == ["", "Iris · Linear", "Iris"]
    test.text_input(key="runs.find").input("linear").run()
    assert len(table(test)) == 1
    assert test.query_params["find"] == "linear"
    assert len(table(shown(find="linear"))) == 1
    assert len(table(shown(ofset="glass"))) == 1
    assert "None of them fits; ask for less." in texts(shown(ofset="glass", pinned="1"))
    test = shown()
    test.selectbox(key="runs.data").select("iris").run()
    assert len(table(test)) == 2
    assert test.query_params["ofset"] == "iris"


def test_a_run_is_pinned_named_opened_and_deleted(shown):
    first, *_ = fill(scenario("glass"), scenario(decoding="linear", seed=4))
    test = choose(shown(), 0)
    click(test, "runs.pin")
    assert open_store().find(first.id).pinned
    assert table(test)["Pinned"].tolist() == ["●", ""]
    test.text_input(key=f"runs.name.{first.id}").input("for the talk").run()
    assert open_store().find(first.id).name == "for the talk"
    assert table(test)["Run"].tolist()[0] == "for the talk"
    click(test, "runs.delete")
    assert [one.id for one in open_store().runs()] != [first.id] and len(open_store().runs()) == 1
    assert "chosen" not in test.query_params


def test_what_nobody_asked_for_stands_under_recent_until_somebody_wants_it(shown):
    for k in range(3):
        number = open_store().begin("run", "A run", {"k": k}, 1, "", "bits", recent=True)
    test = shown(chosen=str(number))
    options = test.segmented_control(key="runs.list").proto.options
    assert [each.content for each in options] == ["Kept 0", "Recent 3", "All 3"] and len(table(test)) == 3
    assert "None is in this list." in texts(shown(oflist="kept"))
    test = click(shown(chosen=str(number), oflist="recent"), "runs.pin")
    assert table(test)["Pinned"].tolist() == ["●", "", ""]  # chosen, so it stays in sight
    assert len(table(click(test, "runs.none"))) == 2
    test = shown()
    assert len(table(test)) == 1
    test.segmented_control(key="runs.list").select("all").run()
    assert test.query_params["oflist"] == "all" and len(table(test)) == 3


@pytest.mark.parametrize("button", ["model-selection.maps.start", "model-selection.again"])
def test_what_a_button_begins_is_kept(shown, button):
    test = shown("model_selection", **SMALL, decoding="hamming", grid="-1,1,3", mapgrid="-2,4,-2,4,3")
    mine = test.session_state["ecocviz.jobs"]
    mine.stopped["model-selection"] = mine.jobs["model-selection"][1]  # as Cancel does
    assert all(one.recent for one in kept())
    finished(test.run().button(key=button).click().run())
    assert not all(one.recent for one in kept())


def test_an_export_keeps_what_it_takes_along(shown, monkeypatch):
    shown("playground", **SMALL)
    button = create_autospec(st.download_button)
    monkeypatch.setattr("ecocviz.views.runs.page_chosen.st.download_button", button)
    shown(chosen=str(kept()[0].id))
    assert b"Blobs" in button.call_args_list[-2].args[1]() and not kept()[0].recent


def test_a_run_opens_in_the_playground(shown, monkeypatch):
    opened = []
    monkeypatch.setattr("ecocviz.views.runs.page_chosen.st.switch_page", opened.append)
    fill(scenario("moons", decoding="linear", seed=4))
    test = click(choose(shown(), 0), "runs.open")
    assert opened == ["pages/playground.py"]
    assert test.session_state["ecocviz"].scenario == scenario("moons", decoding="linear", seed=4)


def test_chosen_runs_stand_side_by_side(shown):
    fill(scenario(), scenario(decoding="linear"), scenario(machine=("kernel", {"gamma": 0.5})))
    test = choose(shown(), 2, 1, 0)
    said = read(texts(test))
    assert "3 runs side by side" in said
    assert "Run 1 of 3 errs least, 10.0 %." in said and "All were tested on the same points." in said
    assert re.search(r"Machine: γ</td>.*from the data's variance</td>.*0\.5</td>", said)
    assert "Data</td>" not in said.partition("side by side")[2].partition("Over several")[0]
    (errors,) = charts(test)[:1]
    assert errors["data"][0]["x"] == [10.0, 11.0, 12.0]


def test_older_runs_are_on_further_pages(shown):
    for seed in range(PER_PAGE + 3):
        open_store().record(scenario(seed=seed), {"test": counted(1, 10)}, 0.1)
    open_store().flush()
    test = shown()
    assert len(table(test)) == PER_PAGE
    click(test, "runs.older")
    assert len(table(test)) == 3
    assert test.button(key="runs.older").disabled
    click(test, "runs.newer")
    assert len(table(test)) == PER_PAGE


def test_a_sweep_is_shown_with_its_points(shown):
    shown("model_selection", **SMALL, decoding="hamming", grid="-1,1,3")
    kept()
    test = choose(shown(), 0)
    assert "Sweep, 3 points. Test errors " in read(texts(test))
    assert charts(test)[0]["layout"]["xaxis"]["title"]["text"] == "γ"


def test_names_from_outside_are_letters(shown):
    for seed, name in enumerate(HOSTILE):
        open_store().rename(keep(open_store(), scenario(seed=seed), 5).id, name)
    test = choose(shown(), 0, 1, 2, 3)
    said = texts(test)
    for name in HOSTILE:
        assert name in read(said)
        assert shorten(name, LONGEST) in table(test)["Run"].tolist()
    assert "<script>alert" not in said and "<img" not in said


def test_methods_are_ranked_over_data_sets_and_others_can_be_chosen(shown):
    sets = ("iris", "glass", "wine", "ecoli", "zoo", "vehicle", "segment")
    for data in sets:
        for k, key in enumerate(("hamming", "linear", "euclidean")):
            keep(open_store(), scenario(data, key), 5 + k)
    test = shown()
    said = read(texts(test))
    assert "Over 7 data sets, Hamming has the best average rank of 3 decoders, 1.00" in said
    assert "critical difference" in str(charts(test)[0]["layout"]["annotations"])
    assert "7 · 0 · 0" in said
    coding = shown(method="coding")
    assert "No two codes have been run with everything else equal yet." in read(texts(coding))
    assert not coding.get("plotly_chart")


def test_a_store_that_cannot_be_read_is_one_sentence(shown, fresh_home):
    (fresh_home / "runs.sqlite3").mkdir()
    test = shown()
    assert len(test.warning) == 1
    assert words.EMPTY in texts(test)


def test_a_run_of_another_version_is_shown_and_cannot_be_opened(shown):
    number = open_store().begin("run", "Old", {"scenario": {"v": "1", "coding": "gone-since"}}, 1)
    open_store().add(number, "test", counted(3, 10))
    open_store().end(number, "done")
    test = choose(shown(), 0)
    assert "This version cannot read the scenario" in " ".join(one.value for one in test.caption)
    assert test.button(key="runs.open").disabled


# Gone meanwhile --------------------------------------------------------------------------------------


def test_what_another_window_has_deleted_is_said_and_breaks_nothing(shown):
    gone, left = fill(scenario("glass"), scenario(decoding="linear"))
    test = choose(shown(), 0, 1)
    open_store().delete(gone.id)
    click(test, "runs.pin")
    assert [read(one.value) for one in test.toast] == [
        f"There is no run {gone.id}; it may have been deleted. `ecocviz runs list` shows all."
    ]
    assert f"Of the chosen runs, number {gone.id} is no longer kept." in captions(test)
    test = choose(shown(), 0)
    open_store().delete(left.id)
    test.text_input(key=f"runs.name.{left.id}").input("too late").run()
    assert_fine(test)
    assert words.EMPTY in texts(test)


def test_runs_that_are_left_are_deleted_beside_one_that_is_gone(shown):
    gone, left = fill(scenario("glass"), scenario(decoding="linear"))
    test = choose(shown(), 0, 1)
    open_store().delete(gone.id)
    click(test, "runs.delete")
    assert open_store().runs() == [] and left.id != gone.id
    assert "chosen" not in test.query_params


def test_a_link_to_runs_and_pages_that_are_gone_shows_what_there_is(shown):
    fill(scenario("glass"))
    test = shown(chosen="901.902.903.904", older="500")
    assert len(table(test)) == 1
    assert "Of the chosen runs, 4 are no longer kept." in captions(test)
    assert not [one for one in test.button if one.key == "runs.newer"]


def captions(test):
    return [one.value for one in test.caption]


def test_one_run_is_shown_with_all_its_settings(shown):
    fill(scenario(machine=("kernel", {"gamma": 0.5}), seed=1234))
    said = read(texts(choose(shown(), 0)))
    assert re.search(r"Machine</td>.*Kernel machine · Gaussian \(rbf\) · γ 0\.5", said)
    assert re.search(r"Seed</td>.*1,234", said)


def test_runs_that_others_add_leave_nothing_behind_in_what_is_remembered(shown):
    store = open_store()
    for data in ("iris", "glass", "wine"):
        for decoding in ("hamming", "linear"):
            keep(store, scenario(data, decoding), 5)
    cache.forget()
    test, sizes = shown(), []
    for seed in range(1, 6):
        for decoding in ("hamming", "linear"):
            keep(store, scenario("iris", decoding, seed=seed), seed)
        test.run()
        assert_fine(test)
        sizes.append(cache.remembered_bytes())
    assert len(test.dataframe[0].value) == 16
    assert max(sizes) - min(sizes) < 500  # not the comparison before, which is some kB, once more each time
