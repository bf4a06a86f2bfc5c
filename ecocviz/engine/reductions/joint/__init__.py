"""Joint learning: all machines of a code trained at once, together with how they are related."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sklearn.base import clone
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from ecocviz.engine.catalogue import is_learned
from ecocviz.engine.entries import Parts, Reduction
from ecocviz.engine.machines._kernel_settings import settle_kernel, settled_width
from ecocviz.engine.params import ParamValue
from ecocviz.engine.progress import Progress
from ecocviz.engine.reductions._shared.cost_scale import CALIBRATED
from ecocviz.engine.reductions._shared.rejecting import RejectingClassifier
from ecocviz.engine.reductions.joint.columns import JointColumns
from ecocviz.engine.reductions.joint.settings import PARAMS, JointSettings
from ecocviz.engine.references import LIU_2016
from ecocviz.engine.types import Bits, CodeMatrix, FloatArray, IntArray, Points


class JointECOCClassifier(RejectingClassifier):
    """Multiclass classifier whose binary machines are trained jointly with their relation.

    Implements the joint classifier learning (JCL) of [Liu2016]_, Eq. 4: least-squares machines W with
    biases b and a relation M (positive semidefinite, trace 1) that minimise

        sum over machines of the mean of (y - f)^2 + lambda1/2 tr W'W + lambda2/2 tr W M^-1 W'.

    Machines that point the same way, or opposite ways, support each other. The score of a machine is
    a sum over the dual coefficients of all machines.

    Differs from the paper: its Eq. 16 sums over the machine's own coefficients only, which does not
    satisfy its own linear system (Eq. 10); its Eq. 15 is kept from losing directions by a smoothing
    that falls to zero (see `joint.relation`). With everything right, the gain over independent
    machines that the paper reports is not found again: compare with `independent_`.

    Parameters
    ----------
    coding : str or array-like of shape (n_classes, n_bits), default="one-vs-all"
        Key of a coding of the catalogue, or a code matrix (n_classes, n_bits) in {-1, 0, +1} whose
        rows follow the sorted class labels.
    coding_params : dict, default=None
        The coding's own parameters.
    lambda1 : float, default=0.0001
        Weight of the machines' squared norms.
    lambda2 : float, default=0.0001
        Weight of the relation; 0 trains every machine by itself.
    kernel : {"rbf", "linear", "poly"}, default="rbf"
        "rbf" is exp(-gamma |x - t|^2), "linear" is x.t, "poly" is (x.t + 1)^degree.
    gamma : float or "scale", default="scale"
        Width of the rbf kernel; "scale" is 1 / (n_features * variance of X).
    degree : int, default=3
        Degree of the polynomial kernel.
    decoding : str, default="likelihood"
        Key of a decoding of the catalogue; `predict` and `costs` take another one.
    decoding_params : dict, default=None
        The decoding's own parameters.
    calibration_folds : int or array-like of shape (n_samples,), default=3
        Folds of the cross-validation whose held-out scores the sigmoids are fitted on: how many (2 to 20),
        or the fold of each training point, (n_samples,).
    probability : {"calibrated", "paper"}, default="calibrated"
        What `predict_proba` gives: "calibrated", for decoders that add up what machines cost, probabilities
        that fall with the cost as fast as held-out points say (decision 0028); "paper" what the decoder's
        paper defines, where it does: for likelihood decoding, the mass of words of no class is spread evenly.
    rejecting : {"none", "syndrome", "margin"}, default=None
        Which points are left undecided by `predict_or_reject` and `score_decided`; `predict` decides all.
        "syndrome": those whose bits are not within certain repair of one codeword. "margin": those whose
        two smallest costs differ least. None is "none".
    reject_share : float, default=0.1
        For "margin": about which share of new points is left undecided, 0 to 0.9. The cut is made where the
        training points' margins say, each judged by machines that were trained without its calibration fold.
    tol : float, default=1e-06
        Relative decrease of the objective in one cycle (duality gap, for descent) at which training ends. If
        the duality gap is then above 100 times this share of the objective, a `ConvergenceWarning` says so.
    max_iter : int, default=200
        Cycles of machines and relation at most; more raise a `ConvergenceWarning`.
    solver : {"auto", "spectral", "primal", "descent", "gradients"}, default="auto"
        "spectral" (codes without zeros), "primal" or "descent" (linear kernel), "gradients" (any), or
        "auto", the fastest that is exact. All find the same machines.
    random_state : int or RandomState instance, default=None
        Seeds random codings and the calibration folds.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    code_matrix_ : ndarray of shape (n_classes, n_bits)
        The code.
    columns_ : JointColumns
        The machines, with their scores on the training points.
    relation_ : ndarray of shape (n_bits, n_bits)
        M, the learned relation.
    weight_products_ : ndarray of shape (n_bits, n_bits)
        Inner products of the machines' weight vectors in the space of the kernel.
    alphas_ : ndarray of shape (n_samples, n_bits)
        Dual coefficients of the paper, of either sign; zero where the code entry is zero.
    coefficients_ : ndarray of shape (n_samples, n_bits)
        What a machine's score puts on the kernel values of the training points (not for "linear").
    weights_ : ndarray of shape (n_features, n_bits)
        Weight vectors (for "linear" only).
    intercepts_ : ndarray of shape (n_bits,)
        The machines' biases.
    objective_history_ : ndarray of shape (n_steps,)
        Objective after every half step; it never rises.
    gap_ : float
        How far the final objective may be above its least value.
    n_iter_ : int
        Cycles taken (steps, for descent).
    independent_ : JointECOCClassifier
        The control: the same with lambda2 = 0, trained on the same points when first asked for.
    sigmoids_ : ndarray of shape (n_bits, 2)
        Slope and offset (A, B) of each machine's sigmoid, fitted on held-out scores when first needed.
    design_ : Design
        The code, and how it was found.
    calibration_note_ : str or None
        A sentence where some machines' held-out scores say too little for a sigmoid of their own.
    n_features_in_ : int
        Features of a point.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where `fit` was given names that are all strings.
    problem_sizes_ : ndarray of shape (n_problems,)
        Points that each binary problem was trained on.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = JointECOCClassifier("one-vs-all").fit(X, y)
    >>> round(float(np.trace(model.relation_)), 9)
    1.0
    >>> bool(model.score(X, y) > 0.95)
    True
    """

    columns_: JointColumns

    def __init__(
        self,
        coding: str | CodeMatrix = "one-vs-all",
        *,
        coding_params: Mapping[str, ParamValue] | None = None,
        lambda1: float = 1e-4,
        lambda2: float = 1e-4,
        kernel: str = "rbf",
        gamma: float | str = "scale",
        degree: int = 3,
        decoding: str = "likelihood",
        decoding_params: Mapping[str, ParamValue] | None = None,
        calibration_folds: int | IntArray = 3,
        probability: str = CALIBRATED,
        rejecting: str | None = None,
        reject_share: float = 0.1,
        tol: float = 1e-6,
        max_iter: int = 200,
        solver: str = "auto",
        random_state: Any = None,  # noqa: ANN401 - int, RandomState or None, as everywhere in scikit-learn
    ) -> None:
        self.coding = coding
        self.coding_params = coding_params
        self.lambda1 = lambda1
        self.lambda2 = lambda2
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.decoding = decoding
        self.decoding_params = decoding_params
        self.calibration_folds = calibration_folds
        self.probability = probability
        self.rejecting = rejecting
        self.reject_share = reject_share
        self.tol = tol
        self.max_iter = max_iter
        self.solver = solver
        self.random_state = random_state

    def __sklearn_tags__(self) -> Tags:
        """Take sparse points, but for a code that is learned from them."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = not is_learned(self.coding)
        return tags

    def _train_columns(
        self, X: Points, targets: Bits, progress: Progress, weights: FloatArray | None = None
    ) -> JointColumns:
        kernel, _ = settle_kernel(self.kernel, self.gamma, self.degree, 1.0, 0.0, X, weights)
        settings = JointSettings(
            kernel=kernel,
            lambda1=self.lambda1,
            lambda2=self.lambda2,
            tol=self.tol,
            max_cycles=self.max_iter,
            solver=self.solver,
        )
        columns = JointColumns(settings, X, targets, weights=weights, progress=progress)
        self._publish(columns)
        return columns

    def _publish(self, columns: JointColumns) -> None:
        """Show what was learned as attributes."""
        self._independent: JointECOCClassifier | None = None
        self.relation_ = columns.relation
        self.weight_products_ = columns.weight_products
        self.intercepts_ = columns.biases
        self.objective_history_ = columns.history
        self.gap_ = columns.gap
        self.n_iter_ = max(columns.cycles, 1)

    @property
    def alphas_(self) -> FloatArray:
        """Dual coefficients of the paper, (n_samples, n_bits)."""
        check_is_fitted(self, "columns_")
        alphas: FloatArray = self.columns_.duals * self.columns_.targets
        return alphas

    @property
    def coefficients_(self) -> FloatArray:
        """Coefficients of the kernel values, (n_samples, n_bits), one column a machine."""
        check_is_fitted(self, "columns_")
        if self.columns_.coefficients is None:
            raise AttributeError("Linear machines have weights_, not coefficients_.")
        return self.columns_.coefficients

    @property
    def weights_(self) -> FloatArray:
        """Weight vectors of linear machines, (n_features, n_bits)."""
        check_is_fitted(self, "columns_")
        if self.columns_.machines is None:
            raise AttributeError("Only linear machines have weights_; kernel machines have coefficients_.")
        return self.columns_.machines

    @property
    def independent_(self) -> "JointECOCClassifier":
        """The control: machines of the same loss, kernel and ridge, each trained by itself."""
        check_is_fitted(self, "columns_")
        if self.lambda2 == 0:
            return self
        with self._gathered.lock:
            if self._independent is None:
                self._independent = self._without_relation()
            return self._independent

    def _without_relation(self) -> "JointECOCClassifier":
        """Train the control on the same points, folds and spectrum."""
        columns = self.columns_.independent()
        control: JointECOCClassifier = clone(self)
        control.set_params(lambda1=columns.settings.lambda1, lambda2=0.0)
        shared = ("classes_", "design_", "code_matrix_", "n_features_in_", "feature_names_in_")
        for name in shared:
            if hasattr(self, name):
                setattr(control, name, getattr(self, name))
        control._publish(columns)
        training = replace(self._gathered.training, columns=columns)
        control._adopt(training, self._y_index, self._row_classes, self._seed)
        return control


def _make(parts: Parts, **params: Any) -> JointECOCClassifier:  # noqa: ANN401 - the parameters declared below
    return JointECOCClassifier(
        parts.coding,
        coding_params=parts.coding_params,
        decoding=parts.decoding,
        decoding_params=parts.decoding_params,
        random_state=parts.seed,
        **params,
    )


REDUCTION = Reduction(
    key="joint",
    title="Joint learning",
    summary="Trains all machines at once and learns how they are related, so that they help each other.",
    make=_make,
    reference=LIU_2016,
    params=PARAMS,
    settle=settled_width,
    uses=frozenset({"coding", "decoding"}),
    order=3,
    effort=12.0,
)
