"""The Data page with every entry, uploads good and bad, without a browser."""

import json
import threading

import pytest
from openml_answers import answering
from pages_tools import charts, finished, page_at, texts
from waiting import until

from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.run import load
from ecocviz.lab.scenario import make_scenario

pytestmark = pytest.mark.page

IRISH = b"width,kind,height\n" + b"".join(
    b"%d.5,%s,%d\n" % (k, [b"red", b"green", b"blue"][k % 3], k * k % 31) for k in range(30)
)


@pytest.fixture
def app(root):
    def start(**fields):
        test = page_at(root / "pages" / "data.py", {"v": "1", **fields})
        return finished(test.run())

    return start


def scenario_of(test):
    return test.session_state["ecocviz"].scenario


def assert_shown(test):
    assert not test.exception, test.exception
    assert not test.error, [error.value for error in test.error]
    assert len(charts(test)) == 2
    assert all(element.proto.alt for element in test.get("plotly_chart"))
    assert len(test.dataframe) >= 2


def upload(test, content, name="mine.csv"):
    return test.file_uploader(key="upload.train").upload(name, content).run()


def test_the_first_screen_tells_and_shows_the_data(app):
    test = app()
    assert_shown(test)
    assert "Blobs has 160 rows of 2 features in 4 classes of 40 rows each." in texts(test)
    assert "wrong on 75.0 % (36 of 48) of the test rows" in texts(test)
    assert "The machines train on 112 rows and are tested on 48 others." in texts(test)
    bars = next(chart for chart in charts(test) if chart["data"][0]["type"] == "bar")
    assert len(bars["data"][0]["marker"]["color"]) == 4
    assert len(test.dataframe[0].value) == 160


@pytest.mark.parametrize("key", [key for key, entry in SLOTS["data"].items() if not entry.needs])
def test_every_data_set(app, key):
    test = app(data=key)
    assert_shown(test)
    table = load(make_scenario(data=key))
    assert f"{table.labels.size:,} rows" in texts(test)
    assert any("Licence" in caption.value for caption in test.caption)


@pytest.mark.parametrize(
    ("slot", "key"), [(slot, key) for slot in ("preparation", "split") for key in SLOTS[slot]]
)
def test_every_preparation_and_split(app, slot, key):
    test = app(data="postoperative")
    test.selectbox(key=f"data.slot.{slot}").select(key).run()
    assert_shown(test)
    assert getattr(scenario_of(test), slot).key == key
    expected = {"k-fold": "5 folds", "leave-one-out": "90 folds", "all": "tested on the same rows"}
    assert expected.get(key, "") in texts(test)


@pytest.mark.parametrize("key", ["blobs", "circles", "moons", "spirals", "quadrants", "checkerboard"])
def test_a_generator_has_a_widget_for_every_parameter(app, key):
    test = app(data=key)
    kinds = ("selectbox", "slider", "number_input", "select_slider", "button_group")
    found = {widget.key for kind in kinds for widget in test.get(kind)}
    for param in SLOTS["data"][key].params:
        assert f"w.data.data.{key}.{param.name}" in found
    test.number_input(key=f"w.data.data.{key}.n_samples").set_value(120).run()
    assert_shown(test)
    assert "has 120 rows" in texts(test)


def test_missing_values_are_counted_and_can_be_left_out(app):
    test = app(data="postoperative")
    assert "3 missing values are filled in." in texts(test)
    test.selectbox(key="w.data.preparation.min-max.missing").select("drop").run()
    assert_shown(test)
    assert "3 rows with a missing value are left out." in texts(test)


def test_axes_are_chosen_and_travel_in_the_link(app):
    test = app(data="iris")
    assert_shown(test)
    test.button_group(key="data.plane").set_value("pair").run()
    test.selectbox(key="data.axis1").select(3).run()
    assert_shown(test)
    fields = {
        name: value[-1] if isinstance(value, list) else value for name, value in test.query_params.items()
    }
    assert fields["axes"] == "0,3"
    again = app(**{name.replace(".", "__"): value for name, value in fields.items()})
    assert charts(again) == charts(test)
    titles = [chart["layout"]["yaxis"].get("title", {}).get("text") for chart in charts(again)]
    assert "petal width (cm)" in titles
    assert "axes" not in app(data="iris", axes="9,9").session_state["ecocviz"].scenario.to_flat()


def test_an_upload_becomes_the_data_of_all_pages(app):
    test = upload(app(), IRISH)
    assert scenario_of(test) == make_scenario()  # nothing changes before it is asked for
    # No column is called class or label, so that the last one is the guess; another is chosen.
    label = next(box for box in test.selectbox if box.label == "Column that holds the class")
    assert label.value == "height"
    label.select("kind").run()
    assert any(
        "kind has 3 different values: blue, green and red." in c.value.replace("\\", "") for c in test.caption
    )
    test.button(key="upload.use").click().run()
    assert_shown(test)
    scenario = scenario_of(test)
    assert scenario.data.key == "upload"
    table = load(scenario)
    assert table.classes == ("blue", "green", "red") and table.features.columns.tolist() == [
        "width",
        "height",
    ]
    assert test.button(key="upload.use").disabled
    assert "mine.csv has 30 rows of 2 features in 3 classes of 10 rows each." in texts(test)
    test.button(key="undo").click().run()
    assert scenario_of(test) == make_scenario()


