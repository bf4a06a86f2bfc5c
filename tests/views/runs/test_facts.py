"""The list of kept runs, what differs between scenarios, the points of a run; from stores made by hand."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from runs_tools import keep, memory, scenario

from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.selection import Selection
from ecocviz.lab.store_about import key_of
from ecocviz.lab.to_keep import counted
from ecocviz.views.runs.facts import (
    CHOSEN,
    FIND,
    PER_PAGE,
    SELECTION,
    Count,
    asked,
    count_of,
    differences,
    field_of,
    field_with,
    find_runs,
    list_runs,
    numbers_in,
    same_test,
    scenario_of,
    text_of,
)
from ecocviz.views.runs.points import points_of


def listed(store, owner="", **fields):
    return list_runs(store, asked(Selection().put(SELECTION, **fields), owner))


def test_a_run_comes_back_with_its_scenario_and_errors():
    store, one = memory(), scenario(machine=("kernel", {"gamma": 0.5}), seed=3)
    keep(store, one, 6, 150, train=2)
    (found,) = listed(store).runs
    assert found.scenario == one
    assert (found.test, found.train) == (Count(6, 150), Count(2, 150))
    assert found.test.error == 0.04
    assert found.title == found.run.title


def test_the_last_used_comes_first_and_the_same_scenario_is_kept_once():
    store = memory()
    first, second = scenario(), scenario(decoding="linear")
    for one in (first, second, first):
        keep(store, one, 5)
    assert [each.scenario for each in listed(store).runs] == [first, second]


def test_each_filter_narrows_the_list():
    store = memory()
    runs = {
        (data, decoding): keep(store, scenario(data, decoding), 5).id
        for data, decoding in product(("iris", "glass"), ("hamming", "linear"))
    }
    store.pin(runs["glass", "linear"])
    store.rename(runs["iris", "hamming"], "the Ünusual one")

    def numbers(**fields):
        return {each.run.id for each in listed(store, **fields).runs}

    assert numbers() == set(runs.values())
    assert numbers(ofset="glass") == {runs["glass", "hamming"], runs["glass", "linear"]}
    assert numbers(pinned="1") == {runs["glass", "linear"]}
    assert numbers(find=field_of("ünusual")) == {runs["iris", "hamming"]}
    assert numbers(find=field_of("linear glass")) == {runs["glass", "linear"]}
    assert numbers(ofkind="sweep") == set()
    assert listed(store).sets == tuple(key for key in SLOTS["data"] if key in {"iris", "glass"})


def test_many_runs_are_paged_and_every_one_is_on_one_page():
    store, n = memory(), 2 * PER_PAGE + 5
    for seed in range(n):
        store.record(scenario(seed=seed), {"test": counted(seed % 7, 50)}, 0.1)
    store.flush()
    pages = [listed(store, older=page) for page in range(4)]
    assert [len(page.runs) for page in pages] == [PER_PAGE, PER_PAGE, 5, PER_PAGE]
    assert [page.more for page in pages] == [True, True, False, True]
    assert {each.scenario.seed for page in pages for each in page.runs} == set(range(n))
    assert all(page.n_all == n for page in pages)


def test_visitors_see_their_own_runs_only():
    store = memory()
    mine, theirs = keep(store, scenario(), 5, owner="me"), keep(store, scenario(), 5, owner="they")
    assert [each.run.id for each in listed(store, "me").runs] == [mine.id]
    assert find_runs(store, [mine.id, theirs.id], "me")[0].run.id == mine.id
    assert len(find_runs(store, [mine.id, theirs.id], "me")) == 1
    assert len(listed(store, None).runs) == 2


def test_chosen_runs_come_in_the_order_of_choosing_and_deleted_ones_do_not():
    store = memory()
    numbers = [keep(store, scenario(seed=seed), 5).id for seed in range(4)]
    store.delete(numbers[1])
    asked_for = [numbers[3], numbers[1], numbers[0], 999]
    assert [each.run.id for each in find_runs(store, asked_for, None)] == [numbers[3], numbers[0]]


@given(st.lists(st.integers(0, 10**12), unique=True, max_size=30))
def test_chosen_numbers_survive_the_link(numbers):
    assert list(numbers_in(CHOSEN.check(field_with(numbers)))) == numbers


def test_too_many_chosen_numbers_are_cut_between_two_of_them():
    field = CHOSEN.check(field_with(range(10_000, 11_000)))
    assert numbers_in(field) == tuple(range(10_000, 10_000 + len(numbers_in(field))))


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=120))
def test_any_text_survives_the_link(text):
    read = text_of(FIND.check(field_of(text)))
    assert text.startswith(read)
    assert read == text or len(field_of(text)) > FIND.max_length - 12


def test_a_scenario_of_another_version_is_shown_without_one():
    store = memory()
    number = store.begin("run", "Old", {"scenario": {"v": "1", "coding": "gone-since"}}, 1)
    store.add(number, "test", counted(3, 10))
    (found,) = listed(store).runs
    assert found.scenario is None
    assert found.test == Count(3, 10)
    assert scenario_of(found.run) is None


@pytest.mark.parametrize(
    "record",
    [
        None,
        3,
        {},
        {"wrong": 1},
        {"wrong": 3, "points": 2},
        {"wrong": 0, "points": 0},
        {"wrong": "1", "points": 2},
    ],
)
def test_what_is_no_count_is_none(record):
    assert count_of(record) is None


# Differences -----------------------------------------------------------------------------------------

KEYS = {slot: list(entries)[:4] for slot, entries in SLOTS.items() if slot != "data"}
SCENARIOS = st.builds(
    lambda data, coding, decoding, seed: scenario(data, decoding, coding=coding, seed=seed),
    st.sampled_from(["iris", "glass"]),
    st.sampled_from(KEYS["coding"]),
    st.sampled_from(KEYS["decoding"]),
    st.integers(0, 2),
)


@given(st.lists(SCENARIOS, min_size=2, max_size=5))
def test_exactly_the_fields_that_differ_are_listed(scenarios):
    found = {(one.slot, one.name) for one in differences(scenarios)}
    for slot in SLOTS:
        keys = {getattr(one, slot).key for one in scenarios}
        assert ((slot, "") in found) == (len(keys) > 1)
    assert (("seed", "") in found) == (len({one.seed for one in scenarios}) > 1)
    for one in differences(scenarios):
        assert len(one.values) == len(scenarios)
        assert len(set(one.values)) > 1


def test_a_parameter_that_only_one_choice_has_counts_where_it_is_not_as_usual():
    plain, own = scenario(coding="one-vs-all"), scenario(coding=("dense-random", {"n_bits": 12}))
    names = {(one.slot, one.name): one.values for one in differences([plain, own])}
    assert names["coding", ""] == ("one-vs-all", "dense-random")
    assert names["coding", "n_bits"] == (None, 12)
    usual = scenario(coding="dense-random")
    assert {one.name for one in differences([plain, usual])} == {""}


def test_points_are_the_same_only_with_data_split_and_seed():
    def kept(*scenarios):
        store = memory()
        for one in scenarios:
            keep(store, one, 5)
        return listed(store).runs

    assert same_test(kept(scenario(), scenario(decoding="linear")))
    assert not same_test(kept(scenario(), scenario(seed=1)))
    assert not same_test(kept(scenario(), scenario("glass")))


# The points of a run ---------------------------------------------------------------------------------


def swept(store, scenarios, **records):
    run = store.begin("sweep", "A sweep", {"scenario": scenarios[0].to_flat()}, len(scenarios))
    for k, one in enumerate(scenarios):
        store.add(run, key_of(one), {"test": counted(k, 20), **records})
    store.end(run, "done")
    return store.find(run)


def test_a_sweep_is_drawn_over_the_number_with_the_most_values():
    store = memory()
    gammas = (0.5, 1.0, 2.0)
    scenarios = [
        scenario(decoding=decoding, machine=("kernel", {"gamma": gamma}))
        for decoding, gamma in product(("hamming", "linear"), gammas)
    ]
    found = points_of(store, swept(store, scenarios[::-1]), None)
    assert found.value == "error"
    assert (found.axis.slot, found.axis.name) == ("machine", "gamma")
    assert {name: [place.x for place in line] for name, line in found.lines.items()} == {
        SLOTS["decoding"]["hamming"].title: list(gammas),
        SLOTS["decoding"]["linear"].title: list(gammas),
    }
    errors = [place.count.wrong for line in found.lines.values() for place in line]
    assert sorted(errors) == list(range(6))


def test_a_sweep_over_words_is_drawn_point_by_point():
    store = memory()
    found = points_of(store, swept(store, [scenario(coding=key) for key in KEYS["coding"]]), None)
    assert found.axis is None
    assert [place.x for place in found.lines[""]] == [1.0, 2.0, 3.0, 4.0]


def test_a_study_is_drawn_by_the_number_that_most_of_its_records_hold():
    store = memory()
    run = store.begin("paper", "A study", {"paper": "p", "study": "s", "setting": "quick"}, 3)
    for k, record in enumerate(({"rank": 2.5, "seconds": 1.0}, {"rank": 1.5, "word": "x"}, {"other": True})):
        store.add(run, f"cell/{k}", record)
    found = points_of(store, store.find(run), None)
    assert (found.value, [place.y for place in found.lines[""]]) == ("rank", [2.5, 1.5])
    assert len(found.rows) == 3


def test_a_run_without_numbers_has_no_figure():
    store = memory()
    run = store.begin("paper", "A study", {"paper": "p", "study": "s", "setting": "quick"}, 1)
    store.add(run, "{broken", {"word": "x"})
    found = points_of(store, store.find(run), None)
    assert (found.value, found.lines) == ("", {})
