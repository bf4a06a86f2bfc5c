"""All reductions side by side on a scenario's data and split: trained, judged and timed."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ecocviz.data.prepare import folds, prepare
from ecocviz.engine.analysis.statistics import wilson_interval
from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.params import TextParam
from ecocviz.engine.progress import Progress
from ecocviz.engine.types import IntArray
from ecocviz.lab.evaluate import decide_labels, evaluate, learn, score
from ecocviz.lab.judge import Judgement, Refused, time_decisions
from ecocviz.lab.plane import make_plane
from ecocviz.lab.regions import Points, Regions, SmallPlane, small_plane
from ecocviz.lab.report import Report
from ecocviz.lab.run import load, shown_fold
from ecocviz.lab.selection import KEYS
from ecocviz.lab.to_keep import Found
from ecocviz.lab.trained import Trained, TrainedKeeper, part_of_folds
from ecocviz.views.reductions.candidates import Candidate, Prediction, predict
from ecocviz.views.reductions.specials import Special, find_specials, unconverged

ENTERED = TextParam(
    name="entered", label="Reductions compared", default="", alphabet=f"{KEYS}_.", max_length=600
)
"""Those that are compared, dot-separated, "" for all."""
ENTRANT = TextParam(name="entrant", label="Picked reduction", default="", alphabet=f"{KEYS}_", max_length=80)

SELECTION = (ENTERED, ENTRANT)


@dataclass(frozen=True, slots=True)
class SharedProblem:
    """What all are compared on.

    Attributes
    ----------
    classes
        Names.
    part
        "test", or "train" where the split keeps no test points.
    small
        The plane of the pictures, with the points drawn there.
    predictions
        Candidate -> its binary problems, None where that cannot be said.
    """

    classes: tuple[str, ...]
    part: str
    small: SmallPlane
    predictions: Mapping[str, Prediction | None]


def share_problem(compared: tuple[Candidate, ...], plane_name: str) -> SharedProblem:
    """Prepare what all are compared on, and predict what each will train."""
    scenario = compared[0].scenario
    table = load(scenario)
    fold = shown_fold(scenario, table)
    prepared = prepare(table, fold, scenario.preparation.key, scenario.preparation.values)
    part = part_of_folds(folds(table, scenario.split.key, scenario.split.values, scenario.seed))
    test, train = (prepared.X_test, prepared.y_test), (prepared.X_train, prepared.y_train)
    points, truth = test if prepared.y_test.size else train
    small = small_plane(make_plane(prepared, plane_name), points, truth, is_test=part == "test")
    predictions = {candidate.key: predict(candidate.scenario, prepared) for candidate in compared}
    return SharedProblem(table.classes, part, small, predictions)


@dataclass(frozen=True, slots=True)
class ReductionResult:
    """What one of them does.

    Attributes
    ----------
    judgement
        Its decisions; timed from the points' features.
    seconds
        Of training on all folds, calibration included.
    sizes : (n_problems,)
        Points of the binary problems that the shown model was trained on.
    labels : (n_cells + n_drawn,)
        Classes of the cells of the small plane, and of the points drawn there.
    specials
        What is special to it.
    unconverged
        Machines that stopped early, and how many there are.
    """

    judgement: Judgement
    seconds: float
    sizes: IntArray
    labels: IntArray
    specials: tuple[Special, ...]
    unconverged: tuple[int, int]

    def as_predicted(self, prediction: Prediction | None) -> bool:
        """Say whether training solved the binary problems that were predicted."""
        return prediction is not None and sorted(prediction.sizes.tolist()) == sorted(self.sizes.tolist())


def compare_reductions(
    compared: tuple[Candidate, ...], plane_name: str, report: Report, keeper: TrainedKeeper
) -> None:
    """Train and judge all on the same points; hand over the `SharedProblem`, then each as it finishes.

    Parameters
    ----------
    compared
        At least one, all of the same data, preparation, split and seed.
    plane_name
        Of the pictures.
    report
        Told how far the work is, and handed a `ReductionResult` or `Refused` for each.
    keeper
        Of the machines.
    """
    report.note("preparing the data")
    problem = share_problem(compared, plane_name)
    report.add(problem)
    n = len(compared)
    for i, candidate in enumerate(compared):
        step = report.part(i, n, f"{candidate.title}, {i + 1} of {n}")
        report.add(_train_and_judge(candidate, problem, keeper, step))


def _train_and_judge(
    candidate: Candidate, problem: SharedProblem, keeper: TrainedKeeper, progress: Progress
) -> ReductionResult | Refused:
    progress.check()
    if candidate.reason:
        return Refused(candidate.key, candidate.reason)
    try:
        trained = keeper.get(candidate.scenario, progress.part(0, 2))
        return _judge(candidate, trained, problem, progress.part(1, 2))
    except ValueError as refusal:
        return Refused(candidate.key, str(refusal))
    except MemoryError:
        return Refused(candidate.key, "This does not fit into memory; choose fewer points.")


def _judge(
    candidate: Candidate, trained: Trained, problem: SharedProblem, progress: Progress
) -> ReductionResult:
    """Judge a candidate's machines."""
    decoding, shown, models = candidate.scenario.decoding, trained.shown, trained.judges(problem.part)
    progress.note("calibrating the machines")
    for model in models:
        learn(model, decoding, progress)
    needs = DECODINGS[decoding.key].needs
    seconds = sum(model.seconds + model.learned.get(needs, 0.0) for model in models)
    outcome = evaluate(trained, problem.part, decoding, progress)
    progress.note("deciding the plane")
    both = problem.small.to_decide()
    (labels,) = decide_labels(shown, (decoding,), both, score(shown, both, progress), progress)
    progress.note("timing its decisions")
    points, _, _ = shown.points(shown.shown_part)
    milliseconds = time_decisions(shown, decoding, points, progress=progress)
    progress.note("looking at what is special to it")
    return ReductionResult(
        Judgement(candidate.key, outcome, wilson_interval(outcome.n_wrong, outcome.n), milliseconds),
        seconds,
        np.asarray(shown.estimator.problem_sizes_),
        labels,
        find_specials(shown, decoding),
        unconverged(shown),
    )


