"""What a reduction's fitted estimator may have besides what it must: ask with `isinstance`.

Asking looks whether the members are there, so that no member here may be costly, but for the control of
`Controlled`, which is trained when it is first asked for.
"""

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

import numpy.typing as npt

from ecocviz.engine.analysis.loo import LooBound
from ecocviz.engine.analysis.risk import RiskBound
from ecocviz.engine.columns import TrainedColumns
from ecocviz.engine.entries import Design, Evidence
from ecocviz.engine.multiclass import Multiclass
from ecocviz.engine.params import ParamValue
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.types import AnyCode, Costs, FloatArray, IntArray, Scores

# Machines and codes ----------------------------------------------------------------------------------


@runtime_checkable
class Scored(Protocol):
    """Machines with a column of a code each, whose scores it decides by."""

    @property
    def code_matrix_(self) -> AnyCode:
        """The code, (n_rows, n_bits); one row a class, unless classes have several."""

    def scores(self, X: npt.ArrayLike) -> Scores:
        """Return the machines' real outputs, (n_samples, n_bits)."""

    def decode(
        self,
        scores: Scores,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
        *,
        X: npt.ArrayLike | None = None,
    ) -> Costs:
        """Return the costs of given scores, (n_samples, n_classes)."""


@runtime_checkable
class Trained(Protocol):
    """Trained machines that can be looked into."""

    @property
    def columns_(self) -> TrainedColumns:
        """The machines, with their scores on the training points."""


@runtime_checkable
class Designed(Protocol):
    """A code of the catalogue, and how it was found."""

    @property
    def design_(self) -> Design:
        """The code that training began with, and the story of its search."""


@runtime_checkable
class Decoded(Multiclass, Scored, Trained, Designed, Protocol):
    """Machines whose scores any decoder may read, where `decoded` says that one does."""

    def evidence(
        self,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
        *,
        X: npt.ArrayLike | None = None,
        scores: Scores | None = None,
        progress: Progress = NO_PROGRESS,
    ) -> Evidence:
        """Return what a decoder needs to know of the machines."""

    def probabilities(
        self,
        scores: Scores,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
        *,
        X: npt.ArrayLike | None = None,
    ) -> FloatArray:
        """Return the class probabilities of scores, (n_samples, n_classes), as `predict_proba` gives them."""

    def cost_scale(
        self,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
        *,
        progress: Progress = NO_PROGRESS,
    ) -> tuple[float, float]:
        """Return how fast calibrated probability falls with the cost."""


@runtime_checkable
class Rejecting(Decoded, Protocol):
    """A decoder that may leave doubtful points undecided."""

    def reasons_of(
        self,
        scores: Scores,
        costs: Costs,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
        *,
        rejecting: str | None = None,
        share: float | None = None,
    ) -> IntArray:
        """Return why points are not decided, (n_samples,), 0 for those that are."""

    def margin_threshold(
        self,
        share: float | None = None,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
        *,
        progress: Progress = NO_PROGRESS,
    ) -> float:
        """Return the margin below which points are left undecided."""


@runtime_checkable
class Gathering(Protocol):
    """Keeps what is computed of its machines after training; a copy elsewhere can hand its own over."""

    def gathered(self) -> Any:  # noqa: ANN401 - for `take` of a copy, and for nobody else
        """Return what is known so far."""

    def take(self, gathered: Any) -> None:  # noqa: ANN401 - as above
        """Keep what a copy of the same machines knows."""


@runtime_checkable
class Based(Protocol):
    """Built on the machines of another estimator."""

    @property
    def base_(self) -> Decoded | None:
        """The other estimator; None where there is none this time."""


# Errors on points that machines were not trained on ---------------------------------------------------


@runtime_checkable
class Bounded(Protocol):
    """Its leave-one-out error can be bounded from one training run."""

    def loo_bound(
        self, decoding: str | None = None, decoding_params: Mapping[str, ParamValue] | None = None
    ) -> LooBound:
        """Bound the leave-one-out error."""


@runtime_checkable
class LeftOut(Protocol):
    """Its leave-one-out error can be computed."""

    def exact_loo(
        self,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
        *,
        progress: Progress = NO_PROGRESS,
    ) -> LooBound:
        """Return the leave-one-out error."""


@runtime_checkable
class CrossValidated(Protocol):
    """Its machines can be cross-validated without fitting the whole again."""

    def cross_validated(
        self,
        n_folds: int,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
        *,
        progress: Progress = NO_PROGRESS,
    ) -> Costs:
        """Return the costs of the training points by machines trained without their fold."""


# What is special to some ------------------------------------------------------------------------------


@runtime_checkable
class Related(Protocol):
    """Machines that were trained together with their relation."""

    @property
    def relation_(self) -> FloatArray:
        """The relation that was learned, (n_bits, n_bits)."""

    @property
    def weight_products_(self) -> FloatArray:
        """Inner products of the machines' weight vectors, (n_bits, n_bits)."""

    @property
    def objective_history_(self) -> FloatArray:
        """Objective step by step, (n_steps,)."""


@runtime_checkable
class Control(Related, Protocol):
    """The same machines, each trained by itself."""

    def costs(
        self,
        X: npt.ArrayLike,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
    ) -> Costs:
        """Return costs, (n_samples, n_classes)."""


@runtime_checkable
class Controlled(Related, Protocol):
    """Related machines, and the same machines trained independently."""

    @property
    def independent_(self) -> Control:
        """The control; trained when it is first asked for."""


@runtime_checkable
class ClassKernelled(Protocol):
    """One machine that takes classes (or columns) to be more or less alike."""

    @property
    def class_kernel_(self) -> FloatArray | None:
        """How alike, (n_columns, n_columns); None where the machine has no such kernel."""

    @property
    def mu_(self) -> FloatArray:
        """Weights of the class kernels, (n_matrices,)."""

    @property
    def history_(self) -> FloatArray:
        """Objective of each machine on the way, (n_iter,)."""

    def risk_bound(self) -> RiskBound:
        """Return a bound on the error of new points, or raise where there is none."""


@runtime_checkable
class Proved(Protocol):
    """The optimum of a program, with a proof of how near it is."""

    @property
    def objective_(self) -> float:
        """Objective of the solution."""

    @property
    def gap_(self) -> float:
        """By how much it may miss the optimum; not a number where nothing is proved."""


@runtime_checkable
class Patterned(Proved, Protocol):
    """Codewords that are sums over support patterns."""

    @property
    def taus_(self) -> FloatArray | None:
        """Dual coefficients, (n_samples, n_classes); None where the codewords are no such sums."""


@runtime_checkable
class Recorded(Protocol):
    """A solver that wrote down what it did."""

    @property
    def history_(self) -> FloatArray:
        """One row a step."""


@runtime_checkable
class Walking(Scored, Protocol):
    """Machines that are asked one after the other."""

    @property
    def n_evaluations_(self) -> int:
        """Machines asked for each point."""

    def paths(self, X: npt.ArrayLike) -> IntArray:
        """Return the machines asked about each point, in order, (n_samples, n_evaluations_)."""
