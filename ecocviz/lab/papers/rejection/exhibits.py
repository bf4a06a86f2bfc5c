"""What is made of rejected points: statements that hold or not, and drawings."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import fmean
from typing import Any

from ecocviz.lab.evidence.drawings import Drawing, Entry, Line, Opens, Page, Panel, Panels, Point, Table
from ecocviz.lab.evidence.entries import Measured, Statement, count, nearest
from ecocviz.lab.papers._words_received import scenario_of
from ecocviz.lab.papers.rejection.study import CODES, SHARES, SOFT, WORDS

CUT = "where to cut is learned from training points, not from the points rejected"
MOST = 0.9
"""The largest share that a scenario rejects by margin."""
Run = Mapping[str, Any]


def runs(found: Sequence[Measured], code: str | None = None) -> Iterator[Run]:
    """Go through what was measured of all codes, or of one."""
    for one in found:
        for key, run in one.record["codes"].items():
            if code in {None, key}:
                yield run


def error(wrong: int, n: int) -> float | None:
    """Return a share in percent, None of nothing."""
    return 100 * wrong / n if n else None


def judge_syndrome(found: Sequence[Measured]) -> list[Statement]:
    """Count where what is decided by syndrome is more often right, and what the code promises."""
    # Where nothing, or everything, is rejected there is nothing to compare; nor where nothing was wrong.
    told = [run for run in runs(found) if 0 < run["gone"] < run["n"] and run["wrong"]]
    fewer = [_share(run) < 100 * run["wrong"] / run["n"] for run in told]
    right, within = (sum(run[name] for run in runs(found)) for name in ("within_right", "within"))
    repaired = "points with no more wrong bits than the code repairs are decided, and rightly"
    return [
        count("the error among the points within what the code repairs is smaller than among all", fewer),
        Statement(repaired, right, within, least=1.0),
    ]


def judge_margin(found: Sequence[Measured]) -> list[Statement]:
    """Count where the margin of a decoder chooses better than the syndrome, rejecting no more points."""
    told = _compared(found)
    return [
        count(
            f"by margin of {name} decoding fewer of the decided points are wrong, of no fewer points",
            [_is_better(run, key) for run in told],
        )
        for key, name in SOFT.items()
    ]


def judge_curve(found: Sequence[Measured]) -> list[Statement]:
    """Count where rejecting more by margin leaves a smaller error."""
    statements = []
    for key, name in SOFT.items():
        steps = (step for run in runs(found) for step in pairwise(_errors(run, key)[:5]))
        falls = [b < a for a, b in steps if a is not None and b is not None and a > 0]
        text = f"{name} decoding: the error falls from each of 0, 5, 10, 20 % rejected to the next"
        statements.append(count(f"{text}, up to 30 %", falls))
    return statements


def _errors(run: Run, key: str) -> list[float | None]:
    margin = run["margin"][key]
    return [
        error(wrong, run["n"] - gone) for gone, wrong in zip(margin["gone"], margin["wrong"], strict=True)
    ]


def why(found: Sequence[Measured]) -> str:
    """Say how much is rejected by syndrome, and what is left wrong, code by code."""
    parts = []
    for code, name in CODES.items():
        told = [run for run in runs(found, code) if run["n"] > run["gone"]]
        if told:
            gone = fmean(100 * run["gone"] / run["n"] for run in told)
            before, after = fmean(100 * run["wrong"] / run["n"] for run in told), fmean(map(_share, told))
            parts.append(
                f"{name}: {gone:.1f} % rejected, error {before:.1f} % before and {after:.1f} % after"
            )
    return f"By syndrome, means: {'; '.join(parts)}." if parts else ""


def why_margin(found: Sequence[Measured]) -> str:
    """Say with which codes the margin chooses better, and how often these decoders are wrong themselves."""
    parts, behind = [], []
    for code, name in CODES.items():
        told = _compared(found, code)
        if told:
            better = _listed(f"{sum(_is_better(run, key) for run in told)}" for key in SOFT)
            before = [fmean(_errors(run, key)[0] or 0.0 for run in told) for key in SOFT]
            words = fmean(100 * run["wrong"] / run["n"] for run in told)
            shown = _listed(f"{error:.1f}" for error in before)
            parts.append(f"{name}: better in {better} of {len(told)}, errors {shown} % ({words:.1f} %)")
            behind += [name] * (min(before) > words)
    if not parts:
        return ""
    led = f" With {_listed(behind)} all three begin behind it." if behind else ""
    return (
        f"By margin of {_listed(SOFT.values())} decoding, in this order; errors are of all points, that by "
        f"the nearest codeword in brackets: {'; '.join(parts)}.{led}"
    )


def _listed(words: Iterable[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def _compared(found: Sequence[Measured], code: str | None = None) -> list[Run]:
    """Return the runs in which the syndrome rejects some points, not all, and leaves an error."""
    return [run for run in runs(found, code) if 0 < run["gone"] < run["n"] and run["wrong_kept"]]


def _is_better(run: Run, key: str) -> bool:
    """Say whether fewer of the decided points are wrong by margin than by syndrome."""
    gone, wrong = run["margin"][key]["same"]
    return bool(wrong / (run["n"] - gone) < run["wrong_kept"] / (run["n"] - run["gone"]))


def _share(run: Run) -> float:
    return float(100 * run["wrong_kept"] / (run["n"] - run["gone"]))


# Drawings --------------------------------------------------------------------------------------------


def draw_syndrome(found: Sequence[Measured]) -> list[Drawing]:
    """List rejected shares and errors before and after."""
    rows = []
    for one in found:
        for code, name in CODES.items():
            run = one.record["codes"][code]
            opens = Opens(scenario_of(one.cell.about, code, decoding=WORDS), Page.BITS)
            left = Opens(opens.scenario.chosen("rejecting", "syndrome"))
            entries = (
                Entry(run["repairs"], opens=opens, digits=0),
                Entry(error(run["gone"], run["n"]), opens=left, digits=1),
                Entry(error(run["wrong"], run["n"]), opens=opens, digits=1),
                Entry(error(run["wrong_kept"], run["n"] - run["gone"]), opens=left, digits=1),
            )
            rows.append((f"{one.cell.about['set']}, split {one.cell.about['seed']}, {name}", entries))
    columns = ("set, split, code", "bits repaired", "rejected, %", "error of all, %", "error of the rest, %")
    return [Table(title="Rejected by syndrome", columns=columns, rows=tuple(rows))]


def _places(found: Sequence[Measured], code: str) -> list[tuple[Measured, Run]]:
    return [(one, one.record["codes"][code]) for one in found if code in one.record["codes"]]


def _mean_point(
    x: float | str, places: Sequence[tuple[Measured, float, float]], code: str, decoding: str
) -> Point:
    """Return the mean over sets and splits, which opens the one that comes nearest to it.

    Each of the `places` has its number and the share that is rejected: by syndrome where the decoder is that
    of the words, by margin with any other.
    """
    values = [value for _, value, _ in places]
    mean = fmean(values)
    one, _, share = places[nearest(mean, values)]
    about = one.cell.about
    which = f"{about['set']}, split {about['seed']}, the nearest of {len(values)} to their mean"
    plain = scenario_of(about, code, decoding=decoding)
    if decoding == WORDS:
        return Point(x, mean, opens=Opens(plain.chosen("rejecting", "syndrome"), differs=which))
    if not share:
        return Point(x, mean, opens=Opens(plain, differs=which))
    left = plain.chosen("rejecting", "margin", share=round(min(share, MOST), 4))
    return Point(x, mean, opens=Opens(left, differs=which).but(CUT))


def draw_margin(found: Sequence[Measured]) -> list[Drawing]:
    """Draw the error of the rest by syndrome, and by margin at the same share, means over the sets."""
    panels = []
    for code, name in CODES.items():
        told = [(one, run) for one, run in _places(found, code) if 0 < run["gone"] < run["n"]]
        if not told:
            continue
        words = [(one, _share(run), run["gone"] / run["n"]) for one, run in told]
        points = [_mean_point("syndrome", words, code, WORDS)]
        for key, title in SOFT.items():
            same = [(one, run["n"], *run["margin"][key]["same"]) for one, run in told]
            rest = [(one, 100 * wrong / (n - gone), gone / n) for one, n, gone, wrong in same]
            points.append(_mean_point(title, rest, code, key))
        lines = (Line("ours", tuple(points)),)
        panels.append(Panel(title=name, x="rule", y="error of the rest, %", bars=True, lines=lines))
    return [Panels(title="Error of the rest, no more points rejected than by syndrome", panels=tuple(panels))]


def draw_curve(found: Sequence[Measured]) -> list[Drawing]:
    """Draw the error among the rest over the share rejected, a panel per code, means over the sets."""
    panels = []
    for code, name in CODES.items():
        lines = []
        for key, title in SOFT.items():
            points = []
            for k, share in enumerate(SHARES):
                errors = [(one, _errors(run, key)[k]) for one, run in _places(found, code)]
                known = [(one, value, share / 100) for one, value in errors if value is not None]
                if known:
                    points.append(_mean_point(float(share), known, code, key))
            lines.append(Line(title, tuple(points)))
        panels.append(Panel(title=name, x="points rejected, %", y="error of the rest, %", lines=tuple(lines)))
    return [Panels(title="Rejection by margin, means over sets and splits", panels=tuple(panels))]
