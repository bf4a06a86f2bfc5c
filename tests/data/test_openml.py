"""OpenML by its own stored answers: asked only when somebody wants it, within bounds, every failure said."""

import json
from urllib.error import URLError
from urllib.request import urlopen

import numpy as np
import pandas as pd
import pytest
import sklearn.datasets
from openml_answers import answering, error
from sklearn.utils import Bunch

from ecocviz import cli
from ecocviz.data import openml
from ecocviz.data.catalogue import load_table
from ecocviz.data.openml import fetch, is_kept
from ecocviz.data.openml_network import Allowance, NotAskedError, TooMuchError, asking, guard

NOT_HERE = r"^The OpenML set 61 is not on this computer; fetch it on the Data page, or with"


@pytest.fixture
def iris(fresh_home):
    assert not list(fresh_home.rglob("*"))
    with answering(61) as answers:
        yield answers


# With scikit-learn's own function --------------------------------------------------------------------


def test_a_set_is_fetched_once_and_read_without_asking(iris, fresh_home):
    table = fetch(61)
    assert (table.name, table.features.shape) == ("iris", (150, 4))
    assert table.labels.value_counts().to_dict() == {
        "Iris-setosa": 50,
        "Iris-versicolor": 50,
        "Iris-virginica": 50,
    }
    assert table.source == "OpenML data set 61, version 1"
    assert "data/v1/download/61/iris.arff" in iris.asked
    assert is_kept(61)
    iris.asked.clear()
    again = load_table("openml", data_id=61)
    pd.testing.assert_frame_equal(again.features, table.features)
    assert iris.asked == []
    assert {path.name for path in fresh_home.iterdir()} == {"openml"}


def test_reading_never_asks_the_network(iris):
    with pytest.raises(ValueError, match=NOT_HERE):
        load_table("openml", data_id=61)
    assert iris.asked == []


def test_a_damaged_copy_is_not_fetched_again_by_reading(iris, fresh_home):
    fetch(61)
    (kept,) = fresh_home.rglob("*.arff.gz")
    kept.write_bytes(b"nothing that gzip reads")
    iris.asked.clear()
    with pytest.raises(ValueError, match=r"is damaged; fetch it again on the Data page\.$"):
        load_table("openml", data_id=61)
    assert iris.asked == []
    assert not is_kept(61)
    assert fetch(61).name == "iris"


@pytest.mark.parametrize(
    ("limit", "sentence"),
    [
        (
            {"ECOCVIZ_MAX_ROWS": "149"},
            r"has 150 rows but at most 149 are accepted; choose a smaller set, or raise ECOCVIZ_MAX_ROWS\.$",
        ),
        ({"ECOCVIZ_MAX_COLUMNS": "3"}, r"has 4 columns but at most 3"),
        ({"ECOCVIZ_MAX_BYTES": "4799"}, r"has 4,800 bytes but at most 4,799"),
        (
            {"ECOCVIZ_MAX_FOLDER_BYTES": "5000"},
            r"is too large for the room that is left here; choose a smaller one\.$",
        ),
    ],
)
def test_what_is_too_large_is_refused_before_its_data_are_asked_for(iris, monkeypatch, limit, sentence):
    for name, value in limit.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(ValueError, match=sentence):
        fetch(61)
    assert [path for path in iris.asked if "download" in path] == []
    assert not is_kept(61)


def test_a_set_that_does_not_say_its_size_is_refused(iris):
    iris.changed["api-v1-jdq-61.json.gz"] = json.dumps({"data_qualities": {"quality": []}}).encode()
    with pytest.raises(ValueError, match=r"^OpenML does not say how large its set 61 is"):
        fetch(61)


def test_data_that_are_kept_elsewhere_are_not_asked_for(iris):
    description = {"id": "61", "name": "iris", "version": "1", "status": "active", "format": "ARFF"}
    for place in ("file:///etc/passwd", "https://openml.org.elsewhere.example/iris.arff"):
        told = {"data_set_description": {**description, "url": place, "md5_checksum": "", "description": ""}}
        iris.changed["api-v1-jd-61.json.gz"] = json.dumps(told).encode()
        with pytest.raises(ValueError, match=r"is stored outside OpenML; choose another\.$"):
            fetch(61)
        for kept in openml._folder().rglob("*.gz"):
            kept.unlink()


OFFLINE = r"^OpenML cannot be reached; connect to the network, or choose a set that was fetched before\.$"
UNKNOWN = r"^OpenML has no usable data set with the number 61; choose another\.$"


