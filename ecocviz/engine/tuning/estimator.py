"""ECOCClassifierCV: an ECOC classifier that chooses gamma, C, code and decoder itself."""

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn import config_context
from sklearn.base import clone
from sklearn.utils import Tags, check_random_state, get_tags
from sklearn.utils.metadata_routing import UNUSED, MetadataRouter, MethodMapping
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from ecocviz.engine.catalogue import DECODINGS, is_learned
from ecocviz.engine.machines.kernel_machine import KernelMachine
from ecocviz.engine.params import ParamValue
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.reductions._shared.cost_classifier import CostClassifier
from ecocviz.engine.reductions._shared.inputs import TrainingSet, read_training_set
from ecocviz.engine.reductions._shared.machined import machine_of
from ecocviz.engine.reductions.ecoc import ECOCClassifier
from ecocviz.engine.tasks import Failed, run_tasks
from ecocviz.engine.tuning.grids import Choices, Grid, Numbers, coded
from ecocviz.engine.tuning.nested import nested_scores
from ecocviz.engine.tuning.plan import check_settings, count_bits, make_grid, make_search
from ecocviz.engine.tuning.results import Findings, complain
from ecocviz.engine.tuning.search import Search, search_width
from ecocviz.engine.tuning.splits import fold_ids_in, folds_of
from ecocviz.engine.types import Costs, FloatArray, IntArray, Scores


def _gives_probabilities(search: "ECOCClassifierCV") -> bool:
    """Say whether the decoder that was chosen, or the first that is tried, defines probabilities."""
    if hasattr(search, "best_estimator_"):
        return hasattr(search.best_estimator_, "predict_proba")
    first = search.decodings[0]
    entry = DECODINGS.get(first if isinstance(first, str) else first[0])
    return entry is not None and entry.gives_probabilities(search.probability)


