"""The rules that turn reliability measures into verdicts; written before the full study was run."""

import math
from collections.abc import Sequence
from statistics import mean

from ecocviz.lab.evidence.entries import Measured, Statement, count, grouped
from ecocviz.lab.papers.liu_zheng_2005.printed import ROWS, SHARES
from ecocviz.lab.papers.liu_zheng_2005.study import STOPPED, TABLE

SHOWN_DRM = "drm-5"
"""DRM asks five neighbours where nothing else is said: the app's default."""
HALF = 0.5

TABLE_RULE = (
    "Over all rows, settings and splits, SRM makes no more errors than f(x) and DRM (five neighbours) no "
    "more than SRM, in 80 % each. At the setting whose f(x) errs most nearly as often as printed, SRM and "
    "DRM take away at least half of the share of errors that is printed, in three of the four rows each."
)
FIGURE_RULE = (
    "At the setting whose f(x) errs most nearly as often as printed, for each row: at 80 % of the numbers of "
    "classes, SRM makes no more errors than f(x) and DRM (five neighbours) no more than SRM."
)


def of_row(found: Sequence[Measured], row: str) -> list[Measured]:
    """Return the cells of a row of the table."""
    return [p for p in found if p.cell.about["kind"] == TABLE and p.cell.about["row"] == row]


def stopped_after(found: Sequence[Measured]) -> dict[int, list[Measured]]:
    """Return the cells whose solver was stopped, by steps."""
    stopped = grouped((p for p in found if p.cell.about["kind"] == STOPPED), "steps")
    return dict(sorted(stopped.items()))


def all_classes(place: Measured) -> int:
    """Return the largest number of classes of a cell."""
    return int(place.cell.about["classes"][-1])


def percent(places: Sequence[Measured], decoder: str, n_classes: int | None = None) -> float:
    """Return the mean test error over splits, in percent, with all classes or some."""
    return mean(_share(place, decoder, n_classes or all_classes(place)) for place in places)


def _share(place: Measured, decoder: str, n_classes: int) -> float:
    counts = place.record["classes"][str(n_classes)]
    return float(100 * counts["wrong"][decoder] / counts["n"])


def settings_of(found: Sequence[Measured], row: str) -> dict[str, list[Measured]]:
    """Return setting -> the cells of its splits."""
    return grouped(of_row(found, row), "setting")


def nearest_setting(found: Sequence[Measured], row: str) -> list[Measured]:
    """Return the splits of the setting whose f(x) errs most nearly as often as the paper's."""
    by_setting = settings_of(found, row)
    if not by_setting:
        return []
    return min(by_setting.values(), key=lambda places: abs(percent(places, "f") - ROWS[row].percent[0]))


def reductions(places: Sequence[Measured]) -> tuple[float, float]:
    """Return the shares of errors that SRM and DRM take away, in percent."""
    plain = percent(places, "f")
    srm, drm = percent(places, "srm"), percent(places, SHOWN_DRM)
    return (100 * (plain - srm) / plain, 100 * (plain - drm) / plain) if plain else (0.0, 0.0)


def judge_table(found: Sequence[Measured]) -> list[Statement]:
    """Judge Table I."""
    wrong = [p.record["classes"][str(all_classes(p))]["wrong"] for row in ROWS for p in of_row(found, row)]
    gains = {row: reductions(places) for row in ROWS if (places := nearest_setting(found, row))}
    srm, drm = ([gain[k] >= HALF * SHARES[row][k] for row, gain in gains.items()] for k in range(2))
    return [
        count("SRM makes no more errors than f(x)", [w["srm"] <= w["f"] for w in wrong]),
        count("DRM makes no more errors than SRM", [w[SHOWN_DRM] <= w["srm"] for w in wrong]),
        count("SRM takes away half of the printed share of errors", srm, least=0.75),
        count("DRM takes away half of the printed share of errors", drm, least=0.75),
    ]


def judge_figure(found: Sequence[Measured]) -> list[Statement]:
    """Judge Figure 2."""
    statements = []
    for row, about in ROWS.items():
        places = nearest_setting(found, row)
        numbers = places[0].cell.about["classes"] if places else []
        orders = [[percent(places, decoder, n) for decoder in (SHOWN_DRM, "srm", "f")] for n in numbers]
        text = f"{about.title}: DRM errs no more than SRM, and SRM no more than f(x)"
        statements.append(count(text, [order == sorted(order) for order in orders]))
    return statements


def why_table(found: Sequence[Measured]) -> str:
    """Say what is known of the row that does not come out."""
    degree_2 = of_row(found, "segment-2")
    stopped = stopped_after(found)
    if not degree_2 or not stopped:
        return ""
    least = min(place.record["least_reliability"] for place in degree_2)
    places = min(
        stopped.values(), key=lambda each: abs(stopped_percent(each, "f") - ROWS["segment-2"].percent[0])
    )
    f, srm, drm = (stopped_percent(places, decoder) for decoder in ("f", "srm", "drm-1"))
    silenced = min(place.record["least_reliability"] for place in places)
    taken = 100 * (f - srm) / f if f else 0.0
    said = (
        f"With libsvm stopped after {places[0].cell.about['steps']:,} steps on points that are not scaled, "
        f"f(x), SRM and DRM (one neighbour) err in {f:.1f}, {srm:.1f} and {drm:.1f} %. So SRM takes "
        f"away {taken:.0f} % of the errors (printed: {SHARES['segment-2'][0]:.0f} %); the least reliability "
        f"of such a machine is {silenced:.1g}."
    )
    if least < math.exp(-1) or taken <= reductions(nearest_setting(found, "segment-2"))[0]:
        return said
    return (
        "27.8 → 9.95 % (degree 2) looks like an unconverged solver. Machines that have converged have "
        f"static reliabilities of at least 1/e (here {least:.2f}), so none is silenced. {said}"
    )


def stopped_percent(places: Sequence[Measured], decoder: str) -> float:
    """Return the mean test error over splits of stopped machines, in percent."""
    return mean(float(100 * place.record["wrong"][decoder] / place.record["n"]) for place in places)
