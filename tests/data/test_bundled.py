"""The bundled sets are what the manifest says, and damage is noticed."""

import gzip

import numpy as np
import pytest

from ecocviz.data import bundled
from ecocviz.data.bundled import BUNDLED, checked_csv, manifest
from ecocviz.data.bundled_facts import FACTS
from ecocviz.data.catalogue import DATASETS, load_table


def packed(root, file):
    return (root / "ecocviz" / "data" / "files" / f"{file}.csv.gz").read_bytes()


def test_every_file_is_an_entry_and_every_entry_a_file(root):
    files = {path.name.removesuffix(".csv.gz") for path in (root / "ecocviz/data/files").glob("*.csv.gz")}
    assert files == set(manifest()) == {facts.file for facts in FACTS}
    assert len(BUNDLED) == len(files) == 24


@pytest.mark.parametrize("facts", FACTS, ids=lambda facts: facts.key)
def test_counts_are_those_of_the_manifest(facts):
    entry, table = manifest()[facts.file], load_table(facts.key)
    assert table.features.shape == (entry["n"], entry["features"] - len(facts.not_features))
    assert table.labels.value_counts().to_dict() == entry["counts"]
    assert len(table.classes) == entry["classes"]
    assert set(table.categorical) == set(entry["categorical"]) - set(facts.not_features)
    assert int(table.features.isna().to_numpy().sum()) == entry["missing"]
    assert table.n_train == entry["n_train"]
    assert not table.labels.isna().any()
    for name in table.features.columns:
        assert (table.features[name].dtype == np.float64) == (name not in table.categorical)


def test_words_that_look_missing_are_kept():
    assert set(load_table("lenses").classes) == {"hard", "none", "soft"}
    assert (load_table("anneal").features["family"] == "?").any()
    assert (load_table("soybean").features["roots"] == "?").any()


def test_vowel_splits_by_its_own_flag_and_does_not_learn_from_it(root):
    table = load_table("vowel")
    assert list(table.features.columns) == [f"f{j}" for j in range(10)]
    flags = [line.split(",")[0] for line in gzip.decompress(packed(root, "vowel")).decode().split()[1:]]
    assert flags == ["0"] * table.n_train + ["1"] * (990 - table.n_train)


def test_classes_come_in_the_order_of_their_numbers():
    assert load_table("vowel").classes == tuple(str(c) for c in range(11))


@pytest.mark.parametrize(
    "spoil", [lambda b: b[:-20], lambda b: b"no" + b, lambda b: gzip.compress(gzip.decompress(b) + b"1,2\n")]
)
def test_a_damaged_file_is_refused_with_a_sentence(root, spoil):
    content = packed(root, "glass")
    assert checked_csv("glass", content).startswith(b"RI,Na")
    with pytest.raises(
        ValueError, match=r"^The bundled file glass\.csv\.gz is damaged; install ecocviz again"
    ):
        checked_csv("glass", spoil(content))


def test_the_checksum_is_checked_on_loading(monkeypatch):
    facts = next(facts for facts in FACTS if facts.key == "lenses")
    changed = {**manifest(), "lenses": {**manifest()["lenses"], "sha256_csv": "0" * 64}}
    monkeypatch.setattr(bundled, "manifest", lambda: changed)
    bundled._read.cache_clear()
    with pytest.raises(ValueError, match="is damaged"):
        bundled._read(facts)
    bundled._read.cache_clear()


def test_the_attribution_names_every_set_its_doi_and_its_package(root):
    text = (root / "ecocviz/data/files/ATTRIBUTION.md").read_text(encoding="utf-8")
    for facts in FACTS:
        line = next(line for line in text.splitlines() if f"`{facts.file}.csv.gz`" in line)
        assert facts.title in line
        assert facts.doi in line
        assert manifest()[facts.file]["source"] in line
        for note in facts.notes:
            assert note in text
    for words in ("CC BY 4.0", "Dua", "Graff", "Outex", "ADNI", "not the UCI split"):
        assert words in text


@pytest.mark.parametrize(
    "key, n_rows, n_classes",
    [("iris", 150, 3), ("wine", 178, 3), ("breast-cancer", 569, 2), ("digits", 1797, 10)],
)
def test_scikit_learns_sets(key, n_rows, n_classes):
    table = load_table(key)
    assert table.features.shape[0] == n_rows
    assert len(table.classes) == n_classes
    assert DATASETS[key].needs == ""


def test_the_two_irises_differ_in_two_rows_only():
    ours, theirs = load_table("iris"), load_table("iris-uci")
    differs = (ours.features.to_numpy() != theirs.features.to_numpy()).any(axis=1)
    assert int(differs.sum()) == 2


def test_the_two_wines_hold_the_same_numbers():
    assert (load_table("wine").features.to_numpy() == load_table("wine-uci").features.to_numpy()).all()
