"""Training is a job on every page that shows trained machines: seen, cancelled, shared, kept apart."""

import threading

import pytest
from pages_tools import components, finished, page_at, received, texts

from ecocviz.lab.jobs import TOO_LARGE
from ecocviz.lab.run import train
from ecocviz.views.playground.facts import make_picture
from ecocviz.views.shared.app import cache, job_panel, stage

pytestmark = pytest.mark.page

PAGES = ["playground", "relations", "bits", "decoders"]
QUICK = {"data": "blobs", "data.n_samples": "60", "judged": "hamming", "compare": "hamming", "grid": "-1,1,3"}


class Gate:
    """A training that goes on only when it is let, for every scenario but one."""

    def __init__(self):
        self.opened = threading.Event()
        self.begun, self.quick = [], None

    @property
    def own(self):
        """The trainings of the first scenario, without those of a sweep over its parameters."""
        return [scenario for scenario in self.begun if scenario == self.begun[0]]

    def train(self, scenario, progress):
        self.begun.append(scenario)
        if scenario.data.key != self.quick:
            progress.note("training machine 2 of 6")
            while not self.opened.wait(0.005):
                progress.at(0.25)
        return train(scenario, progress)


def put_in_the_way(monkeypatch, training):
    """Train in another way from now on; nothing is remembered."""
    monkeypatch.setattr("ecocviz.views.shared.app.cache.train_away", training)
    cache.keeper.clear()


@pytest.fixture
def gate(monkeypatch):
    cache.trainings().close()  # nothing is known from other tests
    for pool in (cache.trainings, cache.views, cache.jobs, cache.readings):
        pool.clear()
    made = Gate()
    put_in_the_way(monkeypatch, made.train)
    yield made
    made.opened.set()
    cache.trainings().close()
    cache.trainings.clear()
    cache.keeper.clear()


@pytest.fixture
def opened(root):
    def start(page, **fields):
        test = page_at(root / "pages" / f"{page}.py", {**QUICK, **fields})
        return test.run()

    return start


def styles(test):
    return " ".join(element.proto.body for element in test.get("html") if "<style" in element.proto.body)


def is_faded(test):
    return "opacity: .4" in styles(test)


def drawn(test):
    """How many figures are there."""
    return len(test.get("plotly_chart")) + len(components(test))


def asked(test):
    """What the browser is told: when to ask after which job again."""
    return [received(one) for one in components(test, waits=True)]


def choose_data(test, key):
    test.session_state["group.Data"] = True
    test.run()
    return test.selectbox(key="slot.data").select(key).run()


def click(test, label):
    button = next(button for button in test.button if button.label == label)
    return button.click().run()


@pytest.mark.parametrize("page", PAGES)
def test_a_first_visit_sees_what_is_trained_and_then_the_page(page, opened, gate):
    test = opened(page)
    assert not test.exception and not test.error
    assert [bar.proto.text for bar in test.get("progress")] == ["training machine 2 of 6"]
    assert [bar.proto.value for bar in test.get("progress")] == [25]
    early = 2 if page == "playground" else 0  # points and code need no machines
    assert drawn(test) == early and not is_faded(test)
    assert test.sidebar.button(key="undo")  # the sidebar is there all the while
    gate.opened.set()
    finished(test)
    assert drawn(test) >= 1 and not is_faded(test)
    assert len(gate.own) == 1


@pytest.mark.parametrize("page", PAGES)
def test_the_setting_before_stays_until_cancel_and_undo_bring_it_back(page, opened, gate):
    gate.quick = "blobs"
    test = finished(opened(page))
    before = drawn(test)
    choose_data(test, "iris")
    assert test.get("progress") and not test.exception and not test.error
    kept = before - (page == "decoders")  # not its curves over a parameter
    assert is_faded(test) and drawn(test) == kept
    click(test, "Cancel")
    stopped = [caption.value for caption in test.caption if caption.value.startswith("Stopped at 25 %")]
    assert stopped == ["Stopped at 25 %; the previous setting is still shown; Undo returns to it."]
    assert not test.get("progress") and is_faded(test) and drawn(test) == kept
    test.button(key="undo").click().run()
    finished(test)
    assert not is_faded(test) and drawn(test) == before
    assert not any(caption.value.startswith("Stopped") for caption in test.caption)
    assert test.session_state["ecocviz"].scenario.data.key == "blobs"


