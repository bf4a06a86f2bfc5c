"""Wrong bits: how often each machine errs, how many err at once, and which err together."""

from dataclasses import dataclass

import numpy as np

from ecocviz.engine.types import BoolArray, CodeMatrix, FloatArray, IntArray, Scores


@dataclass(frozen=True, slots=True)
class BitReport:
    """What the machines got wrong on a set of samples.

    Attributes
    ----------
    wrong : (n_samples, n_bits)
        The machine did not put the sample on the side its class's codeword asks for (a score of
        exactly 0 is on no side); False where the codeword holds 0.
    asked : (n_samples, n_bits)
        The codeword holds +1 or -1.
    accuracies : (n_bits,)
        Share right among those asked; NaN where none was asked.
    wrong_bits : (n_samples,)
        Number of wrong bits of each sample.
    histogram : (n_bits + 1,)
        Number of samples with 0, 1, 2, ... wrong bits.
    together : (n_bits, n_bits)
        Number of samples both machines got wrong; the diagonal counts each machine's own errors.
    """

    wrong: BoolArray
    asked: BoolArray
    accuracies: FloatArray
    wrong_bits: IntArray
    histogram: IntArray
    together: IntArray


def bit_report(scores: Scores, code_matrix: CodeMatrix, y_index: IntArray) -> BitReport:
    """Compare the machines' hard bits with the codewords of the true classes.

    Parameters
    ----------
    scores : (n_samples, n_bits)
    code_matrix : (n_classes, n_bits)
    y_index : (n_samples,)

    Examples
    --------
    >>> code = np.array([[1, 1, 0], [-1, 1, -1]], dtype=np.int8)
    >>> report = bit_report(np.array([[2.0, -1.0, 5.0], [1.0, 1.0, 1.0]]), code, np.array([0, 1]))
    >>> report.wrong_bits.tolist(), report.histogram.tolist()
    ([1, 2], [0, 1, 1, 0])
    """
    codewords = code_matrix[y_index]
    asked: BoolArray = codewords != 0
    wrong: BoolArray = asked & (np.sign(scores) != codewords)
    n_asked = asked.sum(axis=0)
    n_wrong = wrong.sum(axis=0)
    accuracies = np.divide(
        n_asked - n_wrong,
        n_asked,
        out=np.full(n_asked.size, np.nan),
        where=n_asked > 0,
    )
    wrong_bits: IntArray = wrong.sum(axis=1).astype(np.int64)
    histogram: IntArray = np.bincount(wrong_bits, minlength=code_matrix.shape[1] + 1).astype(np.int64)
    counts = wrong.astype(np.float64)
    together: IntArray = np.rint(counts.T @ counts).astype(np.int64)
    return BitReport(wrong, asked, accuracies, wrong_bits, histogram, together)


def independent_histogram(report: BitReport) -> FloatArray:
    """Return the histogram that independent machines of the same accuracy would give, (n_bits + 1,).

    The expected number of samples with k wrong bits if every machine erred on its own, at its
    overall rate, on the samples it is asked about: the promise behind error correction, to be laid
    beside what happened. The distribution is the Poisson binomial, convolved bit by bit; samples
    that are asked by the same machines share one.
    """
    n_bits = report.asked.shape[1]
    rates = 1 - np.nan_to_num(report.accuracies, nan=1.0)
    patterns, counts = np.unique(report.asked, axis=0, return_counts=True)
    expected = np.zeros(n_bits + 1)
    for pattern, count in zip(patterns, counts, strict=True):
        distribution = np.zeros(n_bits + 1)
        distribution[0] = 1.0
        for rate in rates[pattern]:
            distribution[1:] = distribution[1:] * (1 - rate) + distribution[:-1] * rate
            distribution[0] *= 1 - rate
        expected += count * distribution
    return expected
