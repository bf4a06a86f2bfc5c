"""What the Reductions page shows: all reductions on the same data, and what is special to one of them."""

from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Any

import numpy as np
import streamlit as st

from ecocviz.lab.jobs import Report, Snapshot
from ecocviz.lab.regions import Points, Regions
from ecocviz.lab.scenario import Scenario
from ecocviz.views.decoders.words import differ_sentence, significance_sentence
from ecocviz.views.reductions import words as says
from ecocviz.views.reductions.facts import (
    SIDE,
    Entrant,
    Ground,
    Refused,
    Standing,
    as_predicted,
    contest,
    entrants,
    own_key,
    p_value,
)
from ecocviz.views.reductions.figures import (
    ReductionRow,
    Result,
    cells_table,
    reduction_errors_figure,
    reductions_table,
    shown_table,
)
from ecocviz.views.shared.app import state
from ecocviz.views.shared.app.charts import chart, csv_button, theme_now
from ecocviz.views.shared.app.components.decoder_tiles import decoder_tiles, pack_tiles
from ecocviz.views.shared.app.fresh import offer
from ecocviz.views.shared.app.job_panel import draw_panel, watch
from ecocviz.views.shared.draw import words

PLACE = "reductions"
TILES, TABLE, CHOICE = "reductions.tiles", "reductions.table", "reductions.entered"


@dataclass(frozen=True, slots=True)
class View:
    """Everything on the screen.

    `compared` are those that take part, `own` is the key of the one that is the scenario itself, and
    `picked` of the one that is looked into.
    """

    held: state.Session
    compared: tuple[Entrant, ...]
    snapshot: Snapshot
    ground: Ground | None
    standings: dict[str, Standing]
    refused: dict[str, str]
    own: str
    picked: str

    @property
    def busy(self) -> bool:
        """Whether more is to come."""
        return not self.snapshot.state.over

    @property
    def part_title(self) -> str:
        """What the errors are called."""
        return "Training" if self.ground is not None and self.ground.part == "train" else "Test"

    @property
    def done(self) -> tuple[Entrant, ...]:
        """Those that are judged already."""
        return tuple(entrant for entrant in self.compared if entrant.key in self.standings)

    @property
    def shown(self) -> Entrant | None:
        """The picked one, once it is judged."""
        return next((entrant for entrant in self.done if entrant.key == self.picked), None)


@lru_cache(maxsize=64)
def entered(scenario: Scenario) -> tuple[Entrant, ...]:
    """Return everything that can take part."""
    return entrants(scenario)


def compared_entrants(held: state.Session) -> tuple[Entrant, ...]:
    """Return those that take part: the asked ones (all, if none), and always the scenario's own."""
    everyone, asked = entered(held.scenario), set(held.selection.entered.split("."))
    if not asked & {entrant.key for entrant in everyone}:
        return everyone
    own = own_key(everyone, held.scenario)
    return tuple(entrant for entrant in everyone if entrant.key in asked or entrant.key == own)


def look(held: state.Session) -> View:
    """Start or join the comparison, and gather what it has found so far."""
    compared, plane_name = compared_entrants(held), held.selection.plane
    own = own_key(compared, held.scenario)
    # The same reductions are the same job, whichever of them is the scenario's own.
    texts = tuple((entrant.key, entrant.scenario.to_query()) for entrant in compared)

    def work(report: Report) -> None:
        contest(compared, plane_name, report.add, report.progress)

    snapshot = watch(PLACE, (PLACE, plane_name, texts), work)
    found = snapshot.partial
    standings = {item.key: item for item in found if isinstance(item, Standing)}
    refused = {item.key: item.reason for item in found if isinstance(item, Refused)}
    asked = held.selection.entrant
    known = {entrant.key for entrant in compared} - set(refused)
    return View(
        held,
        compared,
        snapshot,
        next((item for item in found if isinstance(item, Ground)), None),
        standings,
        refused,
        own,
        asked if asked in known else own,
    )


def pick(key: str) -> None:
    """Look into one of them."""
    if key in {entrant.key for entrant in compared_entrants(state.session())}:
        state.select(entrant=key)


# Which reductions ------------------------------------------------------------------------------------


