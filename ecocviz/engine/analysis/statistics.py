"""How far an error count can be trusted, and whether two decoders on the same points differ."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import stats

from ecocviz.engine.types import BoolArray, FloatArray, IntArray


def wilson_interval(n_wrong: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return Wilson's score interval of an error rate.

    Examples
    --------
    >>> low, high = wilson_interval(5, 48)
    >>> round(low, 3), round(high, 3)
    (0.045, 0.222)
    """
    if not 0 <= n_wrong <= n or n == 0:
        raise ValueError(f"An error rate needs 0 to n errors of n > 0 points, not {n_wrong} of {n}.")
    z = _deviations(confidence)
    rate = n_wrong / n
    centre = rate + z * z / (2 * n)
    width = z * np.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    low = 0.0 if n_wrong == 0 else float((centre - width) / scale)
    high = 1.0 if n_wrong == n else float((centre + width) / scale)
    return low, high


@lru_cache(maxsize=16)
def _deviations(confidence: float) -> float:
    """Return within how many standard deviations a normal number lies with this probability."""
    return float(stats.norm.ppf(0.5 + confidence / 2))


def mcnemar(first_wrong: BoolArray, second_wrong: BoolArray) -> float:
    """Return the exact two-sided p-value of McNemar's test that two deciders err equally often.

    Parameters
    ----------
    first_wrong, second_wrong : (n_samples,)
        Errors on the same samples.
    """
    only_first = int((first_wrong & ~second_wrong).sum())
    only_second = int((second_wrong & ~first_wrong).sum())
    return sign_test(only_first, only_second)


@lru_cache(maxsize=4096)
def sign_test(n_first: int, n_second: int) -> float:
    """Return the exact two-sided p-value of so many against so many; pages ask for the same ones often."""
    if n_first + n_second == 0:
        return 1.0
    return float(stats.binomtest(n_first, n_first + n_second, 0.5).pvalue)


def confusion(truth: IntArray, labels: IntArray, n_classes: int) -> IntArray:
    """Count decisions, (n_classes, n_classes): rows are true classes, columns decided ones."""
    counts: IntArray = np.zeros((n_classes, n_classes), dtype=np.int64)
    np.add.at(counts, (truth, labels), 1)
    return counts


@dataclass(frozen=True, slots=True)
class Calibration:
    """How well stated probabilities match what happens.

    Attributes
    ----------
    stated, happened, counts : (n_bins,)
        Mean stated probability of the decided class, share decided rightly, and number of points,
        of every bin that holds points.
    log_loss
        Mean of -log P(true class), P not below 1e-15.
    calibration_error
        Mean of |stated - happened| over the points.
    """

    stated: FloatArray
    happened: FloatArray
    counts: IntArray
    log_loss: float
    calibration_error: float


def calibration(probabilities: FloatArray, truth: IntArray, n_bins: int = 10) -> Calibration:
    """Compare the probability a decoder gives its decision with how often it is right.

    Parameters
    ----------
    probabilities : (n_samples, n_classes)
    truth : (n_samples,)
    n_bins
        Bins of equal width over [0, 1].
    """
    confidence = probabilities.max(axis=1)
    right = probabilities.argmax(axis=1) == truth
    bins = np.minimum((confidence * n_bins).astype(np.int64), n_bins - 1)
    counts = np.bincount(bins, minlength=n_bins).astype(np.int64)
    used = counts > 0
    stated = np.bincount(bins, confidence, n_bins)[used] / counts[used]
    happened = np.bincount(bins, right.astype(np.float64), n_bins)[used] / counts[used]
    of_truth = np.maximum(probabilities[np.arange(truth.size), truth], 1e-15)
    error = float(np.abs(stated - happened) @ counts[used] / truth.size)
    return Calibration(stated, happened, counts[used], float(-np.log(of_truth).mean()), error)
