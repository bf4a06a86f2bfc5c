"""The data folder is looked after while the server runs: on a slow timer, never when a page is drawn."""

import logging
import threading

from ecocviz.data import uploads
from ecocviz.data.upload_store import BEAT_SECONDS
from ecocviz.views.shared.app.job_panel import gone

LOG = logging.getLogger(__name__)


def tend(leaving: threading.Event, seconds: float = BEAT_SECONDS) -> None:
    """Write down who is there and remove what has expired, again and again until the server ends."""
    while True:
        try:
            uploads.tend(gone)
        except Exception:
            # Whatever it is, the next time may do: without this thread uploads of those present would expire.
            LOG.exception("The data folder could not be looked after.")
        if leaving.wait(seconds):
            return
