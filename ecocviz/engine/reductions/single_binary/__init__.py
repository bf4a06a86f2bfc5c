"""One binary machine for all classes, on copies of every point."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.utils import Tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from ecocviz.engine.catalogue import is_learned
from ecocviz.engine.columns import check_targets
from ecocviz.engine.entries import Design, Parts, Reduction, check_scores
from ecocviz.engine.kernels.gram import GramArray
from ecocviz.engine.params import ParamValue
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.reductions._shared.cost_scale import CALIBRATED
from ecocviz.engine.reductions._shared.probable import gives_probabilities
from ecocviz.engine.reductions._shared.rejecting import RejectingClassifier
from ecocviz.engine.reductions.single_binary.attributes import SingleAttributes
from ecocviz.engine.reductions.single_binary.columns import SingleColumns
from ecocviz.engine.reductions.single_binary.machine import Fitted
from ecocviz.engine.reductions.single_binary.settings import (
    MAX_UPDATES,
    PARAMS,
    check_variant,
    settle,
    settled_copies,
)
from ecocviz.engine.reductions.single_binary.weights import MOST_ROUNDS
from ecocviz.engine.references import EL_YANIV_2008
from ecocviz.engine.types import Bits, CodeMatrix, Costs, FloatArray, IntArray, Points, Scores


def _gives_probabilities(estimator: "SingleBinaryClassifier") -> bool:
    if estimator.variant != "ecoc":
        raise AttributeError(
            f"The variant {estimator.variant!r} decides by its scores, not by probabilities."
        )
    return gives_probabilities(estimator)


class SingleBinaryClassifier(SingleAttributes, RejectingClassifier):
    """Multiclass classifier made of one binary support vector machine.

    Every point is copied once per class, each copy is told which class it stands for, and one
    machine learns to say yes to the copy of the true class and no to the others; the class whose
    copy gets the largest score wins (Algorithms 1 and 2 of [ElYaniv2008]_).

    The kernel of two copies is the kernel of the points times a class kernel V. For the rbf kernel
    that is the kernel of the points with extra features appended (Eq. 5); any other kernel is taken
    times V likewise, which is a product and not the kernel of appended features.

    Parameters
    ----------
    variant : {"kernel", "identity", "single", "ecoc", "kessler"}, default="kernel"
        "kernel" combines one class kernel per class with learned weights; "identity" appends a unit
        vector to each copy and "single" the number of its class; "ecoc" copies each point once per
        column of a code, told the code's entry, and leaves the decision to a decoder; "kessler" is
        the ancestor, on differences of classes and without bias (with the linear kernel, the
        historical machine).
    coding : str or array-like of shape (n_classes, n_bits), default="one-vs-all"
        The code of the variant "ecoc": key of a coding of the catalogue, or a code matrix
        (n_classes, n_bits) in {-1, +1}. The other variants are one-vs-all.
    coding_params : dict, default=None
        The coding's own parameters.
    decoding : str, default="euclidean"
        Decoder of the variant "ecoc". "euclidean" is the soft and "hamming" the hard one of the
        paper. The other variants decide by the largest score.
    decoding_params : dict, default=None
        The decoding's own parameters.
    kernel : {"rbf", "linear", "poly"}, default="rbf"
        "rbf" is exp(-gamma |x - t|^2), "linear" is x.t, "poly" is (x.t + 1)^degree.
    gamma : float or "scale", default="scale"
        Width of the rbf kernel; "scale" is 1 / (n_features * variance of X).
    class_gamma : float, default=None
        Width of the class kernel; None is that of the points, as in the paper.
    degree : int, default=3
        Degree of the polynomial kernel.
    bias : float, default=0.0
        Constant added to the kernel of the points; 0 is the paper's machine.
    C : float, default=1.0
        Price of a unit of hinge loss of one copy.
    scale_C : {"none", "cm"}, default="none"
        "none", or "cm" to divide C by the number of copies, as Eq. 3 of the paper says.
    radius : float or {"paper", "sqrt"}, default="paper"
        Sum of the weights, which is the class kernel's diagonal: the scale of the whole kernel.
        "paper" is the square root of the number of training points for the variant "kernel" and 1
        for the others, "sqrt" that root for all. Methods should be compared at the same radius.
    mu_rule : {"l2", "literal", "simplex", "prior", "uniform"}, default="l2"
        How the variant "kernel" finds its weights: "l2", "literal" (Algorithm 2 as printed),
        "simplex" (the problem that the paper states), "prior" (class frequencies), "uniform".
    extensions : array-like of shape (n_matrices, n_classes, width), default=None
        Extension matrices of the variant "kernel"; None is the paper's choice, one per class.
    tol : float, default=0.001
        Largest violation of the optimality conditions at which a machine counts as trained.
    max_updates : int, default=10000000
        Pair steps after which a machine ends with a `ConvergenceWarning`.
    max_mu_updates : int, default=100
        Changes of the weights after which learning them ends with a `ConvergenceWarning`.
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
    random_state : int or RandomState instance, default=None
        Seeds random codings and the calibration folds.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    code_matrix_ : ndarray of shape (n_classes, n_bits)
        What each class's copies are told; one-vs-all but for the variant "ecoc".
    mu_ : ndarray of shape (n_matrices,)
        Weights of the class kernels.
    class_kernel_ : ndarray of shape (n_bits, n_bits)
        V, how alike the machine takes two classes (or columns) to be; None for "kessler".
    dual_coef_ : ndarray of shape (n_samples, n_bits)
        Signed dual coefficients; they sum to zero, and the box is C. For "kessler" the coefficients
        of the classes' machines.
    intercept_ : float
        The bias b; 0 for "kessler".
    objective_, gap_ : float
        g_d of Eq. 2 (twice the dual objective), and the gap between primal and dual of the machine.
    mu_gap_ : float
        By how much g_d could fall at most with other weights of the same sum.
    history_ : ndarray of shape (n_iter_,)
        g_d after each machine. It falls with the rule "simplex"; the other rules do not promise that,
        and the first machines of "l2" are trained coarsely.
    mu_history_ : ndarray of shape (n_iter_, n_matrices)
        Weights of each machine.
    n_iter_, n_updates_ : int
        Machines trained on the way to the weights, and pair steps of the last one.
    columns_ : SingleColumns
        The machines, with their scores on the training points.
    design_ : Design
        The code, and how it was found.
    sigmoids_ : ndarray of shape (n_bits, 2)
        Slope and offset (A, B) of each machine's sigmoid, fitted on held-out scores when first needed.
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
    >>> model = SingleBinaryClassifier(C=8.0, gamma=0.5).fit(X, y)
    >>> model.class_kernel_.shape
    (3, 3)
    >>> bool(model.score(X, y) > 0.95)
    True
    """

    columns_: SingleColumns
    _warm: tuple[GramArray, Fitted] | None = None

    def __init__(
        self,
        variant: str = "kernel",
        *,
        coding: str | CodeMatrix = "one-vs-all",
        coding_params: Mapping[str, ParamValue] | None = None,
        decoding: str = "euclidean",
        decoding_params: Mapping[str, ParamValue] | None = None,
        kernel: str = "rbf",
        gamma: float | str = "scale",
        class_gamma: float | None = None,
        degree: int = 3,
        bias: float = 0.0,
        C: float = 1.0,
        scale_C: str = "none",
        radius: float | str = "paper",
        mu_rule: str = "l2",
        extensions: npt.ArrayLike | None = None,
        tol: float = 1e-3,
        max_updates: int = MAX_UPDATES,
        max_mu_updates: int = MOST_ROUNDS,
        calibration_folds: int | IntArray = 3,
        probability: str = CALIBRATED,
        rejecting: str | None = None,
        reject_share: float = 0.1,
        random_state: Any = None,  # noqa: ANN401 - int, RandomState or None, as everywhere in scikit-learn
    ) -> None:
        self.variant = variant
        self.coding = coding
        self.coding_params = coding_params
        self.decoding = decoding
        self.decoding_params = decoding_params
        self.kernel = kernel
        self.gamma = gamma
        self.class_gamma = class_gamma
        self.degree = degree
        self.bias = bias
        self.C = C
        self.scale_C = scale_C
        self.radius = radius
        self.mu_rule = mu_rule
        self.extensions = extensions
        self.tol = tol
        self.max_updates = max_updates
        self.max_mu_updates = max_mu_updates
        self.calibration_folds = calibration_folds
        self.probability = probability
        self.rejecting = rejecting
        self.reject_share = reject_share
        self.random_state = random_state

    def _draws(self) -> bool:
        return self.variant == "ecoc" and super()._draws()

    def design(self, X: Points, y_index: IntArray, seed: int, progress: Progress = NO_PROGRESS) -> Design:
        """Return the code of the variant "ecoc" as it was asked for, and one-vs-all for the others.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        y_index : ndarray of shape (n_samples,)
            Class numbers; each of 0..n_classes-1 occurs.
        seed : int
            Of random codings and searches.
        progress : Progress, optional
            Told where the work is; may raise to end it.
        """
        check_variant(self.variant)
        if self.variant == "ecoc":
            return super().design(X, y_index, seed, progress)
        # Two classes have two copies of each point too, where a one-vs-all code has one column.
        return Design(code_matrix=(2 * np.eye(self.classes_.size) - 1).astype(np.int8))

    def __sklearn_tags__(self) -> Tags:
        """Take sparse points, but for a code that is learned from them."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = not is_learned(self.coding)
        return tags

    def _train_columns(
        self, X: Points, targets: Bits, progress: Progress, weights: FloatArray | None = None
    ) -> SingleColumns:
        targets = check_targets(targets, X.shape[0])
        if not targets.all():
            raise ValueError(
                "The single machine needs a code without zeros: every copy of a point must be told +1 or -1."
            )
        gram, start = (None, None) if self._warm is None else self._warm
        settings = settle(self, X, targets.shape[1], weights)
        return SingleColumns(settings, X, targets, weights=weights, gram=gram, start=start, progress=progress)

    def fit_path(
        self,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        Cs: Sequence[float],
        *,
        progress: Progress = NO_PROGRESS,
    ) -> list[Self]:
        """Train one classifier for each C, in the given order, each starting from the one before.

        All share one Gram matrix. The estimator itself becomes the last one.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        y : array-like of shape (n_samples,)
            Labels of any kind scikit-learn accepts.
        Cs : sequence of float
            At least one.
        progress : Progress, optional
            As in `fit`.
        """
        if not len(Cs):
            raise ValueError("A path needs at least one C.")
        path: list[Self] = []
        warm: tuple[GramArray, Fitted] | None = None
        for number, C in enumerate(Cs):
            last = number == len(Cs) - 1
            member = self.set_params(C=C) if last else clone(self).set_params(C=C)
            member._warm = warm  # noqa: SLF001 - of the same class
            try:
                member.fit(X, y, progress=progress.part(number, len(Cs), f"C = {C:g}"))
            finally:
                member._warm = None  # noqa: SLF001 - of the same class
            gram = member.columns_.gram() if warm is None else warm[0]
            warm = (gram, member.columns_.fitted)
            path.append(member)
        return path

    def decode(
        self,
        scores: Scores,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
        *,
        X: npt.ArrayLike | None = None,
    ) -> Costs:
        """Return costs of given scores, (n_samples, n_classes): minus the scores, or a decoder's.

        Only the variant "ecoc" asks a decoder.

        Parameters
        ----------
        scores : ndarray of shape (n_samples, n_bits)
            The machines' real outputs.
        decoding : str, default=None
            Key of a decoding of the catalogue; None is the estimator's own.
        decoding_params : dict, default=None
            The decoding's own parameters.
        X : array-like of shape (n_samples, n_features), default=None
            Points.
        """
        if self.variant == "ecoc":
            return super().decode(scores, decoding, decoding_params, X=X)
        check_is_fitted(self, "columns_")
        return -check_scores(scores, self.code_matrix_.shape[1])

    def _decode_left_out(
        self, scores: Scores, decoding: str | None, decoding_params: Mapping[str, ParamValue] | None
    ) -> Costs:
        if self.variant == "ecoc":
            return super()._decode_left_out(scores, decoding, decoding_params)
        return -scores

    @available_if(_gives_probabilities)  # type: ignore[untyped-decorator]  # scikit-learn ships no types
    def predict_proba(self, X: npt.ArrayLike) -> FloatArray:
        """Return class probabilities, (n_samples, n_classes), where a decoder defines them.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        """
        probabilities: FloatArray = super().predict_proba(X)
        return probabilities


def _make(parts: Parts, **params: Any) -> SingleBinaryClassifier:  # noqa: ANN401 - the parameters declared below
    return SingleBinaryClassifier(random_state=parts.seed, **params)


def _problems(class_counts: IntArray, _code_matrix: CodeMatrix, **params: ParamValue) -> IntArray:
    """One problem, of a copy of every point for every class, or for every other class."""
    copies = class_counts.size - (params.get("variant") == "kessler")
    return np.array([class_counts.sum() * copies])


REDUCTION = Reduction(
    key="single-binary",
    title="One binary machine",
    summary="Every point is copied once per class; one machine learns which copy carries the true class.",
    make=_make,
    reference=EL_YANIV_2008,
    params=PARAMS,
    uses=frozenset(),
    problems=_problems,
    settle=settled_copies,
    order=50,
    effort=6.0,
)
