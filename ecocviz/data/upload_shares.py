"""Who gives when there is no room: no session takes another's room while it has more itself."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ecocviz.data.upload_store import Kept

NOBODY = ""
"""Owns what no session that is still there has brought; all of it counts together."""


@dataclass(slots=True)
class _Share:
    n_bytes: int = 0
    to_give: list[Kept] = field(default_factory=list)


def given_up(
    found: Sequence[Kept], owner: str, new: str, *, share: int, room: int, at: float
) -> list[tuple[str, Kept]] | None:
    """Return who gives up what, so that a new upload has room; None if it has none without injustice.

    First its owner keeps to the share of a session. Then, while the folder is too full, whoever holds most
    gives, the owner where several hold as much. Everybody gives first what had been unused for longest.

    Parameters
    ----------
    found
        All uploads, the new one among them.
    owner
        The session that brings the new one.
    new
        Its name. It is not given up.
    share
        Bytes that one session may hold.
    room
        Bytes that all may hold together.
    at
        The time.
    """
    holders = {kept.name: set(kept.alive(at)) or {NOBODY} for kept in found}
    shares: dict[str, _Share] = {owner: _Share()}
    for kept in sorted(found, key=lambda kept: kept.used):
        for holder in holders[kept.name]:
            held = shares.setdefault(holder, _Share())
            held.n_bytes += kept.n_bytes
            if kept.name != new:
                held.to_give.append(kept)
    total = sum(kept.n_bytes for kept in found)
    given: list[tuple[str, Kept]] = []

    def give(holder: str) -> int:
        """Return the bytes that are free then: none as long as somebody else holds the same."""
        kept = shares[holder].to_give.pop(0)
        shares[holder].n_bytes -= kept.n_bytes
        holders[kept.name].discard(holder)
        given.append((holder, kept))
        return 0 if holders[kept.name] else kept.n_bytes

    while owner != NOBODY and shares[owner].n_bytes > share:
        if not shares[owner].to_give:
            return None
        total -= give(owner)
    while total > room:
        able = [holder for holder, held in shares.items() if held.to_give or holder == owner]
        most = max(able, key=lambda holder: (shares[holder].n_bytes, holder == owner))
        if not shares[most].to_give:
            return None
        total -= give(most)
    return given
