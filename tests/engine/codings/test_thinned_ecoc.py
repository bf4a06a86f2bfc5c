"""Thinned ECOC: the path is the one of the definition, and the code kept is on it."""

import numpy as np
import oracles_codes
import oracles_learned as oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import code_matrices
from strategies_learned import clouds, trainer

from ecocviz.engine.codings.thinned_ecoc import thinned_ecoc, thinning_path


@given(code_matrices(max_classes=5, max_bits=7), st.integers(0, 99), st.booleans())
def test_the_path_is_the_one_of_the_definition(code_matrix, seed, hard):
    k, n_bits = code_matrix.shape
    if oracles_codes.smallest_row_distance(code_matrix.tolist()) < 1:
        return
    rng = np.random.default_rng(seed)
    y = rng.integers(k, size=20)
    noise = rng.normal(scale=1.2, size=(20, n_bits))
    outputs = code_matrix[y] + noise
    outputs = np.sign(outputs) if hard else np.round(outputs, 3)
    order, accuracies = thinning_path(code_matrix, outputs, y, 1)
    path = oracles.thinning_path(code_matrix.tolist(), outputs.tolist(), y.tolist(), 1)
    kept = list(range(n_bits))
    expected = [kept]
    for j in order:
        kept = [b for b in kept if b != j]
        expected.append(kept)
    assert [list(columns) for columns, _ in path] == expected
    assert [value for _, value in path] == pytest.approx(accuracies.tolist())


def designed(**params):
    X, y = clouds(5, 14, spread=1.2)
    return thinned_ecoc(X, y, trainer(), **params)


def test_the_kept_code_is_the_shortest_before_accuracy_falls():
    design = designed(tolerance=0.5)
    bits, accuracy = [s.bits for s in design.story], [s.value for s in design.story]
    assert bits == list(range(bits[0], bits[-1] - 1, -1))
    margin = 0.5 * np.sqrt(accuracy[0] * (1 - accuracy[0]) / 70)
    length = bits[0]
    for n, value in zip(bits[1:], accuracy[1:], strict=True):
        if value < accuracy[0] - margin - 1e-9:
            break
        length = n
    assert design.code_matrix.shape[1] == length
    verbs = [step.label.split(" machine")[0] for step in design.story[1:]]
    assert verbs == ["Removed"] * (bits[0] - length) + ["Would remove"] * (length - bits[-1])


def test_a_generous_tolerance_goes_to_the_end_of_the_path():
    design = designed(tolerance=10.0)
    assert design.code_matrix.shape[1] == design.story[-1].bits >= 3


def test_without_tolerance_the_held_out_accuracy_is_kept():
    design = designed(tolerance=0.0, n_bits=12)
    values = {step.bits: step.value for step in design.story}
    assert design.story[0].bits == 12
    assert values[design.code_matrix.shape[1]] >= design.story[0].value


@pytest.mark.parametrize("start", ["dense-random", "sparse-random"])
@pytest.mark.parametrize("outputs", ["bits", "scores"])
def test_any_start_and_either_decoder(start, outputs):
    design = designed(start=start, outputs=outputs, n_bits=13)
    assert (0 in design.code_matrix) == (start == "sparse-random")
    assert oracles_codes.smallest_row_distance(design.code_matrix.tolist()) >= 1
    assert design.story[0].bits == 13


def test_a_code_where_every_column_is_needed_stays_whole():
    pairs = np.array([[1, 1, 0], [-1, 0, 1], [0, -1, -1]], np.int8)
    order, accuracies = thinning_path(pairs, np.ones((4, 3)), np.array([0, 1, 2, 0]), 1)
    assert order.size == 0 and accuracies.size == 1