class ECOCClassifierCV(CostClassifier):
    """ECOC classifier of kernel machines that chooses gamma, C, code and decoder by itself.

    Every combination is judged: by cross-validation, by the leave-one-out bound, or by leaving out every
    point. The one that is chosen is trained again on all points.

    One kernel matrix serves all values of C, all folds, codes and decoders of a gamma. Along C every machine
    begins where it was; decoders never train anything; columns that codes share, or whose complement they
    share, are trained once. A code that is learned is learned anew on the training points of each fold, so
    that nothing leaks, which takes a training of its own for each combination.

    Parameters
    ----------
    gammas : int, tuple or array-like, default=10
        Widths of the rbf kernel: how many over 1/16 to 32 times "scale" (which is 1 / (n_features * variance
        of X)), (low, high, how many), or a list of values. Kernels without gamma do not look at it.
    Cs : int, tuple or array-like, default=10
        Prices of a unit of hinge loss: how many from 0.1 to 1000, (low, high, how many), or a list of values.
    codings : sequence, optional
        Codes: keys of the catalogue, code matrices, or pairs of a key and a dictionary of parameters.
    decodings : sequence, optional
        Decoders: keys of the catalogue, or pairs of a key and a dictionary of parameters.
    scoring : {"cv", "bound", "loo"}, default="cv"
        "cv" is the share of right decisions on the points of folds that machines were not trained on, "bound"
        one minus the leave-one-out bound, "loo" the share of right decisions on points left out one by one.
        In the last two, what decoders learn (sigmoids, weights) is learned from all points.
    cv : int, array-like of shape (n_samples,), or cross-validation splitter, default=5
        How many folds, stratified by class; the fold of each point; or what scikit-learn takes.
    choice : {"best", "one-standard-error"}, default="best"
        "best" takes the best mean score, and of equal ones the least C, then the least gamma.
        "one-standard-error" takes the simplest of those within one standard error of the best: the least C,
        then the least gamma, then the fewest machines.
    nested : bool, default=False
        Whether to estimate the error honestly: the whole search is done again on the training points of every
        fold of `cv`, and what it chooses is judged on the others.
    machine : KernelMachine or "kernel", default=None
        What is trained once per column, with its kernel, bias and tolerance; None is `KernelMachine()`.
    search_tol : float, default=0.01
        Where the training of folds ends; a finer one changes few decisions and takes longer. The final
        training and leaving out points end at the machine's own, the bound at 1e-8 at the latest (1e-4 for
        more than 4,000 points): what training leaves open counts as errors there.
    calibration_folds : int or array-like of shape (n_samples,), default=3
        Folds for sigmoids, as in `ECOCClassifier`. Within a fold of the search they are its other folds, if
        these are at most twice as many.
    probability : {"calibrated", "paper"}, default="calibrated"
        What `predict_proba` gives, as in `ECOCClassifier`.
    n_jobs : int, default=None
        Values of gamma searched at the same time; None is 1, or what `joblib.parallel_config` says.
    executor : Executor, default=None
        Where values of gamma are searched: threads, processes or a cluster, as in `concurrent.futures`.
    partial_results : callable, default=None
        Called with `cv_results_` as far as they are known, other scores being not numbers, whenever the
        search of one gamma is finished.
    random_state : int or RandomState instance, default=None
        Seeds folds and random codes.

    Attributes
    ----------
    cv_results_ : dict of str -> ndarray
        A column for everything, an entry for each combination: `params`, `param_gamma`, `param_C`,
        `param_coding`, `param_decoding`, `mean_test_score`, `std_test_score`, `rank_test_score`,
        `split0_test_score` and so on, and `mean_fit_time`, which machines of several codes share. Where `fit`
        was ended early, scores that are not known yet are not numbers.
    best_params_ : dict
        The combination that was chosen.
    best_score_ : float
        Its mean score.
    best_index_ : int
        Its position in `cv_results_`.
    best_estimator_ : ECOCClassifier
        Trained with it on all points.
    nested_score_ : float
        Share of right decisions by the whole procedure on points that it has not seen, with `nested`.
    nested_scores_ : ndarray of shape (n_folds,)
        The same for each fold.
    n_splits_ : int
        Trainings that each combination was judged by.
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Features of a point.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where `fit` was given names that are all strings.
    problem_sizes_ : ndarray of shape (n_bits,)
        Points that each machine of the one that was chosen was trained on.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> search = ECOCClassifierCV(5, [0.1, 1.0, 10.0], decodings=["linear", "hamming"], random_state=0)
    >>> search.fit(X, y).cv_results_["mean_test_score"].shape
    (30,)
    >>> bool(search.best_score_ > 0.95)
    True
    """

    __metadata_request__fit: ClassVar = {"groups": UNUSED}  # they are the splitter's

    def __init__(
        self,
        gammas: Numbers = 10,
        Cs: Numbers = 10,
        codings: Choices = ("one-vs-all",),
        decodings: Choices = ("likelihood",),
        *,
        scoring: str = "cv",
        cv: Any = 5,  # noqa: ANN401 - as scikit-learn's
        choice: str = "best",
        nested: bool = False,
        machine: KernelMachine | str | None = None,
        search_tol: float = 1e-2,
        calibration_folds: int | IntArray = 3,
        probability: str = "calibrated",
        n_jobs: int | None = None,
        executor: Executor | None = None,
        partial_results: Callable[[dict[str, Any]], None] | None = None,
        random_state: Any = None,  # noqa: ANN401 - int, RandomState or None, as everywhere in scikit-learn
    ) -> None:
        self.gammas = gammas
        self.Cs = Cs
        self.codings = codings
        self.decodings = decodings
        self.scoring = scoring
        self.cv = cv
        self.choice = choice
        self.nested = nested
        self.machine = machine
        self.search_tol = search_tol
        self.calibration_folds = calibration_folds
        self.probability = probability
        self.n_jobs = n_jobs
        self.executor = executor
        self.partial_results = partial_results
        self.random_state = random_state

    def __sklearn_tags__(self) -> Tags:
        """Read what kernel machines read."""
        tags = super().__sklearn_tags__()
        theirs = get_tags(self._machine()).input_tags
        learned = any(is_learned(code.coding) for code in coded(self.codings))
        tags.input_tags.sparse = theirs.sparse and not learned
        tags.input_tags.pairwise = theirs.pairwise
        return tags

    def __sklearn_clone__(self) -> Self:
        """Return an unfitted copy; an executor cannot be copied, and is the same."""
        params = self.get_params(deep=False)
        whole = {name: params.pop(name) for name in ("executor", "partial_results")}
        return type(self)(**{name: clone(value, safe=False) for name, value in params.items()}, **whole)

    def __getstate__(self) -> dict[str, Any]:
        """Leave the executor out of pickles, and who listens."""
        return {**super().__getstate__(), "executor": None, "partial_results": None}

    def get_metadata_routing(self) -> MetadataRouter:
        """Return which metadata are the search's own, and which go to the splitter."""
        router = MetadataRouter(owner=self).add_self_request(self)
        if hasattr(self.cv, "split") and not isinstance(self.cv, str):
            router.add(splitter=self.cv, method_mapping=MethodMapping().add(caller="fit", callee="split"))
        return router

    def _draws(self) -> bool:
        """Say that folds are drawn."""
        return True

    def _machine(self) -> Any:  # noqa: ANN401 - scikit-learn estimators share no type
        return machine_of(self.machine)

    def fit(
        self,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        *,
        groups: npt.ArrayLike | None = None,
        progress: Progress = NO_PROGRESS,
    ) -> Self:
        """Judge every combination, choose one, and train it on all points.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points, dense or sparse; with a precomputed kernel (n_samples, n_samples).
        y : array-like of shape (n_samples,)
            Labels of any kind scikit-learn accepts.
        sample_weight : array-like of shape (n_samples,), default=None
            By what each point counts, in training and in scores; one of weight 0 is as if it were not there.
        groups : array-like of shape (n_samples,), default=None
            What the splitter `cv` keeps together, as `GroupKFold` does. Folds that sigmoids are calibrated on
            keep it together where they are those of the search: see `calibration_folds`.
        progress : Progress, optional
            Told where the work is; may raise to end it.
        """
        machine = self._machine()
        check_settings(self, machine)
        data = read_training_set(self, X, y, sample_weight, machine)
        state = self.random_state
        if not isinstance(state, Integral):
            state = check_random_state(state).randint(2**31 - 1)
        state = int(state)
        seed = int(check_random_state(state).randint(2**31 - 1))  # as classifiers of this state make it
        needed = self.scoring == "cv" or self.nested
        if groups is not None:
            check_consistent_length(X, groups)
            if not needed:
                raise ValueError('groups are for folds: leave them out, or choose scoring="cv".')
            groups = data.follow(np.asarray(groups))
        folds = folds_of(self._follow(data, "cv"), data, seed, groups) if needed else []
        grid = make_grid(self, machine, data)
        search = make_search(self, machine, grid, data, folds, state, seed)
        n_parts = 2 + self.nested
        findings = self._search(grid, search, progress.part(0, n_parts))
        self.best_index_ = findings.choose(self.choice, count_bits(search))
        self.best_params_ = self.cv_results_["params"][self.best_index_]
        self.best_score_ = float(self.cv_results_["mean_test_score"][self.best_index_])
        self.best_estimator_ = self._best(grid, search)
        told = progress.part(1, n_parts, "training what was chosen")
        with config_context(enable_metadata_routing=False):  # weights are for the machines, as in the search
            self.best_estimator_.fit(X, y, sample_weight, progress=told)
        if self.nested:
            self._estimate(data, folds, groups, state, progress.part(2, n_parts))
        progress.at(1.0)
        return self

    def _follow(self, data: TrainingSet, name: str) -> Any:  # noqa: ANN401 - as scikit-learn's
        """Return `cv` or `calibration_folds`; what has an entry for each point is cut to those trained on."""
        given = getattr(self, name)
        ids = fold_ids_in(given)
        return given if ids is None else data.follow(ids)

    def _search(self, grid: Grid, search: Search, progress: Progress) -> Findings:
        """Search all values of gamma; what is known is in `cv_results_` whatever happens."""
        n_codes, _, n_Cs, n_gammas = grid.shape
        self.n_splits_ = len(search.splits)
        scores = np.full((*grid.shape, self.n_splits_), np.nan)
        seconds = np.zeros((n_codes, n_Cs, n_gammas))
        weights = search.weights
        n_samples = search.y_index.size if weights is None else float(weights.sum())
        findings = Findings(grid, scores, seconds, n_samples)
        doubts, failures, n_open = np.zeros(scores.shape), [], 0
        found = run_tasks(
            search_width,
            grid.widths,
            shared=search,
            executor=self.executor,
            n_jobs=self.n_jobs,
            progress=progress,
        )
        try:
            for g, outcome in found:
                if isinstance(outcome, Failed):
                    failures.append(outcome.why)
                    continue
                scores[:, :, :, g], seconds[:, :, g] = outcome.scores, outcome.seconds
                doubts[:, :, :, g] = outcome.doubts
                n_open += outcome.n_open
                if self.partial_results is not None:
                    self.partial_results(findings.table())
        finally:
            self.cv_results_ = findings.table()
        doubtful = (doubts > 0) & (scores + doubts > np.fmax.reduce(scores, axis=None))
        complain(failures, n_gammas, n_open, int(doubtful.sum()))
        return findings

    def _best(self, grid: Grid, search: Search) -> ECOCClassifier:
        """Return the classifier that was chosen, unfitted."""
        k, d, c, g = grid.positions()[self.best_index_]
        return ECOCClassifier(
            grid.codes[k].coding,
            coding_params=dict(grid.codes[k].params) or None,
            decoding=grid.decoders[d].entry.key,
            decoding_params=dict(grid.decoders[d].params) or None,
            machine=search.machine_at(grid.widths[g], float(grid.Cs[c])),
            calibration_folds=self.calibration_folds,
            probability=self.probability,
            n_jobs=self.n_jobs,
            random_state=search.state,
        )

    def _estimate(
        self,
        data: TrainingSet,
        folds: list[tuple[IntArray, IntArray]],
        groups: Any,  # noqa: ANN401 - names or numbers, (n_samples,), or None
        state: int,
        progress: Progress,
    ) -> None:
        """Estimate the error of the whole procedure."""
        followed = {name: self._follow(data, name) for name in ("cv", "calibration_folds")}
        given = {name: values for name, values in followed.items() if fold_ids_in(values) is not None}

        def make(changed: dict[str, Any]) -> ECOCClassifierCV:
            fixed = {"nested": False, "partial_results": None, "random_state": state}
            search: ECOCClassifierCV = clone(self).set_params(**fixed, **changed)
            return search

        pairwise = get_tags(self).input_tags.pairwise
        self.nested_scores_ = nested_scores(
            make, given, data, folds, pairwise=pairwise, groups=groups, progress=progress
        )
        self.nested_score_ = float(self.nested_scores_.mean())

    @property
    def problem_sizes_(self) -> IntArray:
        """Points that each column's machine was trained on, (n_bits,)."""
        check_is_fitted(self, "best_estimator_")
        return self.best_estimator_.problem_sizes_

    @property
    def decoded(self) -> bool:
        """Whether a decoder reads the scores."""
        return True

    def costs(
        self,
        X: npt.ArrayLike,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
    ) -> Costs:
        """Return the costs of the classifier that was chosen, (n_samples, n_classes); the least cost wins.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        decoding : str, default=None
            Key of a decoding of the catalogue; None is the one that was chosen.
        decoding_params : dict, default=None
            The decoding's own parameters.
        """
        check_is_fitted(self, "best_estimator_")
        return self.best_estimator_.costs(X, decoding, decoding_params)

    def scores(self, X: npt.ArrayLike) -> Scores:
        """Return the real outputs of the machines that were chosen, (n_samples, n_bits).

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        """
        check_is_fitted(self, "best_estimator_")
        return self.best_estimator_.scores(X)

    @available_if(_gives_probabilities)  # type: ignore[untyped-decorator]  # scikit-learn ships no types
    def predict_proba(self, X: npt.ArrayLike) -> FloatArray:
        """Return class probabilities, (n_samples, n_classes), where the decoder defines them.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        """
        check_is_fitted(self, "best_estimator_")
        probabilities: FloatArray = self.best_estimator_.predict_proba(X)
        return probabilities
