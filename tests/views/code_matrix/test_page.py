"""The Code matrix page with every coding, edits, pasted matrices and a second code, without a browser."""

import base64
import json
import threading
import tomllib

import numpy as np
import pytest
from pages_tools import charts, components, finished, page_at, read, texts
from streamlit.runtime.media_file_manager import MediaFileManager

from ecocviz.engine.catalogue import CODINGS, build_code
from ecocviz.engine.params import pack_matrix
from ecocviz.lab.export import python_script
from ecocviz.lab.scenario import from_toml, make_scenario
from ecocviz.views.code_matrix.facts import BESIDE, plain_code
from ecocviz.views.code_matrix.page_exchange import REFUSED, TEXT
from ecocviz.views.shared.app import cache
from ecocviz.views.shared.app.components.code_grid import read_rows

pytestmark = pytest.mark.page

FAST = {"data": "blobs", "data.n_samples": "60"}
FAULTY = "+++\n+++\n+--\n+--"


@pytest.fixture
def page(root):
    def start(session=None, *, wait=True, **fields):
        test = page_at(root / "pages" / "code_matrix.py", {**FAST, **fields})
        for name, value in (session or {}).items():
            test.session_state[name] = value
        return finished(test.run()) if wait else test.run()

    return start


def grids(test):
    """What the grids were sent, their codes as numbers."""
    sent = [json.loads(element.proto.json) for element in components(test)]
    return [{**one, "code": read_rows("\n".join(one["code"]), len(one["code"])).tolist()} for one in sent]


def held(test):
    return test.session_state["ecocviz"]


def numbers(values):
    """An array as plotly writes it."""
    return np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"])


@pytest.mark.parametrize("key", CODINGS)
def test_every_coding_is_shown_with_its_report(page, key):
    test = page(coding=key)
    assert not test.error, [e.value for e in test.error]
    (grid,) = grids(test)
    assert grid["title"] == CODINGS[key].title
    rows, columns = np.shape(grid["code"])
    drawn = charts(test)
    assert len(drawn) >= 3
    plus, minus = (numbers(bar["y"]) for bar in drawn[2]["data"])
    assert plus.size == columns and (plus > 0).all() and (minus < 0).all()
    assert "What it promises" in texts(test) and "points" in texts(test)
    assert all(element.proto.alt for element in test.get("plotly_chart"))
    learned = CODINGS[key].build is None
    assert ("What the search saw" in texts(test)) == learned
    if not learned:
        assert grid["code"] == build_code(key, 4, 0).tolist()
        assert rows == 4


def test_what_was_proved_of_a_code_is_said(page):
    test = page(coding="integer-programming", coding__n_bits="5")
    assert "Proved: no code of 4 classes and 5 different machines has a row distance above 2." in texts(test)
    assert "Proved" not in texts(page(coding="minimum-distance"))


def test_real_codewords_have_a_figure_of_their_own(page):
    test = page(reduction="continuous-code")
    assert "Real codewords" in texts(test) and "The largest weight" in texts(test)
    assert len(charts(test)) == 4


def test_a_faulty_code_is_shown_marked_and_nothing_is_lost(page):
    test = page(coding="one-vs-one")
    before = held(test).scenario
    held(test).draft = (FAULTY, "Column 1 has no class on one side; a machine needs a +1 and a -1.")
    test.run()
    assert not test.exception and not test.error
    (grid,) = grids(test)
    assert grid["draft"] and grid["code"][0] == [1, 1, 1]
    assert set(grid["faults"]) == {"0", "1", "2"} and set(grid["rowFaults"]) == {"0", "1", "2", "3"}
    assert "Rows 1 and 2, 3 and 4 are equal" in texts(test)
    assert "Until then all pages use the last code" in texts(test)
    assert held(test).scenario == before
    # Another choice ends the draft.
    test.session_state["group.Code"] = True
    test.run()
    test.selectbox(key="slot.coding").select("one-vs-all").run()
    assert held(test).draft is None and not grids(test)[0]["draft"]


def paste(test, text):
    test.text_area(key=TEXT).input(text)
    return test.button(key="code.use").click().run()


def test_a_pasted_matrix_becomes_the_scenario(page):
    test = paste(page(), "class,m1,m2\nD,-1,-1\nC,-1,1\nB,1,-1\nA,1,1\n")
    code = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])
    assert grids(test)[0]["code"] == code.tolist()
    assert held(test).scenario.coding.values == {"matrix": pack_matrix(code.astype(np.int8))}
    test.button(key="undo").click().run()
    assert held(test).scenario.coding.key == "one-vs-all"


@pytest.mark.parametrize(
    ("text", "said"),
    [("1,0.5\n1,1\n1,1\n1,1", "entry 2 is '0.5'"), ("1,1", "1 rows"), ("<b>", "1 rows"), (" ", "no matrix")],
)
def test_an_impossible_matrix_is_one_sentence_and_nothing_is_lost(page, text, said):
    test = page(coding="one-vs-one")
    before, shown = held(test).scenario, grids(test)
    paste(test, text)
    assert len(test.error) == 1 and said in read(test.error[0].value) and "\n" not in test.error[0].value
    assert held(test).scenario == before and held(test).draft is None and grids(test) == shown
    assert test.session_state[TEXT] == text
    paste(test, FAULTY)
    assert test.session_state[REFUSED] is None and not test.error
    assert held(test).draft[0] == FAULTY and held(test).scenario == before


