"""What the Decoders page shows: every decoder on the same machines, in pictures and in numbers."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.lab.catalogue import REDUCTIONS
from ecocviz.lab.jobs import JobState, Report, Snapshot
from ecocviz.lab.regions import Plane, Points, Regions
from ecocviz.lab.run import Trained, judged_part, undecoded
from ecocviz.lab.scenario import Choice, Scenario, choose
from ecocviz.views.decoders import words as says
from ecocviz.views.decoders.facts import Judgement, Refusal, alike, compare, p_value, pictures
from ecocviz.views.decoders.figures import DecoderRow, errors_figure, errors_table
from ecocviz.views.shared.app import cache, state
from ecocviz.views.shared.app.charts import chart, csv_button, theme_now
from ecocviz.views.shared.app.choices import deciders, unavailable
from ecocviz.views.shared.app.components.decoder_tiles import decoder_tiles, pack_tiles
from ecocviz.views.shared.app.fresh import offer
from ecocviz.views.shared.app.job_panel import draw_panel, keep, kept, watch
from ecocviz.views.shared.app.stage import Awaited, Scene, machines
from ecocviz.views.shared.draw import words

PLACE = "decoders"
TILES, TABLE, ORDER = "decoders.tiles", "decoders.table", "decoders.order"


@dataclass(frozen=True, slots=True)
class View:
    """Everything on the screen.

    `judgements` are those made so far, fewest errors first; `own` is the position of the scenario's
    own decoder among them, -1 while it is not judged yet.
    """

    held: state.Session
    scenario: Scenario
    trained: Trained
    plane: Plane
    decodings: tuple[Choice, ...]
    names: dict[str, str]
    part: str
    judging: Snapshot
    drawing: Snapshot
    judgements: tuple[Judgement, ...]
    refusals: tuple[Refusal, ...]
    own: int

    @property
    def busy(self) -> bool:
        """Whether more is to come."""
        return not (self.judging.state.over and self.drawing.state.over)

    @property
    def part_title(self) -> str:
        """What the errors are called."""
        return "Test" if self.part == "test" else "Training"

    def name(self, judgement: Judgement) -> str:
        """Return a decoder's name."""
        return self.names[judgement.decoding.key]


def compared_keys(held: state.Session) -> tuple[str, ...]:
    """Return the keys of the decoders compared, in catalogue order, the scenario's own among them."""
    own = held.scenario.decoding.key
    if "decoding" not in REDUCTIONS[held.scenario.reduction.key].uses:
        return (own,)
    reasons = unavailable(held.scenario, "decoding")
    asked = {key for key in held.selection.judged.split(".") if key in DECODINGS} or set(DECODINGS)
    return tuple(key for key in DECODINGS if key == own or (key in asked and key not in reasons))


def look(held: state.Session) -> Scene[View]:
    """Train if need be, start or join the comparison, and gather what it has found so far.

    While the machines are trained, the comparison of the setting before is there, if it is known.
    """
    trained = machines(PLACE, held.scenario)
    if isinstance(trained, Awaited):
        return Scene(_before(held), trained)
    plane = cache.plane(held.scenario, held.selection.plane, trained)
    decodings, jobs = _decodings(held), _names(held)

    def judge(report: Report) -> None:
        compare(trained, decodings, report.add, report.progress)

    def draw(report: Report) -> tuple[Regions, Points]:
        return pictures(trained.shown, plane, decodings, report.progress)

    judging, drawing = watch(PLACE, jobs[0], judge), watch(f"{PLACE}.plane", jobs[1], draw)
    keep(PLACE, (held.scenario, held.selection))
    return Scene(_gather(held, trained, judging, drawing), None)


def busy(held: state.Session) -> bool:
    """Say whether more is to come; a failure is left to `look`."""
    try:
        scene = look(held)
    except ValueError:
        return False
    return scene.busy if scene.view is None or scene.awaited is not None else scene.view.busy


