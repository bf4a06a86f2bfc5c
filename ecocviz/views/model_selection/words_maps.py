"""Sentences about maps of errors over two parameters."""

from collections.abc import Sequence

from ecocviz.lab.curve_plan import Axis, Curve, GridPlan, Place
from ecocviz.lab.curves import Measure
from ecocviz.views.model_selection.facts import Minimum
from ecocviz.views.model_selection.maps import MapFacts, MapGrid
from ecocviz.views.model_selection.words import (
    choice_sentence,
    named,
    other_choices_sentence,
    seconds_text,
)
from ecocviz.views.shared.draw.curves import MEASURES, SHORT_NAMES, plain_text, symbol_of
from ecocviz.views.shared.draw.waits import about
from ecocviz.views.shared.draw.words import count, listed, percent


def both(axes: Sequence[Axis]) -> str:
    """Name the two parameters."""
    return listed([symbol_of(axis) for axis in axes])


def offer_sentence(grid: MapGrid, plan: GridPlan, seconds: float | None) -> str:
    """Say what the maps will show and how long that takes."""
    sizes = " × ".join(str(len(line.values)) for line in plan.lines)
    time = "" if seconds is None else f", which takes {about(seconds)}"
    return (
        f"Three maps over {both(grid.axes)} side by side, the leave-one-out bound, cross-validation and the "
        f"test error: machines are trained at {sizes} pairs of values{time}."
    )


def map_choice_sentence(facts: MapFacts) -> str:
    """Say what choosing by the bound, or by what stands in for it, costs in test error."""
    axes = [line.axis for line in facts.plan.lines]
    return choice_sentence(facts.minima, both(axes), _told, "pair")


def map_more_sentences(facts: MapFacts) -> str:
    """Say what the other measures cost, and what is to be known of the maps."""
    said = (other_choices_sentence(facts.minima, _told), edge_sentence(facts), *facts.refused)
    return " ".join(one for one in said if one and "no test points" not in one)


def _told(m: Minimum) -> str:
    return listed([plain_text(value) for value in m.place])


def edge_sentence(facts: MapFacts) -> str:
    """Say which minima lie at the edge of the grid, where more could be gained beyond it."""
    lines = facts.plan.lines
    edged = [
        named(m.curve.measure)
        for m in facts.minima
        if any(value in (line.values[0], line.values[-1]) for line, value in zip(lines, m.place, strict=True))
    ]
    if not edged or not facts.whole:
        return ""
    one = len(edged) == 1
    what = f"The minimum of {edged[0]} lies" if one else f"The minima of {listed(edged)} lie"
    return f"{what} at the edge of the grid: values beyond it may be better."


def map_times_sentence(facts: MapFacts) -> str:
    """Say what it took to measure the maps, "" while there are none."""
    if not facts.maps:
        return ""
    each = [f"{named(one.measure)} {seconds_text(one.seconds)}" for one in facts.maps]
    pairs = count(len(facts.plan.places), "pair")
    return f"Training at {pairs} took {seconds_text(facts.seconds)}; on top of that {listed(each)}."


def frames_sentence(facts: MapFacts) -> str:
    """Explain frames and colours."""
    measures = {one.measure for one in facts.maps}
    own = "dashed frame: the scenario's own values" if facts.here is not None else _where(facts)
    colours = ""
    if len(measures) > 1 and Measure.BOUND in measures:
        others = listed(
            [MEASURES[one.measure].lower() for one in facts.maps if one.measure is not Measure.BOUND]
        )
        colours = (
            f" The bound has a scale of colours apart from {others}: only the position of its minimum "
            "matters for choosing, not its height."
        )
    return f"The stronger the colour, the more errors. Solid frame: the fewest; {own}.{colours}"


def _where(facts: MapFacts) -> str:
    if facts.now is None:
        return "where the scenario's own values lie is not known before its machines are trained"
    return f"the scenario's own values ({pair_text(facts, facts.now)}) lie outside"


def pair_text(facts: MapFacts, place: Place) -> str:
    """Write a pair of values."""
    names = (symbol_of(line.axis) for line in facts.plan.lines)
    return ", ".join(f"{name} = {plain_text(value)}" for name, value in zip(names, place, strict=True))


def share_text(n: int, of: int) -> str:
    """Write a share as short as a cell asks for."""
    return f"{100 * n / of:.1f} %"


def option_text(facts: MapFacts, position: int) -> str:
    """Write a pair of values with its errors, as an entry of a list."""
    known = [
        f"{SHORT_NAMES[one.measure].lower().removesuffix(' error')} {100 * n_wrong / one.n:.1f}"
        for one in facts.maps
        if (n_wrong := one.n_wrong[position]) is not None
    ]
    return f"{pair_text(facts, facts.plan.places[position])}: {', '.join(known)} %"


def map_alt_text(facts: MapFacts, shown: Curve) -> str:
    """Describe a map for those who do not see it."""
    across, upwards = facts.plan.lines
    most = max(shown.known, key=lambda k: shown.n_wrong[k] or 0)
    return (
        f"{MEASURES[shown.measure]} over {symbol_of(across.axis)} from left to right and "
        f"{symbol_of(upwards.axis)} upwards, {facts.decoder} decoding, {len(shown.known)} of "
        f"{len(shown.places)} pairs measured: from {percent(shown.least, shown.n)} at "
        f"{pair_text(facts, shown.places[shown.minimum])} to {percent(shown.n_wrong[most] or 0, shown.n)} at "
        f"{pair_text(facts, shown.places[most])}."
    )
