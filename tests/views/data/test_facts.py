"""What the report says of data, against plain counting."""

import pandas as pd
import pytest

from ecocviz.data.catalogue import DATASETS
from ecocviz.data.types import Table
from ecocviz.lab.run import load
from ecocviz.lab.scenario import make_scenario
from ecocviz.views.data.facts import describe_columns, describe_table, make_consequences


@pytest.fixture
def gappy():
    """Twelve rows with a constant column, words, and gaps in both kinds of columns."""
    features = pd.DataFrame(
        {
            "size": [1.0, 2.0, None, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0],
            "same": [3.0] * 12,
            "colour": pd.Series(["red", "blue", None, "red"] * 3, dtype="str"),
        }
    )
    return Table(
        name="Gappy", features=features, labels=pd.Series(list("abcabcabcabc")), categorical=("colour",)
    )


def test_columns_are_described(gappy):
    size, same, colour = describe_columns(gappy)
    assert (size.kind, size.n_missing, size.n_values, size.summary) == ("numbers", 1, 11, "1 to 12")
    assert (same.n_values, same.summary) == (1, "3 to 3")
    assert (colour.kind, colour.n_missing, colour.summary) == ("words", 3, "mostly red (6)")


def test_a_table_is_described(gappy):
    facts = describe_table(gappy)
    assert (facts.name, facts.classes, facts.counts.tolist()) == ("Gappy", ("a", "b", "c"), [4, 4, 4])
    assert facts.columns == tuple(describe_columns(gappy))


@pytest.mark.parametrize(
    ("missing", "filled", "dropped", "columns"),
    [("impute", 4, 0, 3), ("category", 1, 0, 5), ("drop", 0, 3, 3)],
)
def test_consequences_of_missing_values(gappy, missing, filled, dropped, columns):
    scenario = make_scenario(split="all", preparation=("min-max", {"missing": missing}))
    found = make_consequences(scenario, gappy)
    assert (found.n_filled, found.n_dropped) == (filled, dropped)
    assert len(found.prepared.feature_names) == columns
    assert (found.n_columns, found.encoded, found.constant) == (3, ("colour",), ("same",))
    assert found.counts.tolist() == [4, 4, 4]
    assert found.train.sum() == 12 - dropped


@pytest.mark.parametrize("split", ["hold-out", "k-fold", "leave-one-out", "all", "own"])
def test_rows_of_each_class_are_counted(split):
    scenario = make_scenario(data="iris", split=split)
    table = load(scenario)
    found = make_consequences(scenario, table)
    labels = table.labels.tolist()
    for part, rows in (("train", found.prepared.train_rows), ("test", found.prepared.test_rows)):
        # Of several folds every row is tested in one.
        counted = range(150) if part == "test" and found.n_folds > 1 else rows
        expected = [sum(labels[r] == name for r in counted) for name in table.classes]
        assert getattr(found, part).tolist() == expected
    assert found.n_folds == {"k-fold": 5, "leave-one-out": 150}.get(split, 1)
    assert (found.fold_sizes.sum(axis=1) == (300 if split == "all" else 150)).all()
    assert found.tests_trained == (split == "all") and found.classes == table.classes


@pytest.mark.parametrize("key", [key for key, entry in DATASETS.items() if not entry.needs])
def test_every_set_has_a_report(key):
    scenario = make_scenario(data=key)
    table = load(scenario)
    found = make_consequences(scenario, table)
    assert found.train.sum() + found.test.sum() == table.labels.size
    assert (found.train + found.test == found.counts).all()
    assert found.n_filled == (3 if key == "postoperative" else 0)
    assert len(found.encoded) + len(found.constant) >= len(table.categorical)
