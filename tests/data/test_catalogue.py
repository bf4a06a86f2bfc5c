"""The data catalogues: keys, titles and parameters of every entry."""

import re

import pytest

from ecocviz.data.catalogue import DATASETS, PREPARATIONS, SPLITS, load_table
from ecocviz.data.home import home
from ecocviz.data.limits import DEFAULT_LIMITS, current_limits, refuse
from ecocviz.engine.params import complete

ENTRIES = [*DATASETS.values(), *PREPARATIONS.values(), *SPLITS.values()]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.key)
def test_every_entry_can_be_shown(entry):
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", entry.key)
    assert entry.title[0].isupper() or entry.title[0] == "k"
    assert entry.summary.endswith(".")
    assert "\n" not in entry.summary
    assert len(entry.summary) < 110
    for param in entry.params:
        assert param.parse(param.text(param.default)) == param.default
    assert set(complete(entry.params, {})) == {param.name for param in entry.params}


@pytest.mark.parametrize("dataset", DATASETS.values(), ids=lambda dataset: dataset.key)
def test_every_set_says_where_it_comes_from(dataset):
    assert dataset.licence
    assert dataset.group
    if not dataset.needs:
        table = load_table(dataset.key)
        assert table.source == dataset.source
        assert table.licence == dataset.licence
        assert table.features.columns.is_unique


def test_two_feature_problems_come_first_and_large_sets_late():
    keys = list(DATASETS)
    assert keys[0] == "blobs"
    assert [DATASETS[key].group for key in keys[:6]] == ["Two features"] * 6
    assert keys.index("iris") < keys.index("soybean") < keys.index("letter") < keys.index("openml")
    assert list(PREPARATIONS) == ["min-max", "standardise", "as-is"]
    assert list(SPLITS) == ["hold-out", "own", "k-fold", "leave-one-out", "all"]


def test_an_unknown_set_is_refused_with_a_sentence():
    with pytest.raises(ValueError, match=r"^There is no data set 'x'; known: blobs, circles"):
        load_table("x")


def test_the_mappings_cannot_be_changed():
    with pytest.raises(TypeError):
        DATASETS["x"] = DATASETS["iris"]


def test_limits_come_from_the_environment(monkeypatch):
    assert current_limits() == DEFAULT_LIMITS
    monkeypatch.setenv("ECOCVIZ_MAX_ROWS", "12")
    assert current_limits().rows == 12
    assert current_limits().columns == DEFAULT_LIMITS.columns


@pytest.mark.parametrize("text", ["many", "-1", "0", "1.5", "9" * 16])
def test_a_limit_that_is_no_number_is_named(monkeypatch, text):
    monkeypatch.setenv("ECOCVIZ_MAX_CLASSES", text)
    with pytest.raises(ValueError, match="ECOCVIZ_MAX_CLASSES takes a whole number above 0"):
        current_limits()


def test_what_is_within_the_limit_is_not_refused():
    refuse("This table", 10, 10, "rows", "upload a part")
    with pytest.raises(ValueError, match="has 11 rows but at most 10 are accepted"):
        refuse("This table", 11, 10, "rows", "upload a part")


def test_the_data_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("ECOCVIZ_HOME", str(tmp_path / "here"))
    assert home() == tmp_path / "here"
    assert not home().exists()
    monkeypatch.delenv("ECOCVIZ_HOME")
    assert home().name == "ecocviz"