def _decodings(held: state.Session) -> tuple[Choice, ...]:
    own = held.scenario.decoding
    return tuple(own if key == own.key else choose("decoding", key) for key in compared_keys(held))


def _names(held: state.Session) -> tuple[Hashable, Hashable]:
    """Name the jobs that judge the points and draw the planes."""
    key = (PLACE, cache.text_key(held.scenario), cache.choices_key(_decodings(held)))
    return key, (*key, held.selection.plane)


def _before(held: state.Session) -> View | None:
    """Return the comparison that was shown last, None where it is not known any more."""
    shown = kept(PLACE)
    if shown is None:
        return None
    earlier = replace(held, scenario=shown[0], selection=shown[1], draft=None)
    trained = cache.trainings().look(cache.text_key(earlier.scenario))
    judging, drawing = (cache.jobs().look(name) for name in _names(earlier))
    if trained is None or trained.result is None or judging is None or drawing is None:
        return None
    done = judging.state is drawing.state is JobState.DONE
    return _gather(earlier, trained.result, judging, drawing) if done else None


def _gather(held: state.Session, trained: Trained, judging: Snapshot, drawing: Snapshot) -> View:
    """Put together what is known."""
    scenario, decodings, own = undecoded(held.scenario), _decodings(held), held.scenario.decoding
    plane = cache.plane(scenario, held.selection.plane, trained)
    found = [item for item in judging.partial if isinstance(item, Judgement)]
    judgements = tuple(sorted(found, key=lambda judgement: judgement.outcome.n_wrong))
    refusals = tuple(item for item in judging.partial if isinstance(item, Refusal))
    keys = [judgement.decoding.key for judgement in judgements]
    titles = [title for title, _ in deciders(scenario, decodings)]
    names = {d.key: title for d, title in zip(decodings, titles, strict=False)}
    position = keys.index(own.key) if own.key in keys else -1
    return View(
        held, scenario, trained, plane, decodings, names, judged_part(trained),
        judging, drawing, judgements, refusals, position,
    )  # fmt: skip


def use_decoder(key: str) -> None:
    """Make a decoder the scenario's own."""
    if key in DECODINGS and key in compared_keys(state.session()):
        state.set_slot("decoding", key)


# Which decoders ------------------------------------------------------------------------------------


def draw_choice(held: state.Session) -> None:
    """Let the user choose the decoders, and say which cannot be used here and why."""
    uses = "decoding" in REDUCTIONS[held.scenario.reduction.key].uses
    if not uses:
        title = REDUCTIONS[held.scenario.reduction.key].title
        st.caption(
            f"{title} decides by itself, so there are no decoders to compare; its own decisions follow."
        )
        return
    reasons = unavailable(held.scenario, "decoding")
    shown, own = compared_keys(held), held.scenario.decoding.key
    allowed = [key for key in DECODINGS if key not in reasons]
    offered = offer("decoders.judged", list(shown))

    def choose_some(keys: list[str]) -> None:
        chosen = set(keys)
        everything = chosen >= set(allowed)
        state.select(judged="" if everything else ".".join(k for k in DECODINGS if k in chosen) or own)

    with st.container(horizontal=True, gap="small", vertical_alignment="center", key=f"{PLACE}.settings"):
        with st.popover(f"{len(shown)} of {len(DECODINGS)} decoders", key="decoders.choice"):
            st.pills(
                "Decoders compared",
                allowed,
                selection_mode="multi",
                key=offered.key,
                format_func=lambda key: DECODINGS[key].title,
                on_change=offered.chosen(choose_some),
            )
            for reason in dict.fromkeys(reasons.values()):
                st.caption(reason)
        st.html(
            '<div class="eco-words"><span>All on the same trained machines. A picture or a row, once chosen, '
            "makes its decoder the scenario's own.</span></div>",
            width="stretch",
        )
    if reasons:
        st.caption(
            next(iter(reasons.values())) if len(reasons) == 1 else " ".join(dict.fromkeys(reasons.values()))
        )


# The pictures --------------------------------------------------------------------------------------


