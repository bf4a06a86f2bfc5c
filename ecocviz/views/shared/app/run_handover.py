"""How one run of a page hands over to the next: what it says is heard, what it shares is touched in turn.

Streamlit lets a run begin while the one before comes to its end, in a thread of its own, and loses:

- what a run says once another stands in its place. A request for a part of a page takes the place of a run
  that is over, even while its last messages are on their way: the browser then lacks the end of the page,
  never hears that its run is over, and keeps what was there before beside what is new;
- what a user clicked. Each run guards the session's state by a lock of its own, and none against the other:
  the one before tidies up, or sets a value, in the moment in which a click or a choice is taken. And a run
  that another takes the place of before it has taken a click, or while it does, takes the click with it.
"""

from collections.abc import Callable
from threading import RLock
from typing import Any
from weakref import WeakSet, WeakValueDictionary

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime import app_session, websocket_session_manager
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunner, ScriptRunnerEvent
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType, _coalesce_widget_states
from streamlit.runtime.state import SafeSessionState, SessionState


class Session(AppSession):
    """Streamlit's session of a browser, which hears runs to their end."""

    def __init__(self, *given: Any, **named: Any) -> None:  # noqa: ANN401 - handed on
        self._over: WeakSet[ScriptRunner] = WeakSet()  # what these have said, they said before the next began
        super().__init__(*given, **named)

    def request_rerun(self, client_state: ClientState | None) -> None:
        """Hand on what was clicked and not taken; note which run was over when a part took its place."""
        before = self._scriptrunner
        if isinstance(before, Runner) and client_state is not None and not client_state.fragment_id:
            asked = before._requests._rerun_data  # noqa: SLF001 - nothing public says so
            clicked = asked.widget_states
            if clicked is not None and all(clicked is not taken for taken in before.taken):
                client_state.is_history_navigation |= asked.is_history_navigation
                client_state.widget_states.CopyFrom(
                    _coalesce_widget_states(clicked, client_state.widget_states)
                )
        super().request_rerun(client_state)
        part = client_state is not None and client_state.fragment_id
        if part and before is not None and before is not self._scriptrunner and not before._execing:  # noqa: SLF001 - nothing public says so
            self._over.add(before)

    def _handle_scriptrunner_event_on_event_loop(
        self,
        sender: ScriptRunner | None,
        event: ScriptRunnerEvent,
        *about: Any,  # noqa: ANN401 - handed on
    ) -> None:
        """Hear what a run says, and that it has gone only where no other stands in its place."""
        current = self._scriptrunner
        late = sender in self._over and event is not ScriptRunnerEvent.SHUTDOWN
        self._scriptrunner = sender if late else current
        super()._handle_scriptrunner_event_on_event_loop(sender, event, *about)
        if late:
            self._scriptrunner = current


_LOCKS: WeakValueDictionary[str, RLock] = WeakValueDictionary()
"""The lock of each session that has a run, by the session's key."""


class Runner(ScriptRunner):
    """Streamlit's run of a page, which leaves the session's state alone once it is told to stop."""

    def __init__(self, *, session_id: str, session_state: SessionState, **named: Any) -> None:  # noqa: ANN401 - handed on
        self.taken: list[WidgetStates | None] = []  # of what was clicked
        self.taking = False  # meanwhile the run does not stop
        super().__init__(session_id=session_id, session_state=session_state, **named)
        turn = Turn(_LOCKS.setdefault(session_id, RLock()), self._maybe_handle_execution_control_request)
        self._session_state = State(session_state, turn, self)

    def _maybe_handle_execution_control_request(self) -> None:
        if not self.taking:
            super()._maybe_handle_execution_control_request()


class Turn:
    """A lock that all runs of a session share: who gets it heeds first what was asked of its run."""

    def __init__(self, lock: RLock, heed: Callable[[], None]) -> None:
        self.heed, self._lock = heed, lock

    def __enter__(self) -> None:
        self._lock.acquire()
        try:
            self.heed()
        except BaseException:  # Streamlit ends a run by such
            self._lock.release()
            raise

    def __exit__(self, *_: object) -> None:
        self._lock.release()


class State(SafeSessionState):
    """A session's state as one run sees it."""

    def __init__(self, state: SessionState, turn: Turn, run: Runner) -> None:
        super().__init__(state, turn.heed)
        object.__setattr__(self, "_lock", turn)  # as Streamlit itself does: what is set else is the session's
        object.__setattr__(self, "_run", run)

    def on_script_will_rerun(self, fresh_widget_states: WidgetStates | None, **named: Any) -> None:  # noqa: ANN401 - handed on
        """Take what was clicked, all of it; where the run was told to stop, the next takes it."""
        with self._lock:
            self._run.taken.append(fresh_widget_states)
            self._run.taking = True
            try:
                super().on_script_will_rerun(fresh_widget_states, **named)
            finally:
                self._run.taking = False

    def on_script_finished(self, *given: Any, **named: Any) -> None:  # noqa: ANN401 - handed on
        """Tidy up, unless the next run has begun: it did so itself."""
        with self._lock:
            if self._run._requests._state is not ScriptRequestType.STOP:  # noqa: SLF001 - nothing public says so
                super().on_script_finished(*given, **named)


def install() -> None:
    """Let all sessions of this process hand over so."""
    setattr(websocket_session_manager, AppSession.__name__, Session)
    setattr(app_session, ScriptRunner.__name__, Runner)
