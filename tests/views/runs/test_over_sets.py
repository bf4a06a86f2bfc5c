"""Methods over data sets: which runs count, against a slow transcription of the rule, and the sentences."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from runs_tools import scenario

from ecocviz.engine.analysis.ranks import rank_methods
from ecocviz.lab.catalogue import SLOTS
from ecocviz.views.runs import words
from ecocviz.views.runs.facts import Count
from ecocviz.views.runs.over_sets import (
    FEWEST_RANKED,
    FEWEST_SETS,
    MOST_METHODS,
    Measured,
    compare_over_sets,
    data_set,
    method_names,
    title_of_set,
)

SETS = ("iris", "glass", "wine", "ecoli", "zoo", "vehicle", "segment")
DECODERS = ("hamming", "linear", "euclidean")


def measured(data, decoding, wrong, n=100, **slots):
    return Measured(scenario(data, decoding, **slots).to_flat(), Count(wrong, n))


def whole(n_sets=7, decoders=DECODERS):
    """Every decoder on every set; the k-th makes k more errors than the first."""
    return [measured(data, key, 10 + k) for data in SETS[:n_sets] for k, key in enumerate(decoders)]


def titles(found):
    return list(found.names)


def test_all_methods_on_all_sets():
    found = compare_over_sets(whole(), "decoding")
    assert titles(found) == [SLOTS["decoding"][key].title for key in DECODERS]
    assert [each.title for each in found.sets] == sorted(title_of_set(key) for key in SETS)
    assert found.ranking.ranks.tolist() == [1.0, 2.0, 3.0]
    assert (found.left_out, found.tested) == ((), True)
    assert [(pair.wins, pair.ties, pair.losses) for pair in found.pairs] == [(len(SETS), 0, 0)] * 3


def test_a_set_without_all_methods_is_left_out_and_named():
    runs = [one for one in whole() if (one.flat["data"], one.flat.get("decoding")) != ("glass", "linear")]
    found = compare_over_sets(runs, "decoding", asked="")
    # Two decoders were run on one set more, but the third has as many as the second of them.
    asked_for = ".".join(method.key for method in found.known)
    found = compare_over_sets(runs, "decoding", asked_for)
    assert len(found.sets) == len(SETS) - 1
    (left_out,) = found.left_out
    assert (left_out.title, left_out.lacking) == ("Glass", (SLOTS["decoding"]["linear"].title,))
    assert "Left out: Glass (no run of Linear)." in words.left_out_sentence(found)


def test_methods_run_in_different_settings_are_not_compared():
    apart = [
        measured("iris", "hamming", 1, coding="one-vs-one"),
        measured("iris", "linear", 2, coding="one-vs-all"),
    ]
    runs = [one for one in whole(3, DECODERS[:2]) if one.flat["data"] != "iris"]
    found = compare_over_sets([*apart, *runs], "decoding")
    assert len(found.sets) == 2
    (left_out,) = found.left_out
    assert (left_out.title, left_out.lacking) == ("Iris", ())
    assert "all 2 decoders were run, but never with everything else equal" in words.left_out_sentence(found)


def test_one_set_gives_no_ranks_but_says_what_is_missing():
    found = compare_over_sets(whole(1, DECODERS[:2]), "decoding")
    assert found.ranking is None
    first, more = words.sets_sentence(found)
    assert first.startswith(
        "Hamming and Linear were run with everything else equal on Iris only; ranks need a"
    )
    assert more == ""


def test_several_settings_of_one_set_count_once_by_their_mean():
    runs = [
        measured("iris", key, wrong + 10 * seed, seed=seed)
        for seed in (0, 1)
        for key, wrong in (("hamming", 1), ("linear", 2))
    ]
    found = compare_over_sets(runs, "decoding")
    (one,) = found.sets
    assert one.n_settings == 2
    assert one.errors == pytest.approx((0.06, 0.07))
    assert "an error is their mean" in words.settings_sentence(found)


def test_of_the_same_scenario_the_latest_counts():
    runs = [measured("iris", "hamming", 1), measured("iris", "hamming", 50), measured("iris", "linear", 2)]
    assert compare_over_sets(runs, "decoding").sets[0].errors == (0.01, 0.02)


def test_a_generator_is_one_data_set_and_two_files_are_two():
    flats = [scenario(("blobs", {"n_samples": n})).to_flat() for n in (60, 100)]
    assert len({data_set(flat) for flat in flats}) == 1
    files = [scenario(("upload", {"digest": digit * 32})).to_flat() for digit in "ab"]
    assert len({data_set(flat) for flat in files}) == 2
    assert len({title_of_set(data_set(flat)) for flat in files}) == 2


@pytest.mark.parametrize("slot", ["decoding", "coding", "machine", "reduction"])
def test_nothing_to_compare_says_what_to_do(slot):
    for runs in ([], [measured("iris", "hamming", 3)]):
        found = compare_over_sets(runs, slot)
        first, more = words.sets_sentence(found)
        assert found.ranking is None
        assert words.METHOD_NAMES[slot][1] in first
        assert more == ""
        assert words.left_out_sentence(found) == ""


@pytest.mark.parametrize("n_sets", range(2, FEWEST_SETS))
def test_too_few_sets_give_no_test(n_sets):
    found = compare_over_sets(whole(n_sets), "decoding")
    _, more = words.sets_sentence(found)
    assert not found.tested
    assert f"Tests need {FEWEST_SETS} data sets, {FEWEST_SETS - n_sets} more" in more
    assert "Friedman" not in more and "Nemenyi" not in more
    assert words.pairs_sentence(found) == ""
    # What the sentence rests on: even winning everywhere is not rarer than 5 %.
    assert 2 / 2**n_sets > 0.05
    assert 2 / 2**FEWEST_SETS < 0.05


def test_enough_sets_say_what_the_tests_say():
    found = compare_over_sets(whole(), "decoding")
    first, more = words.sets_sentence(found)
    assert first.startswith("Over 7 data sets, Hamming has the best average rank of 3 decoders, 1.00;")
    assert "they differ by more than chance explains" in more
    assert "Hamming is better than" in more
    assert found.ranking.friedman == rank_methods(np.array([each.errors for each in found.sets])).friedman
    level = compare_over_sets([measured(data, key, 5) for data in SETS for key in DECODERS], "decoding")
    _, more = words.sets_sentence(level)
    assert "chance explains the differences" in more and "is not told from any other" in more
    assert "from none of the others" in words.pairs_sentence(level)


def test_names_of_methods_with_one_title_are_told_apart():
    runs = [
        measured(data, "hamming", 5 + k, machine=("kernel", {"gamma": gamma}))
        for data in SETS
        for k, gamma in enumerate((0.5, 1.0, "scale"))
    ]
    found = compare_over_sets(runs, "machine")
    numbers = ("0.5", "1.0", "from the data's variance")
    assert titles(found) == [f"Kernel machine (γ {number})" for number in numbers]
    assert len(set(method_names(found.known, "machine"))) == 3


def test_asked_methods_are_compared_and_unknown_ones_are_not_asked():
    runs = whole()
    keys = {method.title: method.key for method in compare_over_sets(runs, "decoding").known}
    two = compare_over_sets(runs, "decoding", f"{keys['Hamming']}.{keys['Linear']}.00000000")
    assert titles(two) == ["Hamming", "Linear"]
    assert titles(compare_over_sets(runs, "decoding", "00000000")) == titles(
        compare_over_sets(runs, "decoding")
    )


def test_very_many_methods_are_not_all_compared_unasked():
    runs = [
        measured(data, "hamming", k, 100, machine=("kernel", {"gamma": 1.0 + k}))
        for data in SETS[:2]
        for k in range(MOST_METHODS + 5)
    ]
    found = compare_over_sets(runs, "machine")
    assert (len(found.methods), len(found.known)) == (MOST_METHODS, MOST_METHODS + 5)


# Against the rule as it is said ----------------------------------------------------------------------

RUNS = st.lists(
    st.tuples(
        st.sampled_from(SETS[:4]), st.sampled_from(DECODERS), st.sampled_from(["one-vs-all", "one-vs-one"]),
        st.integers(0, 1), st.integers(0, 20),
    ),
    unique_by=lambda run: run[:4],
    max_size=40,
)  # fmt: skip


@given(RUNS)
def test_a_set_counts_where_all_methods_were_run_with_everything_else_equal(runs):
    found = compare_over_sets(
        [measured(data, key, wrong, coding=code, seed=seed) for data, key, code, seed, wrong in runs],
        "decoding",
    )
    wanted = [dict(method.fields).get("decoding", "likelihood") for method in found.methods]
    errors = defaultdict(dict)
    for data, key, code, seed, wrong in runs:
        errors[data, code, seed][key] = wrong / 100
    expected = {}
    for data in SETS[:4]:
        settings = [e for (d, *_), e in errors.items() if d == data and all(key in e for key in wanted)]
        if settings and len(wanted) > 1:
            expected[title_of_set(data)] = [np.mean([e[key] for e in settings]) for key in wanted]
    assert {each.title: pytest.approx(list(each.errors)) for each in found.sets} == expected
    seen = {title_of_set(data) for data, key, *_ in runs if key in wanted}
    assert {each.title for each in found.left_out} == (seen - set(expected) if wanted else set())
    assert (found.ranking is not None) == (len(expected) >= FEWEST_RANKED)
    if found.ranking is not None:
        assert found.ranking.ranks.tolist() == sorted(found.ranking.ranks.tolist())
