"""How often a waiting browser asks, how late it sees a result, and when its section is drawn again."""

import pytest

from ecocviz.lab.report import JobState, Snapshot
from ecocviz.views.shared.app import pace
from ecocviz.views.shared.app.pace import Drawn, Wait, next_look


def job(state=JobState.RUNNING, **told):
    fields = {"share": 0.0, "note": "", "partial": (), "result": None, "error": None, "seconds": 0.0, **told}
    return Snapshot(state, **fields)


def looks(takes, *, share, expected=None, travel=0.05):
    """The times at which a job of so many seconds is looked at; the last finds it done."""
    wait, now, found = Wait(("pool", "key"), 0.0), 0.0, []
    while not found or found[-1] < takes:
        snapshot = job(share=share(now / takes), seconds=now, expected=expected)
        now += next_look(snapshot, now, wait.estimate(snapshot, now)) + travel
        found.append(now)
    return found


SHARES = {
    "even": lambda done: done,
    "none": lambda _done: 0.0,
    "late": lambda done: done**3,
    "early": lambda done: min(0.99, done**0.3),
}


@pytest.mark.parametrize("share", SHARES.values(), ids=SHARES)
@pytest.mark.parametrize("factor", [None, 0.2, 1.0, 5.0])
@pytest.mark.parametrize("takes", [0.1, 1.0, 3.1, 7.0, 20.0, 64.5, 300.0])
def test_a_result_is_seen_in_time_and_the_server_is_not_asked_more_often_than_that_needs(
    share, factor, takes
):
    found = looks(takes, share=share, expected=factor and factor * takes)
    assert found[-1] - takes <= max(0.35, 0.15 * takes)
    gaps = [after - before for before, after in zip([0.0, *found], found, strict=False)]
    assert min(gaps) >= 0.3 and max(gaps) <= 3.06
    assert len(found) <= 3 + 35 * takes**0.5


def test_a_long_job_is_asked_after_every_three_seconds_until_its_end_is_near():
    found = looks(60.0, share=SHARES["even"])
    assert len(found) < 45  # 120 at twice a second
    assert found[-1] - 60.0 < 1.0


def test_a_job_in_the_queue_is_asked_after_ever_less_often():
    gaps = [next_look(job(JobState.WAITING), waited, None) for waited in (0.0, 5.0, 60.0)]
    assert gaps == pytest.approx([0.3, 0.6, 3.0])
    assert next_look(job(JobState.WAITING, ahead=2, expected=15.0), 0.0, None) == pytest.approx(1.8)


def test_a_section_is_drawn_again_when_its_job_is_over_or_gone():
    drawn = Drawn(job(), 0.0)
    assert drawn.is_old(None)
    for state in JobState:
        assert drawn.is_old(job(state)) == state.over


def test_what_was_found_is_drawn_at_once_and_then_at_most_every_second(monkeypatch):
    monkeypatch.setattr(pace, "perf_counter", lambda: 10.0)
    assert not Drawn(job(share=0.1), 0.0).is_old(job(share=0.5, note="on"))
    assert Drawn(job(), 9.9).is_old(job(partial=(1,)))
    assert not Drawn(job(partial=(1,)), 9.1).is_old(job(partial=(1, 2)))
    assert Drawn(job(partial=(1,)), 9.0).is_old(job(partial=(1, 2)))
    assert not Drawn(job(partial=(1,)), 0.0).is_old(job(partial=(1,)))


def test_what_is_left_is_told_steadily():
    wait = Wait(("pool", "key"), 0.0)
    assert wait.estimate(job(share=0.01, seconds=1.0), 1.0) is None
    told = [wait.estimate(job(share=share, seconds=10.0), 10.0) for share in (0.5, 0.25)]
    # From the first step on, at 1 s and 1 %: 9 s for 49 %, then 9 s for 24 %, of which 30 % count at once.
    first, second = 0.5 * 9 / 0.49, 0.75 * 9 / 0.24
    assert told == pytest.approx([first, first + 0.3 * (second - first)])
