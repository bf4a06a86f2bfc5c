"""Everything the Playground draws of trained machines: a plane decided, the points, who errs how often."""

from dataclasses import dataclass

import numpy as np

from ecocviz.data.prepare import prepare
from ecocviz.data.types import Table
from ecocviz.engine.analysis.rejecting import Decided, count_decided
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.types import BoolArray, IntArray
from ecocviz.lab.evaluate import score_part
from ecocviz.lab.plane import Plane, make_plane
from ecocviz.lab.regions import Points, Regions, make_points, make_regions
from ecocviz.lab.run import shown_fold
from ecocviz.lab.scenario import Choice, Scenario
from ecocviz.lab.to_keep import Found
from ecocviz.lab.trained import Trained

SELECTION = ()
"""The picked point or place, the plane, the flips and the decoders beside are shared by several views."""


@dataclass(frozen=True, slots=True)
class Picture:
    """What decoders make of trained machines.

    Attributes
    ----------
    regions, points
        Of the model on the screen.
    part
        "test", or "train" where the split keeps no test points: which points are judged below.
    truth : (n_judged,)
    labels : (n_decoders, n_judged)
        A cross-validation's points are each decided by the machines that did not see it.
    fitted : (n_decoders,) or None
        Training points decided wrongly, where test points are judged by the model on the screen.
    n_fitted
        Number of training points.
    undecided : (n_decoders, n_judged) or None
        Of the judged points, those that the decoders' rule leaves undecided; None where they have no rule.
    """

    regions: Regions
    points: Points
    part: str
    truth: IntArray
    labels: IntArray
    fitted: IntArray | None
    n_fitted: int
    undecided: BoolArray | None = None

    @property
    def plane(self) -> Plane:
        """What is looked at."""
        return self.regions.plane

    @property
    def n_wrong(self) -> list[int]:
        """Points that each decoder decides wrongly."""
        wrong: list[int] = (self.labels != self.truth).sum(axis=1).tolist()
        return wrong

    def decided(self, decoder: int) -> Decided | None:
        """Return what comes of the judged points where a decoder has a rule that leaves some undecided."""
        if self.undecided is None:
            return None
        return count_decided(self.labels[decoder] != self.truth, self.undecided[decoder])

    def fitted_decided(self, decoder: int) -> Decided | None:
        """Return the same of the training points."""
        points, left = self.points, self.points.undecided
        if left is None:
            return None
        shown = ~points.is_test
        return count_decided((points.labels[decoder] != points.truth)[shown], left[decoder, shown])

    @property
    def n_agreeing(self) -> int:
        """Points that all decoders decide for the same class."""
        return int((self.labels == self.labels[0]).all(axis=0).sum())

    def next_wrong(self, decoder: int, after: int) -> int | None:
        """Return the next shown point that a decoder decides wrongly, going round; None without any."""
        wrong = np.flatnonzero(self.points.wrong[decoder])
        if not wrong.size:
            return None
        later = wrong[wrong > after]
        return int(later[0] if later.size else wrong[0])


@dataclass(frozen=True, slots=True)
class Early:
    """What is known of a problem before its machines are: its points, on a plane that nobody has decided.

    Attributes
    ----------
    regions
        Of a single decoder, without anything to be seen.
    points
        All of them as if decided rightly.
    """

    regions: Regions
    points: Points
    classes: tuple[str, ...]

    @property
    def plane_names(self) -> tuple[str, str]:
        """What the two directions are called."""
        return self.regions.plane.names


def make_early(scenario: Scenario, table: Table, plane_name: str) -> Early:
    """Put the points of a scenario on a plane; train nothing."""
    fold = shown_fold(scenario, table)
    prepared = prepare(table, fold, scenario.preparation.key, scenario.preparation.values)
    plane = make_plane(prepared, plane_name)
    truth = np.concatenate([prepared.y_train, prepared.y_test])
    is_test = np.arange(truth.size) >= prepared.y_train.size
    nothing = np.zeros((1, 4), np.uint8)
    regions = Regions(plane, (scenario.decoding,), 2, 0, nothing[:0], nothing, nothing)
    places = plane.project(np.concatenate([prepared.X_train, prepared.X_test]))
    points = Points(places, truth, is_test, truth[None], np.zeros(truth.size, np.int64))
    return Early(regions, points, table.classes)


def make_picture(
    trained: Trained, plane_name: str, decodings: tuple[Choice, ...], progress: Progress = NO_PROGRESS
) -> Picture:
    """Decide a plane and the points with every decoder.

    Parameters
    ----------
    trained
        The machines.
    plane_name
        Of the plane; anything unreadable gives the default one.
    decodings
        The decoders.
    progress
        May raise to cancel.
    """
    shown, part = trained.shown, trained.judged_part
    by_folds = part == "test" and len(trained.models) > 1
    n_parts = 3 if by_folds else 2
    progress.note("deciding the plane")
    plane = make_plane(shown.prepared, plane_name)
    regions = make_regions(shown, plane, decodings, progress=progress.part(0, n_parts))
    progress.note("deciding the points")
    points = make_points(shown, plane, decodings, progress.part(1, n_parts))
    fitted, left = None, points.undecided
    if by_folds:
        truth, labels, left = _by_folds(trained, decodings, progress.part(2, n_parts))
    else:  # the model on the screen is the judged one: its points are decided already
        judged = points.is_test == (part == "test")
        truth, labels = points.truth[judged], points.labels[:, judged]
        left = None if left is None else left[:, judged]
        if part == "test":
            fitted = (points.labels != points.truth)[:, ~judged].sum(axis=1)
    return Picture(regions, points, part, truth, labels, fitted, int((~points.is_test).sum()), left)


def found_error(scenario: Scenario, trained: Trained, picture: Picture, decoder: int) -> Found:
    """Return the errors of the scenario's own decoder, which has a position among those of the picture."""
    counts = {picture.part: (picture.n_wrong[decoder], picture.truth.size)}
    decided = {picture.part: picture.decided(decoder)}
    if picture.fitted is not None:
        counts["train"] = (int(picture.fitted[decoder]), picture.n_fitted)
        decided["train"] = picture.fitted_decided(decoder)
    left = {part: found for part, found in decided.items() if found is not None}
    return Found(scenario, counts, trained.seconds, left)


def _by_folds(
    trained: Trained, decodings: tuple[Choice, ...], progress: Progress
) -> tuple[IntArray, IntArray, BoolArray | None]:
    """Return truth, labels and what is left undecided of the points of all folds, (n,) or (n_decoders, n)."""
    scored = score_part(trained, "test", progress.part(0, 2))
    progress.note("deciding the held-out points")
    deciding, n = progress.part(1, 2), len(decodings)
    outcomes = [scored.decide(one, deciding.part(k, n)) for k, one in enumerate(decodings)]
    left = [outcome.undecided for outcome in outcomes if outcome.undecided is not None]
    labels = np.array([outcome.labels for outcome in outcomes])
    return scored.truth, labels, np.array(left) if left else None
