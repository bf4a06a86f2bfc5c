"""What a run says last is heard, and what was clicked is taken, whatever the run before does meanwhile.

All by Streamlit's own runtime, unmocked: moments that are rare are held on to.
"""

import asyncio
from threading import Event, RLock
from types import SimpleNamespace

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime, RuntimeConfig, app_session, websocket_session_manager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType
from streamlit.runtime.state.session_state import SessionState
from waiting import until

from ecocviz.views.shared.app import run_handover

PAGE = """import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from ecocviz.views.shared.app.job_panel import Drawn, _tick, watching
st.session_state.setdefault("chosen", "a")
st.session_state["list"] = st.session_state.chosen
def choose():
    st.session_state.chosen = st.session_state["list"]
st.selectbox("list", ["a", "b"], key="list", on_change=choose)
if st.button("button", key="button"):
    st.session_state.clicked = st.session_state.get("clicked", 0) + 1
def part():
    st.button("part", key="part")
    st.session_state.parts = st.session_state.get("parts", 0) + 1
st.fragment(part)()
watching().sections["section"] = {"place"}
st.fragment(lambda: None, key="section")()
st.fragment(lambda: st.button("tick", key="pulse.place", on_click=_tick, args=("place", Drawn(None, 0.0))))()
st.session_state.back = get_script_run_ctx().is_history_navigation
st.write("the end of the page")
"""


@pytest.fixture
def visited(tmp_path, monkeypatch):
    """Open a browser's session of the page, and run what is to be seen of it."""
    monkeypatch.setattr(Runtime, "_instance", None)
    monkeypatch.setattr(websocket_session_manager, "AppSession", websocket_session_manager.AppSession)
    monkeypatch.setattr(app_session, "ScriptRunner", app_session.ScriptRunner)
    run_handover.install()
    page, told = tmp_path / "page.py", []
    page.write_text(PAGE)

    async def whole(see):
        files = MemoryMediaFileStorage("/media"), MemoryUploadedFileManager("/upload")
        runtime = Runtime(RuntimeConfig(str(page), *files))
        await runtime.start()
        key = runtime.connect_session(SimpleNamespace(write_forward_msg=told.append), {})
        await see(runtime._session_mgr.get_session_info(key).session, told)
        runtime.stop()
        await runtime.stopped

    return lambda see: asyncio.run(asyncio.wait_for(whole(see), 60))


def ends(told):
    return [message.script_finished for message in told if message.WhichOneof("type") == "script_finished"]


async def over(session):
    await asyncio.to_thread(until, lambda: session._scriptrunner is None)


def clicked(session, **values):
    """What a browser says of its widgets, by their keys."""
    state = ClientState()
    for key, value in values.items():
        known = session.session_state._key_id_mapper.get_id_from_key(key)
        kind = "trigger_value" if isinstance(value, bool) else "string_value"
        state.widget_states.widgets.add(id=known, **{kind: value})
    return state


def test_the_end_of_a_page_is_heard_when_a_part_is_asked_for_meanwhile(visited):
    async def see(session, told):
        session.request_rerun(ClientState())
        until(lambda: session._scriptrunner._requests._state is ScriptRequestType.STOP)  # all is on its way
        session.request_rerun(ClientState(fragment_id=next(iter(session._fragment_storage._fragments))))
        await asyncio.to_thread(until, lambda: ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY in ends(told))
        assert ends(told) == [ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY]
        assert any(message.delta.new_element.markdown.body == "the end of the page" for message in told)

    visited(see)


def test_a_click_is_taken_once_though_another_follows_before_its_run_takes_it(visited):
    async def see(session, _):
        session.request_rerun(ClientState())
        await over(session)
        lock = run_handover._LOCKS.setdefault(session.id, RLock())
        with lock:  # no run can take anything
            session.request_rerun(ClientState(is_history_navigation=True))
            session.request_rerun(clicked(session, button=True))
            session.request_rerun(clicked(session, list="b"))
        await over(session)
        assert session.session_state["chosen"] == "b"
        assert session.session_state["clicked"] == 1
        assert session.session_state["back"] is True

    visited(see)


def test_a_click_in_the_moment_in_which_a_job_is_asked_after_has_its_part_drawn(visited):
    async def see(session, _):
        session.request_rerun(ClientState())
        await over(session)
        both = clicked(session, **{"pulse.place": True, "part": True})
        both.fragment_id = next(iter(session._fragment_storage._fragments))
        session.request_rerun(both)
        await over(session)
        assert session.session_state["parts"] == 2

    visited(see)


def hold(monkeypatch, former, later):
    """Let a run come to `former` and wait there for the next to come to `later`, which waits for it to go on.

    What the later run cannot come to meanwhile, the former does not wait for for long.
    """
    reached, met, gone_on = Event(), Event(), Event()
    first, second = getattr(SessionState, former), getattr(SessionState, later)

    def held(self, *given, **named):
        if reached.is_set() or (former == "__setitem__" and given[0] != "list"):
            return first(self, *given, **named)
        reached.set()
        met.wait(0.5)
        try:
            return first(self, *given, **named)
        finally:
            gone_on.set()

    def meets(self, *given, **named):
        if reached.is_set():
            met.set()
            assert gone_on.wait(30)
        return second(self, *given, **named)

    monkeypatch.setattr(SessionState, former, held)
    monkeypatch.setattr(SessionState, later, meets)
    return reached


@pytest.mark.parametrize(
    ("former", "later"),
    [
        ("on_script_finished", "register_widget"),  # tidied up once the next run has taken what was clicked
        ("on_script_finished", "_call_callbacks"),
        ("__setitem__", "_call_callbacks"),  # an old value is set once the next run has taken the new one
    ],
)
def test_what_was_clicked_is_taken_when_the_run_before_ends_meanwhile(visited, monkeypatch, former, later):
    async def see(session, _):
        session.request_rerun(ClientState())
        await over(session)
        reached = hold(monkeypatch, former, later)
        session.request_rerun(clicked(session, list="a"))
        await asyncio.to_thread(reached.wait, 30)
        session.request_rerun(clicked(session, list="b", button=True))
        await over(session)
        assert session.session_state["chosen"] == "b"
        assert session.session_state["clicked"] == 1

    visited(see)
