"""Independent machines: one binary learner per column of a code matrix, and a decoder over their scores."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Self

import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from ecocviz.engine.analysis.loo import LooBound, loo_bound
from ecocviz.engine.columns import TrainedColumns, train_columns
from ecocviz.engine.entries import Parts, Reduction
from ecocviz.engine.machines._approximation import SAMPLE, ApproximationReport, beside_exact
from ecocviz.engine.params import ParamValue
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.reductions._shared.cost_scale import CALIBRATED
from ecocviz.engine.reductions._shared.decoded_classifier import CALIBRATION_FOLDS
from ecocviz.engine.reductions._shared.machined import Machined
from ecocviz.engine.reductions._shared.rejecting import RejectingClassifier
from ecocviz.engine.references import PASSERINI_2004
from ecocviz.engine.types import Bits, CodeMatrix, FloatArray, IntArray, Points


class ECOCClassifier(Machined, RejectingClassifier):
    """Multiclass classifier made of independent binary machines and an error-correcting output code.

    Every column of the code matrix trains one machine; a decoder turns the machines' scores into
    costs per class. One trained set of machines serves every decoder: `predict(X, decoding=...)`
    never retrains.

    Parameters
    ----------
    coding : str or array-like of shape (n_classes, n_bits), default="one-vs-all"
        Key of a coding of the catalogue, or a code matrix (n_classes, n_bits) in {-1, 0, +1} whose
        rows follow the sorted class labels.
    coding_params : dict, default=None
        The coding's own parameters.
    decoding : str, default="likelihood"
        Key of a decoding of the catalogue; `predict`, `costs` and the bounds take another one.
    decoding_params : dict, default=None
        The decoding's own parameters.
    machine : estimator or str, default=None
        Any scikit-learn binary classifier with `decision_function` or `predict_proba`, or a regressor, which
        learns -1 and +1; the key of a machine of the catalogue, with its usual parameters; None is
        `KernelMachine()`.
    calibration_folds : int or array-like of shape (n_samples,), default=3
        Folds of the cross-validation whose held-out scores the sigmoids are fitted on: how many (2 to 20),
        or the fold of each training point, (n_samples,).
    class_weight : dict or "balanced", default=None
        By what the weights of each class's points are multiplied: a dictionary of labels, classes that are
        not named having 1, or "balanced", which makes all classes weigh alike. It is the same as a
        `sample_weight` that says so point by point; `class_weight` of a machine is about its two sides.
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
    n_jobs : int, default=None
        Machines trained at the same time; None is 1, or what `joblib.parallel_config` says. Kernel machines
        take threads, machines of others whatever that names.
    random_state : int or RandomState instance, default=None
        Seeds random codings and the calibration folds.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    code_matrix_ : ndarray of shape (n_classes, n_bits)
        The code.
    columns_ : TrainedColumns
        The machines, with their scores on the training points.
    sigmoids_ : ndarray of shape (n_bits, 2)
        Slope and offset (A, B) of each machine's sigmoid, fitted on held-out scores when first needed.
    alphas_ : ndarray of shape (n_samples, n_bits)
        Dual coefficients, for kernel machines only.
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
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = ECOCClassifier("one-vs-one").fit(X, y)
    >>> model.code_matrix_.shape
    (3, 3)
    >>> bool(model.score(X, y) > 0.95)
    True
    """

    class_weight: Mapping[Any, float] | str | None = None  # models kept by an earlier version have none
    _routed: Mapping[str, Any] = MappingProxyType({})

    def __init__(
        self,
        coding: str | CodeMatrix = "one-vs-all",
        *,
        coding_params: Mapping[str, ParamValue] | None = None,
        decoding: str = "likelihood",
        decoding_params: Mapping[str, ParamValue] | None = None,
        machine: Any = None,  # noqa: ANN401 - scikit-learn estimators share no type
        calibration_folds: int | IntArray = 3,
        class_weight: Mapping[Any, float] | str | None = None,
        probability: str = CALIBRATED,
        rejecting: str | None = None,
        reject_share: float = 0.1,
        n_jobs: int | None = None,
        random_state: Any = None,  # noqa: ANN401 - int, RandomState or None, as everywhere in scikit-learn
    ) -> None:
        self.coding = coding
        self.coding_params = coding_params
        self.decoding = decoding
        self.decoding_params = decoding_params
        self.machine = machine
        self.calibration_folds = calibration_folds
        self.class_weight = class_weight
        self.probability = probability
        self.rejecting = rejecting
        self.reject_share = reject_share
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(
        self,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        *,
        progress: Progress = NO_PROGRESS,
        **fit_params: Any,  # noqa: ANN401 - metadata are of any kind
    ) -> Self:
        """Train one machine per column.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            What the machine reads: a machine of another's may take sparse points, data frames or missing
            values. Where it takes kernel values, (n_samples, n_samples).
        y : array-like of shape (n_samples,)
            Labels of any kind scikit-learn accepts.
        sample_weight : array-like of shape (n_samples,), default=None
            By what each point counts; a whole number is as if the point were there so many times, 0 as if
            it were not there. What tells of training points tells of those with a weight above 0.
        progress : Progress, optional
            Told where the work is; may raise to end it.
        **fit_params : dict
            What the machine asks for, where scikit-learn's metadata routing is enabled.
        """
        data, self._routed = self._gather(X, y, sample_weight, fit_params)
        if self._routed:
            self.refuse_weights()
        try:
            return self._fit(data, progress)
        finally:
            del self._routed

    def _train_columns(
        self, X: Points, targets: Bits, progress: Progress, weights: FloatArray | None = None
    ) -> TrainedColumns:
        del weights  # the machine may be asked to take others
        return train_columns(
            self._machine(), X, targets, n_jobs=self.n_jobs, progress=progress, fit_params=self._routed
        )

    @property
    def alphas_(self) -> FloatArray:
        """Dual coefficients, (n_samples, n_bits); zero where the code entry is zero."""
        check_is_fitted(self, "columns_")
        if self.columns_.alphas is None:
            raise AttributeError("Only kernel machines have dual coefficients.")
        return self.columns_.alphas

    def loo_bound(
        self,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
        *,
        certified: bool = True,
    ) -> LooBound:
        """Bound the leave-one-out error from the training run alone; see `analysis.loo`.

        Parameters
        ----------
        decoding : str, default=None
            Key of a decoding of the catalogue; None is the estimator's own.
        decoding_params : dict, default=None
            The decoding's own parameters.
        certified : bool, default=True
            Whether to bound from the duality gaps what the solver's stopping early hides.
        """
        check_is_fitted(self, "columns_")
        if self._row_classes is not None:
            raise ValueError("The leave-one-out bound knows one codeword per class; this code has several.")
        entry, params = self._decoder(decoding, decoding_params)
        evidence = self.evidence(entry.key, params)
        return loo_bound(
            self.columns_,
            self.code_matrix_,
            self._y_index,
            entry,
            params,
            evidence,
            certified=certified,
            weights=self._gathered.training.weights,
        )

    def approximation_report(
        self, n_points: int = SAMPLE, *, progress: Progress = NO_PROGRESS
    ) -> ApproximationReport:
        """Compare the decisions of approximated kernel machines with those of exact ones, on a sample.

        What the decoder learned (sigmoids, weights) stays as it is.

        Parameters
        ----------
        n_points : int, default=2000
            Points that both are trained on, and other ones that both decide, at most.
        progress : Progress, optional
            Told where the work is; may raise to end it.
        """
        check_is_fitted(self, "columns_")
        beside = beside_exact(self.columns_, n_points, progress)
        X = self._gathered.training.X[beside.held]
        decided, exactly = (
            self.decode(scores, X=X).argmin(axis=1) for scores in (beside.scores, beside.exact)
        )
        return beside.report(decided, exactly, self._y_index[beside.held])


def _make(parts: Parts, calibration_folds: int) -> ECOCClassifier:
    return ECOCClassifier(
        parts.coding,
        coding_params=parts.coding_params,
        decoding=parts.decoding,
        decoding_params=parts.decoding_params,
        machine=parts.machine,
        calibration_folds=calibration_folds,
        n_jobs=parts.n_jobs,
        random_state=parts.seed,
    )


REDUCTION = Reduction(
    key="ecoc",
    title="Independent machines",
    summary="Every column of the code trains its own machine; a decoder combines them.",
    make=_make,
    reference=PASSERINI_2004,
    params=(CALIBRATION_FOLDS,),
    order=1,
)