@pytest.mark.parametrize(
    ("fail", "sentence"),
    [
        (lambda _: URLError("no route"), OFFLINE),
        (lambda _: TimeoutError(), OFFLINE),
        (lambda _: ConnectionResetError(), OFFLINE),
        (error(404), UNKNOWN),
        (error(412), UNKNOWN),
        (error(403), r"^OpenML answers with an error just now \(403\); try again later\.$"),
        (error(503), r"^OpenML answers with an error just now \(503\); try again later\.$"),
    ],
)
def test_every_failure_is_one_sentence(iris, fail, sentence):
    iris.fail = fail
    with pytest.raises(ValueError, match=sentence):
        fetch(61)
    assert not is_kept(61)


@pytest.mark.usefixtures("iris")
def test_an_unknown_number_is_one_sentence():
    with pytest.raises(ValueError, match=r"^OpenML has no usable data set with the number 777777"):
        fetch(777_777)


def test_a_shared_server_asks_only_where_it_may(iris, monkeypatch):
    monkeypatch.setenv("ECOCVIZ_SHARED", "1")
    with pytest.raises(
        ValueError, match=r"^This server fetches no sets from OpenML; choose another data set\.$"
    ):
        fetch(61)
    assert iris.asked == []
    monkeypatch.setenv("ECOCVIZ_OPENML", "1")
    assert fetch(61).name == "iris"
    monkeypatch.delenv("ECOCVIZ_OPENML")
    assert load_table("openml", data_id=61).name == "iris"  # what is kept needs no asking


@pytest.mark.usefixtures("iris")
def test_sets_are_fetched_one_after_the_other():
    with openml._FETCHING, pytest.raises(ValueError, match="Another set is being fetched"):
        fetch(61)


@pytest.mark.usefixtures("iris")
def test_the_command_line_fetches(capsys):
    assert cli.main(["fetch", "61"]) == 0
    assert capsys.readouterr().out == "iris: 150 rows, 4 features, kept for the app\n"


# The guard -------------------------------------------------------------------------------------------


def test_nobody_asks_openml_who_was_not_asked_to():
    guard()
    for place in ("https://www.openml.org/api/v1/json/data/61", "http://openml.org/"):
        with pytest.raises(NotAskedError):
            urlopen(place)  # noqa: S310 - refused before anything is opened


@pytest.mark.usefixtures("iris")
def test_what_takes_too_long_or_is_too_much_ends():
    with asking(Allowance(60, 100)), pytest.raises(TooMuchError, match="too large for the room"):
        urlopen("https://www.openml.org/api/v1/json/data/61").read()
    with asking(Allowance(-1, 100)), pytest.raises(TooMuchError, match="did not send this set within"):
        urlopen("https://www.openml.org/api/v1/json/data/61")


def test_other_addresses_are_opened_as_before(tmp_path):
    guard()
    (tmp_path / "own").write_text("text")
    assert urlopen((tmp_path / "own").as_uri()).read() == b"text"  # noqa: S310 - a file of this test


# What is made of a set -------------------------------------------------------------------------------


def answer(monkeypatch, result):
    """Let scikit-learn's function return something else, and take what it takes."""
    real = sklearn.datasets.fetch_openml

    def other(**arguments):
        real(**arguments)
        return result

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", other)


def bunch(target, **columns):
    frame = pd.DataFrame(columns)
    return Bunch(data=frame, target=target, details={"name": "toy", "version": "3", "licence": "Public"})


@pytest.mark.usefixtures("iris")
def test_columns_become_numbers_and_texts(monkeypatch):
    toy = bunch(
        pd.Series(pd.Categorical(["u", "v", None, "u"])),
        size=[1, 2, 3, 4],
        colour=pd.Categorical(["red", None, "red", "blue"]),
        share=pd.arrays.SparseArray([0.0, 0.5, 0.0, 0.0]),
    )
    answer(monkeypatch, toy)
    table = fetch(61)
    assert table.name == "toy"
    assert table.labels.tolist() == ["u", "v", "u"]
    assert table.features["size"].tolist() == [1, 2, 4]
    assert table.features["share"].tolist() == [0, 0.5, 0]
    assert table.features["colour"].isna().tolist() == [False, True, False]
    assert table.categorical == ("colour",)
    assert table.features["size"].dtype == np.float64
    assert table.source == "OpenML data set 61, version 3"
    assert table.notes == ("1 rows without a label are left out.",)


@pytest.mark.usefixtures("iris")
@pytest.mark.parametrize("target", [None, pd.Series([1.0, 2.0]), pd.DataFrame({"a": [1, 2], "b": [1, 2]})])
def test_a_set_without_a_class_is_refused(monkeypatch, target):
    answer(monkeypatch, bunch(target, x=[1, 2]))
    with pytest.raises(ValueError, match=r"The OpenML set 61 has no class to predict"):
        fetch(61)


@pytest.mark.usefixtures("iris")
def test_one_class_is_refused(monkeypatch):
    answer(monkeypatch, bunch(pd.Series(pd.Categorical(["u", "u"])), x=[1, 2]))
    with pytest.raises(ValueError, match="has fewer than two classes"):
        fetch(61)
