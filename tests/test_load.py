"""The load benchmark: a tab without a browser, recorded lessons, the table; and its quick form, in full."""

import asyncio
import itertools
import json
from pathlib import Path

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.server import serve

from benchmarks.load import recordings
from benchmarks.load.__main__ import FORMS
from benchmarks.load.client import GaveUpError, Tab
from benchmarks.load.measures import Log, quantile
from benchmarks.load.recordings import MisfitError, Recording, Step
from benchmarks.load.report import ROWS, complete, table
from benchmarks.load.scenes import Plan
from benchmarks.load.screen import PULSE, Screen, happened, key_of
from benchmarks.load.visitor import Class, Visitor, state_of

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


# Recordings ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lesson", [*recordings.lessons(), recordings.together()], ids=lambda one: one.name)
def test_recordings_are_complete(lesson, tmp_path):
    assert len(lesson.steps) >= 4
    assert all(bool(step.page) != bool(step.key) for step in lesson.steps)
    assert all(0 < step.pause < 15 for step in lesson.steps)
    assert lesson.steps[-1].key == "reset"
    lesson.write(tmp_path)
    assert recordings.read(tmp_path / f"{lesson.name}.jsonl") == lesson


def test_about_a_third_of_what_is_done_is_new():
    steps = [step for lesson in recordings.lessons() for step in lesson.steps]
    assert 0.28 < sum(step.of_ones_own for step in steps) / len(steps) < 0.38


def test_seeds_and_numbers_are_ones_own_and_components_keep_what_they_said_before():
    numbers = itertools.count(7)

    def number(_of):
        return next(numbers)

    node = screen(begin(), element([0, 0], "bidi_component", id=widget_id("k"))).widget("k")
    before = WidgetState(id=widget_id("k"), json_value='{"decoder":"linear","pick":{"n":1}}')
    step = Step(1, key="k", says={"json_value": {"pick": {"point": 3, "n": 1}}})
    told = state_of(node, step, before, number)
    assert json.loads(told.json_value) == {"decoder": "linear", "pick": {"point": 3, "n": 7}}
    seed = state_of(node, Step(1, key="seed", says={"int_value": "12"}), None, number)
    assert seed.int_value == 8
    back = state_of(node, Step(1, key="seed", says={"int_value": "0"}), None, number)
    assert back.int_value == 0


def test_a_recording_that_does_not_fit_says_so_in_a_sentence(monkeypatch):
    monkeypatch.setattr("benchmarks.load.visitor.APPEARS_SECONDS", 0.0)
    visitor = Visitor("v", recordings.together(), Class("http://here", Log(), recordings.together()))
    told = r"^The recording 'old' no longer fits the app: there is no widget 'gone' on page /; make it anew"
    with pytest.raises(MisfitError, match=told):
        asyncio.run(visitor.do(Step(1, key="gone", says={"bool_value": True}), "old"))
    with pytest.raises(MisfitError, match="there is no page '/gone'"):
        asyncio.run(visitor.do(Step(1, page="/gone"), "old"))


def test_the_bell_is_heard_once_each_time_it_rings():
    nothing = Recording("n", "", ())
    visitor = Visitor("v", nothing, Class("http://here", Log(), nothing, bell=[0.0, 1.0]))
    heard = [asyncio.run(visitor._think(until)) for until in (0.5, 2.0, 3.0)]
    assert heard == [True, False, False]  # both bells rang long ago: one reaction


# The table -------------------------------------------------------------------------------------------


def test_quantiles_are_measured_values():
    assert [quantile([5.0, 1.0, 2.0, 4.0, 3.0], share) for share in (0.0, 0.2, 0.5, 0.95)] == [1, 1, 3, 5]


def test_a_row_says_what_was_wanted_and_whether_it_was_met():
    log = Log()
    for seconds in (0.1, 0.15, 0.25):
        log.took("cached change", seconds)
    log.wrong("Something.")
    heap = {
        when: {"heap_bytes": size, "machines_bytes": 0, "views_bytes": 0} for when, size in MEMORY.items()
    }
    costs = {"server_cpu_share": 0.5, "load_generator_cpu_share": 0.25, "rss_peak_bytes": 2**30}
    found = {"latency": log.told(), "errors": dict(log.errors), "gave_up": 0, "costs": costs, "memory": heap}
    whole = complete("class", found, Plan(Path("/somewhere")), 0.0)
    rows = {row["what"]: row for row in whole["rows"]}
    assert rows["cached change, p95"] | {"unit": ""} == {
        "what": "cached change, p95",
        "unit": "",
        "wanted": 200,
        "measured": 250.0,
        "met": False,
    }
    assert rows["errors"]["met"] is False
    assert rows["visitors who gave up"]["met"] is True
    assert rows["first page, p95"]["met"] is None
    assert rows["growth of the heap, after all have left"]["measured"] == 10.0
    assert "checkout" not in whole["settings"]
    written = table(json.loads(json.dumps(whole)))
    assert "| cached change, p95 | ≤ 200 ms | 250 ms | **no** |" in written
    assert "| first page, p95 | ≤ 300 ms | not measured |  |" in written


MEMORY = {"start": 100, "end": 110}


def test_every_form_has_a_table():
    assert set(FORMS) == set(ROWS)


# Everything ------------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads processor times of Linux")
def test_twenty_browsers_for_half_a_minute():
    play, plan = FORMS["quick"]
    found = play(plan)
    assert found["errors"] == {}
    assert found["gave_up"] == 0
    assert found["latency"]["cached change"]["n"] >= 20
    assert found["latency"]["new training"]["n"] >= 5
    rows = [wanted.row(found) for wanted in ROWS["quick"]]
    assert [row for row in rows if row["met"] is False] == []
