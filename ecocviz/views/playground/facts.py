"""Everything the Playground draws of trained machines: a plane decided, the points, who errs how often."""

from dataclasses import dataclass

import numpy as np

from ecocviz.engine.progress import Check
from ecocviz.engine.types import IntArray
from ecocviz.lab.regions import (
    Plane,
    Points,
    Regions,
    decodable,
    decoded_costs,
    make_plane,
    make_points,
    make_regions,
    scores_of,
)
from ecocviz.lab.run import Tell, Trained, judged_part, telling
from ecocviz.lab.scenario import Choice

SELECTION = ()
"""The picked point or place, the plane, the flips and the decoders beside are shared by several views."""


@dataclass(frozen=True, slots=True)
class Picture:
    """What decoders make of trained machines.

    Attributes
    ----------
    plane, regions, points
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
    """

    plane: Plane
    regions: Regions
    points: Points
    part: str
    truth: IntArray
    labels: IntArray
    fitted: IntArray | None
    n_fitted: int

    @property
    def n_wrong(self) -> list[int]:
        """Points that each decoder decides wrongly."""
        wrong: list[int] = (self.labels != self.truth).sum(axis=1).tolist()
        return wrong


def make_picture(trained: Trained, plane_name: str, decodings: tuple[Choice, ...], tell: Tell) -> Picture:
    """Decide a plane and the points with every decoder.

    Parameters
    ----------
    trained
        The machines.
    plane_name
        Of the plane; anything unreadable gives the default one.
    decodings
        The decoders.
    tell
        Told how far the work is; may raise to cancel.
    """
    shown = trained.shown
    at_plane = telling(tell, 0.0, "deciding the plane")
    plane = make_plane(shown.prepared, plane_name)
    regions = make_regions(shown, plane, decodings, check=at_plane)
    points = make_points(shown, plane, decodings, telling(tell, 0.5, "deciding the points"))
    part, fitted = judged_part(trained), None
    if part == "test" and len(trained.models) > 1:
        truth, labels = _held_out(trained, decodings, telling(tell, 0.7, "deciding the held-out points"))
    else:  # the model on the screen is the judged one: its points are decided already
        judged = points.is_test == (part == "test")
        truth, labels = points.truth[judged], points.labels[:, judged]
        if part == "test":
            fitted = (points.labels != points.truth)[:, ~judged].sum(axis=1)
    return Picture(plane, regions, points, part, truth, labels, fitted, int((~points.is_test).sum()))


def _held_out(trained: Trained, decodings: tuple[Choice, ...], check: Check) -> tuple[IntArray, IntArray]:
    """Return truth and labels of the points of all folds, (n,) and (n_decoders, n)."""
    truth, labels = [], []
    for model in trained.models:
        X, y = model.prepared.X_test, model.prepared.y_test
        if not y.size:
            continue
        scores = scores_of(model, X, check) if decodable(model) else None
        costs = [decoded_costs(model, decoding, X, scores, check) for decoding in decodings]
        truth.append(y)
        labels.append(model.class_index[np.argmin(costs, axis=2)])
    return np.concatenate(truth), np.concatenate(labels, axis=1)
