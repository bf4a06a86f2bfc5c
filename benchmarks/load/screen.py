"""What a browser's tab knows of the app: the elements on its screen, and what it sends to the server.

The same as Streamlit's own page does with the messages it gets, as far as the server can tell the difference.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.load.states import shown_state

PREFIX = "$$ID-"
"""Begins the id of every widget; a digest of 32 letters follows, and then the key that the app has given."""
KEY_START = len(PREFIX) + 33
ANEW = re.compile(r"(\.\d+)+$")
"""What the key ends with of a field that was drawn anew, or of a table that shows other rows."""
PULSE = "ecocviz.pulse"
"""The component that says after which time the browser is to ask again."""
ONCE_IN_A_WHILE = 3600.0
"""Who asks again after so many seconds waits for nothing."""
EARLY = ForwardMsg.FINISHED_EARLY_FOR_RERUN
BROKEN = ForwardMsg.FINISHED_WITH_COMPILE_ERROR


@dataclass(slots=True)
class Node:
    """Something on the screen: an element or a block, the run that sent it, and its fragment and page."""

    content: Any
    run: str
    fragment: str
    page: str

    @property
    def id(self) -> str:
        """The widget's id, "" where it is none."""
        return str(getattr(self.content, "id", ""))


@dataclass(slots=True)
class Kept:
    """A large message, kept because the server may name it by its number instead of sending it again."""

    message: ForwardMsg
    run_number: int
    fragment: str


@dataclass(frozen=True, slots=True)
class Pulse:
    """The app asks to be asked again."""

    id: str
    fragment: str
    after_ms: float
    number: int


