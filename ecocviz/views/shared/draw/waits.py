"""How a job that is waited for is spoken of: what comes before it, what it does, how long it still takes."""

from math import sqrt

from ecocviz.lab.report import JobState, Snapshot
from ecocviz.views.shared.draw.words import count

TOLD_FROM_SECONDS = 3.0
"""What has run for less, or takes less, is not worth an estimate."""
SHARE_OF_NEWS = 0.3
"""How far an estimate moves towards a new one at once: what is read must not jump."""
ROUND = (5, 10, 15, 20, 30, 40, 50)


def wait_sentence(snapshot: Snapshot, left: float | None = None) -> str:
    """Say where an unfinished job stands.

    Parameters
    ----------
    snapshot
        The job.
    left
        Seconds that it still takes, None where nobody can tell.
    """
    if snapshot.state is JobState.WAITING:
        others = count(snapshot.ahead, "other computation") if snapshot.ahead else "other computations"
        own = snapshot.expected
        then = "" if own is None or own < TOLD_FROM_SECONDS else f"; this one then takes {about(own)}"
        return f"waiting for {others}{then}"
    doing = snapshot.note or "starting"
    if left is not None:
        return f"{doing}, {about(left)} left"
    return doing if snapshot.seconds < TOLD_FROM_SECONDS else f"{doing}, {so_far(snapshot.seconds)} so far"


def so_far(seconds: float) -> str:
    """Write a duration that has passed.

    >>> so_far(5.4), so_far(59.7), so_far(200.0)
    ('5 s', '60 s', '3 min')
    """
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def about(seconds: float) -> str:
    """Write a duration as coarsely as it is known.

    >>> about(2.2), about(23.0), about(61.0), about(200.0), about(9000.0)
    ('a few seconds', 'about 20 s', 'about 1 min', 'about 3 min', 'about 2.5 h')
    """
    if seconds < TOLD_FROM_SECONDS:
        return "a few seconds"
    if seconds < 55:
        return f"about {min(ROUND, key=lambda step: abs(step - seconds))} s"
    if seconds < 5400:
        return f"about {seconds / 60:.0f} min"
    return f"about {seconds / 3600:.1f} h"


def seconds_left(snapshot: Snapshot, mark: tuple[float, float] = (0.0, 0.0)) -> float | None:
    """Return how long a job still takes by how fast it is, and by what was predicted.

    The prediction counts less the further the job is, and nothing once it has run longer. While a job stands
    still its speed falls, and so more is left: a step that takes long is not told as nearly over.

    Parameters
    ----------
    snapshot
        The job.
    mark
        Seconds and share from which its speed is measured: what comes before the first step, such as
        loading, says nothing of the others.
    """
    seconds, share, expected = snapshot.seconds, snapshot.share, snapshot.expected
    if snapshot.state is not JobState.RUNNING or share <= 0 or seconds < TOLD_FROM_SECONDS:
        return None
    passed, done = seconds - mark[0], share - mark[1]
    by_speed = (1 - share) * passed / done if done > 0 and passed >= TOLD_FROM_SECONDS else None
    predicted = expected - seconds if expected is not None and seconds < expected else None
    if by_speed is None or predicted is None:
        return predicted if by_speed is None else by_speed
    return sqrt(share) * by_speed + (1 - sqrt(share)) * predicted


def steadied(before: float | None, passed: float, estimate: float | None) -> float | None:
    """Return an estimate of the seconds left that goes on from the one before.

    Parameters
    ----------
    before
        The estimate told before; None if there was none.
    passed
        Seconds since then.
    estimate
        What is found now.
    """
    if before is None or estimate is None:
        return estimate
    counted = max(before - passed, 0.0)
    return counted + SHARE_OF_NEWS * (estimate - counted)
