"""All decoders on the same trained machines: scored once, judged one by one, laid side by side."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ecocviz.engine import capabilities as can
from ecocviz.engine.analysis.statistics import Calibration
from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.params import ChoiceParam, TextParam
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.lab.choices import decoders_beside
from ecocviz.lab.curve_plan import Curve, GridPlan, Line, axes, grid_values, make_plan, read_grid
from ecocviz.lab.curves import Measure
from ecocviz.lab.evaluate import decide_labels, has_scores, score, score_part, scored_by
from ecocviz.lab.judge import Judgement, Refused, judge
from ecocviz.lab.plane import Plane
from ecocviz.lab.regions import Points, Regions, small_plane, small_side
from ecocviz.lab.report import Report
from ecocviz.lab.scenario import Choice, Scenario
from ecocviz.lab.selection import AXIS, GRID, KEYS, Selection
from ecocviz.lab.to_keep import Found
from ecocviz.lab.trained import Model, Trained

JUDGED = TextParam(
    name="judged", label="Decoders of the comparison", default="", alphabet=f"{KEYS}.", max_length=600
)
"""Those that are compared, dot-separated, "" for all."""
CONFUSED = TextParam(
    name="confused",
    label="Decoders whose decisions are counted",
    default="",
    alphabet=f"{KEYS}.",
    max_length=100,
)
"""The one or two whose decisions are counted class by class."""

ORDER = ChoiceParam(
    name="order",
    label="Order of the classes",
    default="alike",
    options=(("alike", "Confused ones together"), ("listed", "As listed")),
)

SHARES = (5, 10, 20, 30, 50)
REJECTED = ChoiceParam(
    name="rejected",
    label="Points left undecided",
    default="10",
    options=tuple((str(share), f"{share} %") for share in SHARES),
)
"""Percent of the points."""

SELECTION = (JUDGED, CONFUSED, ORDER, REJECTED)

MAX_CONFUSED, MAX_CALIBRATED = 2, 4


def compared_decoders(scenario: Scenario, selection: Selection) -> tuple[Choice, ...]:
    """Return the decoders compared, in the catalogue's order, the scenario's own among them."""
    asked = DECODINGS.keys() & selection[JUDGED].split(".")
    return decoders_beside(scenario, frozenset(asked or DECODINGS))


# Judging ---------------------------------------------------------------------------------------------


def judge_decoders(trained: Trained, decodings: tuple[Choice, ...], report: Report) -> None:
    """Let every decoder judge the same points; hand over a `Judgement` or `Refused` as each is found.

    Parameters
    ----------
    trained
        The machines; the test points are judged, the training points where there are none.
    decodings
        The decoders. A model that decides by itself takes no notice of them: give one.
    report
        Told how far the work is, and handed what is found.
    """
    n = len(decodings)
    scored = score_part(trained, trained.judged_part, report.part(0, n + 1))
    for k, decoding in enumerate(decodings):
        report.note(f"{k} of {n} decoders")
        try:
            found: Judgement | Refused = judge(scored, decoding, report.part(k + 1, n + 1))
        except ValueError as refusal:
            found = Refused(decoding.key, str(refusal))
        report.add(found)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Decoders on the same points, as far as they are judged.

    Attributes
    ----------
    judged
        Fewest errors first.
    refused
        Those that cannot be used.
    own
        That of the scenario, None while it is not judged.
    names
        Key -> name.
    part
        Which points are judged, "test" or "train".
    """

    judged: tuple[Judgement, ...]
    refused: tuple[Refused, ...]
    own: Judgement | None
    names: Mapping[str, str]
    part: str

    @property
    def part_title(self) -> str:
        """What the errors are called."""
        return "Test" if self.part == "test" else "Training"

    @property
    def titles(self) -> list[str]:
        """The names of those judged."""
        return [self.names[each.key] for each in self.judged]

    def p_value(self, each: Judgement) -> float | None:
        """Return McNemar's p-value against the scenario's own decoder, None for that one itself."""
        return None if self.own is None or each is self.own else each.p_value(self.own)


def compare(
    found: Iterable[Judgement | Refused], own: str, names: Mapping[str, str], part: str
) -> Comparison:
    """Lay side by side what `judge_decoders` has found so far; `own` is the key of the scenario's decoder."""
    found = tuple(found)
    judged = [each for each in found if isinstance(each, Judgement)]
    judged.sort(key=lambda each: each.outcome.n_wrong)
    refused = tuple(each for each in found if isinstance(each, Refused))
    mine = next((each for each in judged if each.key == own), None)
    return Comparison(tuple(judged), refused, mine, names, part)


def found_errors(
    compared: Comparison, scenario: Scenario, trained: Trained, decodings: Sequence[Choice]
) -> Iterator[Found]:
    """Go through the decoders that are judged: a scenario each, and its errors."""
    choices = {decoding.key: decoding for decoding in decodings}
    for each in compared.judged:
        counts = {compared.part: (each.outcome.n_wrong, each.outcome.n)}
        left = {} if each.outcome.decided is None else {compared.part: each.outcome.decided}
        yield Found(replace(scenario, decoding=choices[each.key]), counts, trained.seconds, left)