def test_two_files_are_split_as_they_came(app):
    test = upload(app(), IRISH)
    test.file_uploader(key="upload.test").upload("more.csv", IRISH[: IRISH.index(b"12.5")]).run()
    next(box for box in test.selectbox if box.label == "Column that holds the class").select("kind").run()
    test.button(key="upload.use").click().run()
    assert_shown(test)
    assert scenario_of(test).split.key == "own"
    assert "The machines train on 30 rows and are tested on 12 others." in texts(test)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"PK\x03\x04rest", "table.xlsx"),
        (b"\x80\x04pickle", "model.pkl"),
        (b"", "empty.csv"),
        (b"\x00\x01\x02\x03", "noise.csv"),
        (b"PAR1 and nothing else", "broken.parquet"),
        (b"@relation x\n@attribute", "broken.arff"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_sentence_and_nothing_is_lost(app, content, name):
    test = app(data="iris")
    before = scenario_of(test)
    upload(test, content, name)
    assert not test.exception
    assert len(test.error) == 1 and "\n" not in test.error[0].value
    assert scenario_of(test) == before
    assert len(charts(test)) == 2


def test_a_label_that_is_no_class_is_one_sentence_and_nothing_is_lost(app):
    same = b"a,b\n" + b"1,x\n" * 5
    test = upload(app(data="iris"), same)
    before = scenario_of(test)
    assert not test.exception and test.button(key="upload.use").disabled
    assert len(test.error) == 1 and "at least two" in test.error[0].value
    assert scenario_of(test) == before
    upload(test, b"a,class\n1,x\n2,y\n3,x\n4,y\n")
    assert not test.error
    test.button(key="upload.use").click().run()
    assert_shown(test)
    assert scenario_of(test).data.key == "upload"


def test_names_in_a_file_are_shown_as_they_are(app):
    hostile = b"<script>alert(1)</script>,class\n" + b"1,<b>x</b>\n2,*y*\n" * 6
    test = upload(app(), hostile, "<img>.csv")
    test.button(key="upload.use").click().run()
    assert_shown(test)
    told = texts(test) + json.dumps(charts(test))
    assert "<script>alert" not in told and "<b>x" not in told and "<img>" not in told


def test_no_file_yet_asks_for_one(app):
    test = app(data="upload")
    assert not test.exception and not test.error
    assert test.file_uploader(key="upload.train") is not None
    assert not charts(test)


def test_a_link_to_a_file_of_another_computer_is_one_sentence(app):
    test = app(data="upload", data__digest="0" * 32)
    assert not test.exception
    assert len(test.error) == 1 and "upload it again" in test.error[0].value


def test_a_preparation_that_leaves_nothing_still_shows_the_table(app):
    test = upload(app(), b"a,class\n1,x\n1,y\n1,x\n1,y\n")
    test.button(key="upload.use").click().run()
    assert not test.exception
    assert [error.value for error in test.error] == [
        "Every column is constant in the training part, so there is nothing to learn from; add a column."
    ]
    assert "has 4 rows of 1 feature in 2 classes" in texts(test)
    assert len(test.dataframe) >= 2


def test_a_set_of_openml_is_fetched_only_when_the_visitor_asks_for_it(app, fresh_home):
    with answering(61) as answers:
        test = app(data="openml", data__data_id="61")
        assert not test.exception and not test.error
        assert answers.asked == [] and not charts(test)
        assert "The app asks OpenML for it only when you press the button." in "".join(
            caption.value for caption in test.caption
        )
        assert test.button(key="data.fetch").label == "Fetch set 61 from OpenML"
        test.button(key="data.fetch").click().run()
        until(lambda: "iris has 150 rows" in texts(test.run()))
        assert any("download" in path for path in answers.asked)
        assert not [button for button in test.button if button.key == "data.fetch"]
        answers.asked.clear()
        assert "iris has 150 rows" in texts(app(data="openml", data__data_id="61"))
        assert answers.asked == []
    assert (fresh_home / "openml").is_dir()


def test_openml_that_cannot_be_reached_is_one_sentence_and_may_be_asked_again(app, fresh_home):
    with answering(61) as answers:
        answers.fail = lambda _: ConnectionError()
        test = app(data="openml", data__data_id="61")
        test.button(key="data.fetch").click().run()
        until(lambda: test.error or not test.run())
        assert not test.exception
        assert len(test.error) == 1 and "OpenML cannot be reached" in test.error[0].value
        assert test.number_input(key="w.data.data.openml.data_id").value == 61
        answers.fail = None
        test.button(key="data.fetch").click().run()
        until(lambda: "iris has 150 rows" in texts(test.run()))
    assert (fresh_home / "openml").is_dir()


def test_a_server_that_may_not_ask_openml_says_so(app, fresh_home, monkeypatch):
    monkeypatch.setenv("ECOCVIZ_SHARED", "1")
    test = app(data="openml", data__data_id="61")
    assert [info.value for info in test.info] == [
        "The OpenML set 61 is not on this server, which fetches no sets; choose another data set."
    ]
    assert not [button for button in test.button if button.key == "data.fetch"]
    assert not list(fresh_home.rglob("*"))


def test_a_set_that_takes_long_says_what_it_does(root, monkeypatch):
    go_on = threading.Event()

    def slow(scenario):
        go_on.wait(30)
        return load(scenario)

    monkeypatch.setattr("ecocviz.views.data.page.load", slow)
    monkeypatch.setattr("ecocviz.views.shared.app.job_panel.PATIENCE_SECONDS", 0.05)
    test = page_at(root / "pages" / "data.py", {"data": "moons", "seed": "77"})
    # What earlier tests have left behind may have its turn first.
    until(lambda: [bar.proto.text for bar in test.run().get("progress")] == ["loading the data, Moons"])
    assert test.selectbox(key="data.slot.data").value == "moons" and not charts(test)
    go_on.set()
    assert_shown(finished(test))