def draw_choice(held: state.Session) -> None:
    """Let the user choose what takes part."""
    everyone, compared = entered(held.scenario), compared_entrants(held)
    titles = {entrant.key: entrant.title for entrant in everyone}
    offered = offer(CHOICE, [entrant.key for entrant in compared])

    def choose(chosen: list[str]) -> None:
        keys = [key for key in titles if key in chosen]
        own = own_key(everyone, held.scenario)
        state.select(entered="" if len(keys) == len(titles) else ".".join(keys or [own]))

    with st.container(horizontal=True, gap="small", vertical_alignment="center", key=f"{PLACE}.settings"):
        with st.popover(f"{len(compared)} of {len(everyone)} reductions", key="reductions.choice"):
            st.pills(
                "Reductions compared",
                list(titles),
                selection_mode="multi",
                key=offered.key,
                format_func=titles.__getitem__,
                on_change=offered.chosen(choose),
            )
        st.html(
            '<div class="eco-words"><span>All on the same data and split; what the scenario does not choose '
            "takes its default.</span></div>",
            width="stretch",
        )


# The pictures ----------------------------------------------------------------------------------------


def draw_tiles(view: View) -> None:
    """Draw the same plane once for every reduction that is trained."""
    ground, done = view.ground, view.done
    if ground is None or not done:
        return
    standings = [view.standings[entrant.key] for entrant in done]
    cells = np.array([standing.cells for standing in standings])
    drawn = np.array([standing.drawn for standing in standings])
    nothing = np.zeros((len(done), 0), dtype=np.uint8)
    regions = Regions(ground.plane, (), SIDE, 0, nothing[:0], cells, nothing)
    points = Points(
        ground.coordinates,
        ground.truth,
        np.full(ground.truth.size, ground.part == "test"),
        drawn,
        np.zeros(ground.truth.size, dtype=np.int64),
    )
    differ = (cells != cells[0]).any(axis=0)
    keys = [entrant.key for entrant in done]
    payload = pack_tiles(
        regions,
        points,
        classes=ground.classes,
        tiles=tuple(
            (entrant.key, entrant.title, _tile_note(standing), entrant.summary)
            for entrant, standing in zip(done, standings, strict=True)
        ),
        own=keys.index(view.picked) if view.picked in keys else -1,
        choosable=True,
        said=f"{ground.plane.names[0]} across, {ground.plane.names[1]} upwards; "
        "outlined points are decided wrongly.",
        differ=f"{100 * differ.mean():.1f} % of the plane",
        group="Decision regions, one picture a reduction; choosing one shows what is special to it",
    )
    decoder_tiles(payload, key=TILES, on_decoder=_on_tile)
    said = differ_sentence(int(differ.sum()), differ.size, len(done)).replace("decoders", "reductions")
    rest = " ".join(filter(None, [said, ground.plane.sentence]))
    st.html(f'<div class="eco-words"><span>{escape(rest)}</span></div>')


def _tile_note(standing: Standing) -> str:
    return f"{standing.outcome.n_wrong:,} of {standing.outcome.rows.size:,} wrong"


def _on_tile() -> None:
    value = st.session_state.get(TILES)
    key = None if value is None else value.get("decoder")
    if isinstance(key, str):
        pick(key)


# The numbers -----------------------------------------------------------------------------------------


def draw_words(view: View) -> None:
    """Say which errs least, what chance explains, what training took, and whether predictions held."""
    done = view.done
    if not done or view.ground is None:
        return
    standings = [view.standings[entrant.key] for entrant in done]
    titles = [entrant.title for entrant in done]
    n_wrong = [standing.outcome.n_wrong for standing in standings]
    first = says.fewest_sentence(titles, n_wrong, standings[0].outcome.rows.size)
    right = sum(as_predicted(s, view.ground.predictions[s.key]) for s in standings)
    more = [
        _chance_words(view, standings),
        says.time_sentence(titles, [standing.seconds for standing in standings]),
        says.prediction_sentence(right, len(done)),
    ]
    rest = escape(" ".join(filter(None, more)))
    st.html(f'<div class="eco-words"><b>{escape(first)}</b> <span>{rest}</span></div>')


def _chance_words(view: View, standings: list[Standing]) -> str:
    """Say how many differ from the scenario's own by more than chance explains."""
    own = view.standings.get(view.own)
    if own is None:
        return ""
    far = [s for s in standings if s is not own and p_value(s, own) < 0.05]
    worse = sum(s.outcome.n_wrong > own.outcome.n_wrong for s in far)
    better = sum(s.outcome.n_wrong < own.outcome.n_wrong for s in far)
    title = next(entrant.title for entrant in view.compared if entrant.key == view.own)
    return significance_sentence(title, worse, better, len(standings) - 1)


