"""Trellis codes: classes are paths of a graph, machines its edges, so few machines serve many classes."""

import numpy as np

from ecocviz.engine.entries import Coding
from ecocviz.engine.params import IntParam
from ecocviz.engine.references import EVRON_2018
from ecocviz.engine.trellis import trellis as graph
from ecocviz.engine.types import CodeMatrix, FloatArray, IntArray


def trellis(n_classes: int, width: int = 2) -> CodeMatrix:
    """Build the code whose rows are the paths of a trellis: +1 for the edges of the path, -1 for all others.

    Implements the codes of W-LTLS [Evron2018]_; see `engine.trellis` for the graph. The number of
    machines grows with the logarithm of the number of classes, and an exact decoder takes as many steps
    as there are machines (see `nearest`).

    Differs from the paper: an edge that all paths share is no machine, because it has only one side; two
    classes take one machine. Classes take the paths in their order; the paper draws them at random, or
    assigns them while it trains.

    Parameters
    ----------
    width
        Vertices in a slice: more take more machines, each of which asks for fewer classes.

    Returns
    -------
    code_matrix : (n_classes, n_bits)
        Entries in {-1, +1}.

    Examples
    --------
    >>> for codeword in trellis(3).tolist():
    ...     print(*(f"{entry:2d}" for entry in codeword))
     1 -1  1 -1 -1  1
     1 -1 -1  1 -1 -1
    -1  1 -1 -1  1  1
    """
    if n_classes == 2:
        return np.array([[-1], [1]], dtype=np.int8)
    return graph(n_classes, width).codewords()


def nearest(n_classes: int, plus: FloatArray, minus: FloatArray, width: int = 2) -> IntArray:
    """Return the class whose codeword costs least, by a shortest path, (n_samples,); see `Trellis.nearest`.

    Parameters
    ----------
    plus, minus : (n_samples, n_bits)
        What an entry of +1 costs, and one of -1.
    """
    if n_classes == 2:
        return (plus[:, 0] < minus[:, 0]).astype(np.int64)
    return graph(n_classes, width).nearest(plus, minus)


def _n_bits(n_classes: int, width: int = 2) -> int:
    made = graph(n_classes, width)
    if n_classes == 2:
        return 1
    return made.n_edges - int(made.shared.sum())


CODING = Coding(
    key="trellis",
    title="Trellis",
    summary="Every class is a path through a small graph and every edge a machine: a few dozen machines for "
    "thousands of classes.",
    build=trellis,
    n_bits=_n_bits,
    nearest=nearest,
    reference=EVRON_2018,
    params=(
        IntParam(
            name="width",
            label="Width",
            default=2,
            low=2,
            high=20,
            hint="more machines, easier problems",
            help="Vertices in each slice of the graph; the edges between two slices are this number squared.",
        ),
    ),
    distinct_columns=False,
    max_classes=100_000,
    order=16,
)
