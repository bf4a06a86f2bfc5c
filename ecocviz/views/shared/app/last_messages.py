"""A run's last messages reach the browser also when a part of its page is asked for in this moment.

Streamlit ignores what a run says once another stands in its place. A request for a part of a page takes the
place of a run that is over, even while its last messages are on their way: the browser then lacks the end of
the page, never hears that its run is over, and keeps what was there before beside what is new.
"""

from typing import Any
from weakref import WeakSet

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime import websocket_session_manager
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunner, ScriptRunnerEvent


class Session(AppSession):
    """Streamlit's session of a browser, which hears runs to their end."""

    def __init__(self, *given: Any, **named: Any) -> None:  # noqa: ANN401 - handed on
        self._over: WeakSet[ScriptRunner] = WeakSet()  # what these have said, they said before the next began
        super().__init__(*given, **named)

    def request_rerun(self, client_state: ClientState | None) -> None:
        """Note which run was over when a part of its page took its place."""
        before = self._scriptrunner
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


def hear_last_messages() -> None:
    """Let all sessions of this process be such."""
    setattr(websocket_session_manager, AppSession.__name__, Session)
