"""The study of problem sizes: the programs of Section 5 written out, counted, and solved."""

import numpy as np

from ecocviz.engine.progress import Progress
from ecocviz.engine.types import FloatArray, IntArray
from ecocviz.lab.evidence.entries import Cell, Record, Setting, Study
from ecocviz.lab.papers.crammer_singer_2002.programs import NORMS, optimum, write_dual, write_primal

SHAPES = {
    Setting.QUICK: ((20, 3, 4), (40, 5, 8)),
    Setting.FULL: ((20, 3, 4), (40, 5, 8), (100, 4, 2), (60, 10, 12), (150, 26, 6)),
}
"""Points m, classes k, machines l."""
BETA = 1.0


def cells(setting: Setting) -> list[Cell]:
    """List shapes of problems."""
    return [Cell(f"{m}/{k}/{n_bits}", {"m": m, "k": k, "l": n_bits}) for m, k, n_bits in SHAPES[setting]]


def measure(cell: Cell, progress: Progress) -> Record:
    """Write out the six programs of random scores; count variables and rows, and find the optima."""
    H, y, k = problem(cell)
    counts, optima = {}, {}
    for position, norm in enumerate(NORMS):
        step = progress.part(position, len(NORMS), norm)
        primal, dual = write_primal(H, y, k, norm, BETA), write_dual(H, y, k, norm, BETA)
        counts[norm] = {"primal": list(primal.counts), "dual": list(dual.counts)}
        optima[norm] = [round(value, 6) for value in optimum(H, y, k, norm, BETA, primal, dual, step)]
    return {"counts": counts, "optima": optima}


def problem(cell: Cell) -> tuple[FloatArray, IntArray, int]:
    """Return random scores in {-1, +1}, (m, l), classes, (m,), and the number of classes of a cell."""
    m, k, n_bits = (cell.about[name] for name in ("m", "k", "l"))
    rng = np.random.default_rng(m)
    y = rng.permutation(np.arange(m) % k)
    code = rng.choice([-1.0, 1.0], (k, n_bits))
    wrong = rng.random((m, n_bits)) < 0.2
    return np.where(wrong, -code[y], code[y]), y.astype(np.int64), k


STUDY = Study(key="sizes", cells=cells, measure=measure)
