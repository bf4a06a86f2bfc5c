"""The seven methods and two controls, as estimators and as scenarios; the greedy search for width and C."""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from ecocviz.data.types import Prepared
from ecocviz.engine.catalogue import MACHINES, build_code
from ecocviz.engine.progress import Progress
from ecocviz.engine.reductions._shared.decoded_classifier import DecodedClassifier
from ecocviz.engine.reductions.ecoc import ECOCClassifier
from ecocviz.engine.reductions.single_binary import SingleBinaryClassifier
from ecocviz.lab.scenario import Scenario, make_scenario

FURTHEST = 256.0
"""The search tries widths and C between 1/256 and 256."""
PATIENCE = 3
"""Attempts in a row without improvement that end a direction of the search."""


@dataclass(frozen=True, slots=True)
class Method:
    """A way to solve the problem: machines of a code, or one machine (a variant) with a rule of weights."""

    title: str
    coding: str = "one-vs-all"
    decoding: str = "linear"
    variant: str = ""
    rule: str = "l2"
    control: bool = False


METHODS: Final[Mapping[str, Method]] = {
    "ova": Method("one-vs-all"),
    "all-pairs": Method("all-pairs", "one-vs-one", "hamming"),
    "ecoc": Method("ECOC", "bch", "hamming"),
    "sbc-ecoc": Method("SBC-ECOC", "bch", "euclidean", "ecoc"),
    "sbc-single": Method("SBC-SINGLE", variant="single"),
    "sbc-identity": Method("SBC-IDENTITY", variant="identity"),
    "sbc-kernel": Method("SBC-KERNEL", variant="kernel"),
    "prior": Method("class frequencies", variant="kernel", rule="prior", control=True),
    "uniform": Method("uniform weights", variant="kernel", rule="uniform", control=True),
}


def gamma_of(sigma: float) -> float:
    """Return the gamma of exp(-|x - t|^2 / (2 sigma^2))."""
    return 1 / (2 * sigma * sigma)


def fit(key: str, points: Prepared, sigma: float, C: float, seed: int) -> DecodedClassifier:
    """Train a method on the training part; one that is not done in time is taken as it is."""
    method = METHODS[key]
    code_matrix = build_code(method.coding, len(points.classes), seed)
    gamma = gamma_of(sigma)
    model: DecodedClassifier
    if method.variant:
        # Without a code of its own, a variant is trained on copies for every class.
        model = SingleBinaryClassifier(method.variant, mu_rule=method.rule, gamma=gamma, C=C)
        if method.variant == "ecoc":
            model.set_params(coding=code_matrix, decoding=method.decoding)
    else:
        machine = MACHINES["libsvm"].make(kernel="rbf", gamma=gamma, C=C)
        model = ECOCClassifier(code_matrix, machine=machine, decoding=method.decoding)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(points.X_train, points.y_train)


def count_wrong(model: DecodedClassifier, points: Prepared) -> int:
    """Count the test points that are decided wrongly."""
    return int(np.count_nonzero(model.predict(points.X_test) != points.y_test))


def scenario_of(about: Mapping[str, Any], sigma: float, C: float) -> Scenario:
    """Return the scenario of a cell's method with one setting in all folds."""
    method = METHODS[about["method"]]
    split_key, split_params = about["split"]
    told = {"kernel": "rbf", "gamma": gamma_of(sigma), "C": C}
    slots: dict[str, Any] = {"machine": ("libsvm", told), "decoding": method.decoding}
    if method.variant == "ecoc":
        slots = {"reduction": ("single-binary-ecoc", told), "decoding": method.decoding}
    elif method.variant:
        slots = {"reduction": ("single-binary", {"variant": method.variant, "mu_rule": method.rule, **told})}
    return make_scenario(
        about["seed"],
        data=about["data"],
        preparation="standardise",
        split=(split_key, dict(split_params)),
        coding=method.coding,
        **slots,
    )


# The search ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Search:
    """The greedy search: width first, with C = 1, then C.

    Attributes
    ----------
    wrong
        (sigma, C) -> errors, fewer is better.
    tried
        What was asked, with its errors.
    """

    wrong: Callable[[float, float], int]
    tried: dict[tuple[float, float], int] = field(default_factory=dict)

    def ask(self, sigma: float, C: float) -> int:
        """Return the errors of a setting, computing them once."""
        if (sigma, C) not in self.tried:
            self.tried[sigma, C] = self.wrong(sigma, C)
        return self.tried[sigma, C]

    def walk(self, setting: Callable[[float], tuple[float, float]]) -> float:
        """Multiply a number by 2, then divide it, until three attempts in a row bring nothing."""
        best, fewest = 1.0, self.ask(*setting(1.0))
        for step in (2.0, 0.5):
            value, misses = step, 0
            while misses < PATIENCE and 1 / FURTHEST <= value <= FURTHEST:
                found = self.ask(*setting(value))
                better = found < fewest
                best, fewest = (value, found) if better else (best, fewest)
                misses = 0 if better else misses + 1
                value *= step
        return best

    def run(self) -> tuple[float, float]:
        """Return the width and C that were found."""
        sigma = self.walk(lambda value: (value, 1.0))
        return sigma, self.walk(lambda value: (sigma, value))


def tune(key: str, inner: list[Prepared], seed: int, progress: Progress) -> Search:
    """Return a search that counts errors in folds of the training part."""

    def wrong(sigma: float, C: float) -> int:
        progress.note(f"sigma = {sigma:g}, C = {C:g}")
        return sum(count_wrong(fit(key, points, sigma, C, seed), points) for points in inner)

    return Search(wrong)