def test_a_matrix_for_other_data_can_be_replaced(page):
    test = page(coding="custom", coding__matrix=pack_matrix(np.array([[1], [-1]], dtype=np.int8)))
    assert [error.value for error in test.error] == [
        (
            "The hand-made matrix has 2 rows but the data have 4 classes; "
            "add or remove rows, or choose other data."
        )
    ]
    paste(test, "+-\n++\n-+\n--")
    assert not test.error and grids(test)[0]["code"] == [[1, -1], [1, 1], [-1, 1], [-1, -1]]


def test_two_codings_side_by_side(page):
    test = page(coding="one-vs-one", beside="dense-random?n_bits=9")
    first, second = grids(test)
    assert np.shape(first["code"]) == (4, 6) and not second["editable"]
    assert second["code"] == build_code("dense-random", 4, 0, n_bits=9).tolist()
    said = texts(test)
    assert "Compared with the code above, Dense random has" in said and "difference" in said
    test.selectbox(key="code.beside").select("").run()
    assert len(grids(test)) == 1 and held(test).selection[BESIDE] == ""


def test_a_second_coding_that_cannot_be_is_one_sentence(page):
    test = page(data="letter", beside="binary-complete")
    assert not test.exception and len(test.error) == 1 and "classes" in test.error[0].value
    assert len(grids(test)) == 1


def test_the_present_code_is_kept_to_compare_changes_with(page):
    test = page(coding="one-vs-one")
    test.button(key="code.keep").click().run()
    paste(test, "+-\n++\n-+\n--")
    first, second = grids(test)
    assert np.shape(first["code"]) == (4, 2) and np.shape(second["code"]) == (4, 6)


def test_a_learned_second_coding(page):
    test = page(beside="decoc")
    assert len(grids(test)) == 2 and np.shape(grids(test)[1]["code"]) == (4, 3)


def test_a_code_whose_machines_are_known_is_not_trained_again(page, monkeypatch):
    wanted = {"data": ("blobs", {"n_samples": 60}), "coding": "decoc", "seed": 11}
    known = cache.keeper().get(make_scenario(**wanted))

    def refuse(*_):
        raise AssertionError("It is trained again.")

    monkeypatch.setattr(cache.keeper(), "_train", refuse)
    test = page(coding="decoc", seed="11", decoding="hamming")
    assert not test.error and grids(test)[0]["code"] == known.code_matrix.tolist()


def test_a_long_search_says_what_it_does_and_the_rest_of_the_page_waits(page, monkeypatch):
    go_on = threading.Event()

    def slow(scenario, problem):
        go_on.wait(30)
        return plain_code(scenario, problem)

    monkeypatch.setattr("ecocviz.views.code_matrix.page.plain_code", slow)
    monkeypatch.setattr("ecocviz.views.shared.app.job_panel.PATIENCE_SECONDS", 0.05)
    test = page(wait=False, coding="dense-random", coding__n_bits="6")
    assert [bar.proto.text for bar in test.get("progress")] == ["building the code, Dense random"]
    assert not grids(test) and "Two codings side by side" in texts(test)
    go_on.set()
    assert np.shape(grids(finished(test))[0]["code"]) == (4, 6)


@pytest.mark.parametrize(
    "beside", ["nothing-such", "custom?matrix=!!", "dense-random?n_bits=-4", "one-vs-all?&&&=="]
)
def test_hostile_links_open(page, beside):
    test = page(beside=beside, step="99999")
    assert not test.error and len(grids(test)) == 1


def test_export_gives_the_script_and_the_file(page, monkeypatch):
    kept = []
    add = MediaFileManager.add

    def watched(self, data, *args, **kwargs):
        kept.append(data)
        return add(self, data, *args, **kwargs)

    monkeypatch.setattr(MediaFileManager, "add", watched)
    packed = pack_matrix(build_code("one-vs-one", 4))
    test = page({"export": True}, coding="custom", coding__matrix=packed, decoding="hamming", seed="7")
    scenario = held(test).scenario
    assert scenario == make_scenario(
        seed=7,
        data=("blobs", {"n_samples": 60}),
        coding=("custom", {"matrix": packed}),
        decoding="hamming",
    )
    texts = [
        data if isinstance(data, str) else data.decode() for data in kept if isinstance(data, str | bytes)
    ]
    assert python_script(scenario) in texts
    (toml,) = [text for text in texts if "ecocviz run FILE" in text]
    assert tomllib.loads(toml)["coding"]["matrix"] == packed
    assert from_toml(toml) == (scenario, ())
    labels = {button.proto.label for button in test.get("download_button")}
    assert {"Python script", "Scenario (TOML)", "Matrix as CSV"} <= labels
