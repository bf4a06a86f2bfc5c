"""The Papers page: all verdicts, and the chosen exhibit with its numbers, its rule and a run of one's own."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

import streamlit as st

from ecocviz.data.policy import current_policy
from ecocviz.lab.evidence.catalogue import PAPERS
from ecocviz.lab.evidence.drawings import Drawing, Heatmap, Opens, Panels, Ranks, Table
from ecocviz.lab.evidence.entries import Setting, cells_of
from ecocviz.lab.evidence.here import measure_here
from ecocviz.lab.evidence.results import Results
from ecocviz.lab.evidence.standing import Standing
from ecocviz.lab.report import JobState, Snapshot
from ecocviz.views.papers import figures_tables, words
from ecocviz.views.papers.facts import (
    EXHIBIT,
    NUMBERS,
    PAPER,
    Shown,
    all_standings,
    chosen,
    content_of,
    draw_exhibit,
    here_results,
    job_key,
    opens_at,
    stand_here,
)
from ecocviz.views.papers.figures import drawing_figure
from ecocviz.views.shared.app import cache, state
from ecocviz.views.shared.app.charts import chart, column_widths, csv_button, html_table, theme_now
from ecocviz.views.shared.app.components.heard import among, chosen_cell, chosen_row, items, whole
from ecocviz.views.shared.app.job_panel import draw_panel, watch
from ecocviz.views.shared.app.room import css_name
from ecocviz.views.shared.app.said import caption, markup, said, title
from ecocviz.views.shared.app.scenes import GOTO
from ecocviz.views.shared.app.stage import Scene, Section, show_page
from ecocviz.views.shared.draw.build import Figure
from ecocviz.views.shared.draw.outside import Shown as Markup
from ecocviz.views.shared.draw.outside import literal, plain
from ecocviz.views.shared.draw.statements import HEAD, statement_row
from ecocviz.views.shared.draw.theme import Theme, mixed

PLACE = "papers"
LIST, ROW, MOST_ROWS = "papers.list", 28, 9
"""The table of verdicts; pixels of a row, and how many are seen at once."""
LISTED = "papers.listed"
"""The row with which that table was made, and the one that was chosen last."""
MOST_SEEN = 24
"""Rows of any other table that are seen at once."""
TINT = 0.22
"""How much of the accent is behind the best of a row."""


@dataclass(frozen=True, slots=True)
class View:
    """Everything on the screen.

    `here` and `snapshot` are there where numbers are measured here; `shown` are drawings of the numbers that
    are asked for, None where there are none yet.
    """

    standing: Standing
    shown: Shown | None
    results: Results | None
    here: Standing | None
    snapshot: Snapshot | None
    refusal: str | None

    @property
    def measured(self) -> Standing:
        """Whose verdict the numbers on the screen are judged by."""
        return self.here or self.standing


# Looking ---------------------------------------------------------------------------------------------


def everything() -> tuple[Standing, ...]:
    """Return where every exhibit stands by the results that ship: 4 MB, and a second to make them."""
    return cache.remember("papers.list", tuple(PAPERS), lambda: all_standings(PAPERS), for_good=True)


WARM = (everything,)
"""Made known before anybody asks."""


def look(session: state.Session) -> Scene[View]:
    """Find the exhibit, and what is known of it; join the job that measures it here, if that is asked for."""
    if GOTO in st.session_state:  # a click has chosen a scenario: its page is opened
        st.rerun()
    standing = chosen(everything(), session.selection[PAPER], session.selection[EXHIBIT])
    if standing is None:
        raise ValueError("There are no papers in this installation; install ecocviz again.")
    refusal = standing.exhibit.study.needs()
    if session.selection[NUMBERS] == "here" and refusal is None:
        return Scene(_look_here(standing))
    results = standing.results
    shown = None if results is None else _drawn(standing, results)
    return Scene(View(standing, shown, results, None, None, refusal))


def _look_here(standing: Standing) -> View:
    paper, study = standing.paper, standing.exhibit.study
    snapshot = watch(PLACE, job_key(paper, study), lambda report: measure_here(paper, study, report))
    today = datetime.now(tz=UTC).date().isoformat()
    results = here_results(standing, dict(snapshot.partial), today)
    here = stand_here(standing, results)
    shown = _drawn(standing, results, whole=here.verdict is not None) if results.records else None
    return View(standing, shown, results, here, snapshot, None)


def _drawn(standing: Standing, results: Results, *, whole: bool = True) -> Shown:
    """Draw, once for all sessions."""
    key = (standing.paper.key, standing.exhibit.key, _content(standing, results))
    return cache.remember("papers.drawings", key, lambda: draw_exhibit(standing, results, whole=whole))


def _content(standing: Standing, results: Results) -> str:
    """Return the digest of results; of those that ship, which never change, it is made once."""
    if results is not standing.results:
        return content_of(results)
    key = (standing.paper.key, results.study)
    return cache.remember("papers.content", key, lambda: content_of(results))


# Choosing --------------------------------------------------------------------------------------------


def draw_list(session: state.Session) -> None:
    """Draw all verdicts as a table; choosing a row shows that exhibit."""
    stands = everything()
    if not stands:
        return
    said(*words.list_sentence(stands))
    now = chosen(stands, session.selection[PAPER], session.selection[EXHIBIT])
    position = next((k for k, each in enumerate(stands) if each is now), 0)
    shown = cache.remember("papers.verdicts", tuple(PAPERS), lambda: words.list_table(stands))
    # A table keeps its place while rows are chosen in it; what is chosen elsewhere makes another one.
    made, last = st.session_state.get(LISTED, (position, position))
    made = made if last == position else position
    st.session_state[LISTED] = (made, position)
    key = f"{LIST}.{made}"

    def choose() -> None:
        row = chosen_row(key, len(stands))
        if row is not None and row != position:
            st.session_state[LISTED] = (made, row)
            _choose(stands[row])

    st.dataframe(
        shown,
        key=key,
        hide_index=True,
        on_select=choose,
        selection_mode="single-row",
        selection_default={"selection": {"rows": [made]}},
        row_height=ROW,
        height=ROW * min(len(stands), MOST_ROWS) + 38,
        column_config=_list_columns(shown.columns),
        alt="Verdicts on all figures, tables and claims; choosing a row shows it below.",
    )
    _scroll_to(key, made)
    _draw_choice(stands, now)


def _scroll_to(key: str, row: int) -> None:
    """Show a row of the table when it is there: two others over it, where there are."""
    top = ROW * max(0, row - 2)
    with st.container(key="unseen.papers"):  # heard by listed.js
        markup(Markup(f'<i class="eco-listed" data-table="st-key-{css_name(key)}" data-top="{top}"></i>'))


def _list_columns(names: Any) -> dict[str, Any]:  # noqa: ANN401 - an index of pandas
    width = column_widths(words.WIDTHS)
    columns = st.column_config
    return {str(name): columns.TextColumn(plain(str(name)), width=width.get(str(name))) for name in names}


def _draw_choice(stands: tuple[Standing, ...], now: Standing | None) -> None:
    """Let the user choose paper and exhibit by name."""
    if now is None:
        return
    papers = {each.paper.key: each.paper.name for each in stands}
    exhibits = {each.exhibit.key: each for each in stands if each.paper is now.paper}
    st.session_state["papers.paper"], st.session_state["papers.exhibit"] = now.paper.key, now.exhibit.key

    def choose(name: str, known: Mapping[str, Any]) -> None:
        key = among(st.session_state[f"papers.{name}"], list(known))
        state.select(**({"paper": key, "exhibit": ""} if name == "paper" else {"exhibit": key}))
        state.select(numbers="shipped")

    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom", key="papers.choice"):
        st.selectbox(
            "Paper",
            list(papers),
            key="papers.paper",
            format_func=lambda key: plain(str(papers.get(key, key))),
            on_change=partial(choose, "paper", papers),
            width=330,
        )
        st.selectbox(
            "Figure, table or claim",
            list(exhibits),
            key="papers.exhibit",
            format_func=lambda key: plain(exhibits[key].exhibit.title if key in exhibits else key),
            on_change=partial(choose, "exhibit", exhibits),
            width=430,
        )


def _choose(standing: Standing) -> None:
    state.select(paper=standing.paper.key, exhibit=standing.exhibit.key, numbers="shipped")


# Drawing ---------------------------------------------------------------------------------------------


def draw(view: View) -> None:
    """Draw the claim with its verdict, the figures, and how it was measured."""
    paper, exhibit = view.standing.paper, view.standing.exhibit
    with st.container(key="split.papers.top"):
        left, right = st.columns([57, 51], gap="large")
    with left:
        title(exhibit.title)
        said(exhibit.claim)
        if paper.reference is not None:
            caption(str(paper.reference))
        _draw_verdict(view)
    with right:
        _draw_protocol(view)
        _draw_here(view)
    if view.shown is not None:
        for number, drawing in enumerate(view.shown.drawings):
            draw_drawing(view, view.shown, number, drawing)


def _draw_verdict(view: View) -> None:
    standing = view.measured
    said(words.verdict_sentence(standing))
    if standing.verdict is not None:
        rows = list(map(statement_row, standing.verdict.statements))
        table = html_table(HEAD, rows, alt="The statements that the verdict is made of")
        markup(Markup(f'<div class="eco-wrap">{table}</div>'))
        if standing.verdict.why:
            said("", standing.verdict.why)
    if view.here is not None and view.here.verdict is not None:
        said("", words.beside_sentence(view.here, view.standing))
    if standing.results is not None:
        caption(words.made_sentence(standing.results))


def _draw_protocol(view: View) -> None:
    exhibit = view.standing.exhibit
    with st.container(key="plain.papers"), st.expander(literal(words.protocol_title(exhibit))):
        said("", " ".join(exhibit.protocol))
        if exhibit.deviations:
            said("Not as in the paper:", " ".join(exhibit.deviations))
        said("Rule:", exhibit.rule)
        st.code(f"ecocviz paper {view.standing.paper.key} {exhibit.key} --full", language=None)


def _draw_here(view: View) -> None:
    """Offer the quick setting, or say where it stands."""
    study = view.standing.exhibit.study
    if view.refusal is not None:
        caption(view.refusal)
        return
    if view.snapshot is None:
        st.button("Run the quick one here", key="papers.run", on_click=_ask, args=("here",))
        n_cells = len(cells_of(study, Setting.QUICK))
        caption(words.quick_sentence(n_cells, timed=study.timed, shared=current_policy().shared))
        return
    draw_panel(PLACE, view.snapshot)
    if view.snapshot.state is not JobState.DONE and view.shown is not None:
        caption("What is measured so far is drawn below.")
    if view.standing.results is not None:
        st.button("Show the numbers that ship", key="papers.back", on_click=_ask, args=("shipped",))


def _ask(whose: str) -> None:
    state.select(numbers=whose)


# Drawings --------------------------------------------------------------------------------------------


def draw_drawing(view: View, shown: Shown, number: int, drawing: Drawing) -> None:
    """Draw one drawing, with its numbers to take away; a click on a point opens what it is about."""
    name = f"papers.{view.standing.paper.key}.{view.standing.exhibit.key}.{number}"
    if isinstance(drawing, Table):
        _draw_table(view, name, shown, drawing)
    else:
        _draw_figure(view, name, shown, drawing)
    note = getattr(drawing, "note", "")
    if note:
        caption(note)


def _draw_figure(view: View, name: str, shown: Shown, drawing: Panels | Ranks | Heatmap) -> None:
    def drawn(theme: Theme) -> Figure:
        key = (name, shown.content, theme.name)
        return cache.remember("papers.figure", key, lambda: drawing_figure(drawing, theme))

    def picked(point: Mapping[str, Any]) -> None:
        customdata = items(point.get("customdata"), most=2)
        _open(view, opens_at(drawing, whole(customdata[0])) if customdata else None)

    title(drawing.title)
    chart(drawn, key=name, alt=figures_tables.alt_of(drawing), on_pick=picked)
    opens = drawing.opens if isinstance(drawing, Heatmap) else None
    if opens is None:
        caption(words.opens_sentence(drawing))
        return
    with st.container(horizontal=True, vertical_alignment="center", key=f"{name}.about"):
        st.button(  # one scenario is behind all of it
            "Open this scenario", key=f"{name}.open", on_click=_open, args=(view, opens), type="tertiary"
        )
        caption(words.opens_sentence(drawing), width="content")


def _draw_table(view: View, name: str, shown: Shown, drawing: Table) -> None:
    with st.container(
        horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key=f"{name}.head"
    ):
        title(drawing.title)
        csv_button("Numbers as CSV", lambda: figures_tables.data_table(drawing), key=f"{name}.csv")
    key = f"{name}.{shown.content}"
    frame = cache.remember("papers.table", key, lambda: figures_tables.shown_table(drawing))
    columns = [str(column) for column in frame.columns]

    def picked() -> None:
        place = chosen_cell(key, len(frame), columns)
        number = None if place is None else figures_tables.number_at(drawing, *place)
        _open(view, None if number is None else opens_at(drawing, number))

    tint = mixed(theme_now().surface, theme_now().accent, TINT)
    best = set(figures_tables.best_cells(drawing))
    widths = column_widths(figures_tables.column_widths(frame))
    st.dataframe(
        figures_tables.tinted(frame, best, tint) if best else frame,
        key=key,
        hide_index=True,
        on_select=picked,
        selection_mode="single-cell",
        row_height=ROW,
        height=ROW * min(len(frame), MOST_SEEN) + 38,
        column_config={
            column: st.column_config.TextColumn(
                plain(name), width=widths[column], alignment="left" if column == columns[0] else "right"
            )
            for column, name in zip(columns, drawing.columns, strict=True)
        },
        alt=plain(figures_tables.alt_of(drawing)),
    )
    caption(" ".join(filter(None, (words.table_sentence(drawing), words.opens_sentence(drawing)))))


def _open(view: View, opens: Opens | None) -> None:
    """Put a point's scenario in place of this one, and go where it is seen; there it is said what it is."""
    if opens is None:
        return
    session = state.current()
    state.adopt(session, opens.scenario, opens=True)
    session.opened = words.opened_sentence(view.standing, opens)
    st.session_state[GOTO] = opens.page.value


def show() -> None:
    """Draw the page."""
    show_page("papers", "Papers", Section(PLACE, look, draw), settings=draw_list)
