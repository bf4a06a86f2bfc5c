"""How many computations one visitor may have under way, over several pools with threads of their own."""

import itertools
import threading

import pytest

from ecocviz.lab.cost import Cost
from ecocviz.lab.gate import Gate
from ecocviz.lab.jobs import Jobs
from ecocviz.lab.report import JobState, Report
from ecocviz.lab.shares import Shares

SENTENCE = r"^2 of your computations are running or waiting; cancel one, or wait until one has ended\.$"


def endless(report):
    for n in itertools.count():
        report.note(str(n))


@pytest.fixture
def pools():
    gate, shares = Gate(8), Shares(2)
    made = [Jobs(gate, shares=shares) for _ in range(2)]
    yield made
    for pool in made:
        pool.close()


def test_one_more_is_refused_whatever_the_pool_and_others_are_not(pools):
    one, other = pools
    one.start("a", endless, "visitor")
    other.start("b", endless, "visitor")
    for pool in pools:
        with pytest.raises(ValueError, match=SENTENCE):
            pool.start("c", endless, "visitor")
    assert one.look("c") is None
    assert not one.start("c", endless, "somebody").state.over
    for number in range(5):
        one.start(number, endless)  # nobody in particular


def test_to_join_a_computation_costs_nothing(pools):
    one, other = pools
    for key in range(4):
        one.start(key, endless, f"visitor {key}")
        one.start(key, endless, "visitor")
    assert not other.start("own", endless, "visitor").state.over


def test_what_is_over_or_cancelled_does_not_count(pools):
    one, other = pools
    one.start("done", lambda _: 1, "visitor")
    one.wait("done", 5)
    one.start("failed", lambda _: 1 / 0, "visitor")
    one.wait("failed", 5)
    one.start("a", endless, "visitor")
    one.leave("a", "visitor")
    stubborn = threading.Event()
    one.start("b", lambda _: stubborn.wait(10), "visitor")  # it hears nothing, but it is not wanted any more
    one.leave("b", "visitor")
    for key in ("c", "d"):
        assert not other.start(key, endless, "visitor").state.over
    stubborn.set()


def test_what_the_visitor_looks_away_from_makes_way(pools):
    one, other = pools
    for key in ("a", "b"):
        one.start(key, endless, "visitor")
        one.look_away(key, "visitor")
    one.start("b", endless, "somebody")
    assert not other.start("c", endless, "visitor").state.over
    assert one.look("a").state is JobState.CANCELLED
    assert one.look("b").state is JobState.RUNNING  # somebody else looks at it


def test_two_visitors_at_their_limits_do_not_wait_for_each_other(pools):
    """Each start in one pool makes way in the other: no two may hold what the other wants."""

    def visit(viewer, mine, theirs):
        for number in range(200):
            pool = (mine, theirs)[number % 2]
            key = (viewer, number)
            pool.start(key, endless, viewer)
            pool.look_away(key, viewer)

    visitors = [
        threading.Thread(target=visit, args=("a", *pools), daemon=True),
        threading.Thread(target=visit, args=("b", *reversed(pools)), daemon=True),
    ]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join(20)
    assert not any(visitor.is_alive() for visitor in visitors)


def test_a_computation_gets_no_more_memory_than_a_visitor_may_take():
    gate = Gate(room=lambda: 10 << 30, limit=2 << 30)
    with gate.large(Cost(5, 1 << 30), Report("visitor")) as granted:
        assert granted == 2 << 30
    with (
        pytest.raises(
            ValueError,
            match=r"^This needs about 3.0 GiB of memory, but a computation may take at most "
            "2.0 GiB",
        ),
        gate.large(Cost(5, 3 << 30), Report("visitor")),
    ):
        pass
