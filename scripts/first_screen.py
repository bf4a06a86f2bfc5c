"""Look for the scenario that the app opens with: the one in which codes, decoders and repair differ most.

    python scripts/first_screen.py          # a few minutes; writes scripts/first_screen.md

Goes over a plain grid (data sets with at least 400 test points x machines x seeds). Of each candidate
every code is trained and read by the same decoders. The code that would be shown is the one with the fewest
errors under `SHOWN` decoding among those that a reader can take in (at most `MOST_BITS` columns) and that
repair every single wrong bit. A problem that even its best decoder solves badly (`MOST_WRONG`) shows nothing.

The score is the geometric mean of four shares, so that a scenario needs all of them:

gain
    Errors that the shown code saves against one-vs-all under the same decoder: the least of all decoders.
decoders
    Errors of the worst decoder minus those of the best, on the shown code.
disagree
    Cells of the plane for which the decoders do not all name the same class.
repaired
    Test points with exactly one wrong bit that are decided rightly all the same.
"""

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np

from ecocviz.engine.analysis.codes import code_report
from ecocviz.engine.params import ParamValue
from ecocviz.lab.plane import make_plane
from ecocviz.lab.regions import make_points, make_regions
from ecocviz.lab.run import train
from ecocviz.lab.scenario import Choice, Scenario, choose, make_scenario

TABLE = Path(__file__).with_suffix(".md")
SHOWN = "hamming"
BASE = "one-vs-all"
LEAST_POINTS, MOST_BITS, MOST_WRONG, LONGEST_SECONDS = 400, 12, 0.15, 1.0

CLOUDS, WINDING = {"n_samples": 600}, {"n_samples": 600, "n_classes": 4}
DATA: tuple[tuple[str, Mapping[str, ParamValue]], ...] = (
    ("blobs", CLOUDS | {"n_classes": 4, "overlap": 0.6}),
    ("blobs", CLOUDS | {"n_classes": 5, "overlap": 0.4}),
    ("blobs", CLOUDS | {"n_classes": 6, "overlap": 0.3}),
    ("blobs", CLOUDS | {"n_classes": 6, "overlap": 0.4}),
    ("spirals", WINDING),
    ("checkerboard", WINDING),
    ("circles", WINDING),
    ("segment", {}),
)
MACHINES: tuple[tuple[str, Mapping[str, ParamValue]], ...] = (
    ("kernel", {"kernel": "linear"}),
    ("kernel", {"gamma": 1.0}),
    ("kernel", {"gamma": 10.0}),
    ("decision-tree", {"max_depth": 3}),
)
SEEDS = (0, 1)
CODES = (BASE, "one-vs-one", "binary-complete", "hadamard", "dense-random", "minimum-distance")
DECODERS = (SHOWN, "likelihood", "linear", "exponential")


@dataclass(frozen=True, slots=True)
class Seen:
    """What one code makes of a candidate: errors of every decoder, and what is to be seen on the plane."""

    scenario: Scenario
    n_bits: int
    repairs: int
    errors: tuple[int, ...]
    n_test: int
    disagree: float
    repaired: int
    seconds: float

    @property
    def fits(self) -> bool:
        """Whether it may be shown."""
        quick = self.seconds < LONGEST_SECONDS
        return quick and self.repairs > 0 and self.n_bits <= MOST_BITS


def candidates() -> Iterator[Scenario]:
    """Go through the grid."""
    for (data, asked), (machine, settings), seed in itertools.product(DATA, MACHINES, SEEDS):
        yield make_scenario(
            seed,
            data=(data, asked),
            split=("hold-out", {"test_share": 0.7}),
            machine=(machine, settings),
            decoding=SHOWN,
        )


def see(scenario: Scenario) -> Seen:
    """Train a scenario and let every decoder read its machines."""
    began = perf_counter()
    trained = train(scenario)
    seconds = perf_counter() - began
    decoders: tuple[Choice, ...] = tuple(choose("decoding", key) for key in DECODERS)
    plane = make_plane(trained.shown.prepared, "")
    regions = make_regions(trained.shown, plane, decoders, 60)
    points = make_points(trained.shown, plane, decoders)
    tested = points.is_test
    wrong = (points.labels != points.truth)[:, tested]
    report = code_report(trained.code_matrix)
    return Seen(
        scenario,
        report.n_bits,
        report.repairable_bits_hamming or 0,
        tuple(wrong.sum(axis=1).tolist()),
        int(tested.sum()),
        float((regions.labels != regions.labels[0]).any(axis=0).mean()),
        int(((points.wrong_bits[tested] == 1) & ~wrong[0]).sum()),
        seconds,
    )


def row(candidate: Scenario) -> tuple[float, str, Scenario] | None:
    """Return the score of a candidate, its row of the table and the scenario that would be shown."""
    seen = {code: see(candidate.chosen("coding", code)) for code in CODES}
    base = seen[BASE]
    fit = [one for one in seen.values() if one.fits]
    if not fit or base.n_test < LEAST_POINTS:
        return None
    best = min(fit, key=lambda s: s.errors[0])
    gain = min(theirs - ours for theirs, ours in zip(base.errors, best.errors, strict=True))
    apart = max(best.errors) - min(best.errors)
    n = best.n_test
    shares = (max(gain, 0) / n, apart / n, best.disagree, best.repaired / n)
    score = float(np.prod(shares) ** 0.25) if min(best.errors) <= MOST_WRONG * n else 0.0
    first = [s.errors[0] for s in seen.values()]
    cells = (
        f"{100 * score:.1f}",
        _named(best.scenario, "data"),
        _named(best.scenario, "machine"),
        str(candidate.seed),
        f"{best.scenario.coding.key}, {best.n_bits} bits",
        str(n),
        " ".join(map(str, first)),
        " ".join(map(str, best.errors)),
        " ".join(map(str, base.errors)),
        f"{100 * best.disagree:.0f} %",
        str(best.repaired),
        f"{best.seconds:.2f}",
    )
    return score, f"| {' | '.join(cells)} |", best.scenario


def _named(scenario: Scenario, slot: str) -> str:
    """Write a choice with what differs from its defaults."""
    told = {k: v for k, v in scenario.to_flat().items() if k.startswith(f"{slot}.")}
    settings = ", ".join(f"{name.partition('.')[2]} {value}" for name, value in told.items())
    return f"{getattr(scenario, slot).key} ({settings})" if settings else str(getattr(scenario, slot).key)


HEAD = f"""# Where the first screen comes from

Made by `python scripts/first_screen.py`, which says how the score comes about; best first. Errors are
numbers of wrong test points.

- Over codes: {", ".join(CODES)}, under {SHOWN} decoding.
- Over decoders, of the shown code and of one-vs-all: {", ".join(DECODERS)}.

The app opens with the best one (`ecocviz/lab/first_screen.py`).

| score | data | machine | seed | shown code | test points | errors over codes | over decoders | one-vs-all \
| disagree | one bit repaired | s |
|---|---|---|---|---|---|---|---|---|---|---|---|
"""


def main() -> None:
    """Print the table and keep it."""
    rows = []
    for candidate in candidates():
        found = row(candidate)
        if found is not None:
            print(found[1], flush=True)
            rows.append(found)
    rows.sort(key=lambda found: -found[0])
    TABLE.write_text(HEAD + "\n".join(line for _, line, _ in rows) + "\n", encoding="utf-8")
    print(rows[0][2].to_query())


if __name__ == "__main__":
    main()
