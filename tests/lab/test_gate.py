"""Who may compute now: small before large, one large a session, memory promised once."""

import threading
from contextlib import ExitStack

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples
from waiting import until

from ecocviz.lab.cost import Cost
from ecocviz.lab.gate import LATER, MOST_OVERDUE, UNBOUNDED, Gate
from ecocviz.lab.report import CancelledError, Report

GIB = 1 << 30


class Worker:
    """A job in a thread of its own that is inside until it is told to go."""

    def __init__(self, gate, cost=None, owner="", *, later=False):
        self.report, self.cost, self.gate = Report(owner, later=later), cost, gate
        self.inside, self.go, self.error, self.granted = False, threading.Event(), None, None
        self.thread = threading.Thread(target=self._work)
        self.thread.start()
        until(lambda: self.inside or self.report.ticket is not None or self.error is not None)

    def _work(self):
        try:
            with (
                self.gate.small(self.report)
                if self.cost is None
                else self.gate.large(self.cost, self.report) as granted
            ):
                self.granted, self.inside = granted, True
                self.go.wait(20)
        except (CancelledError, ValueError) as error:
            self.error = error
        finally:
            self.inside = False

    def leave(self):
        self.go.set()
        self.thread.join(20)


@pytest.fixture
def crew():
    """Begins workers, and ends all of them."""
    with ExitStack() as leaving:
        made = []

        def begin(*arguments, **options):
            made.append(Worker(*arguments, **options))
            return made[-1]

        leaving.callback(lambda: [worker.leave() for worker in made])
        leaving.callback(lambda: [worker.go.set() for worker in made])
        yield begin


def test_small_work_enters_in_the_order_of_asking(crew):
    gate = Gate(n_small=1)
    first, second, third = (crew(gate) for _ in range(3))
    assert first.inside and not second.inside and not third.inside
    assert gate.ahead(second.report.ticket) == 1 and gate.ahead(third.report.ticket) == 2
    first.leave()
    until(lambda: second.inside)
    assert not third.inside and second.report.ticket is None


def test_a_short_computation_overtakes_a_long_one_that_waits(crew):
    gate = Gate(n_large=1)
    running = crew(gate, Cost(1.0), "a")
    long, short = crew(gate, Cost(500.0), "b"), crew(gate, Cost(2.0), "c")
    assert gate.ahead(short.report.ticket) == 1 and gate.ahead(long.report.ticket) == 2
    running.leave()
    until(lambda: short.inside)
    assert not long.inside
    short.leave()
    until(lambda: long.inside)
    assert long.report.expected == 500.0


def test_what_somebody_waits_for_comes_before_a_sweep_of_the_same_length(crew):
    gate = Gate(n_large=1)
    running = crew(gate, Cost(1.0), "a")
    sweep, awaited = crew(gate, Cost(50.0), "b", later=True), crew(gate, Cost(50.0 * LATER - 10), "c")
    running.leave()
    until(lambda: awaited.inside)
    assert not sweep.inside


def test_a_session_has_one_large_computation_at_a_time(crew):
    gate = Gate(n_large=2)
    first, again, other = crew(gate, Cost(1), "a"), crew(gate, Cost(1), "a"), crew(gate, Cost(9), "b")
    assert first.inside and other.inside and not again.inside
    other.leave()
    assert not again.inside  # there is a slot, but its session has one
    first.leave()
    until(lambda: again.inside)


