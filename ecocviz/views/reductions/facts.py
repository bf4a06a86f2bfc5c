"""All reductions side by side on a scenario's data and split: predicted, trained, judged and timed."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from ecocviz.data.prepare import folds, prepare
from ecocviz.data.types import Fold, Prepared
from ecocviz.engine.analysis.statistics import mcnemar, wilson_interval
from ecocviz.engine.catalogue import CODINGS, DECODINGS
from ecocviz.engine.entries import column_sizes
from ecocviz.engine.params import ChoiceParam, TextParam
from ecocviz.engine.types import CodeMatrix, FloatArray, IntArray
from ecocviz.lab.catalogue import DEFAULTS, REDUCTIONS
from ecocviz.lab.regions import ByteArray, Plane, decodable, make_plane
from ecocviz.lab.run import (
    Model,
    Outcome,
    Tell,
    Trained,
    costs_of,
    decide,
    fixed_code,
    load,
    part_of_folds,
    refusal,
    restrict_code,
    shown_fold,
    train,
    train_shown,
    undecoded,
    untold,
)
from ecocviz.lab.scenario import Scenario
from ecocviz.lab.selection import KEYS
from ecocviz.views.reductions.exhibits import exhibits
from ecocviz.views.reductions.figures_exhibits import Exhibit

ENTERED = TextParam(
    name="entered", label="Reductions compared", default="", alphabet=f"{KEYS}_.", max_length=600
)
"""Those that are compared, dot-separated, "" for all."""
ENTRANT = TextParam(name="entrant", label="Picked reduction", default="", alphabet=f"{KEYS}_", max_length=80)

SELECTION = (ENTERED, ENTRANT)


SIDE = 64
"""Cells along each side of a small picture."""
MAX_DRAWN = 600
"""Points drawn into a small picture."""
N_TIMED = 1_000
"""Decisions that a reduction is timed on."""
MAX_TIMINGS, TIMING_SECONDS = 3, 0.2
"""How often decisions are timed: until one of these is reached."""
N_FIRST = 6
"""Points of each class that a reduction is tried on first, so that compiling is not timed."""
VARIANT = "variant"
"""Name of the parameter whose options enter one by one."""
RELIABILITY_CODING = "one-vs-all"
RELIABILITIES = frozenset({"reliabilities", "local_reliabilities"})


@dataclass(frozen=True, slots=True)
class Entrant:
    """A reduction as it enters the comparison.

    Attributes
    ----------
    key
        Its name in links: the reduction's, "_", and the variant or decoder that tells it from others.
    title, summary
        For the screen.
    scenario
        What is run.
    reason
        Why it cannot be, in one sentence; None if it can.
    """

    key: str
    title: str
    summary: str
    scenario: Scenario
    reason: str | None


@dataclass(frozen=True, slots=True)
class Prediction:
    """Binary problems as they are known before training: their sizes, (n_problems,).

    `at_most` says that the code is learned, so that it may have fewer columns or more zeros.
    """

    sizes: IntArray
    at_most: bool


@dataclass(frozen=True, slots=True)
class Ground:
    """What all are compared on.

    Attributes
    ----------
    classes
        Names.
    plane
        The plane of the pictures.
    part
        "test", or "train" where the split keeps no test points.
    drawn : (n_drawn,)
        Numbers of the drawn points among the shown model's test (or training) points.
    coordinates : (n_drawn, 2)
    truth : (n_drawn,)
    predictions
        Entrant -> its binary problems, None where that cannot be said.
    """

    classes: tuple[str, ...]
    plane: Plane
    part: str
    drawn: IntArray
    coordinates: FloatArray
    truth: IntArray
    predictions: dict[str, Prediction | None]


@dataclass(frozen=True, slots=True)
class Standing:
    """What one entrant does.

    Attributes
    ----------
    outcome
        Its decisions.
    interval
        Wilson's 95 % interval of its error.
    seconds
        Of training on all folds, calibration included.
    milliseconds
        Of 1000 decisions, from the points' features.
    sizes : (n_problems,)
        Points of the binary problems that the shown model was trained on.
    cells : (SIDE * SIDE,)
        Classes over the plane.
    drawn : (n_drawn,)
        Classes of the drawn points.
    exhibits
        What is special to it.
    unconverged
        Machines that stopped early, and how many there are.
    """

    key: str
    outcome: Outcome
    interval: tuple[float, float]
    seconds: float
    milliseconds: float
    sizes: IntArray
    cells: ByteArray
    drawn: IntArray
    exhibits: tuple[Exhibit, ...]
    unconverged: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Refused:
    """An entrant that could not be trained, and why, in one sentence."""

    key: str
    reason: str


# Who enters ------------------------------------------------------------------------------------------


def entrants(scenario: Scenario) -> tuple[Entrant, ...]:
    """List every reduction, variant by variant, on a scenario's data, code, machine and decoder.

    The scenario's own reduction keeps its parameters, the others take their defaults. The reliability
    decoders are of one-vs-all machines. What would be the same scenario enters once.
    """
    found: list[Entrant] = []
    for key, entry in REDUCTIONS.items():
        base = scenario.chosen("reduction", key)
        variants = [p for p in entry.params if p.name == VARIANT and isinstance(p, ChoiceParam)]
        if not variants:
            found.append(_entrant(key, entry.title, entry.summary, base))
        for value, label in variants[0].options if variants else ():
            title = f"{entry.title}: {label.partition(':')[0]}"
            changed = base.chosen("reduction", **{VARIANT: value})
            found.append(_entrant(f"{key}_{value}", title, entry.summary, changed))
        if key == DEFAULTS["reduction"]:
            found += _by_reliability(base)
    return tuple({entrant.scenario: entrant for entrant in reversed(found)}.values())[::-1]


def _by_reliability(base: Scenario) -> list[Entrant]:
    coding = CODINGS[RELIABILITY_CODING]
    return [
        _entrant(
            f"{base.reduction.key}_{key}",
            f"{coding.title}, {entry.title[0].lower()}{entry.title[1:]}",
            entry.summary,
            base.chosen("coding", coding.key).chosen("decoding", key),
        )
        for key, entry in DECODINGS.items()
        if entry.needs & RELIABILITIES
    ]


def _entrant(key: str, title: str, summary: str, scenario: Scenario) -> Entrant:
    return Entrant(key, title, summary, scenario, refusal(scenario))


def own_key(entered: tuple[Entrant, ...], scenario: Scenario) -> str:
    """Return the key of the entrant that is the scenario itself."""
    return next(entrant.key for entrant in entered if entrant.scenario == scenario)


def predict(scenario: Scenario, prepared: Prepared) -> Prediction | None:
    """Say how many binary problems of which size training will solve; None where that cannot be said."""
    entry = REDUCTIONS[scenario.reduction.key]
    counts = np.bincount(prepared.y_train, minlength=len(prepared.classes))
    present = np.flatnonzero(counts)
    code, at_most = np.empty((present.size, 0), dtype=np.int8), False
    try:
        if "coding" in entry.uses:
            code, at_most = _expected_code(scenario, len(prepared.classes), present)
        if entry.problems is None:
            return Prediction(column_sizes(counts[present], code), at_most)
        sizes = entry.problems(counts[present], code, **scenario.reduction.values)
    except ValueError:
        return None  # the code cannot be made: training says why
    return Prediction(sizes, at_most)


def _expected_code(scenario: Scenario, n_classes: int, present: IntArray) -> tuple[CodeMatrix, bool]:
    """Return the code, or for a learned one the largest it may be, and whether it is only that."""
    fixed = fixed_code(scenario, n_classes)
    if fixed is not None:
        return restrict_code(fixed, present), False
    n_bits = CODINGS[scenario.coding.key].n_bits(present.size, **scenario.coding.values)
    return np.ones((present.size, n_bits), dtype=np.int8), True


# The comparison --------------------------------------------------------------------------------------


def contest(
    entered: tuple[Entrant, ...],
    plane_name: str,
    found: Callable[[Ground | Standing | Refused], None],
    progress: Tell | None = None,
) -> None:
    """Train and judge all on the same points; hand over the ground first, then each as it finishes.

    Parameters
    ----------
    entered
        At least one, all of the same data, preparation, split and seed.
    plane_name
        Of the pictures.
    found
        Handed what was found.
    progress
        Told how far the work is; may raise to cancel.
    """
    tell = progress or untold
    tell(0.0, "preparing the data")
    ground = survey(entered, plane_name)
    found(ground)
    kept: dict[Scenario, Trained] = {}
    waiting = Counter(undecoded(entrant.scenario) for entrant in entered)
    for i, entrant in enumerate(entered):
        step = _steps(tell, i, len(entered), f"{entrant.title}, {i + 1} of {len(entered)}")
        found(_run(entrant, ground, kept, step))
        same = undecoded(entrant.scenario)
        waiting[same] -= 1
        if not waiting[same]:
            kept.pop(same, None)


def _steps(tell: Tell, i: int, n: int, note: str) -> Callable[[float], None]:
    """Report the share of one entrant as a share of the whole."""
    return lambda share: tell((i + share) / n, note)


def survey(entered: tuple[Entrant, ...], plane_name: str) -> Ground:
    """Prepare what all are compared on, and predict what each will train."""
    scenario = entered[0].scenario
    table = load(scenario)
    fold = shown_fold(scenario, table)
    prepared = prepare(table, fold, scenario.preparation.key, scenario.preparation.values)
    plane = make_plane(prepared, plane_name)
    X, y = _judged(prepared)
    drawn = np.unique(np.rint(np.linspace(0, y.size - 1, min(y.size, MAX_DRAWN))).astype(np.int64))
    parts = folds(table, scenario.split.key, scenario.split.values, scenario.seed)
    return Ground(
        table.classes,
        plane,
        part_of_folds(parts),
        drawn,
        plane.project(X[drawn]),
        y[drawn],
        {entrant.key: predict(entrant.scenario, prepared) for entrant in entered},
    )


def _judged(prepared: Prepared) -> tuple[FloatArray, IntArray]:
    """Return the points of the pictures: the test points, or the training points without any."""
    if prepared.y_test.size:
        return prepared.X_test, prepared.y_test
    return prepared.X_train, prepared.y_train


def _run(
    entrant: Entrant, ground: Ground, kept: dict[Scenario, Trained], step: Callable[[float], None]
) -> Standing | Refused:
    """Train an entrant, unless the same machines are there already, and judge it."""
    step(0.0)
    if entrant.reason:
        return Refused(entrant.key, entrant.reason)
    same = undecoded(entrant.scenario)
    try:
        if same not in kept:
            _try_first(entrant.scenario)
            kept[same] = train(entrant.scenario, lambda share: step(0.7 * share))
        return _stand(entrant, kept[same], ground, step)
    except ValueError as refused:
        return Refused(entrant.key, str(refused))
    except MemoryError:
        return Refused(entrant.key, "This does not fit into memory; choose fewer points.")


def _try_first(scenario: Scenario) -> None:
    """Train on a few points, so that loading and compiling are not counted as training."""
    table = load(scenario)
    rows = shown_fold(scenario, table).train
    labels = table.labels.to_numpy()[rows]
    few = np.concatenate([rows[labels == name][:N_FIRST] for name in np.unique(labels)])
    with suppress(ValueError, Warning):  # too few points for something: what it says is not about the data
        train_shown(scenario, fold=Fold(train=np.sort(few), test=rows[:0]))


def _stand(entrant: Entrant, trained: Trained, ground: Ground, step: Callable[[float], None]) -> Standing:
    """Judge an entrant's machines."""

    def check(share: float = 0.0) -> None:
        step(0.7 + 0.3 * share)

    scenario, decoding = entrant.scenario, entrant.scenario.decoding
    models = trained.models if ground.part == "test" else (trained.shown,)
    seconds = sum(model.seconds for model in models)
    began = perf_counter()
    for model in models:
        if decodable(model):  # fitting the decoder's sigmoids and the like belongs to training
            model.estimator.evidence(decoding.key, decoding.values, progress=check)
        check()
    seconds += perf_counter() - began
    outcome = decide(models, decoding, len(trained.classes), part=ground.part, check=check)
    shown = trained.shown
    X, _ = _judged(shown.prepared)
    both = np.concatenate([ground.plane.lift(ground.plane.cells(SIDE)), X[ground.drawn]])
    labels = shown.class_index[np.argmin(costs_of(shown, both, decoding, check), axis=1)]
    uses_decoder = "decoding" in REDUCTIONS[scenario.reduction.key].uses
    special = exhibits(shown, decoding, uses_decoder=uses_decoder)
    check()
    converged = getattr(getattr(shown.estimator, "columns_", None), "converged", np.ones(0, dtype=np.bool_))
    return Standing(
        key=entrant.key,
        outcome=outcome,
        interval=wilson_interval(outcome.n_wrong, outcome.rows.size),
        seconds=seconds,
        milliseconds=_time(shown, X, entrant),
        sizes=np.asarray(shown.estimator.problem_sizes_),
        cells=labels[: SIDE * SIDE].astype(np.uint8),
        drawn=labels[SIDE * SIDE :],
        exhibits=special,
        unconverged=(int((~converged).sum()), converged.size),
    )


def _time(model: Model, X: FloatArray, entrant: Entrant) -> float:
    """Return the milliseconds of 1000 decisions, the points repeated as needed; the best of a few times."""
    again = X[np.resize(np.arange(X.shape[0]), N_TIMED)]
    took: list[float] = []
    while len(took) < MAX_TIMINGS and sum(took) < TIMING_SECONDS:
        began = perf_counter()
        costs_of(model, again, entrant.scenario.decoding)
        took.append(perf_counter() - began)
    return 1000 * min(took)


def p_value(standing: Standing, other: Standing) -> float:
    """Return McNemar's exact p-value that two reductions err equally often on the same points."""
    return mcnemar(standing.outcome.wrong, other.outcome.wrong)


def as_predicted(standing: Standing, prediction: Prediction | None) -> bool:
    """Say whether training solved the binary problems that were predicted."""
    return prediction is not None and sorted(prediction.sizes.tolist()) == sorted(standing.sizes.tolist())
