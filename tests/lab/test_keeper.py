"""What is kept is computed once, by whoever asks first, and bounded in bytes."""

import threading
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.engine.progress import Progress, Telling
from ecocviz.lab.keeper import Keeper, size_of
from ecocviz.lab.run import train, without_decoder
from ecocviz.lab.scenario import make_scenario
from ecocviz.lab.trained import TrainedKeeper


def test_a_value_is_computed_once_while_it_is_remembered():
    made, keeper = [], Keeper(10_000)
    for _ in range(3):
        assert keeper.get("a", lambda _: made.append(1) or "value") == "value"
    assert made == [1] and keeper.find("a") == "value" and keeper.find("b") is None
    keeper.clear()
    assert keeper.find("a") is None and keeper.n_bytes == 0


@given(st.lists(st.integers(0, 5), max_size=40), st.integers(1, 4))
def test_the_least_recently_used_are_forgotten_within_the_bytes(keys, room):
    keeper, order = Keeper(room * 1_000), []
    for key in keys:
        keeper.get(key, lambda _: np.zeros(1_000, dtype=np.int8))
        order = [*(k for k in order if k != key), key]
        del order[:-room]
        assert keeper.n_bytes == 1_000 * len(order)
        assert [k for k in range(6) if keeper._kept.get(k)] == sorted(order)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 2_000), st.booleans())))
def test_bytes_are_counted_as_values_come_and_go(asked):
    keeper = Keeper(3_000)
    keeper.pin(0)
    for key, size, forgotten in asked:
        keeper.get(key, lambda _, size=size: np.zeros(size, dtype=np.int8))
        if forgotten:
            keeper.forget(lambda other, key=key: other == key)
        assert keeper.n_bytes == sum(value.nbytes for value, _ in keeper._kept.values())


def test_the_latest_is_kept_even_if_it_alone_is_too_large():
    keeper = Keeper(10)
    keeper.get("small", lambda _: np.zeros(5, dtype=np.int8))
    keeper.get("large", lambda _: np.zeros(5_000))
    assert keeper.find("large") is not None and keeper.find("small") is None


def test_many_who_ask_at_once_wait_for_one_computation():
    begun, gate, made = threading.Event(), threading.Event(), []
    waiting = threading.Semaphore(0)

    class Waiting(Progress):
        def note(self, text):
            assert text == "waiting for the same computation"
            waiting.release()

    def make(_):
        made.append(1)
        begun.set()
        gate.wait(10)
        return "value"

    keeper, found = Keeper(1_000), []
    threads = [
        threading.Thread(target=lambda: found.append(keeper.get("a", make, Waiting()))) for _ in range(5)
    ]
    threads[0].start()
    begun.wait(10)
    for thread in threads[1:]:
        thread.start()
    for _ in threads[1:]:
        assert waiting.acquire(timeout=10)
    gate.set()
    for thread in threads:
        thread.join(10)
    assert found == ["value"] * 5 and made == [1]


def test_who_waits_can_be_cancelled_and_begins_anew_where_the_first_one_failed():
    begun, gate = threading.Event(), threading.Event()
    keeper = Keeper(1_000)

    def fail(_):
        begun.set()
        gate.wait(10)
        raise ValueError("no")

    def first():
        with pytest.raises(ValueError, match="no"):
            keeper.get("a", fail)

    thread = threading.Thread(target=first)
    thread.start()
    begun.wait(10)

    def stop(*_):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        keeper.get("a", lambda _: "never", Telling(stop))
    gate.set()
    assert keeper.get("a", lambda _: "mine") == "mine"
    thread.join(10)


def test_sizes_count_every_array_once_and_look_into_records():
    @dataclass(frozen=True, slots=True)
    class Record:
        points: np.ndarray
        name: str

    points = np.zeros(10_000)
    one = size_of(Record(points, "a"))
    assert 80_000 <= one < 82_000
    assert size_of([Record(points, "a"), Record(points, "b")]) < one + 1_000
    assert size_of([points, np.mean, Record]) < one + 1_000  # code is not counted
    assert size_of(points[:10]) == 80_000  # a view holds all of what it looks at
    table = make_scenario()
    assert size_of(train(table)) > 10_000


def test_scenarios_that_differ_in_the_decoder_only_share_their_machines():
    asked = []

    def counted(scenario, progress):
        asked.append(scenario)
        return train(scenario, progress)

    keeper = TrainedKeeper(counted, without_decoder)
    scenario = make_scenario(data=("blobs", {"n_samples": 60}))
    assert keeper.find(scenario) is None
    first = keeper.get(scenario)
    assert keeper.get(scenario.chosen("decoding", "hamming")) is first is keeper.find(scenario)
    assert asked == [without_decoder(scenario)] or asked == [scenario]
    keeper.get(scenario.chosen("coding", "one-vs-one"))
    assert len(asked) == 2 and keeper.n_bytes > 20_000
    keeper.clear()
    assert keeper.find(scenario) is None


def test_what_is_pinned_is_never_forgotten():
    keeper = Keeper(3_000)
    keeper.pin("later")
    for key in ("first", "later", "third", "fourth", "fifth", "sixth"):
        keeper.get(key, lambda _: np.zeros(1_000, dtype=np.int8))
    assert [
        key for key in ("first", "later", "third", "fourth", "fifth", "sixth") if keeper.find(key) is not None
    ] == [
        "later",
        "fifth",
        "sixth",
    ]


def test_values_of_a_kind_can_be_forgotten():
    keeper = Keeper(10_000)
    for key in (("a", 1), ("a", 2), ("b", 1)):
        keeper.get(key, lambda _: "value")
    keeper.forget(lambda key: key[0] == "a")
    assert [key for key in (("a", 1), ("a", 2), ("b", 1)) if keeper.find(key)] == [("b", 1)]
