"""The load benchmark's tab: what it knows of its screen, what it sends, and when it has waited."""

import asyncio
import itertools
import json

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.server import serve

from benchmarks.load.client import GaveUpError, Tab
from benchmarks.load.screen import PULSE, Screen, happened, key_of

MAIN, PAGE, OTHER = "main", "page", "other"


def widget_id(key):
    return f"$$ID-{'0' * 32}-{key}"


def begin(*parts, page=PAGE):
    message = ForwardMsg()
    message.new_session.page_script_hash, message.new_session.main_script_hash = page, MAIN
    message.new_session.config.max_cached_message_age = 2
    message.new_session.initialize.session_id = "mine"
    message.metadata.run.script_run_id = f"run {next(RUNS)}"
    message.metadata.run.fragment_ids.extend(parts)
    return message


RUNS = itertools.count()


def end(*parts, how=ForwardMsg.FINISHED_SUCCESSFULLY):
    message = ForwardMsg(script_finished=how)
    message.metadata.run.fragment_ids.extend(parts)
    return message


def element(at, kind, part="", page=PAGE, **fields):
    message = ForwardMsg()
    message.metadata.delta_path.extend(at)
    message.metadata.active_script_hash = page
    message.delta.fragment_id = part
    shown = getattr(message.delta.new_element, kind)
    shown.SetInParent()
    for name, value in fields.items():
        if isinstance(value, list):
            getattr(shown, name).extend(value)
        else:
            setattr(shown, name, value)
    return message


def navigation(**pages):
    message = ForwardMsg()
    message.navigation.page_script_hash = PAGE
    for path, number in pages.items():
        message.navigation.app_pages.add(url_pathname=path, page_script_hash=number)
    return message


def pulse(after, number, part="p"):
    told = json.dumps({"after": after, "number": number})
    return element([0, 9], "bidi_component", part, id=widget_id("pulse"), component_name=PULSE, json=told)


def screen(*messages):
    found = Screen("http://here")
    for message in messages:
        found.take(message.SerializeToString())
    return found


def asked(request):
    return BackMsg.FromString(request).rerun_script


# The screen ------------------------------------------------------------------------------------------


def test_what_a_whole_run_does_not_draw_again_is_gone_and_its_state_with_it():
    found = screen(
        begin(),
        element([0, 0], "checkbox", id=widget_id("a"), default=True),
        element([0, 1], "number_input", id=widget_id("b"), default=3.0),
        end(),
    )
    assert set(found.states) == {widget_id("a"), widget_id("b")}
    for message in (begin(), element([0, 0], "checkbox", id=widget_id("a"), default=True), end()):
        found.take(message.SerializeToString())
    assert found.widget("b") is None
    assert set(found.states) == {widget_id("a")}


def test_a_part_that_is_drawn_again_leaves_the_rest_alone():
    found = screen(
        begin(),
        element([0, 0], "text", body="outside"),
        element([0, 1, 0], "text", "p", body="stays"),
        element([0, 1, 1], "text", "p", body="goes"),
        end(),
        begin("p"),
        element([0, 1, 0], "text", "p", body="new"),
        end("p", how=ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY),
    )
    assert [node.content.body for node in found.nodes.values()] == ["outside", "new"]


def test_a_run_that_is_broken_off_for_another_clears_nothing():
    early = end(how=ForwardMsg.FINISHED_EARLY_FOR_RERUN)
    found = screen(begin(), element([0, 0], "text", body="a"), end(), begin(), early)
    assert len(found.nodes) == 1
    assert found.running


def test_large_messages_are_kept_named_and_forgotten_after_some_runs():
    large = element([0, 0], "text", body="large")
    large.hash, large.metadata.cacheable = "h", True
    found = screen(begin(), large, end())
    assert list(asked(found.request()).cached_message_hashes) == ["h"]
    named = ForwardMsg(ref_hash="h")
    named.metadata.delta_path.extend([0, 5])
    for message in (begin(), named, end()):
        found.take(message.SerializeToString())
    assert [(at, node.content.body) for at, node in found.nodes.items()] == [((0, 5), "large")]
    for _ in range(3):
        for message in (begin(), end()):
            found.take(message.SerializeToString())
    assert not found.kept
    found.take(named.SerializeToString())
    assert found.errors == ["The server named a message that this browser does not have."]