def test_memory_is_promised_once(crew):
    gate = Gate(n_large=3, room=lambda: 4 * GIB, limit=4 * GIB)
    large = crew(gate, Cost(1, 3 * GIB), "a")
    assert large.granted == 4 * GIB  # what nobody else was promised
    second, small = crew(gate, Cost(1, 2 * GIB), "b"), crew(gate, Cost(60, GIB // 2), "c")
    # The smaller one would fit, but it came later: one after the other would keep the second out for ever.
    assert not second.inside and not small.inside
    large.leave()
    until(lambda: second.inside and small.inside)


def test_what_is_alone_is_let_in_even_where_others_outside_took_the_memory(crew):
    gate = Gate(room=lambda: 0, limit=4 * GIB)
    alone = crew(gate, Cost(1, GIB), "a")
    assert alone.inside and alone.granted == GIB


def test_what_can_never_fit_is_refused_with_both_numbers(crew):
    gate = Gate(limit=GIB)
    refused = crew(gate, Cost(1, 5 * GIB))
    assert str(refused.error) == (
        "This needs about 5.0 GiB of memory, but a computation may take at most 1.0 GiB here; "
        "choose fewer points, fewer machines or a linear machine."
    )


def test_large_work_that_waits_is_bounded(crew):
    gate = Gate(n_large=1, max_waiting=1)
    crew(gate, Cost(1), "a")
    crew(gate, Cost(1), "b")
    refused = crew(gate, Cost(1), "c")
    assert str(refused.error) == "1 long computations are already waiting; try again in a while."


def test_who_is_cancelled_while_waiting_leaves_the_queue(crew):
    gate = Gate(n_large=1)
    running, waiting, next_one = crew(gate, Cost(1)), crew(gate, Cost(2)), crew(gate, Cost(3))
    waiting.report.stopped.set()
    gate.withdraw(waiting.report.ticket)
    until(lambda: waiting.error is not None)
    assert isinstance(waiting.error, CancelledError) and waiting.report.ticket is None
    running.leave()
    until(lambda: next_one.inside)


def test_small_work_gives_its_slot_to_others_while_its_large_part_is_done(crew):
    gate, report, seen = Gate(n_small=1, n_large=1), Report("a"), []
    with gate.small(report):
        other = crew(gate)
        assert not other.inside
        with gate.large(Cost(3.0), report) as granted:
            seen.append(granted)
            until(lambda: other.inside)
            assert report.slot is None
            other.go.set()
        assert report.slot is not None
    assert seen == [UNBOUNDED]
    assert not gate._inside and not any(gate._waiting.values())


def test_what_is_done_aside_waits_for_its_like_alone_and_keeps_no_slot_of_small_work(crew):
    gate, first, second = Gate(n_small=1, n_large=1), Report("a"), Report("b")
    large, done = crew(gate, Cost(60.0)), []

    def wait_aside():
        try:
            with gate.small(second), gate.aside(second):
                done.append("second")
        except CancelledError:
            done.append("cancelled")

    with gate.small(first), gate.aside(first):
        assert large.inside and first.slot is None
        thread = threading.Thread(target=wait_aside)
        thread.start()
        until(lambda: second.ticket is not None and second.slot is None)
        small = crew(gate)
        assert small.inside and gate.ahead(second.ticket) == 1 and not done
        small.leave()
        second.stopped.set()
        gate.withdraw(second.ticket)
        thread.join(20)
    assert done == ["cancelled"]
    large.leave()
    assert not gate._inside and not any(gate._waiting.values())


def test_small_work_that_was_predicted_badly_keeps_its_slot_from_nobody_for_long(crew, monkeypatch):
    monkeypatch.setattr("ecocviz.lab.gate.OVERDUE_SECONDS", 0.05)
    gate = Gate(n_small=1)
    workers = [crew(gate) for _ in range(6)]
    until(lambda: sum(worker.inside for worker in workers) == 1 + MOST_OVERDUE)
    assert [worker.inside for worker in workers] == [True] * 4 + [False] * 2  # but not for all at once
    workers[0].leave()
    until(lambda: workers[4].inside)


def test_large_work_keeps_its_slot_however_long_it_takes(crew, monkeypatch):
    monkeypatch.setattr("ecocviz.lab.gate.OVERDUE_SECONDS", 0.01)
    gate = Gate(n_large=1)
    first, second, small = crew(gate, Cost(1), "a"), crew(gate, Cost(1), "b"), crew(gate)
    small.leave()
    assert first.inside and not second.inside


def test_whoever_has_to_wait_is_told_to_those_who_can_make_way(crew):
    gate, told = Gate(n_small=1), []
    gate.crowded.append(lambda: told.append(1))
    crew(gate)
    assert not told
    crew(gate)
    assert told == [1]


jobs = st.lists(
    st.tuples(st.floats(0.1, 50.0), st.integers(0, 3), st.sampled_from(["a", "b", "c"])),
    min_size=1,
    max_size=8,
)


@examples(15)
@given(jobs, st.integers(1, 3), st.integers(3, 6))
def test_nothing_is_ever_promised_twice_and_everything_gets_its_turn(asked, n_large, room):
    gate = Gate(n_large=n_large, room=lambda: room * GIB, limit=room * GIB)
    workers = [Worker(gate, Cost(seconds, size * GIB), owner) for seconds, size, owner in asked]
    try:
        done = set()
        while len(done) < len(workers):
            until(lambda: any(worker.inside for worker in workers))
            inside = [worker for worker in workers if worker.inside]
            assert len(inside) <= n_large
            assert len({worker.report.owner for worker in inside}) == len(inside)
            assert len(inside) == 1 or sum(worker.cost.n_bytes for worker in inside) <= room * GIB
            inside[0].leave()
            done.add(id(inside[0]))
    finally:
        for worker in workers:
            worker.leave()


def test_who_waits_for_something_elsewhere_leaves_its_slot_to_others():
    gate = Gate(n_small=1)
    first, second = Report("a"), Report("b")
    with gate.small(first):
        slot = first.slot
        with gate.outside(first):
            assert first.slot is None
            with gate.small(second):
                assert second.slot is not None
        assert first.slot is not None and first.slot is not slot
