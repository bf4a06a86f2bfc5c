"""What a trained single machine tells of itself."""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ecocviz.engine.analysis.risk import RiskBound, risk_bound
from ecocviz.engine.reductions.single_binary.columns import SingleColumns
from ecocviz.engine.reductions.single_binary.machine import Fitted
from ecocviz.engine.types import FloatArray, IntArray


class SingleAttributes:
    """The read-only attributes of `SingleBinaryClassifier`, all read from its machine."""

    variant: str
    columns_: SingleColumns

    def _fitted(self) -> Fitted:
        check_is_fitted(self, "columns_")
        return self.columns_.fitted

    @property
    def decoded(self) -> bool:
        """Whether a decoder reads the scores; every variant but "ecoc" decides by its largest score."""
        return self.variant == "ecoc"

    @property
    def problem_sizes_(self) -> IntArray:
        """Copies of points that the one machine was trained on, (1,)."""
        targets = self.columns_.targets if self._fitted().learned else self.columns_.targets[:, 1:]
        return np.array([targets.size])  # differences of classes: one copy less

    @property
    def dual_coef_(self) -> FloatArray:
        """Signed dual coefficients, (n_samples, n_bits)."""
        return self._fitted().coefficients

    @property
    def intercept_(self) -> float:
        """The bias b."""
        return self._fitted().bias

    @property
    def objective_(self) -> float:
        """g_d of Eq. 2 of [ElYaniv2008]_."""
        return self._fitted().objective

    @property
    def gap_(self) -> float:
        """Primal minus dual objective of |w|^2 / 2 + C sum of hinge losses."""
        return self._fitted().gap

    @property
    def n_updates_(self) -> int:
        """Pair steps of the last machine."""
        return self._fitted().n_updates

    @property
    def class_kernel_(self) -> FloatArray | None:
        """V, (n_bits, n_bits)."""
        learned = self._fitted().learned
        return None if learned is None else learned.class_kernel

    @property
    def mu_(self) -> FloatArray:
        """Weights of the class kernels, (n_matrices,)."""
        learned = self._fitted().learned
        return np.empty(0) if learned is None else learned.mu

    @property
    def mu_gap_(self) -> float:
        """By how much g_d could fall at most with other weights of the same sum."""
        learned = self._fitted().learned
        return 0.0 if learned is None else learned.gap

    @property
    def history_(self) -> FloatArray:
        """g_d after each machine, (n_iter_,)."""
        fitted = self._fitted()
        return np.array([fitted.objective]) if fitted.learned is None else fitted.learned.history

    @property
    def mu_history_(self) -> FloatArray:
        """Weights of each machine, (n_iter_, n_matrices)."""
        learned = self._fitted().learned
        return np.empty((1, 0)) if learned is None else learned.mu_history

    @property
    def n_iter_(self) -> int:
        """Machines trained on the way to the weights."""
        return int(self.history_.size)

    def risk_bound(self, *, margin: float = 1.0, delta: float = 0.05, seed: int | None = None) -> RiskBound:
        """Return the bound of Lemma 4.1 of [ElYaniv2008]_ on the error of new points, as a number.

        Parameters
        ----------
        margin : float, default=1.0
            gamma, the margin of a machine of norm one below which a copy counts as an error.
        delta : float, default=0.05
            The bound holds with probability 1 - delta over the training points.
        seed : int, default=None
            Draws one copy of each point, as the paper does; None takes the mean over all copies.
        """
        fitted = self._fitted()
        if self.columns_.weights is not None:
            raise ValueError("The risk bound is about points that all count alike; train without weights.")
        if fitted.learned is None or self.variant == "ecoc":
            raise ValueError(
                "The risk bound is about the variants kernel, identity and single, "
                f"which copy a point once per class; this is {self.variant!r}."
            )
        norm = float(np.sqrt(max(0.0, float(np.vdot(fitted.coefficients, fitted.outputs)))))
        assert self.columns_.diagonal is not None  # noqa: S101 - kernels have one
        radius = float(self.columns_.diagonal.max() * fitted.learned.mu.sum())
        return risk_bound(
            self.columns_.scores,
            self.columns_.targets.astype(np.float64),
            norm,
            radius,
            fitted.learned.mu.size,
            margin=margin,
            delta=delta,
            seed=seed,
        )