def reduction_rows(view: View) -> list[ReductionRow]:
    """Return what is known of everyone, judged or not."""
    rows = []
    for entrant in view.compared:
        prediction = None if view.ground is None else view.ground.predictions.get(entrant.key)
        refused = entrant.reason is not None or entrant.key in view.refused
        rows.append(
            ReductionRow(
                key=entrant.key,
                title=entrant.title,
                state="" if entrant.key in view.standings else "cannot run" if refused else _waiting(view),
                predicted=None if prediction is None or refused else prediction.sizes.tolist(),
                at_most=prediction is not None and prediction.at_most,
                result=_result(view, entrant.key),
            )
        )
    return rows


def _waiting(view: View) -> str:
    return "waiting" if view.busy else "not run"


def _result(view: View, key: str) -> Result | None:
    standing, own = view.standings.get(key), view.standings.get(view.own)
    if standing is None:
        return None
    return Result(
        n_wrong=standing.outcome.n_wrong,
        n=standing.outcome.rows.size,
        low=standing.interval[0],
        high=standing.interval[1],
        p=None if own is None or own is standing else p_value(standing, own),
        seconds=standing.seconds,
        milliseconds=standing.milliseconds,
        sizes=standing.sizes.tolist(),
    )


def draw_table(view: View) -> None:
    """Draw the table, filled as results come in; choosing a row looks into that reduction."""
    draw_panel(PLACE, view.snapshot)
    if view.ground is None:
        return
    rows = reduction_rows(view)
    keys = [row.key for row in rows]
    key = f"{TABLE}.{view.picked}"

    def chosen() -> None:
        picked = st.session_state[key].selection.rows
        if picked and picked[0] < len(keys) and keys[picked[0]] != view.picked:
            pick(keys[picked[0]])

    st.dataframe(
        shown_table(rows),
        key=key,
        hide_index=True,
        on_select=chosen,
        selection_mode="single-row",
        selection_default={"selection": {"rows": [keys.index(view.picked)]}},
        row_height=28,
        height=28 * len(rows) + 38,
        placeholder="–",
        column_config=_columns(view),
        alt="Errors, times and binary problems of the reductions; a chosen row is looked into below.",
    )
    for title, reason in refusals(view):
        st.caption(reason if reason.startswith(title) else f"{title}: {reason}")
    st.caption(
        "Interval: Wilson, 95 %. Training: all folds, calibration included, compiling not. "
        "Decisions: 1,000 points, from their features. Binary problems: as predicted before training and as "
        "trained, of the model on the screen."
    )
    with st.container(horizontal=True, gap="small", key=f"{PLACE}.files"):
        csv_button("Comparison as CSV", lambda: reductions_table(rows), key="reductions.csv")
        if view.done:
            csv_button("Pictures as CSV", lambda: _cells(view), key="reductions.tiles.csv")


def refusals(view: View) -> list[tuple[str, str]]:
    """Return title and reason of everyone that cannot be run."""
    reasons = {entrant.key: entrant.reason or view.refused.get(entrant.key) for entrant in view.compared}
    return [(e.title, reason) for e in view.compared if (reason := reasons[e.key])]


def _cells(view: View) -> Any:  # noqa: ANN401 - pandas is not imported for a name
    assert view.ground is not None  # noqa: S101 - there are pictures
    plane = view.ground.plane
    labels = {entrant.title: view.standings[entrant.key].cells.astype(np.int64) for entrant in view.done}
    return cells_table(plane.cells(SIDE), plane.names, labels, view.ground.classes)


def _columns(view: View) -> dict[str, Any]:
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    n = next((s.outcome.rows.size for s in view.standings.values()), None)
    return {
        "Reduction": text("Reduction", width=252),
        "Errors": number("Errors" if n is None else f"of {n:,}", width=64, help="Points decided wrongly"),
        "Error": number("Error", format="%.1f %%", width=64),
        "Interval": text("95 % interval", width=100),
        "Training": number("Training, s", format="%.3f", width=84),
        "Decisions": number("Decisions, ms", format="%.2f", width=96),
        "Predicted": text("Problems, predicted", width=160),
        "Measured": text("Problems, trained", width=160),
    }


def draw_errors(view: View) -> None:
    """Draw every reduction's error with its interval."""
    rows = [row for row in reduction_rows(view) if row.result is not None]
    if not rows:
        return
    best = min(rows, key=lambda row: row.result.n_wrong if row.result else 0)
    assert best.result is not None  # noqa: S101 - rows without a result are left out
    st.html(f'<div class="eco-words eco-title">{view.part_title} error</div>')
    chart(
        reduction_errors_figure(rows, view.picked, view.part_title, theme_now()),
        key="reductions.errors",
        alt=f"{view.part_title} error of {words.count(len(rows), 'reduction')} with 95 % intervals; the "
        f"least is {words.percent(best.result.n_wrong, best.result.n)}, of {best.title}.",
    )