@dataclass(frozen=True, slots=True)
class Comparison:
    """Reductions side by side, as far as they are judged.

    Attributes
    ----------
    candidates
        Those that take part.
    problem
        What they are compared on, None while that is not known.
    results
        Key -> result, in the order of the candidates.
    reasons
        Key -> why it cannot be run.
    own, picked
        Keys of the one that is the scenario itself, and of the one that is looked into.
    """

    candidates: tuple[Candidate, ...]
    problem: SharedProblem | None
    results: Mapping[str, ReductionResult]
    reasons: Mapping[str, str]
    own: str
    picked: str

    @property
    def part_title(self) -> str:
        """What the errors are called."""
        return "Training" if self.problem is not None and self.problem.part == "train" else "Test"

    @property
    def titles(self) -> dict[str, str]:
        """Key -> title of everyone."""
        return {candidate.key: candidate.title for candidate in self.candidates}

    @property
    def done(self) -> tuple[Candidate, ...]:
        """Those that are judged already."""
        return tuple(candidate for candidate in self.candidates if candidate.key in self.results)

    @property
    def judged(self) -> tuple[Judgement, ...]:
        """How they are judged."""
        return tuple(result.judgement for result in self.results.values())

    def p_value(self, key: str) -> float | None:
        """Return McNemar's p-value against the scenario's own; None where there is none to compare with."""
        own, mine = self.results.get(self.own), self.results.get(key)
        if own is None or mine is None or own is mine:
            return None
        return mine.judgement.p_value(own.judgement)

    def prediction(self, key: str) -> Prediction | None:
        """Return the binary problems predicted of one that can be run."""
        return None if self.problem is None or key in self.reasons else self.problem.predictions.get(key)

    def found_errors(self) -> Iterator[Found]:
        """Go through those that are judged: a scenario each, and its errors."""
        part = "test" if self.problem is None else self.problem.part
        for candidate in self.done:
            result = self.results[candidate.key]
            counts = {part: (result.judgement.outcome.n_wrong, result.judgement.outcome.n)}
            yield Found(candidate.scenario, counts, result.seconds)

    def pictures(self) -> tuple[Regions, Points] | None:
        """Return the small plane and its points as everyone decides them; None while nobody has."""
        if self.problem is None or not self.results:
            return None
        labels = np.array([result.labels for result in self.results.values()])
        return self.problem.small.regions((), labels), self.problem.small.points(labels)


def compare(
    compared: tuple[Candidate, ...],
    found: Iterable[SharedProblem | ReductionResult | Refused],
    own: str,
    asked: str,
) -> Comparison:
    """Lay side by side what `compare_reductions` has found so far; picked is the asked one, or the own."""
    problem, results, refused = None, {}, {}
    for item in found:
        if isinstance(item, SharedProblem):
            problem = item
        elif isinstance(item, Refused):
            refused[item.key] = item.reason
        else:
            results[item.judgement.key] = item
    picked = asked if asked in {each.key for each in compared} - refused.keys() else own
    reasons = {each.key: each.reason or refused.get(each.key, "") for each in compared}
    reasons = {key: reason for key, reason in reasons.items() if reason}
    return Comparison(compared, problem, results, reasons, own, picked)