def test_another_page_is_asked_for_without_link_and_without_this_pages_widgets():
    link = ForwardMsg()
    link.page_info_changed.query_string = "seed=3"
    found = screen(
        navigation(bits=OTHER),
        begin(),
        link,
        element([0, 0], "checkbox", id=widget_id("here"), default=True),
        element([0, 1], "checkbox", page=MAIN, id=widget_id("everywhere"), default=True),
        end(),
    )
    assert asked(found.request()).query_string == "seed=3"
    request = asked(found.request(page="/bits"))
    assert (request.page_script_hash, request.query_string) == (OTHER, "")
    assert [state.id for state in request.widget_states.widgets] == [widget_id("everywhere")]
    assert request.context_info.url == "http://here/bits"


def test_a_value_that_the_app_sets_takes_the_place_of_what_the_visitor_set():
    key = widget_id("k")
    found = screen(begin(), element([0, 0], "selectbox", id=key, options=["a", "b"], default=0), end())
    assert found.states[key].string_value == "a"
    found.states[key] = WidgetState(id=key, string_value="b")
    found.take(element([0, 0], "selectbox", id=key, options=["a", "b"], default=0).SerializeToString())
    assert found.states[key].string_value == "b"
    told = {"id": key, "options": ["a", "b"], "set_value": True, "raw_value": "a"}
    found.take(element([0, 0], "selectbox", **told).SerializeToString())
    assert found.states[key].string_value == "a"


def test_an_exception_on_the_page_is_an_error():
    found = screen(begin(), element([0, 0], "exception", type="ValueError", message="No."), end())
    assert found.errors == ["ValueError: No."]


def test_a_screen_waits_while_it_is_to_ask_again():
    again = ForwardMsg()
    again.auto_rerun.fragment_id, again.auto_rerun.interval = "p", 0.5
    assert screen(begin(), again, end()).waits
    assert not screen(begin(), again, end(), begin(), end()).waits
    assert screen(begin(), pulse(500, 3), end()).waits
    gone = element([0, 9], "bidi_component", "p", id=widget_id("pulse"), component_name=PULSE, json="null")
    assert not screen(begin(), pulse(500, 3), gone, end()).waits


def test_keys_are_read_from_ids():
    assert key_of(widget_id("playground.grid")) == "playground.grid"
    assert key_of(widget_id("None")) == ""
    assert key_of("something else") == ""


def test_a_table_says_what_is_chosen_in_it_from_the_beginning_and_others_nothing():
    chosen = '{"selection": {"rows": [2]}}'
    found = screen(
        begin(),
        element([0, 0], "dataframe", id=widget_id("list.2"), selection_default=chosen),
        element([0, 1], "dataframe", id=widget_id("other")),
        end(),
    )
    assert {state.id: state.string_value for state in found.states.values()} == {widget_id("list.2"): chosen}
    found.states[widget_id("list.2")].string_value = "{}"  # clicked away; the page draws it once more
    again = element([0, 0], "dataframe", id=widget_id("list.2"), selection_default=chosen)
    for message in (begin(), again, end()):
        found.take(message.SerializeToString())
    assert found.states[widget_id("list.2")].string_value == "{}"


def test_a_widget_is_found_by_its_key_and_else_by_all_but_its_numbers():
    table, first, second = ("runs.table.2052.3", "a.errors.0", "a.errors.1")
    shown = [
        element([0, k], "checkbox", id=widget_id(key), default=False)
        for k, key in enumerate((table, first, second))
    ]
    found = screen(begin(), *shown, end())
    assert [found.widget(key).id for key in (first, second)] == [widget_id(first), widget_id(second)]
    assert found.widget("runs.table.99.1").id == widget_id(table)
    assert found.widget("runs.table").id == widget_id(table)
    assert found.widget("runs.tables.1") is None


