import pytest
from hearing import notes_to, shares_to

from ecocviz.engine.progress import NO_PROGRESS, Asking, Falling, Progress, Telling


def test_nobody_need_listen():
    for progress in (NO_PROGRESS, NO_PROGRESS.part(0, 3, "fold"), Asking(NO_PROGRESS)):
        assert isinstance(progress, Progress)
        progress.at(0.5)
        progress.note("training")
        progress.check()


def test_parts_of_parts_tell_the_share_of_the_whole():
    shares = []
    part = shares_to(shares.append).part(1, 2).part(1, 4)
    part.at(0.0)
    part.at(1.0)
    part.check()
    assert shares == [0.625, 0.75, 0.75]


def test_named_parts_stand_before_their_notes():
    notes = []
    fold = notes_to(notes).part(0, 3, "fold 1 of 3")
    fold.note("training")
    fold.part(0, 2).note("machine 1")
    fold.part(1, 2, "calibration").note("machine 2")
    assert notes == ["fold 1 of 3: training", "fold 1 of 3: machine 1", "fold 1 of 3: calibration: machine 2"]


@pytest.mark.parametrize("call", [lambda p: p.at(0.1), lambda p: p.note("now"), lambda p: p.check()])
def test_every_call_may_end_the_work(call):
    def stop(_share, _note):
        raise InterruptedError

    for progress in (Telling(stop), Telling(stop).part(0, 2)):
        with pytest.raises(InterruptedError):
            call(progress)


def test_a_falling_number_is_told_in_decades_and_never_goes_back():
    shares = []
    gap = Falling(shares_to(shares.append), goal=1e-4)
    for value in (float("inf"), 1.0, 1e-1, 1e-2, 1e-1, 1e-3):
        gap.at(value)
    gap.check()
    gap.at(1e-5)
    assert shares == pytest.approx([0, 0, 0.25, 0.5, 0.5, 0.75, 0.75, 1])


def test_work_of_unknown_size_only_asks():
    heard = []
    whole = Telling(lambda share, note: heard.append((share, note)))
    whole.at(0.5)
    inner = Asking(whole).part(1, 2, "inside")
    inner.note("a detail")
    inner.at(1.0)
    inner.check()
    assert heard == [(0.5, "")] * 3
