"""The data folder is looked after again and again, whatever happens meanwhile."""

import threading

from ecocviz.data import uploads
from ecocviz.views.shared.app.job_panel import gone
from ecocviz.views.shared.app.tending import tend


def test_it_goes_on_after_a_failure_until_the_server_ends(monkeypatch, caplog):
    leaving, calls = threading.Event(), []

    def tended(who_is_gone):
        calls.append(who_is_gone)
        if len(calls) == 1:
            raise RuntimeError("something unforeseen")
        if len(calls) == 3:
            leaving.set()

    monkeypatch.setattr(uploads, "tend", tended)
    tend(leaving, seconds=0.001)
    assert calls == [gone] * 3
    assert "could not be looked after" in caplog.text