def test_a_job_that_waits_for_others_says_so_and_can_be_cancelled(opened, gate):
    for seed in range(1, 60):  # more than can run at the same time, also where what takes long counts no more
        test = opened("playground", seed=str(seed))
        told = [bar.proto.text for bar in test.get("progress")]
        if told[0].startswith("waiting for "):
            break
    assert told[0].startswith("waiting for ") and "computation" in told[0]
    click(test, "Cancel")
    assert [caption.value for caption in test.caption if caption.value.startswith("Stopped")] == [
        "Stopped at 0 %; there is no result yet."
    ]
    assert "There are no regions, because no machines are trained." in texts(test)
    gate.opened.set()
    assert drawn(finished(click(test, "Run again"))) >= 1


@pytest.mark.parametrize("page", PAGES)
def test_the_browser_is_told_when_to_ask_again_as_long_as_there_is_something_to_wait_for(page, opened, gate):
    test = opened(page)
    [first] = asked(test)
    assert first["after"] == 300
    [second] = asked(test.run())
    assert second["number"] > first["number"]
    watched = test.session_state[job_panel.KEY].sections
    assert all(f"{page}.machines" in places for places in watched.values()) and page in watched
    gate.opened.set()
    finished(test)
    assert asked(test) == []


def test_only_news_draw_the_sections_again(opened, gate, monkeypatch):
    ticks, reruns = [], []
    monkeypatch.setattr(job_panel, "pulse", lambda *_, key, on_tick: ticks.append((key, on_tick)))
    for module in (job_panel, stage):
        monkeypatch.setattr(module, "watching", lambda: held)
    monkeypatch.setattr(job_panel.st, "rerun", lambda scope="app": reruns.append(scope))
    held = job_panel.Watching()
    test = opened("decoders")
    (key, tick), *_ = ticks
    assert not test.exception and key == "pulse.decoders.machines"
    tick()
    assert reruns == []
    job = held.jobs["decoders.machines"]
    gate.opened.set()
    assert job[0].wait(job[1], 30).state.over
    tick()
    assert reruns == [["decoders", "decoders.sweep"]]


def test_cancelling_ends_the_training_and_run_again_begins_it_anew(opened, gate):
    test = opened("playground")
    key = test.session_state[job_panel.KEY].jobs["playground.machines"][1]
    click(test, "Cancel")
    assert cache.trainings().wait(key, 5).state.over
    assert len(gate.own) == 1
    gate.opened.set()
    finished(click(test, "Run again"))
    assert drawn(test) >= 1 and len(gate.own) == 2


def test_one_training_serves_all_pages_and_visitors(opened, gate):
    first, second = opened("playground"), opened("bits")
    gate.opened.set()
    for test in (first, second, opened("relations"), opened("decoders"), opened("playground")):
        assert drawn(finished(test)) >= 1
    assert len(gate.own) == 1


def test_another_decoder_trains_nothing(opened, gate):
    gate.opened.set()
    for decoding in ("hamming", "likelihood", "linear"):
        assert drawn(finished(opened("playground", decoding=decoding))) >= 1
    assert len(gate.own) == 1


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(
    ("failure", "sentence"),
    [
        (ValueError("Too few points of class A; choose more."), "Too few points of class A; choose more."),
        (MemoryError(), TOO_LARGE),
        (
            RuntimeError("inside"),
            "The computation stopped unexpectedly (RuntimeError); change a setting and try again.",
        ),
    ],
)
def test_a_failure_is_one_sentence_and_tried_again_by_the_next_visitor(
    page, failure, sentence, opened, gate, monkeypatch
):
    def fail(*_):
        raise failure

    put_in_the_way(monkeypatch, fail)
    test = opened(page)
    assert not test.exception
    assert {error.value for error in test.error} == {sentence}
    assert test.sidebar.button(key="undo")
    put_in_the_way(monkeypatch, gate.train)
    gate.opened.set()
    assert drawn(finished(opened(page))) >= 1


def test_the_picture_is_awaited_as_the_training_is(opened, gate, monkeypatch):
    gate.opened.set()
    release = threading.Event()

    def slow(trained, plane, decodings, progress):
        progress.note("deciding the points")
        while not release.wait(0.005):
            progress.at(0.5)
        return make_picture(trained, plane, decodings, progress)

    monkeypatch.setattr("ecocviz.views.playground.page_view.make_picture", slow)
    test = opened("playground")
    assert [bar.proto.text for bar in test.get("progress")] == ["deciding the points"]
    click(test, "Cancel")
    assert any(caption.value.startswith("Stopped at 50 %") for caption in test.caption)
    release.set()
    assert drawn(finished(click(test, "Run again"))) >= 1
    assert len(gate.own) == 1
