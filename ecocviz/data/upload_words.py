"""What is said about how long uploads are kept, how much of them, and what is no longer kept."""

from collections.abc import Sequence

from ecocviz.data.policy import DAY, HOUR, Policy, current_policy


def terms() -> str:
    """Say how long and how much is kept of what one brings."""
    policy = current_policy()
    secret = " Its link is a secret: whoever has it sees the file." if policy.shared else ""
    where = "on the server" if policy.shared else "on the computer that runs this app"
    return (
        f"A file is kept {where} until {until(policy)}. Yours may take {size(policy.upload_bytes)} together: "
        f"beyond that, and when the room for all is full, the file unused for longest is removed.{secret}"
    )


def gone_words(gone: Sequence[str]) -> str:
    """Say which of one's earlier files are no longer kept, "" if all are.

    >>> gone_words(["a.csv"])
    'a.csv is no longer kept: it had been unused for longest, and the file now in use needed its room.'
    >>> gone_words(["a.csv", "b.csv"])[:38]
    'a.csv and b.csv are no longer kept: th'
    """
    if not gone:
        return ""
    *first, last = gone
    listed = f"{', '.join(first)} and {last}" if first else last
    were = "they had been unused for longest" if first else "it had been unused for longest"
    room = "their room" if first else "its room"
    verb = "are" if first else "is"
    return f"{listed} {verb} no longer kept: {were}, and the file now in use needed {room}."


def until(policy: Policy) -> str:
    """Say until when an upload is kept.

    >>> from ecocviz.data.policy import ALONE, STRANGERS
    >>> until(ALONE), until(STRANGERS)
    ('30 days after its last use', 'an hour after all who use it have left')
    """
    long, event = (
        _duration(policy.upload_seconds),
        "all who use it have left" if policy.shared else "its last use",
    )
    return f"{long} after {event}"


def _duration(seconds: float) -> str:
    """Write a time.

    >>> _duration(DAY), _duration(3 * DAY), _duration(HOUR), _duration(7_200), _duration(90)
    ('a day', '3 days', 'an hour', '2 hours', '90 seconds')
    """
    for unit, one, many in (
        (DAY, "a day", "days"),
        (HOUR, "an hour", "hours"),
        (60.0, "a minute", "minutes"),
    ):
        if seconds >= unit and seconds % unit == 0:
            return one if seconds == unit else f"{seconds / unit:.0f} {many}"
    return f"{seconds:g} seconds"


def size(n_bytes: int) -> str:
    """Write a number of bytes.

    >>> size(60_000_000), size(1_500), size(12)
    ('60 MB', '1.5 kB', '12 bytes')
    """
    for unit, name in ((1_000_000, "MB"), (1_000, "kB")):
        if n_bytes >= unit:
            return f"{n_bytes / unit:.3g} {name}"
    return f"{n_bytes} bytes"
