"""Every coding of the catalogue keeps the promises of its entry; a new file is tested unedited."""

import re
from itertools import combinations

import numpy as np
import oracles_codes as oracles
import pytest
from hearing import EndedError, ending, notes_to, shares_to
from hypothesis import given
from hypothesis import strategies as st
from strategies_learned import clouds, trainer

from ecocviz import ECOCClassifier, KernelMachine
from ecocviz.engine.catalogue import CODINGS, build_code, design_code, why_not_classes, why_not_drawn
from ecocviz.engine.columns import train_columns
from ecocviz.engine.entries import MAX_BITS, check_code_matrix
from ecocviz.engine.params import ChoiceParam, FloatParam, IntParam, complete
from ecocviz.engine.references import Reference

ALL = list(CODINGS)
KEYS = [key for key in ALL if CODINGS[key].build]
"""Codings that are the same for all data."""
LEARNED = [key for key in ALL if CODINGS[key].design]
SEEDED = [key for key in KEYS if CODINGS[key].seeded]
CLASS_COUNTS = (2, 3, 4, 5, 6, 7, 8, 10, 13)
QUICK = {"sweeps": 2}
"""Long searches are cut short where their length is not what is tested."""


def quick(key, **params):
    return {**{p.name: QUICK[p.name] for p in CODINGS[key].params if p.name in QUICK}, **params}


def ends(param):
    if isinstance(param, IntParam):
        return [param.low, param.high]
    return [option for option, _ in param.options] if isinstance(param, ChoiceParam) else [param.default]


def served(key):
    coding = CODINGS[key]
    return [n for n in CLASS_COUNTS if coding.min_classes <= n <= coding.max_classes]


def assert_legal(key, code_matrix, n_classes, params):
    """Everything that machines and decoders rely on."""
    coding = CODINGS[key]
    assert code_matrix.dtype == np.int8 and code_matrix.ndim == 2
    assert code_matrix.shape[0] == n_classes
    assert 1 <= code_matrix.shape[1] <= coding.n_bits(n_classes, **complete(coding.params, params))
    assert check_code_matrix(code_matrix, n_classes) is not None
    rows = code_matrix.tolist()
    assert oracles.smallest_row_distance(rows) >= 1
    assert coding.ternary or 0 not in code_matrix
    if coding.distinct_columns:
        kinds = [oracles.first_sign_positive(column) for column in oracles.columns(rows)]
        assert len(set(kinds)) == len(kinds)


@pytest.mark.parametrize("key", ALL)
def test_the_entry_is_complete(key):
    coding = CODINGS[key]
    assert (coding.build is None) != (coding.design is None)
    function = coding.build or coding.design
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", key)
    assert coding.summary.endswith(".") and coding.summary.count(".") == 1
    assert coding.reference is None or isinstance(coding.reference, Reference)
    assert "Returns" in function.__doc__
    assert ">>>" in function.__doc__ or "Differs from the paper: " in function.__doc__
    if coding.reference is not None:
        assert re.search(r"\[\w+\]_", function.__doc__) or key == "one-vs-all"
    names = [param.name for param in coding.params]
    assert len(set(names)) == len(names) and "seed" not in names
    for param in coding.params:
        assert param.help.endswith(".")


@pytest.mark.parametrize("key", KEYS)
def test_it_is_legal_for_all_numbers_of_classes(key):
    for n_classes in served(key):
        assert_legal(key, build_code(key, n_classes, **quick(key)), n_classes, quick(key))


@pytest.mark.parametrize("key", KEYS)
def test_two_classes_take_one_machine_and_the_second_is_its_positive_side(key):
    assert build_code(key, 2).tolist() == [[-1], [1]]
    assert CODINGS[key].n_bits(2, **complete(CODINGS[key].params, {})) == 1


@pytest.mark.parametrize("key", KEYS)
def test_it_is_legal_at_both_ends_of_every_parameter(key):
    for param in CODINGS[key].params:
        for value in ends(param):
            params = quick(key, **{param.name: value})
            for n_classes in (3, 6):
                assert_legal(key, build_code(key, n_classes, **params), n_classes, params)


