"""What pages show of errors is kept as runs: once for each who has seen it, written where nobody waits.

On a shared server visitors have runs of their own, known by their session as their uploads are; elsewhere
all who use the app have the same.
"""

import logging
import threading
from collections import OrderedDict
from collections.abc import Hashable, Sequence

import streamlit as st

from ecocviz.data.home import home
from ecocviz.data.policy import current_policy
from ecocviz.data.upload_presence import owner_of
from ecocviz.lab.store import open_store
from ecocviz.lab.store_writer import Writer
from ecocviz.lab.to_keep import ToKeep
from ecocviz.views.shared.app.job_panel import viewer_name, watching

LOG = logging.getLogger(__name__)

LAST = "ecocviz.kept"
MOST_KNOWN = 50_000
"""What has been written lately is known by its hash, so that switching back and forth writes nothing."""

_known: OrderedDict[int, None] = OrderedDict()
_lock = threading.Lock()


def owner_now() -> str:
    """Return whose runs this session's are."""
    return owner_of(viewer_name()) if current_policy().shared else ""


def seen_by_now() -> str | None:
    """Return whose runs this session may see, None for all."""
    return owner_now() if current_policy().shared else None


def keep(place: str, found: ToKeep | None, page: str) -> None:
    """Have what a place of a page shows written into the store, unless it has been; returns at once."""
    if found is None:
        return
    last: dict[str, Hashable] = st.session_state.setdefault(LAST, {})
    mine = watching()
    recent = not any(mine.jobs[seen][1] in mine.begun for seen in mine.seen if seen in mine.jobs)
    if last.get(place) == (found.key, recent):
        return
    last[place] = found.key, recent
    owner = owner_now()
    if _is_new(hash((home(), owner, place, found.key, recent))):
        _writer.put((found, owner, page, recent))


def written() -> None:
    """Return when all that was to be kept so far is in the store."""
    _writer.flush()
    open_store().flush()


def _is_new(key: int) -> bool:
    with _lock:
        new = key not in _known
        _known[key] = None
        _known.move_to_end(key)
        while len(_known) > MOST_KNOWN:
            _known.popitem(last=False)
        return new


def _write(items: Sequence[tuple[ToKeep, str, str, bool]]) -> None:
    store = open_store()
    for found, owner, page, recent in items:
        try:
            found.write(store, owner, page, recent)
        except ValueError as problem:  # the page shows its numbers whether or not they can be kept
            LOG.warning("A run was not kept: %s", problem)


_writer: Writer[tuple[ToKeep, str, str, bool]] = Writer(_write)
