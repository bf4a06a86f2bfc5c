"""Splits: every row where it belongs, small classes never lost by accident, the same seed the same rows."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_data import params_of, tables

from ecocviz.data.catalogue import SPLITS, load_table
from ecocviz.data.prepare import folds
from ecocviz.data.splits import stratified_sizes
from ecocviz.data.types import Table


def table_of(labels, **more):
    labels = [str(label) for label in labels]
    features = pd.DataFrame({"x": np.arange(len(labels), dtype=float)})
    return Table(name="t", features=features, labels=pd.Series(labels, dtype="str"), **more)


@pytest.mark.parametrize("key", list(SPLITS))
@given(data=st.data(), seed=st.integers(0, 2**31))
def test_folds_are_rows_of_the_table_and_repeat_with_the_seed(key, data, seed):
    table = data.draw(tables(n_train=data.draw(st.booleans())))
    params = data.draw(params_of(SPLITS[key]))
    cut = folds(table, key, params, seed)
    n_samples = len(table.labels)
    assert cut
    for fold, again in zip(cut, folds(table, key, params, seed), strict=True):
        for rows, rows_again in ((fold.train, again.train), (fold.test, again.test)):
            assert rows.dtype == np.int64
            assert rows.size > 0
            assert (np.diff(rows) > 0).all()
            assert rows[0] >= 0 and rows[-1] < n_samples
            assert (rows == rows_again).all()
        if key != "all":
            assert sorted([*fold.train, *fold.test]) == list(range(n_samples))
    codes = table.codes()
    if key in {"hold-out", "k-fold"}:
        for fold in cut:
            assert set(codes[fold.train]) == set(codes)


@given(table=tables(max_rows=60), n_folds=st.integers(2, 20), seed=st.integers(0, 99))
def test_k_folds_partition_all_rows_that_are_not_alone_in_their_class(table, n_folds, seed):
    cut = folds(table, "k-fold", {"n_folds": n_folds}, seed)
    codes = table.codes()
    counts = np.bincount(codes)
    tested = np.concatenate([fold.test for fold in cut])
    assert sorted(tested) == np.flatnonzero(counts[codes] > 1).tolist()
    sizes = [fold.test.size for fold in cut]
    assert max(sizes) - min(sizes) <= 1
    for c in range(counts.size):
        if counts[c] > 1:
            members = [int((codes[fold.test] == c).sum()) for fold in cut]
            assert max(members) - min(members) <= 1


@given(counts=st.lists(st.integers(1, 40), min_size=1, max_size=8), share=st.floats(0.05, 0.95))
def test_stratified_sizes_are_near_their_shares(counts, share):
    counts = np.array(counts)
    wanted = round(share * counts.sum())
    sizes = stratified_sizes(counts, wanted)
    assert sizes.sum() == min(wanted, (counts - 1).sum())
    assert (sizes >= 0).all()
    assert (sizes <= counts - 1).all()
    big = counts * (1 - wanted / counts.sum()) >= 1
    if big.all():
        assert np.abs(sizes - wanted * counts / counts.sum()).max() < 1


def test_a_single_member_stays_in_training_and_it_is_said():
    table = table_of([0] * 10 + [1] * 10 + [2])
    for key in ("hold-out", "k-fold", "own"):
        for fold in folds(table, key):
            assert 20 in fold.train
            assert any("One class has a single row" in note for note in fold.notes)


def test_leave_one_out_tests_even_a_single_member_and_says_so():
    table = table_of([0, 0, 1, 1, 2])
    cut = folds(table, "leave-one-out")
    assert [fold.test.tolist() for fold in cut] == [[i] for i in range(5)]
    assert set(table.codes()[cut[4].train]) == {0, 1}
    assert "tested by machines that never saw its class" in cut[0].notes[0]


def test_too_many_rows_to_leave_out_are_refused_with_the_numbers(monkeypatch):
    monkeypatch.setenv("ECOCVIZ_MAX_FOLDS", "4")
    with pytest.raises(ValueError, match=r"^Leaving out each of 5 rows .*at most 4.*choose k-fold"):
        folds(table_of([0, 0, 1, 1, 2]), "leave-one-out")


def test_the_own_split_is_the_first_rows():
    fold = folds(load_table("optdigits"), "own")[0]
    assert fold.train.tolist() == list(range(3823))
    assert fold.test.tolist() == list(range(3823, 5620))
    assert fold.notes == ("The test part was written by other people than the training part.",)
    assert not any(
        "16,000" in note for fold in folds(load_table("letter"), "hold-out") for note in fold.notes
    )


def test_a_lost_split_is_drawn_in_its_sizes_and_said():
    fold = folds(load_table("segment"), "own", seed=4)[0]
    assert (fold.train.size, fold.test.size) == (210, 2100)
    assert np.bincount(load_table("segment").codes()[fold.train]).tolist() == [30] * 7
    assert "drawn anew" in fold.notes[-1]


def test_without_an_own_split_rows_are_held_out_and_it_is_said():
    fold = folds(load_table("glass"), "own", seed=1)[0]
    assert fold.test.tolist() == folds(load_table("glass"), "hold-out", seed=1)[0].test.tolist()
    assert "no test part of its own" in fold.notes[0]


def test_everything_is_trained_and_tested():
    fold = folds(table_of([0, 0, 1]), "all")[0]
    assert fold.train.tolist() == fold.test.tolist() == [0, 1, 2]
    assert "training error" in fold.notes[0]


@pytest.mark.parametrize("key", ["hold-out", "own", "k-fold"])
def test_only_single_members_cannot_be_split(key):
    with pytest.raises(ValueError, match="Every class of these data has a single row"):
        folds(table_of([0, 1, 2]), key)


def test_more_folds_than_rows_are_cut_down():
    cut = folds(table_of([0, 0, 1, 1, 2]), "k-fold", {"n_folds": 20})
    assert len(cut) == 4
    assert "makes 4 folds" in cut[0].notes[0]


@pytest.mark.parametrize(
    "key, n_folds", [("ecoli", 10), ("yeast", 20), ("soybean", 20), ("postoperative", 20)]
)
def test_sets_with_tiny_classes_survive_many_folds(key, n_folds):
    table = load_table(key)
    cut = folds(table, "k-fold", {"n_folds": n_folds})
    assert len(cut) == n_folds
    for fold in cut:
        assert set(table.codes()[fold.train]) == set(table.codes())


def test_another_seed_draws_other_rows():
    table = load_table("iris")
    assert (
        folds(table, "hold-out", seed=1)[0].test.tolist() != folds(table, "hold-out", seed=2)[0].test.tolist()
    )


def test_unknown_keys_and_parameters_are_refused_with_a_sentence():
    with pytest.raises(ValueError, match=r"There is no split 'x'; known: hold-out"):
        folds(table_of([0, 0, 1]), "x")
    with pytest.raises(ValueError, match="no parameter 'n_folds'"):
        folds(table_of([0, 0, 1]), "hold-out", {"n_folds": 3})


@pytest.mark.parametrize("key", ["letter", "vowel", "optdigits", "segment", "pendigits"])
def test_what_is_said_of_a_set_s_own_parts_is_said_where_they_are_used(key):
    table = load_table(key)
    assert table.has_own_split and table.own_notes
    assert not any("training part" in note for note in table.notes)
    assert set(table.own_notes) <= set(folds(table, "own")[0].notes)
    assert not set(table.own_notes) & set(folds(table, "hold-out")[0].notes)
