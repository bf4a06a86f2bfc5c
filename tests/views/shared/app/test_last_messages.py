"""What a run says last is heard, whatever is asked for meanwhile; by Streamlit's own runtime, unmocked."""

import asyncio
from types import SimpleNamespace

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime, RuntimeConfig, websocket_session_manager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType
from waiting import until

from ecocviz.views.shared.app.last_messages import hear_last_messages

PAGE = """import streamlit as st
st.fragment(lambda: st.button("part"))()
st.write("the end of the page")
"""


async def asked_for_a_part_at_the_end(page, told):
    files = MemoryMediaFileStorage("/media"), MemoryUploadedFileManager("/upload")
    runtime = Runtime(RuntimeConfig(str(page), *files))
    await runtime.start()
    key = runtime.connect_session(SimpleNamespace(write_forward_msg=told.append), {})
    session = runtime._session_mgr.get_session_info(key).session
    session.request_rerun(ClientState())
    until(lambda: session._scriptrunner._requests._state is ScriptRequestType.STOP)  # all is on its way
    session.request_rerun(ClientState(fragment_id=next(iter(session._fragment_storage._fragments))))
    await asyncio.to_thread(until, lambda: ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY in ends(told))
    runtime.stop()
    await runtime.stopped


def ends(told):
    return [message.script_finished for message in told if message.WhichOneof("type") == "script_finished"]


def test_the_end_of_a_page_is_heard_when_a_part_is_asked_for_meanwhile(tmp_path, monkeypatch):
    monkeypatch.setattr(Runtime, "_instance", None)
    monkeypatch.setattr(websocket_session_manager, "AppSession", websocket_session_manager.AppSession)
    hear_last_messages()
    page, told = tmp_path / "page.py", []
    page.write_text(PAGE)
    asyncio.run(asyncio.wait_for(asked_for_a_part_at_the_end(page, told), 60))
    assert ends(told) == [ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY]
    assert any(message.delta.new_element.markdown.body == "the end of the page" for message in told)