@dataclass
class Screen:
    """One tab.

    Attributes
    ----------
    nodes
        Where on the page -> what is there.
    states
        Id of a widget -> what it says; sent along with every request.
    kept
        Number of a message -> the message.
    pages
        Path of a page -> its number.
    asks_again
        Id of a part of the page -> seconds after which it is to be asked for, again and again.
    errors
        What went wrong, one sentence each.
    """

    address: str
    query: str = ""
    path: str = ""
    nodes: dict[tuple[int, ...], Node] = field(default_factory=dict)
    states: dict[str, WidgetState] = field(default_factory=dict)
    kept: dict[str, Kept] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)
    asks_again: dict[str, float] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    session: str = ""
    page: str = ""
    main: str = ""
    run: str = ""
    run_parts: tuple[str, ...] = ()
    running: bool = False
    runs_begun: int = 0
    runs_ended: int = 0
    oldest_kept: int = 2

    # What comes from the server -----------------------------------------------------------------------

    def take(self, frame: bytes) -> str:
        """Take a message; return its kind."""
        message = ForwardMsg.FromString(frame)
        kind = str(message.WhichOneof("type"))
        if message.metadata.cacheable and message.hash not in self.kept:
            self.kept[message.hash] = Kept(message, self.runs_ended, message.delta.fragment_id)
        takers = {
            "delta": self._element,
            "ref_hash": self._known_element,
            "new_session": self._begin,
            "script_finished": self._end,
            "navigation": self._navigation,
            "auto_rerun": self._ask_again,
            "stop_auto_rerun": self._ask_no_more,
        }
        if kind in takers:
            takers[kind](message)
        elif kind == "session_status_changed":
            self.running = message.session_status_changed.script_is_running
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind in ("session_event", "page_not_found"):
            self.errors.append(f"The server said {kind}.")
        return kind

    def _begin(self, message: ForwardMsg) -> None:
        told, run = message.new_session, message.metadata.run
        self.run, self.run_parts = run.script_run_id, tuple(run.fragment_ids)
        self.runs_begun += 1
        self.running = True
        self.session = told.initialize.session_id or self.session
        if told.HasField("config"):
            self.oldest_kept = told.config.max_cached_message_age
        if self.run_parts:
            return
        self.asks_again.clear()
        if told.page_script_hash != self.page or told.main_script_hash != self.main:
            self.nodes = {at: node for at, node in self.nodes.items() if node.page == told.main_script_hash}
        self.page, self.main = told.page_script_hash, told.main_script_hash

    def _navigation(self, message: ForwardMsg) -> None:
        self.pages = {page.url_pathname: page.page_script_hash for page in message.navigation.app_pages}
        self.page = message.navigation.page_script_hash or self.page

    def _ask_again(self, message: ForwardMsg) -> None:
        self.asks_again[message.auto_rerun.fragment_id] = message.auto_rerun.interval

    def _ask_no_more(self, message: ForwardMsg) -> None:
        for part in message.stop_auto_rerun.fragment_ids:
            self.asks_again.pop(part, None)

    def _known_element(self, message: ForwardMsg) -> None:
        known = self.kept.get(message.ref_hash)
        if known is None:
            self.errors.append("The server named a message that this browser does not have.")
            return
        known.run_number = self.runs_ended
        self._put(known.message.delta, message.metadata)

    def _element(self, message: ForwardMsg) -> None:
        self._put(message.delta, message.metadata)

    def _put(self, delta: Any, metadata: Any) -> None:
        at = tuple(metadata.delta_path)
        kind = delta.WhichOneof("type")
        if kind == "add_block":
            content: Any = delta.add_block
        elif kind == "new_element":
            content = getattr(delta.new_element, str(delta.new_element.WhichOneof("type")))
            self._clear_below(at)
            if delta.new_element.WhichOneof("type") == "exception":
                self.errors.append(f"{content.type}: {content.message}")
        else:
            return
        self.nodes[at] = Node(content, self.run, delta.fragment_id, metadata.active_script_hash)
        shown = None if self._folded(at) else shown_state(content)
        if shown is not None and (shown.id not in self.states or getattr(content, "set_value", False)):
            self.states[shown.id] = shown

    def _folded(self, at: tuple[int, ...]) -> bool:
        """Say whether something is in a popover: the browser has it only while that is open, and none is."""
        around = (self.nodes.get(at[:depth]) for depth in range(1, len(at)))
        return any(
            node is not None and type(node.content).__name__ == "Block" and node.content.HasField("popover")
            for node in around
        )

    def _clear_below(self, at: tuple[int, ...]) -> None:
        before = self.nodes.get(at)
        if before is not None and type(before.content).__name__ == "Block":
            depth = len(at)
            for other in [other for other in self.nodes if other[:depth] == at]:
                del self.nodes[other]

    def _end(self, message: ForwardMsg) -> None:
        """Forget what the run that ends has not drawn again."""
        how, parts = message.script_finished, set(message.metadata.run.fragment_ids)
        if how == BROKEN:
            self.errors.append("The script could not be compiled.")
        if how == EARLY:
            return
        self.runs_ended += 1
        self.running = False
        self.nodes = {
            at: node
            for at, node in self.nodes.items()
            if node.run == self.run or (parts and not self._within(at, parts))
        }
        alive = {node.id for node in self.nodes.values()}
        self.states = {name: state for name, state in self.states.items() if name in alive}
        self.kept = {
            number: kept
            for number, kept in self.kept.items()
            if self.runs_ended - kept.run_number <= self.oldest_kept or (parts and kept.fragment not in parts)
        }

    def _within(self, at: tuple[int, ...], parts: set[str]) -> bool:
        """Say whether something belongs to one of these fragments, or to a fragment within one."""
        around = (self.nodes.get(at[:depth]) for depth in range(1, len(at) + 1))
        return any(node is not None and node.fragment in parts for node in around)

    # What is on it ------------------------------------------------------------------------------------

    def widget(self, key: str) -> Node | None:
        """Return the widget or the foldable block of a key, None if it is not on the screen.

        A field whose value is changed by something else is drawn anew, under its key with a number; where
        the very key is not there, one that differs from it in such numbers is.
        """
        named = {key_of(node.id): node for node in reversed(self.nodes.values())}
        known = {ANEW.sub("", name): node for name, node in named.items()}
        return named.get(key) or known.get(ANEW.sub("", key))

    def pulses(self) -> Iterator[Pulse]:
        """Return what asks to be asked again once."""
        for node in self.nodes.values():
            if getattr(node.content, "component_name", "") == PULSE and node.content.json:
                data = json.loads(node.content.json)
                if data and data.get("after") is not None:
                    yield Pulse(node.id, node.fragment, float(data["after"]), int(data["number"]))

    @property
    def waits(self) -> bool:
        """Whether something is still computed that this screen will show."""
        often = any(seconds < ONCE_IN_A_WHILE for seconds in self.asks_again.values())
        return often or any(True for _ in self.pulses())

    # What is sent to the server -----------------------------------------------------------------------

    def request(
        self, *, part: str = "", by_itself: bool = False, page: str = "", events: Iterable[WidgetState] = ()
    ) -> bytes:
        """Return the message that asks for a run.

        Parameters
        ----------
        part
            Of which part of the page; of all of it if left out.
        by_itself
            Whether the browser asks because it was told to ask again and again.
        page
            The path of another page to go to.
        events
            What happened to widgets and is said once.
        """
        message = BackMsg()
        run = message.rerun_script
        if page:
            self.query = ""
            self.asks_again.clear()
            alive = {node.id for node in self.nodes.values() if node.page == self.main}
            states = [state for name, state in self.states.items() if name in alive]
            run.page_script_hash = self.pages[page.removeprefix("/")]
            self.path = page.removeprefix("/")
        else:
            states = list(self.states.values())
            run.page_script_hash = self.page
            run.page_name = "" if self.page else self.path
        run.query_string = self.query
        run.widget_states.widgets.extend([*states, *events])
        run.fragment_id = part
        run.is_auto_rerun = by_itself
        run.cached_message_hashes.extend(self.kept)
        context = run.context_info
        context.timezone, context.timezone_offset, context.locale = "UTC", 0, "en-US"
        context.url, context.color_scheme = f"{self.address}/{self.path}", "light"
        # Even where they say nothing: a browser sends these two.
        context.is_embedded = False
        return message.SerializeToString()


def key_of(widget: str) -> str:
    """Return the key in a widget's id, "" where the app has given none.

    >>> key_of("$$ID-060c99336473c14552b8fee0108ce1e4-group.Machine")
    'group.Machine'
    """
    key = widget[KEY_START:] if widget.startswith(PREFIX) else ""
    return "" if key == "None" else key


def event_id(component: str) -> str:
    """Return the id under which a component says what happened once."""
    return f"$$STREAMLIT_INTERNAL_KEY_{component}__events"


def happened(component: str, event: str, value: object) -> WidgetState:
    """Return what a component says when something happened: the same as its `setTriggerValue`."""
    said = json.dumps([{"event": event, "value": value}], separators=(",", ":"))
    return WidgetState(id=event_id(component), json_trigger_value=said)
