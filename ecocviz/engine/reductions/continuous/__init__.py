"""Continuous codes: real codewords designed for the scores of trained machines."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.utils import Tags, check_random_state, get_tags
from sklearn.utils.metadata_routing import MetadataRouter

from ecocviz.engine import entries
from ecocviz.engine.catalogue import is_learned
from ecocviz.engine.columns import is_pairwise, stratified_fold_ids
from ecocviz.engine.entries import Parts, Reduction, column_sizes
from ecocviz.engine.machines.kernel_machine import KernelMachine
from ecocviz.engine.params import ParamValue
from ecocviz.engine.points import take_params
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.reductions._shared.inputs import read_training_set
from ecocviz.engine.reductions._shared.nested import Nested
from ecocviz.engine.reductions._shared.routing import ask_alike, route, router_of
from ecocviz.engine.reductions.continuous.columns import corrective_columns, literal_columns
from ecocviz.engine.reductions.continuous.deciding import Deciding
from ecocviz.engine.reductions.continuous.interleaved import Round, alternate, error_rate, held_out_part
from ecocviz.engine.reductions.continuous.joint import (
    LinearMachines,
    class_codewords,
    joint_design,
    with_constant,
)
from ecocviz.engine.reductions.continuous.kernel_code import design_kernel_code
from ecocviz.engine.reductions.continuous.programs import Design, design_code
from ecocviz.engine.reductions.continuous.settings import PARAMS, check_settings
from ecocviz.engine.reductions.ecoc import ECOCClassifier
from ecocviz.engine.reductions.support_pattern.on_gram import required_margins
from ecocviz.engine.references import CRAMMER_2002
from ecocviz.engine.types import CodeMatrix, FloatArray, IntArray, Scores


def usual_base() -> ECOCClassifier:
    """Return what trains the machines if nobody says; Hamming decoding pays for no calibration."""
    return ECOCClassifier(decoding="hamming")


class ContinuousCodeClassifier(Nested, Deciding):
    """Real codewords for the scores of binary machines, chosen to separate the classes.

    The machines are trained on a discrete code first; then the code is thrown away and the matrix M
    is found that makes M_y . h(x) the largest of all M_r . h(x) by a margin, at a small norm of M.

    Implements Eq. 15 of [Crammer2002]_.

    The base's coding may be one that is learned from data. It is then learned once, from all training
    points, in cross-fitting too: machines of other columns fold by fold would give scores that no one
    code could be designed for. Held-out scores are those of machines that did not see the points, but
    the columns were chosen with them. Only the validation of "machines" learns the coding anew without
    the held-out points, because there whole classifiers are compared.

    Symbols: h(x) -> scores, M -> code_matrix_, beta -> beta, K -> kernel.

    Parameters
    ----------
    base : ECOCClassifier, default=None
        An unfitted `ECOCClassifier` that trains the machines; None is `ECOCClassifier()` without
        calibration.
    norm : {"l1", "l2", "linf"}, default="l2"
        "l1" prefers few entries, "l2" is half the sum of squares, "linf" bounds the largest entry.
    beta : float, default=1.0
        Weight of the norm against the sum of the losses, so it grows with the sample.
    kernel : {"rbf", "linear", "poly"}, default="linear"
        Closeness of scores and codewords: "linear" is h . M_r; "rbf" and "poly" work between the
        scores of two points, with the l2 norm and in one batch only.
    gamma : float or "scale", default="scale"
        Width of the kernel, as in `KernelMachine`.
    degree : int, default=3
        Degree of the kernel, as in `KernelMachine`.
    construction : {"batch", "columns", "corrective"}, default="batch"
        "batch" designs all columns at once, "columns" one after the other as the paper outlines,
        "corrective" all columns so far each time a machine arrives.
    outputs : {"resubstitution", "cross-fitted"}, default="resubstitution"
        Scores to design on: "resubstitution" of the training points themselves, "cross-fitted" by
        machines that did not see them.
    folds : int, default=5
        Folds of cross-fitting, and of the validation when interleaving.
    interleave : {"none", "machines", "joint"}, default="none"
        "none"; "machines" retrains the machines on the code's signs and sizes in turns, and keeps as
        many rounds as did best on a held-out fold; "joint" learns linear machines and code
        together on one objective, and takes only its code to start from of the base.
    rounds : int, default=3
        Rounds of interleaving.
    map_beta : float, default=1.0
        Weight of the machines' norm when joint.
    prefit : bool, default=False
        Whether `base` is fitted already, on the points that `fit` is given; it is then used as it is.
    tol : float, default=0.001
        Relative duality gap of the l2 norm.
    random_state : int or RandomState instance, default=None
        Seeds folds, random orders and the joint start.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    base_ : ECOCClassifier or None
        The fitted base; None where machines are trained jointly.
    design_ : Design
        The discrete code that the machines, or joint training, began with, and how it was found.
    code_matrix_ : ndarray of shape (n_classes, n_bits)
        M; with a kernel, where no such matrix exists, the base's discrete code.
    taus_ : ndarray of shape (n_samples, n_classes)
        Dual coefficients with a kernel, None otherwise.
    objective_, gap_ : float
        Objective of the design, and by how much it may miss the optimum of its last program.
    objectives_ : ndarray of shape (n_steps,)
        Objective from step to step of columns, or of joint rounds; empty otherwise.
    validation_errors_ : ndarray of shape (rounds + 1,)
        Error on the held-out fold after each round of retraining; empty otherwise.
    n_features_in_ : int
        Features of a point.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where `fit` was given names that are all strings.
    problem_sizes_ : ndarray of shape (n_problems,)
        Points that each binary problem was trained on.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = ContinuousCodeClassifier(ECOCClassifier("one-vs-one", decoding="hamming")).fit(X, y)
    >>> model.code_matrix_.shape
    (3, 3)
    >>> bool(model.score(X, y) > 0.95)
    True
    """

    stand_ins: ClassVar[Mapping[str, Callable[[], Any]]] = {"base": usual_base}

    design_: entries.Design

    def __init__(
        self,
        base: ECOCClassifier | None = None,
        *,
        norm: str = "l2",
        beta: float = 1.0,
        kernel: str = "linear",
        gamma: float | str = "scale",
        degree: int = 3,
        construction: str = "batch",
        outputs: str = "resubstitution",
        folds: int = 5,
        interleave: str = "none",
        rounds: int = 3,
        map_beta: float = 1.0,
        prefit: bool = False,
        tol: float = 1e-3,
        random_state: Any = None,  # noqa: ANN401 - int, RandomState or None, as everywhere in scikit-learn
    ) -> None:
        self.base = base
        self.norm = norm
        self.beta = beta
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.construction = construction
        self.outputs = outputs
        self.folds = folds
        self.interleave = interleave
        self.rounds = rounds
        self.map_beta = map_beta
        self.prefit = prefit
        self.tol = tol
        self.random_state = random_state

    def __sklearn_tags__(self) -> Tags:
        """Read what the base's machine reads."""
        tags = super().__sklearn_tags__()
        if self.base is not None and not self.prefit:
            tags.non_deterministic |= get_tags(self.base).non_deterministic
        if self.interleave == "none":
            theirs = get_tags(self._base()).input_tags
            tags.input_tags.sparse = theirs.sparse
            tags.input_tags.allow_nan = theirs.allow_nan
            tags.input_tags.pairwise = theirs.pairwise
        return tags

    def get_metadata_routing(self) -> MetadataRouter:
        """Return which metadata go to the base."""
        return router_of(self, "base", self._base())

    def _base(self) -> ECOCClassifier:
        if self.base is not None:
            return self.base
        base = usual_base()
        ask_alike(self, base)
        return base

    def _machine(self) -> Any:  # noqa: ANN401 - scikit-learn estimators share no type
        """Return the machine that reads the points; None where they are read here."""
        machine = self._base().machine
        return machine if self.interleave == "none" and machine is not None else KernelMachine()

    def _draws(self) -> bool:
        return self.outputs == "cross-fitted" or self.interleave != "none"

    def fit(
        self,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        *,
        progress: Progress = NO_PROGRESS,
        **fit_params: Any,  # noqa: ANN401 - metadata are of any kind
    ) -> Self:
        """Train the machines and design the code.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            What the base's machine reads, where machines are not trained in turns with the code.
        y : array-like of shape (n_samples,)
            Labels of any kind scikit-learn accepts.
        sample_weight : array-like of shape (n_samples,), default=None
            By what each point counts, for the machines and for the code; one of weight 0 is as if it were
            not there.
        progress : Progress, optional
            Told where the work is; may raise to end it.
        **fit_params : dict
            What the base and its machine ask for, where scikit-learn's metadata routing is enabled.
        """
        check_settings(self)
        routed = route(self, "base", sample_weight, fit_params)
        data = read_training_set(self, X, y, routed.own, self._machine())
        self._routed = {name: data.follow_params(X, value) for name, value in routed.inner.items()}
        points, y_index, self._weights = data.X, data.y_index, data.weights
        self._seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        self.objectives_ = np.empty(0)
        self.validation_errors_ = np.empty(0)
        self.taus_ = None
        if self.interleave == "joint":
            self._fit_jointly(points, y_index, progress)
        elif self.interleave == "machines":
            self._fit_in_turns(points, y_index, progress)
        else:
            self.base_ = base = self._fit_base(points, y_index, progress.part(0, 3))
            self._columns, self.design_ = base.columns_, base.design_
            self.code_matrix_ = base.code_matrix_
            scores = self._columns.scores
            if self.outputs == "cross-fitted":
                fold_ids = stratified_fold_ids(y_index, self.folds, self._seed)
                scores = self._columns.held_out_scores(fold_ids, progress.part(1, 3, "cross-fitting"))
            progress.note("designing the code")
            self._design(scores, y_index, progress.part(2, 3))
        return self

    def _unfitted_base(self) -> ECOCClassifier:
        base: ECOCClassifier = clone(self._base())
        return base

    def _fit_base(self, X: FloatArray, y_index: IntArray, progress: Progress) -> ECOCClassifier:
        if not self.prefit:
            return self._unfitted_base().fit(X, y_index, progress=progress, **self._routed)
        if self.base is None or not hasattr(self.base, "columns_"):
            raise ValueError("prefit=True needs a base that is fitted already.")
        if self.base.columns_.scores.shape[0] != X.shape[0] or self.base.classes_.size != self.classes_.size:
            raise ValueError(
                "The prefit base was trained on other points than fit was given; fit it on these."
            )
        return self.base

    def _design_code(
        self,
        scores: Scores,
        y_index: IntArray,
        progress: Progress = NO_PROGRESS,
        *,
        weights: FloatArray | None = None,
    ) -> Design:
        """Design a code for linear closeness; keep the objectives of the steps, if there are steps.

        A loss times w is the loss of the scores times w that are asked for w times the margins.
        """
        margins = required_margins(y_index, self.classes_.size)
        if weights is not None:
            scores, margins = weights[:, None] * scores, weights[:, None] * margins
        if self.construction == "batch":
            return design_code(
                scores,
                y_index,
                self.classes_.size,
                norm=self.norm,
                beta=self.beta,
                margins=margins,
                tol=self.tol,
                seed=self._seed,
                progress=progress,
            )
        build = literal_columns if self.construction == "columns" else corrective_columns
        design, self.objectives_ = build(
            scores,
            y_index,
            self.classes_.size,
            norm=self.norm,
            beta=self.beta,
            margins=margins,
            tol=self.tol,
            progress=progress,
        )
        return design

    def _design(self, scores: Scores, y_index: IntArray, progress: Progress) -> None:
        if self.kernel == "linear":
            self._keep(self._design_code(scores, y_index, progress, weights=self._weights))
            return
        settings = (self.kernel, self.gamma, self.degree, self.beta, self.tol)
        self._kernel_code = design_kernel_code(
            scores, y_index, self.classes_.size, *settings, progress, self._weights
        )
        self.taus_ = self._kernel_code.taus
        self.objective_, self.gap_ = self._kernel_code.objective, self._kernel_code.gap

    def _keep(self, design: Design) -> None:
        self.code_matrix_ = design.code
        self.objective_, self.gap_ = design.objective, design.gap

    def _fit_in_turns(self, X: FloatArray, y_index: IntArray, progress: Progress) -> None:
        """Choose the number of rounds on a held-out fold, then run that many on all points."""
        shown, held = held_out_part(y_index, stratified_fold_ids(y_index, self.folds, self._seed))
        machine = self._base().machine
        machine = KernelMachine() if machine is None else machine
        if is_pairwise(machine):
            raise ValueError(
                "Machines trained in turns with the code need points, not precomputed kernel values."
            )
        counts = np.ones(y_index.size) if self._weights is None else self._weights
        params = take_params(X, self._routed, shown)
        names = ("choosing the rounds",) * 2 + ("",) * 2
        steps = [progress.part(number, 4, name) for number, name in enumerate(names)]
        base = self._unfitted_base().fit(X[shown], y_index[shown], progress=steps[0], **params)
        tried = self._alternate(base, machine, X[shown], y_index[shown], counts[shown], self.rounds, steps[1])
        left_out, y_left_out = X[held], y_index[held]
        self.validation_errors_ = np.array(
            [
                error_rate(r.design.code, r.columns.predict_scores(left_out), y_left_out, counts[held])
                for r in tried
            ]
        )
        best = int(np.argmin(self.validation_errors_))
        self.base_ = base = self._unfitted_base().fit(X, y_index, progress=steps[2], **self._routed)
        self.design_ = base.design_
        rounds = self._alternate(base, machine, X, y_index, counts, best, steps[3])
        self._columns = rounds[-1].columns
        self._keep(rounds[-1].design)

    def _alternate(
        self,
        base: ECOCClassifier,
        machine: Any,  # noqa: ANN401 - scikit-learn estimators share no type
        X: FloatArray,
        y_index: IntArray,
        counts: FloatArray,
        n_rounds: int,
        progress: Progress,
    ) -> list[Round]:
        """Train machines and design codes in turns, from the machines of the base."""
        weights = None if self._weights is None else counts
        design = partial(self._design_code, weights=weights)
        return alternate(base.columns_, machine, X, y_index, design, n_rounds, progress, weights)

    def _fit_jointly(self, X: FloatArray, y_index: IntArray, progress: Progress) -> None:
        base = self._unfitted_base()
        if self._routed:
            base.refuse_weights()
        n_classes = self.classes_.size
        points, margins = with_constant(X), required_margins(y_index, n_classes)
        if self._weights is not None:
            points, margins = self._weights[:, None] * points, self._weights[:, None] * margins
        n_parts = 2 if is_learned(base.coding) else 1
        self.design_ = found = base.design(
            X, y_index, self._seed, progress.part(0, n_parts, "searching the code")
        )
        code = class_codewords(found, y_index, n_classes)
        design = joint_design(
            points,
            y_index,
            n_classes,
            code.shape[1],
            beta=self.beta,
            map_beta=self.map_beta,
            n_rounds=self.rounds,
            start=code,
            margins=margins,
            tol=self.tol,
            seed=self._seed,
            progress=progress.part(n_parts - 1, n_parts),
        )
        self.base_ = None
        self._columns = LinearMachines(design.machines)
        self.objectives_ = design.objectives
        self.code_matrix_ = design.code
        self.objective_, self.gap_ = float(design.objectives[-1]), np.nan


def _make(parts: Parts, **params: Any) -> ContinuousCodeClassifier:  # noqa: ANN401 - the parameters declared below
    base = ECOCClassifier(
        parts.coding,
        coding_params=parts.coding_params,
        decoding="hamming",
        machine=parts.machine,
        n_jobs=parts.n_jobs,
        random_state=parts.seed,
    )
    return ContinuousCodeClassifier(base, random_state=parts.seed, **params)


def _problems(class_counts: IntArray, code_matrix: CodeMatrix, **params: ParamValue) -> IntArray:
    """One problem for every column, unless machines and code share a program."""
    none = np.empty(0, dtype=np.int64)
    return none if params["interleave"] == "joint" else column_sizes(class_counts, code_matrix)


REDUCTION = Reduction(
    key="continuous-code",
    title="Continuous code",
    summary="Machines are trained for a code; then codewords of real numbers are fitted to their scores.",
    make=_make,
    reference=CRAMMER_2002,
    params=PARAMS,
    uses=frozenset({"coding", "machine"}),
    continuous=True,
    problems=_problems,
    order=30,
    effort=2.0,
)
