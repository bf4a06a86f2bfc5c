"""The sidebar, and the numbers in view: groups stay open, the impossible says what is possible."""

import pytest
from pages_tools import components, finished, page_at, texts
from streamlit.testing.v1 import AppTest

from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.scenario import make_scenario
from ecocviz.views.playground.page_params import prominent

pytestmark = pytest.mark.page
SMALL = {"data": "blobs", "data__n_samples": "60"}


def opened(root, page="playground", **fields):
    return finished(page_at(root / "pages" / f"{page}.py", SMALL | fields).run())


def scenario_of(test):
    return test.session_state["ecocviz"].scenario


def captions(test):
    return [caption.value for caption in test.caption]


def test_choosing_keeps_its_group_open(root):
    test = AppTest.from_file(str(root / "app.py"), default_timeout=120)
    test.session_state["group.Code"] = True
    finished(test.run())
    labels = [one.label for one in test.expander]
    test.selectbox(key="slot.coding").select("dense-random").run()
    assert scenario_of(test).coding.key == "dense-random"
    assert [one.label for one in test.expander] == labels
    assert test.number_input(key="w.coding.dense-random.trials").value == 1000


def test_leaving_points_undecided_is_an_option_of_the_decoder(root):
    test = page_at(root / "pages" / "playground.py", SMALL)
    test.session_state["group.Decoder"] = True
    finished(test.run())
    assert test.selectbox(key="slot.rejecting").label == "Doubtful points"
    assert test.selectbox(key="slot.rejecting").value == "none"
    test.selectbox(key="slot.rejecting").select("margin").run()
    test = finished(test)
    assert scenario_of(test).rejecting.values == {"share": 0.1}
    test.slider(key="w.rejecting.margin.share").set_value(0.3).run()
    assert scenario_of(test).rejecting.values == {"share": 0.3}
    assert "left undecided if the decoder" in " ".join(captions(test))


def test_icon_buttons_have_names(root):
    test = opened(root, "data")
    assert [test.button(key=key).label for key in ("undo", "redo", "reset")] == [
        "Undo", "Redo", "Reset to the first screen",
    ]  # fmt: skip
    assert all(button.label for button in test.button)


def test_a_word_shows_its_number_and_the_slider_takes_over(root):
    test = opened(root, data="iris")
    key = "w.playground.machine.kernel.gamma"
    assert test.select_slider(key=key).value == pytest.approx(3.34645, rel=1e-5)
    assert scenario_of(test).machine.values["gamma"] == "scale"
    assert "γ 3.35, from the data" in " ".join(one.proto.body for one in test.sidebar.get("html"))
    test.select_slider(key=key).set_value(5.0).run()
    assert scenario_of(test).machine.values["gamma"] == 5.0
    test = finished(test)
    assert test.button(key="playground.machine.gamma.scale").label == "From the data: 3.35"
    test.button(key="playground.machine.gamma.scale").click().run()
    assert scenario_of(test).machine.values["gamma"] == "scale"


def test_a_number_left_to_the_code_is_no_zero(root):
    test = page_at(
        root / "pages" / "playground.py", SMALL | {"coding": "dense-random", "data__n_classes": "8"}
    )
    test.session_state["group.Code"] = True
    finished(test.run())
    key = "w.coding.dense-random.n_bits"
    assert test.selectbox(key=f"{key}.word").label == "Machines"
    assert test.selectbox(key=f"{key}.word").value == "automatic" and "30 for these data." in captions(test)
    assert not [one for one in (*test.slider, *test.number_input) if one.key == key]
    test.selectbox(key=f"{key}.word").select("a number").run()
    assert scenario_of(finished(test)).coding.values["n_bits"] == 30
    assert test.number_input(key=key).value == 30
    test.selectbox(key=f"{key}.word").select("automatic").run()
    assert scenario_of(test).coding.values["n_bits"] == 0


def test_a_number_between_the_steps_keeps_its_digits(root):
    test = opened(root, machine__gamma="0.123456789", machine__bias="0.7654321")
    key = "w.playground.machine.kernel.gamma"
    assert test.select_slider(key=key).value == 0.123456789
    assert test.number_input(key=f"{key}.exact").value == 0.123456789
    test.number_input(key=f"{key}.exact").set_value(7.654321).run()
    assert scenario_of(test).machine.values["gamma"] == 7.654321
    assert scenario_of(test).machine.values["bias"] == 0.7654321


@pytest.mark.parametrize("reduction", ["ecoc", "joint", "support-pattern"])
@pytest.mark.parametrize("machine", ["kernel", "decision-tree", "linear-svm"])
def test_what_matters_most_is_in_view(root, reduction, machine):
    test = opened(root, machine=machine, reduction=reduction)
    slot = "machine" if "machine" in SLOTS["reduction"][reduction].uses else "reduction"
    choice, params = prominent(scenario_of(test), slot)
    keys = {one.key.split(".exact")[0] for kind in ("slider", "select_slider") for one in test.get(kind)}
    assert params and {f"w.playground.{slot}.{choice.key}.{param.name}" for param in params} <= keys


def test_data_without_parts_of_their_own_say_so(root):
    test = AppTest.from_file(str(root / "pages" / "playground.py"), default_timeout=120)
    test.query_params |= {"data": "iris", "split": "own"}
    test.session_state["group.Data"] = True
    finished(test.run())
    said = "Iris brings no test part of its own: 30 % of its rows, drawn at random, are held out instead."
    assert said in captions(test) and said in [one.value for one in test.sidebar.caption]
    box = test.sidebar.selectbox(key="slot.split")
    assert "The set's own (unavailable)" in box.options


@pytest.mark.parametrize("page", ["playground", "code_matrix", "bits"])
def test_the_impossible_offers_the_nearest_choice_that_runs(root, page):
    test = opened(root, page, data__n_classes="8", coding="ternary-complete")
    assert [one.value for one in test.error] == [
        "Ternary exhaustive is offered for up to 7 classes; these data have 8."
    ]
    (offer,) = [one for one in test.button if one.label.endswith(" instead")]
    assert offer.label == "Use Sparse random instead"
    if page == "playground":  # the data are shown beside the sentence, and nothing is promised
        assert "There are no regions, because no machines are trained." in texts(test)
        assert "ecocviz.region_view" in [one.proto.component_name for one in components(test)]
    offer.click().run()
    finished(test)
    assert scenario_of(test).coding.key == "sparse-random" and not test.error
    assert scenario_of(test).data == make_scenario(data=("blobs", {"n_samples": 60, "n_classes": 8})).data