def table_keys(compared: Comparison, decodings: Sequence[Choice], *, over: bool) -> tuple[str, ...]:
    """Return the keys of the table's rows.

    While results come in every row keeps its place; once all are there, fewest errors come first.
    """
    if over:
        return tuple(each.key for each in compared.judged)
    refused = {each.key for each in compared.refused}
    return tuple(each.key for each in decodings if each.key not in refused)


def alike(judged: Sequence[Judgement]) -> tuple[tuple[int, ...], ...]:
    """Group the decoders that decide every point alike, the largest group first.

    Returns
    -------
    groups
        Positions, each in exactly one group.
    """
    groups: dict[bytes, list[int]] = {}
    for k, judgement in enumerate(judged):
        groups.setdefault(judgement.outcome.labels.tobytes(), []).append(k)
    return tuple(sorted((tuple(group) for group in groups.values()), key=lambda group: (-len(group), group)))


def confused_keys(compared: Comparison, asked: str) -> tuple[str, ...]:
    """Return the one or two decoders whose decisions are counted.

    Unless a link asks for some: the scenario's own, and of those that decide otherwise the best.
    """
    known = {each.key for each in compared.judged}
    wanted = tuple(key for key in dict.fromkeys(asked.split(".")) if key in known)
    if wanted or compared.own is None:
        return wanted[:MAX_CONFUSED]
    own = compared.own.outcome.labels
    others = [each.key for each in compared.judged if (each.outcome.labels != own).any()]
    return (compared.own.key, *others[: MAX_CONFUSED - 1])


def calibrations(compared: Comparison) -> dict[str, Calibration]:
    """Return name -> calibration of the decoders that give probabilities, the scenario's own first."""
    found = sorted(compared.judged, key=lambda each: each is not compared.own)
    stated = {compared.names[each.key]: each.calibration for each in found}
    known = [(name, each) for name, each in stated.items() if each is not None]
    return dict(known[:MAX_CALIBRATED])


def calibration_note(trained: Trained) -> str | None:
    """Return a sentence where probabilities rest on too few points, None where none does."""
    estimator = trained.shown.estimator
    if not isinstance(estimator, can.Decoded):
        return None
    return estimator.evidence().calibration_note


# The plane -------------------------------------------------------------------------------------------


def decide_plane(
    model: Model, plane: Plane, decodings: tuple[Choice, ...], progress: Progress = NO_PROGRESS
) -> tuple[Regions, Points]:
    """Decide a coarse grid of a plane, and a fair share of the points it shows, with every decoder."""
    n_bits = scored_by(model).code_matrix_.shape[1] if has_scores(model) else 0
    X, truth, _ = model.points(model.shown_part)
    side = small_side(len(model.prepared.classes), n_bits)
    small = small_plane(plane, X, truth, is_test=model.shown_part == "test", n=side)
    progress.note("scoring the plane")
    both, labels = small.to_decide(), []
    scores = score(model, both, progress)
    for k, decoding in enumerate(decodings):
        progress.note(f"{DECODINGS[decoding.key].title}, picture {k + 1} of {len(decodings)}")
        step = progress.part(k, len(decodings))
        labels.append(decide_labels(model, (decoding,), both, scores, step)[0])
    decided = np.array(labels)
    return small.regions(decodings, decided), small.points(decided)


# Over a parameter ------------------------------------------------------------------------------------


def sweep_plan(
    scenario: Scenario, selection: Selection, decodings: tuple[Choice, ...], part: str
) -> GridPlan | None:
    """Return what to measure: one error of every decoder over the grid of the model selection.

    None where the scenario has no parameter that it could be measured over. Raises ValueError with a
    sentence where the grid leaves nothing to compare.
    """
    found = axes(scenario)
    if not found:
        return None
    axis = next((axis for axis in found if axis.key == selection[AXIS]), found[0])
    values = grid_values(axis, *read_grid(selection[GRID]))
    measure = Measure.TEST if part == "test" else Measure.TRAIN
    return make_plan(scenario, (Line(axis, values),), decodings, (measure,))


def sweep_seconds(plan: GridPlan, trained: Trained, judged: Sequence[Judgement]) -> float:
    """Return about how long a sweep will take, from what one value has cost."""
    deciding = sum(each.milliseconds * each.outcome.n for each in judged) / 1e6
    return len(plan.values) * (trained.seconds + deciding)


def best_counts(curves: Sequence[Curve]) -> tuple[list[int], int]:
    """Count at how many values each decoder has the fewest errors, and the values where all are known."""
    columns = [
        [wrong for wrong in errors if wrong is not None]
        for errors in zip(*(curve.n_wrong for curve in curves), strict=True)
    ]
    whole = [errors for errors in columns if len(errors) == len(curves)]
    return [sum(errors[k] == min(errors) for errors in whole) for k in range(len(curves))], len(whole)