def draw_tiles(view: View) -> None:
    """Draw the same plane once for every decoder."""
    if view.drawing.result is None:
        draw_panel(f"{PLACE}.plane", view.drawing)
        return
    regions, points = view.drawing.result
    wrong = {j.decoding.key: j.outcome for j in view.judgements}
    infos = deciders(view.scenario, view.decodings)
    tiles = tuple(
        (d.key, title, _tile_note(wrong.get(d.key)), summary)
        for d, (title, summary) in zip(view.decodings, infos, strict=False)
    )
    differ = (regions.labels != regions.labels[0]).any(axis=0)
    own = [d.key for d in view.decodings].index(view.held.scenario.decoding.key)
    several = len(view.decodings) > 1
    payload = pack_tiles(
        regions,
        points,
        classes=view.trained.classes,
        tiles=tiles,
        own=own,
        choosable=several,
        said=f"{view.plane.names[0]} across, {view.plane.names[1]} upwards; "
        "outlined points are decided wrongly.",
        differ=f"{100 * differ.mean():.1f} % of the plane",
    )
    decoder_tiles(payload, key=TILES, on_decoder=_on_tile)
    said = says.differ_sentence(int(differ.sum()), differ.size, len(view.decodings))
    rest = " ".join(filter(None, [said, view.plane.sentence]))
    if rest:
        st.html(f'<div class="eco-words"><span>{escape(rest)}</span></div>')


def _tile_note(outcome: Any) -> str:  # noqa: ANN401 - an Outcome, or nothing yet
    return "" if outcome is None else f"{outcome.n_wrong:,} of {outcome.rows.size:,} wrong"


def _on_tile() -> None:
    value = st.session_state.get(TILES)
    key = None if value is None else value.get("decoder")
    if isinstance(key, str):
        use_decoder(key)


# The numbers ---------------------------------------------------------------------------------------


def decoder_rows(view: View) -> list[DecoderRow]:
    """Return what the table and the figure tell of every decoder."""
    rows = []
    for k, judgement in enumerate(view.judgements):
        low, high = judgement.interval
        stated = judgement.calibration
        other = None if view.own in {-1, k} else p_value(judgement, view.judgements[view.own])
        rows.append(
            DecoderRow(
                key=judgement.decoding.key,
                title=view.name(judgement),
                n_wrong=judgement.outcome.n_wrong,
                n=judgement.outcome.rows.size,
                low=low,
                high=high,
                p=other,
                log_loss=None if stated is None else stated.log_loss,
                calibration_error=None if stated is None else stated.calibration_error,
                milliseconds=judgement.milliseconds,
            )
        )
    return rows


def draw_words(view: View) -> None:
    """Say who is best, who decides alike, and what chance explains."""
    if view.own < 0:
        return
    n = len(view.judgements)
    outcomes = [judgement.outcome for judgement in view.judgements]
    names = [view.name(judgement) for judgement in view.judgements]
    first = says.least_sentence(names, [o.n_wrong for o in outcomes], outcomes[0].rows.size)
    groups = alike(view.judgements)
    own = view.judgements[view.own]
    worse = better = 0
    for k, judgement in enumerate(view.judgements):
        if k != view.own and p_value(judgement, own) < 0.05:
            worse += judgement.outcome.n_wrong > own.outcome.n_wrong
            better += judgement.outcome.n_wrong < own.outcome.n_wrong
    more = [
        says.alike_sentence(len(groups[0]), len(groups), n),
        says.significance_sentence(view.name(own), worse, better, n - 1),
    ]
    rest = escape(" ".join(filter(None, more)))
    st.html(f'<div class="eco-words"><b>{escape(first)}</b> <span>{rest}</span></div>')


def draw_errors(view: View) -> None:
    """Draw every decoder's error with its interval."""
    if view.own < 0:
        return
    rows = decoder_rows(view)
    chart(
        errors_figure(rows, view.own, view.part_title, theme_now()),
        key="decoders.errors",
        alt=f"{view.part_title} error of {words.count(len(rows), 'decoder')} with 95 % intervals: from "
        f"{rows[0].title} with {words.percent(rows[0].n_wrong, rows[0].n)} to {rows[-1].title} with "
        f"{words.percent(rows[-1].n_wrong, rows[-1].n)}.",
    )


