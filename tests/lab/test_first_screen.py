"""The app opens with something that can be seen: what the script says of it holds."""

from dataclasses import replace

import pytest

from ecocviz.engine.analysis.codes import code_report
from ecocviz.lab.evaluate import evaluate
from ecocviz.lab.first_screen import PICKED, after, first_scenario, first_selection
from ecocviz.lab.plane import make_plane
from ecocviz.lab.regions import make_points, make_regions
from ecocviz.lab.run import train
from ecocviz.lab.scenario import choose, from_query, make_scenario
from ecocviz.lab.selection import PICK

DECODERS = tuple(choose("decoding", key) for key in ("hamming", "likelihood", "linear", "exponential"))


@pytest.fixture(scope="module")
def trained():
    return train(first_scenario())


@pytest.fixture(scope="module")
def errors(trained):
    return {one.key: evaluate(trained, "test", one).n_wrong for one in DECODERS}


def test_other_data_are_split_as_usual():
    first, usual = first_scenario(), choose("split", "hold-out")
    assert first.split != usual
    assert after(first, first.chosen("data", "iris")) == replace(first.chosen("data", "iris"), split=usual)
    own = first.chosen("split", "k-fold")
    for before, chosen in [
        (first, first.chosen("coding", "one-vs-one")),
        (first, own.chosen("data", "iris")),
        (first.chosen("data", "iris"), first.chosen("data", "glass")),
    ]:
        assert after(before, chosen) == chosen


def test_a_set_of_openml_starts_as_data_of_ones_own():
    started = after(first_scenario(), first_scenario().chosen("data", "openml"))
    assert (started.coding.key, started.decoding.key) == ("one-vs-one", "likelihood")
    assert started.machine == make_scenario().machine and started.split == make_scenario().split
    other = started.chosen("coding", "hadamard").chosen("data", data_id=7)
    assert after(started, other) == other


def test_its_link_is_an_ordinary_one():
    assert from_query(first_scenario().to_query()) == (first_scenario(), ())
    assert first_selection()[PICK] == PICKED


def test_there_is_enough_to_count_and_little_to_read(trained):
    assert trained.shown.prepared.y_test.size >= 400
    assert 4 <= len(trained.classes) <= 6 and trained.shown.prepared.X_train.shape[1] == 2
    assert trained.code_matrix.shape[1] <= 12


def test_decoders_differ(trained, errors):
    assert max(errors.values()) - min(errors.values()) >= 20
    plane = make_plane(trained.shown.prepared, "")
    labels = make_regions(trained.shown, plane, DECODERS, 60).labels
    assert (labels != labels[0]).any(axis=0).mean() > 0.1


def test_one_vs_all_makes_more_errors_under_every_decoder(errors):
    other = train(first_scenario().chosen("coding", "one-vs-all"))
    found = {one.key: evaluate(other, "test", one).n_wrong for one in DECODERS}
    assert all(found[key] - errors[key] >= 10 for key in errors)


def test_the_picked_point_has_one_wrong_bit_and_the_code_repairs_it(trained):
    assert code_report(trained.code_matrix).repairable_bits_hamming == 1
    points = make_points(trained.shown, make_plane(trained.shown.prepared, ""), DECODERS)
    assert points.is_test[PICKED] and points.wrong_bits[PICKED] == 1
    assert points.labels[0, PICKED] == points.truth[PICKED]
    # Decoders that add up scores hear the wrong bit, which is loud, and name another class.
    assert (points.labels[:, PICKED] != points.truth[PICKED]).any()