def test_what_is_in_a_popover_says_nothing():
    block = ForwardMsg()
    block.metadata.delta_path.extend([0, 0])
    block.metadata.active_script_hash = PAGE
    block.delta.add_block.popover.label = "Name"
    inside = element([0, 0, 0], "checkbox", id=widget_id("inside"), default=True)
    outside = element([0, 1], "checkbox", id=widget_id("outside"), default=True)
    assert set(screen(begin(), block, inside, outside, end()).states) == {widget_id("outside")}


# The tab ---------------------------------------------------------------------------------------------


def played(answers, act):
    """Let a tab act against a server that answers each request with some messages, at last with the last.

    Among the messages, a number is a pause, and None closes the connection.
    """

    async def play():
        seen, hurt = [], []

        async def served(socket):
            async for frame in socket:
                request = asked(frame)
                seen.append(request)
                for message in answers[min(len(seen), len(answers)) - 1]:
                    if isinstance(message, float):
                        await asyncio.sleep(message)
                    elif message is None:
                        await socket.close()
                    else:
                        await socket.send(message.SerializeToString())

        async with serve(served, "127.0.0.1", 0, subprotocols=["streamlit"]) as server:
            port = server.sockets[0].getsockname()[1]
            tab = Tab(Screen(f"http://127.0.0.1:{port}", "seed=1", "bits"), hurt.append)
            result = await act(tab)
            await tab.close()
        return result, seen, hurt

    return asyncio.run(play())


def test_a_page_has_arrived_when_its_run_has_ended():
    result, seen, hurt = played([[begin(), 0.2, end()]], lambda tab: tab.open(5))
    assert 0.2 <= result < 2
    assert (seen[0].page_name, seen[0].query_string, seen[0].page_script_hash) == ("bits", "seed=1", "")
    assert not hurt


def test_the_end_of_an_earlier_run_is_not_taken_for_the_answer():
    async def act(tab):
        await tab.open(5)
        await tab._send_quietly(tab.screen.request(by_itself=True))
        await tab.send(tab.screen.request())
        await tab.arrived(5)
        return tab.screen.runs_begun

    answers = [[begin(), end()], [begin(), end(), 0.4], [begin(), end()]]
    assert played(answers, act)[0] == 3


def test_a_tab_asks_again_by_the_clock_and_the_page_has_arrived_when_it_need_not():
    again = ForwardMsg()
    again.auto_rerun.fragment_id, again.auto_rerun.interval = "p", 0.1
    part = [begin("p"), end("p", how=ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)]
    answers = [[begin(), again, end()], part, part, [begin(), end()]]
    result, seen, _ = played(answers, lambda tab: tab.open(5))
    assert [request.is_auto_rerun for request in seen] == [False, True, True, True]
    assert [request.fragment_id for request in seen] == ["", "p", "p", "p"]
    assert result >= 0.3


def test_a_pulse_is_answered_once_after_its_time_as_a_component_answers():
    answers = [[begin(), pulse(150, 1), end()], [begin(), pulse(150, 2), end()], [begin(), end()]]
    result, seen, _ = played(answers, lambda tab: tab.open(5))
    assert 0.3 <= result < 3
    assert [request.fragment_id for request in seen] == ["", "p", "p"]
    said = [list(request.widget_states.widgets) for request in seen]
    expected = [happened(widget_id("pulse"), "tick", number) for number in (1, 2)]
    assert said == [[], *([one] for one in expected)]
    assert expected[0].json_trigger_value == '[{"event":"tick","value":1}]'
    assert expected[0].id == f"$$STREAMLIT_INTERNAL_KEY_{widget_id('pulse')}__events"


def test_a_connection_that_the_server_closes_is_an_error_and_who_waits_gives_up():
    async def act(tab):
        with pytest.raises(GaveUpError):
            await tab.open(5)

    assert played([[begin(), None]], act)[2] == ["The server closed a connection."]


def test_nobody_waits_longer_than_their_patience():
    async def act(tab):
        with pytest.raises(GaveUpError, match="within 0 s"):
            await tab.open(0.3)

    assert not played([[begin()]], act)[2]