def draw_table(view: View) -> None:
    """Draw the table; choosing a row makes its decoder the scenario's own."""
    draw_panel(PLACE, view.judging)
    for refused in view.refusals:
        st.caption(f"{view.names[refused.decoding.key]}: {refused.reason}")
    rows = decoder_rows(view)
    if not rows or view.own < 0:
        return
    st.session_state[ORDER] = [row.key for row in rows]
    key = f"{TABLE}.{rows[view.own].key}"

    def chosen() -> None:
        picked = st.session_state[key].selection.rows
        if picked:
            use_decoder(st.session_state[ORDER][picked[0]])

    st.dataframe(
        shown_table(rows),
        key=key,
        hide_index=True,
        on_select=chosen,
        selection_mode="single-row",
        selection_default={"selection": {"rows": [view.own]}},
        row_height=28,
        placeholder="–",
        height=28 * len(rows) + 38,
        column_config=_columns(rows),
        alt="Errors, intervals and times of the decoders; a chosen row becomes the scenario's decoder.",
    )
    unsure = dict.fromkeys(judgement.unsure for judgement in view.judgements if judgement.unsure)
    note = (
        "Interval: Wilson, 95 %. p: McNemar's exact test against the scenario's decoder. Log-loss: only "
        "decoders that give probabilities have one. ms: measured time of 1,000 decisions from scores."
    )
    st.caption(" ".join([note, *unsure]))
    csv_button("Comparison as CSV", lambda: errors_table(rows), key="decoders.csv")


def shown_table(rows: list[DecoderRow]) -> pd.DataFrame:
    """Return the table as it is shown."""
    return pd.DataFrame(
        {
            "Decoder": [row.title for row in rows],
            "Errors": [row.n_wrong for row in rows],
            "Error %": [round(100 * row.n_wrong / row.n, 1) for row in rows],
            "95 %": [f"{100 * row.low:.1f} to {100 * row.high:.1f}" for row in rows],
            "p": ["" if row.p is None else says.p_text(row.p) for row in rows],
            "Log-loss": [row.log_loss for row in rows],
            "ms": [row.milliseconds for row in rows],
        }
    )


def _columns(rows: list[DecoderRow]) -> dict[str, Any]:
    number = st.column_config.NumberColumn
    columns: dict[str, Any] = {
        "Decoder": st.column_config.TextColumn("Decoder", width=230),
        "Errors": number(f"of {rows[0].n:,}", width=60, help="Points decided wrongly"),
        "Error %": number("Error", format="%.1f %%", width=60),
        "95 %": st.column_config.TextColumn("95 % interval", width=94),
        "p": st.column_config.TextColumn("p", width=48),
        "Log-loss": number("Log-loss", format="%.3f", width=68),
        "ms": number("ms", format="%.2f", width=60),
    }
    if all(row.log_loss is None for row in rows):
        columns["Log-loss"] = None
    return columns


def regions_table(regions: Regions, classes: tuple[str, ...], names: dict[str, str]) -> pd.DataFrame:
    """Return the cells of the plane and what every decoder decides there."""
    cells = regions.plane.cells(regions.n)
    labels = {
        names[d.key]: np.array(classes, dtype=object)[line]
        for d, line in zip(regions.decodings, regions.labels, strict=True)
    }
    return pd.DataFrame({regions.plane.names[0]: cells[:, 0], regions.plane.names[1]: cells[:, 1], **labels})


def draw_picture_csv(view: View) -> None:
    """Offer the decided plane."""
    if view.drawing.result is not None:
        regions = view.drawing.result[0]
        classes, names = view.trained.classes, view.names
        csv_button(
            "Pictures as CSV", lambda: regions_table(regions, classes, names), key="decoders.tiles.csv"
        )
