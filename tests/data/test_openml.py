"""OpenML without the network: what comes back, what is refused, and being offline."""

import io
from email.message import Message
from urllib.error import HTTPError, URLError

import numpy as np
import pandas as pd
import pytest
import sklearn.datasets
from sklearn.utils import Bunch

from ecocviz.data.catalogue import load_table


def answer(monkeypatch, result):
    """Let fetch_openml return or raise something; the returned list takes its arguments."""
    calls = []

    def fetch(**arguments):
        calls.append(arguments)
        if isinstance(result, Exception):
            raise result
        return result

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", fetch)
    return calls


def bunch(target, **columns):
    frame = pd.DataFrame(columns)
    return Bunch(data=frame, target=target, details={"name": "toy", "version": "3", "licence": "Public"})


def test_a_set_is_fetched_by_number_into_the_data_folder(monkeypatch, fresh_home):
    calls = answer(
        monkeypatch,
        bunch(
            pd.Series(pd.Categorical(["u", "v", None, "u"])),
            size=[1, 2, 3, 4],
            colour=pd.Categorical(["red", None, "red", "blue"]),
            share=pd.arrays.SparseArray([0.0, 0.5, 0.0, 0.0]),
        ),
    )
    table = load_table("openml", data_id=61)
    assert calls[0]["data_id"] == 61
    assert calls[0]["data_home"] == str(fresh_home / "openml")
    assert table.name == "toy"
    assert table.labels.tolist() == ["u", "v", "u"]
    assert table.features["size"].tolist() == [1, 2, 4]
    assert table.features["share"].tolist() == [0, 0.5, 0]
    assert table.features["colour"].isna().tolist() == [False, True, False]
    assert table.categorical == ("colour",)
    assert table.features["size"].dtype == np.float64
    assert table.source == "OpenML data set 61, version 3"
    assert table.notes == ("1 rows without a label are left out.",)


def http_error(code):
    return HTTPError("address", code, "message\nof two lines", Message(), io.BytesIO())


OFFLINE = r"^OpenML cannot be reached; sets fetched before still open, for others connect to the network\.$"
UNKNOWN = r"^OpenML has no usable data set with the number 7; choose another\.$"


@pytest.mark.parametrize(
    "error, sentence",
    [
        (URLError("no route"), OFFLINE),
        (TimeoutError(), OFFLINE),
        (ConnectionResetError(), OFFLINE),
        (http_error(404), UNKNOWN),
        (http_error(412), UNKNOWN),
        (OSError("checksum"), UNKNOWN),
        (ValueError("bad\nfile"), UNKNOWN),
        (KeyError("file_id"), UNKNOWN),
    ],
)
def test_every_failure_is_one_sentence(monkeypatch, error, sentence):
    answer(monkeypatch, error)
    with pytest.raises(ValueError, match=sentence):
        load_table("openml", data_id=7)


@pytest.mark.parametrize("target", [None, pd.Series([1.0, 2.0]), pd.DataFrame({"a": [1, 2], "b": [1, 2]})])
def test_a_set_without_a_class_is_refused(monkeypatch, target):
    answer(monkeypatch, bunch(target, x=[1, 2]))
    with pytest.raises(ValueError, match=r"The OpenML set 7 has no class to predict"):
        load_table("openml", data_id=7)


def test_one_class_is_refused(monkeypatch):
    answer(monkeypatch, bunch(pd.Series(pd.Categorical(["u", "u"])), x=[1, 2]))
    with pytest.raises(ValueError, match="has no two classes"):
        load_table("openml", data_id=7)


def test_a_set_too_large_is_refused_with_the_number(monkeypatch):
    answer(monkeypatch, bunch(pd.Series(pd.Categorical(["u", "v", "u"])), x=[1, 2, 3]))
    monkeypatch.setenv("ECOCVIZ_MAX_ROWS", "2")
    with pytest.raises(ValueError, match=r"has 3 rows but at most 2 are accepted; choose a smaller set\.$"):
        load_table("openml", data_id=7)
