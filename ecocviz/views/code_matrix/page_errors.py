"""The errors of the code above and of the one beside it, on the same points."""

from dataclasses import dataclass, replace

import streamlit as st

from ecocviz.lab.catalogue import REDUCTIONS, why_unused
from ecocviz.lab.evaluate import Outcome, evaluate
from ecocviz.lab.report import Report
from ecocviz.lab.run import without_decoder
from ecocviz.lab.scenario import Choice, Scenario
from ecocviz.views.code_matrix import words
from ecocviz.views.code_matrix.facts import ERRORS
from ecocviz.views.shared.app import state
from ecocviz.views.shared.app.bound import bind
from ecocviz.views.shared.app.job_panel import draw_panel
from ecocviz.views.shared.app.refusals import refuse
from ecocviz.views.shared.app.said import caption, said
from ecocviz.views.shared.app.stage import Awaited, computed, machines

PLACE = "code.errors"


@dataclass(frozen=True, slots=True)
class Errors:
    """What both codes get wrong, as far as it is known: of each its decisions, or what is awaited.

    `part` says which points were decided; `seconds` what training each took; `refused` why there is nothing
    to compare.
    """

    found: tuple[Outcome | Awaited, ...] = ()
    part: str = "test"
    seconds: tuple[float, ...] = ()
    refused: str = ""

    @property
    def decided(self) -> tuple[Outcome, ...]:
        """The decisions of both codes, none while one is awaited."""
        known = tuple(one for one in self.found if isinstance(one, Outcome))
        return known if len(known) == 2 else ()


def find_errors(scenario: Scenario, beside: Choice) -> Errors:
    """Train and judge both codes, or say what is awaited."""
    idle = why_unused("coding", REDUCTIONS[scenario.reduction.key])
    if idle:
        return Errors(refused=idle)
    found: list[Outcome | Awaited] = []
    part, times = "test", list[float]()
    try:
        for name, one in (("own", scenario), ("other", replace(scenario, coding=beside))):
            judged, part, seconds = _judged(f"{PLACE}.{name}", one)
            found.append(judged)
            times.append(seconds)
    except ValueError as error:
        return Errors(refused=str(error))
    return Errors(tuple(found), part, tuple(times))


def _judged(place: str, scenario: Scenario) -> tuple[Outcome | Awaited, str, float]:
    """Return what a scenario decides, on which points, and what training it took."""
    trained = machines(place, without_decoder(scenario))
    if isinstance(trained, Awaited):
        return trained, "test", 0.0
    part = trained.judged_part

    def work(report: Report) -> Outcome:
        report.note("deciding the points")
        return evaluate(trained, part, scenario.decoding, report)

    return computed(place, "code.judged", scenario.to_query(), work), part, trained.seconds


def draw_switch() -> None:
    """Let the user ask for the errors."""
    bound = bind(f"{PLACE}.asked", state.current().selection[ERRORS] == "1")
    st.toggle(
        "Compare their errors",
        key=bound.key,
        help="Trains the machines of both codes, with everything else as chosen, and tests them.",
        on_change=bound.on_change(lambda asked: state.select(errors="1" if asked else "0")),
    )


def draw_errors(errors: Errors) -> None:
    """Say what both codes get wrong."""
    if errors.refused:
        refuse(errors.refused, PLACE)
        return
    for one in errors.found:
        if isinstance(one, Awaited):
            draw_panel(one.place, one.snapshot)
    if errors.decided and not errors.decided[0].n:
        caption("This split keeps no points to compare the codes on.")
    elif errors.decided:
        said(*words.errors_sentence(errors.part, *(outcome.wrong for outcome in errors.decided)))


def draw_gain(errors: Errors) -> None:
    """Say under the code above what it gains; the rest stands beside the other one."""
    if errors.decided and errors.decided[0].n:
        own, other = errors.decided
        said(words.gain_sentence(own.n_wrong, other.n_wrong, own.n))
    elif errors.found:
        caption("The machines of this code and of the one below are being trained and compared.")
