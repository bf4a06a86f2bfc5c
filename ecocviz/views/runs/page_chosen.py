"""What can be done with chosen runs: open, pin, name, delete, take along."""

from collections.abc import Callable, Sequence

import streamlit as st

from ecocviz.lab.export import python_script
from ecocviz.lab.store import MAX_NAME, Store, StoreError, open_store
from ecocviz.lab.store_looks import some_runs
from ecocviz.views.runs import words_more
from ecocviz.views.runs.facts import CHOSEN, Kept, numbers_in, study_fields
from ecocviz.views.runs.figures import is_single
from ecocviz.views.runs.inside import MOST_REPORTED, inside_of
from ecocviz.views.runs.page_sets import found_now
from ecocviz.views.runs.words_report import report
from ecocviz.views.shared.app import keeping, state
from ecocviz.views.shared.app.bound import bind
from ecocviz.views.shared.app.job_panel import watching
from ecocviz.views.shared.app.room import keep
from ecocviz.views.shared.app.said import caption, toast
from ecocviz.views.shared.draw.outside import literal, plain
from ecocviz.views.shared.draw.words import count

FORMATS = {"csv": ("CSV", "text/csv"), "json": ("JSON", "application/json"),
           "parquet": ("Parquet", "application/octet-stream")}  # fmt: skip
HEIGHT, PROBLEM = 44, "runs.problem"


def draw_actions(chosen: tuple[Kept, ...], owner: str | None) -> None:
    """Draw one row of what can be done with the chosen runs."""
    keep("runs.actions", HEIGHT)
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="runs.actions"):
        if not chosen:
            caption("Choose rows: one to open, name or look into it, two to eight to compare them.")
            return
        _draw_open(chosen)
        pinned = all(one.run.pinned for one in chosen)
        numbers = [one.run.id for one in chosen]
        st.button(
            "Unpin" if pinned else "Pin",
            key="runs.pin",
            help="Pinned runs stay when room is made for new ones.",
            on_click=_pin,
            args=(numbers, not pinned),
        )
        if len(chosen) == 1:
            with st.popover("Name", key="runs.naming"):
                _draw_name(chosen[0])
        with st.popover("Export", key="runs.export"):
            _draw_export(chosen, owner)
        with st.popover("Delete", key="runs.deleting"):
            them = "it" if len(chosen) == 1 else "them"
            caption(f"Delete {count(len(chosen), 'run')} for good? Nothing brings {them} back.")
            st.button("Delete for good", key="runs.delete", type="primary", on_click=_delete, args=(numbers,))
        st.button(
            "Choose none", key="runs.none", type="tertiary", on_click=state.select, kwargs={"chosen": ""}
        )


def _draw_open(chosen: tuple[Kept, ...]) -> None:
    """Offer the page that showed the only chosen run last, with its scenario; a study's on Papers."""
    one = chosen[0] if len(chosen) == 1 else None
    page = "playground" if one is None else words_more.page_of(one)
    opens = one is not None and (page == "papers" or one.scenario is not None)
    if not st.button(literal(f"Open in {words_more.PAGES[page]}"), key="runs.open", disabled=not opens):
        return
    if one is None:  # a button that is not enabled is not clicked
        return
    if one.scenario is not None:
        state.adopt(state.current(), one.scenario, opens=True)
    elif page == "papers":
        state.select(**study_fields(one.run))
    st.switch_page(f"pages/{page}.py")


def _changed(change: Callable[[Store, str | None], object]) -> bool:
    """Change kept runs; what cannot be done, since another window has deleted one, is said."""
    try:
        change(open_store(), keeping.seen_by_now())
    except StoreError as problem:
        st.session_state[PROBLEM] = str(problem)  # said when the page is drawn
        return False
    return True


def tell_problem() -> None:
    """Say what could not be done, once."""
    problem = st.session_state.pop(PROBLEM, None)
    if problem is not None:
        toast(problem)


def _pin(numbers: Sequence[int], pinned: bool) -> None:
    def change(store: Store, owner: str | None) -> None:
        for number in numbers:
            store.pin(number, pinned, owner)

    _changed(change)


def _draw_name(kept: Kept) -> None:
    name = bind(f"runs.name.{kept.run.id}", kept.run.name)

    def changed(text: str) -> None:
        _changed(lambda store, owner: store.rename(kept.run.id, str(text)[:MAX_NAME], owner))

    st.text_input(
        "Name of the run",
        key=name.key,
        placeholder=plain(kept.run.title),
        max_chars=MAX_NAME,
        on_change=name.on_change(changed),
    )


def _delete(numbers: Sequence[int]) -> None:
    if not _changed(lambda store, owner: store.delete([*some_runs(store, numbers, owner)], owner)):
        return
    state.select(chosen="")
    watching().asked = True  # the ranks below are others now


# Taking along ----------------------------------------------------------------------------------------


def _draw_export(chosen: tuple[Kept, ...], owner: str | None) -> None:
    numbers = [one.run.id for one in chosen]
    caption(f"{count(len(chosen), 'run')} with all points, or a report to send: one file, figures inside.")
    over, root = found_now(), state.root_of(st.context.url)
    if len(chosen) <= MOST_REPORTED:
        _download(
            "Report (HTML)",
            lambda: report(chosen, inside_of(open_store(), chosen, owner), over=over, root=root).encode(),
            "ecocviz_runs.html",
            "text/html",
            key="html",
        )
    for kind, (title, mime) in FORMATS.items():
        _download(title, _exporter(numbers, kind, owner), f"ecocviz_runs.{kind}", mime, key=kind)
    scenario = chosen[0].scenario
    if len(chosen) == 1 and is_single(chosen[0]) and scenario is not None:
        _download(
            "Python script",
            lambda: python_script(scenario).encode(),
            "ecocviz_experiment.py",
            "text/x-python",
            key="python",
        )


def _exporter(numbers: list[int], kind: str, owner: str | None) -> Callable[[], bytes]:
    """Write those of the runs that are still there when the button is pressed."""
    return lambda: open_store().export([*some_runs(open_store(), numbers, owner)], kind, owner)


def _download(title: str, make: Callable[[], bytes], name: str, mime: str, *, key: str) -> None:
    chosen, owner = numbers_in(state.current().selection[CHOSEN]), keeping.seen_by_now()

    def wanted() -> bytes:
        open_store().want(chosen, owner)
        return make()

    st.download_button(
        literal(title),
        wanted,
        name,
        mime,
        key=f"runs.export.{key}",
        icon=":material/download:",
        type="tertiary",
        on_click="ignore",
    )