@pytest.mark.parametrize("key", KEYS)
def test_zeros_are_declared_where_they_occur(key):
    has_zeros = any(0 in build_code(key, n, **quick(key)) for n in served(key) if n > 2)
    assert CODINGS[key].ternary == has_zeros or key == "custom"


@pytest.mark.parametrize("key", SEEDED)
def test_a_seed_fixes_the_matrix_and_another_changes_it(key):
    first, again, others = (
        build_code(key, 7, seed=3, **quick(key)),
        build_code(key, 7, seed=3, **quick(key)),
        [build_code(key, 7, seed=seed, **quick(key)).tolist() for seed in range(4, 8)],
    )
    np.testing.assert_array_equal(first, again)
    assert any(other != first.tolist() for other in others)


@pytest.mark.parametrize("key", [key for key in KEYS if key not in SEEDED])
def test_without_a_seed_nothing_is_random(key):
    np.testing.assert_array_equal(build_code(key, 7, seed=1), build_code(key, 7, seed=2))


@pytest.mark.parametrize("key", KEYS)
def test_the_largest_number_of_classes_is_served_and_the_next_refused_with_a_sentence(key):
    coding = CODINGS[key]
    params = complete(coding.params, quick(key, **({"trials": 2} if "random" in key else {})))
    largest = coding.max_classes
    assert why_not_classes(coding, largest, params) is None
    pairs = key == "one-vs-one"  # all of the largest number take half a gigabyte
    assert pairs == (why_not_drawn(coding, largest, params) is not None)
    code_matrix = build_code(key, 200 if pairs else largest, **params)
    assert code_matrix.shape[1] <= (19_900 if pairs else min(MAX_BITS, coding.n_bits(largest, **params)))
    code_matrix = code_matrix[:: max(1, largest // 1_000)]  # a table of all would not fit for very many
    distances = (np.abs(code_matrix.astype(float)) @ np.abs(code_matrix.astype(float)).T) - (
        code_matrix.astype(float) @ code_matrix.astype(float).T
    )
    assert distances[~np.eye(len(code_matrix), dtype=bool)].min() >= 2
    for n_classes in (largest + 1, coding.min_classes - 1):
        assert why_not_classes(coding, n_classes, params).endswith(f"these data have {n_classes}.")
        with pytest.raises(ValueError, match="these data have"):
            build_code(key, n_classes, **params)


@pytest.mark.parametrize("key", [key for key in KEYS if any(p.name == "n_bits" for p in CODINGS[key].params)])
@given(data=st.data())
def test_any_number_of_machines_can_be_asked_for(key, data):
    n_classes = data.draw(st.integers(2, 9))
    n_bits = data.draw(st.integers(0, 40))
    params = quick(key, n_bits=n_bits, **({"trials": 3} if "random" in key else {}))
    code_matrix = build_code(key, n_classes, seed=data.draw(st.integers(0, 99)), **params)
    assert_legal(key, code_matrix, n_classes, params)
    existing = 2 ** (n_classes - 1) - 1
    if key == "sparse-random":
        existing = (3**n_classes - 2 ** (n_classes + 1) + 1) // 2
    if n_bits and key != "bch":
        needed = (n_classes - 1).bit_length()
        assert code_matrix.shape[1] == min(max(n_bits, needed), existing)


@pytest.mark.parametrize("key", ["dense-random", "sparse-random", "bch", "minimum-distance"])
def test_random_columns_begin_with_plus_one(key):
    for n_classes in (3, 6, 11):
        columns = oracles.columns(build_code(key, n_classes, **quick(key)).tolist())
        assert columns == [oracles.first_sign_positive(column) for column in columns]


# --- learned codings ------------------------------------------------------------------------------


def designed(key, n_classes, seed=0, **params):
    X, y = clouds(n_classes, 8 if n_classes > 4 else 12)
    return design_code(key, X, y, trainer(), seed, **params)


def assert_designed(key, design, n_classes, params):
    """What `assert_legal` asks, where a class may have several rows."""
    coding = CODINGS[key]
    code_matrix = check_code_matrix(design.code_matrix)
    classes = list(range(n_classes)) if design.row_classes is None else design.row_classes.tolist()
    assert sorted(set(classes)) == list(range(n_classes)) and len(classes) == code_matrix.shape[0]
    assert 1 <= code_matrix.shape[1] <= coding.n_bits(n_classes, **complete(coding.params, params))
    assert coding.ternary or 0 not in code_matrix
    rows = code_matrix.tolist()
    for a, b in combinations(range(len(rows)), 2):
        assert classes[a] == classes[b] or oracles.row_distance(rows[a], rows[b]) >= 1
    kinds = [oracles.first_sign_positive(column) for column in oracles.columns(rows)]
    assert len(set(kinds)) == len(kinds)
    assert design.kind in {"tree", "additions", "path", "rounds"} and design.value_name and design.story
    for place, step in enumerate(design.story):
        assert step.label and step.parent < place and np.isfinite(step.value)
        assert not set(step.plus) & set(step.minus)
        assert set(step.plus + step.minus) <= set(range(len(rows)))


@pytest.mark.parametrize("key", LEARNED)
def test_a_learned_code_is_legal_for_all_numbers_of_classes(key):
    for n_classes in (2, 3, 4, 7, 15):
        assert_designed(key, designed(key, n_classes), n_classes, {})


@pytest.mark.parametrize("key", LEARNED)
def test_a_learned_code_is_legal_at_both_ends_of_every_parameter(key):
    for param in CODINGS[key].params:
        for value in [param.low, param.high] if isinstance(param, IntParam | FloatParam) else ends(param):
            for n_classes in (2, 3, 5):
                params = {param.name: value}
                assert_designed(key, designed(key, n_classes, **params), n_classes, params)


@pytest.mark.parametrize("key", LEARNED)
def test_a_learned_code_is_had_again_with_the_same_seed(key):
    first, again = designed(key, 6, seed=3), designed(key, 6, seed=3)
    np.testing.assert_array_equal(first.code_matrix, again.code_matrix)
    assert [(s.plus, s.minus, s.value, s.label) for s in first.story] == [
        (s.plus, s.minus, s.value, s.label) for s in again.story
    ]
    if not CODINGS[key].seeded:
        np.testing.assert_array_equal(first.code_matrix, designed(key, 6, seed=4).code_matrix)


WAYS = [
    (key, params)
    for key in LEARNED
    for params in ({}, *({p.name: o} for p in CODINGS[key].params if hasattr(p, "options") for o in ends(p)))
]
"""Every learned coding with each of its options, which may search in other ways."""


def told(key, params, report, n_classes=13):
    """A search for many classes that overlap, one machine after the other, so that reports come in order."""
    X, y = clouds(n_classes, 8, spread=1.0)

    def train(points, targets, progress):
        return train_columns(KernelMachine(), points, targets, n_jobs=1, progress=progress)

    return design_code(key, X, y, train, 1, shares_to(report), **params)


@pytest.mark.thorough
@pytest.mark.parametrize(("key", "params"), WAYS)
def test_a_search_tells_how_far_it_is_and_finds_the_same_as_in_silence(key, params):
    shares = []
    heard = told(key, params, shares.append)
    assert shares[0] == 0 and shares[-1] == 1
    assert shares == sorted(shares)
    assert len(shares) > 13, "several times for every class"
    assert len({share for share in shares if 0 < share < 1}) > 5
    silent = told(key, params, lambda _share: None)
    np.testing.assert_array_equal(heard.code_matrix, silent.code_matrix)
    assert [(s.plus, s.minus, s.value, s.label) for s in heard.story] == [
        (s.plus, s.minus, s.value, s.label) for s in silent.story
    ]


@pytest.mark.thorough
@pytest.mark.parametrize(("key", "params"), WAYS)
def test_a_search_ends_with_the_report_that_raises(key, params):
    every = []
    told(key, params, every.append)
    every = list(dict.fromkeys(every))  # what takes long is told again and again
    for number in sorted({1, 2, 3, len(every) // 3, 2 * len(every) // 3, len(every) - 1}):
        seen = []

        def stop(share, seen=seen, number=number):
            if share not in seen:
                seen.append(share)
            if len(seen) == number:
                raise InterruptedError

        with pytest.raises(InterruptedError):
            told(key, params, stop)
        assert seen == every[:number]


FIRST_WORDS = {
    "decoc": "split 1 of 4",
    "forest-ecoc": "tree 1 of 3: split 1 of 4",
    "ecoc-one": "first columns: split 1 of 4",
    "jecoc": "random code: training machine 1 of ",
    "subclass-ecoc": "split 1: splitting 5 groups",
    "thinned-ecoc": "the whole code: training machine 1 of ",
    "optimal-columns": "column 1 of 12: training machine 1 of 1",
    "optimal-code": "random code: training machine 1 of ",
}


@pytest.mark.parametrize("key", LEARNED)
def test_a_fit_says_what_the_search_does_and_which_machine_is_trained(key):
    X, y = clouds(5, 12, 0.8)
    notes = []
    model = ECOCClassifier(key, decoding="likelihood", random_state=0).fit(X, y, progress=notes_to(notes))
    assert notes[0].startswith(f"searching the code: {FIRST_WORDS[key]}")
    searched = sum(note.startswith("searching the code: ") for note in notes)
    assert searched > 1
    n_bits = model.code_matrix_.shape[1]
    machines = [f"training machine {b + 1} of {n_bits}" for b in range(n_bits)]
    assert notes[searched : searched + 1 + n_bits] == ["training the machines", *machines]
    assert all(note.startswith("fitting the sigmoids: ") for note in notes[searched + 1 + n_bits :])


@pytest.mark.parametrize("key", LEARNED)
def test_two_classes_are_told_of_too(key):
    shares = []
    told(key, {}, shares.append, 2)
    assert shares == sorted(shares) and (shares[0], shares[-1]) == (0, 1)


@pytest.mark.parametrize("key", LEARNED)
def test_two_separable_classes_take_one_learned_machine(key):
    assert designed(key, 2).code_matrix.tolist() == [[-1], [1]]


@pytest.mark.parametrize("key", LEARNED)
def test_too_many_classes_for_a_learned_code_are_refused_before_any_work(key):
    coding = CODINGS[key]
    params = complete(coding.params, {})
    assert why_not_classes(coding, coding.max_classes, params) is None
    y = np.arange(coding.max_classes + 1)
    with pytest.raises(ValueError, match=f"these data have {y.size}"):
        design_code(key, y[:, None].astype(float), y, trainer())


@pytest.mark.parametrize("key", LEARNED)
def test_a_learned_code_cannot_be_built_without_data(key):
    with pytest.raises(ValueError, match="learns its code from data"):
        build_code(key, 4)


@pytest.mark.parametrize("key", LEARNED)
def test_an_estimator_learns_its_code_and_stops_where_it_is_told_to(key):
    X, y = clouds(4, 12)
    model = ECOCClassifier(key, decoding="hamming", random_state=0).fit(X, y)
    assert model.score(X, y) > 0.8
    assert model.costs(X).shape == (48, 4)
    np.testing.assert_array_equal(model.code_matrix_, model.design_.code_matrix)

    with pytest.raises(EndedError):
        ECOCClassifier(key, decoding="hamming", random_state=0).fit(X, y, progress=ending())


@pytest.mark.parametrize("key", LEARNED)
@pytest.mark.parametrize(("decoding", "n_parts"), [("hamming", 2), ("likelihood", 3)])
def test_a_fit_tells_of_the_search_then_of_training_then_of_calibration(key, decoding, n_parts):
    X, y = clouds(5, 12, 0.8)
    shares = []
    ECOCClassifier(key, decoding=decoding, random_state=0).fit(X, y, progress=shares_to(shares.append))
    assert shares == sorted(shares) and shares[0] == 0 and shares[-1] == pytest.approx(1)
    for part in range(n_parts):
        assert any(part / n_parts < share <= (part + 1) / n_parts for share in shares)
