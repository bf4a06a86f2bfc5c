"""What a search has found, as scikit-learn's tables tell it, and which combination is taken."""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import rankdata
from sklearn.exceptions import ConvergenceWarning, FitFailedWarning

from ecocviz.engine.tuning.grids import Grid, masked
from ecocviz.engine.types import FloatArray, IntArray

CHOICES = ("best", "one-standard-error")


@dataclass(frozen=True)
class Findings:
    """Scores of all combinations, as far as they are known; the others are not numbers.

    Attributes
    ----------
    grid
        The combinations.
    scores : (n_codes, n_decoders, n_Cs, n_gammas, n_splits)
        Share of the points that are decided right.
    seconds : (n_codes, n_Cs, n_gammas)
        What one training took.
    n_samples
        How many points each split judges, where there is one only: what all of them weigh.
    """

    grid: Grid
    scores: FloatArray
    seconds: FloatArray
    n_samples: float

    @property
    def _folded(self) -> bool:
        return bool(self.scores.shape[-1] > 1)

    def listed(self) -> FloatArray:
        """Return the scores of each combination, (n_combinations, n_splits)."""
        return self.scores.reshape(-1, self.scores.shape[-1])

    def table(self) -> dict[str, Any]:
        """Return `cv_results_`: a column for everything, an entry for each combination."""
        scores, params = self.listed(), self.grid.params()
        times = np.broadcast_to(self.seconds[:, None], self.scores.shape[:-1])
        table: dict[str, Any] = {"mean_fit_time": times.ravel().copy()}
        for name in params[0]:
            table[f"param_{name}"] = masked([one[name] for one in params])
        table["params"] = params
        if self._folded:
            table |= {f"split{k}_test_score": scores[:, k].copy() for k in range(scores.shape[1])}
        mean = table["mean_test_score"] = scores.mean(axis=1)
        # Of one number for all points, the deviation is that of right and wrong, as if each were a fold.
        table["std_test_score"] = scores.std(axis=1) if self._folded else np.sqrt(mean * (1 - mean))
        table["rank_test_score"] = ranks(mean)
        return table

    def standard_errors(self) -> FloatArray:
        """Return the standard error of each combination's mean score, (n_combinations,)."""
        scores = self.listed()
        if self._folded:
            errors: FloatArray = scores.std(axis=1, ddof=1) / np.sqrt(scores.shape[1])
            return errors
        mean = scores[:, 0]
        return np.sqrt(mean * (1 - mean) / self.n_samples)

    def choose(self, choice: str, n_bits: IntArray) -> int:
        """Return the number of the combination that is taken.

        Parameters
        ----------
        choice
            "best" takes the best mean score, the least C and then the least gamma among equals.
            "one-standard-error" takes the simplest of those whose mean is within one standard error of the
            best: the least C, then the least gamma, then the fewest machines.
        n_bits : (n_codes,)
            Machines of each code.
        """
        mean = self.listed().mean(axis=1)
        best = int(np.argmin(ranks(mean)))
        if choice == "best":
            return best
        enough = mean >= mean[best] - self.standard_errors()[best]
        places = self.grid.positions()
        return min(
            np.flatnonzero(enough).tolist(),
            key=lambda i: (places[i][2], places[i][3], int(n_bits[places[i][0]]), -mean[i], i),
        )


def ranks(mean: FloatArray) -> IntArray:
    """Return the rank of each mean score, 1 for the best; equal ones share the better rank.

    Examples
    --------
    >>> ranks(np.array([0.5, 0.9, np.nan, 0.9])).tolist()
    [3, 1, 4, 1]
    """
    known = np.where(np.isnan(mean), -np.inf, mean)
    order: IntArray = rankdata(-known, method="min").astype(np.int64)
    return order


def complain(failures: list[str], n_gammas: int, n_open: int, n_doubtful: int) -> None:
    """Raise where nothing was found; warn of what was not, of machines given up, and of blurred bounds."""
    if len(failures) == n_gammas:
        raise ValueError(failures[0])
    if failures:
        warnings.warn(
            f"{len(failures)} of {n_gammas} values of gamma could not be searched: {failures[0]}",
            FitFailedWarning,
            stacklevel=4,
        )
    if n_open:
        warnings.warn(
            f"{n_open} trainings of the search stopped at max_updates above the tolerance; raise max_updates "
            "or search_tol, or try smaller values of C.",
            ConvergenceWarning,
            stacklevel=4,
        )
    if n_doubtful:
        warnings.warn(
            f"Bounds that may be better than that of the combination that was chosen: {n_doubtful}. Training "
            "could not end as near to the optimum as they need; try smaller values of C.",
            ConvergenceWarning,
            stacklevel=4,
        )
