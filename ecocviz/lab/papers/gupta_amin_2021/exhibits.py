"""What is made of proved distances and of errors: statements that hold or not, and drawings."""

from collections.abc import Mapping, Sequence
from statistics import fmean

from ecocviz.engine.params import ParamValue
from ecocviz.lab.evidence.drawings import (
    Drawing,
    Entry,
    Line,
    Opens,
    Page,
    Panel,
    Panels,
    Point,
    Table,
    first_of,
)
from ecocviz.lab.evidence.entries import Measured, Statement
from ecocviz.lab.papers.gupta_amin_2021.study import DRAWS, PROVED, SEARCHES, STANDARD, SWEEPS, scenario_of
from ecocviz.lab.scenario import make_scenario


def _proved(one: Measured) -> bool:
    return bool(one.record["proved"]["distance"] == one.record["proved"]["bound"])


def judge_distances(found: Sequence[Measured]) -> list[Statement]:
    """Count the sizes whose largest row distance is proved, and whether a search ever finds more."""
    return [
        Statement("the row distance is proved to be the largest", sum(map(_proved, found)), len(found)),
        *(
            Statement(
                f"{name} finds no larger one",
                sum(one.record["proved"]["distance"] >= one.record[key]["distance"] for one in found),
                len(found),
                least=1.0,
            )
            for key, name in SEARCHES.items()
        ),
    ]


def why_distances(found: Sequence[Measured]) -> str:
    """Say how often the program finds more than a search, and what it costs."""
    more = {
        key: sum(one.record["proved"]["distance"] > one.record[key]["distance"] for one in found)
        for key in SEARCHES
    }
    took = [one.record["proved"]["took"] for one in found]
    searched = " and ".join(f"than {SEARCHES[key]} at {more[key]} of {len(found)} sizes" for key in SEARCHES)
    if not took:
        return ""
    return (
        f"The program finds a larger row distance {searched}. A size took {fmean(took):.1f} seconds on "
        f"average and {max(took):.1f} at most, with the columns moved apart."
    )


def why_errors(found: Sequence[Measured]) -> str:
    """Say how many errors and machines every code has on average."""
    parts = []
    for code, name in {PROVED: "integer program", **STANDARD}.items():
        if found:
            error = fmean(100 * one.record["wrong"][code] / one.record["n_test"] for one in found)
            machines = fmean(one.record["machines"][code] for one in found)
            parts.append(f"{name} {error:.1f} % with {machines:.0f} machines")
    return f"Mean test error: {'; '.join(parts)}." if parts else ""


def judge_errors(found: Sequence[Measured]) -> list[Statement]:
    """Count where the proved code errs at most as often as a standard one."""
    return [
        Statement(
            f"the error is at most that of {name}",
            sum(one.record["wrong"][PROVED] <= one.record["wrong"][code] for one in found),
            len(found),
            least=0.5,
        )
        for code, name in STANDARD.items()
    ]


def draw_distances(found: Sequence[Measured]) -> list[Drawing]:
    """Draw the row distances of every number of classes over the machines, and the seconds."""
    by_classes: dict[int, list[Measured]] = {}
    for one in found:
        by_classes.setdefault(int(one.cell.about["classes"]), []).append(one)
    names: Mapping[str, str] = {"proved": "integer program", **SEARCHES}
    panels = [
        Panel(
            title=f"{K} classes",
            x="machines",
            y="least row distance",
            lines=tuple(Line(name, tuple(_point(one, key) for one in ones)) for key, name in names.items()),
        )
        for K, ones in by_classes.items()
    ]
    times = Panel(
        title="Seconds",
        x="classes x machines",
        y="seconds",
        log_y=True,
        bars=True,
        lines=tuple(
            Line(
                name,
                tuple(_took(one, key) for one in found),
            )
            for key, name in names.items()
        ),
    )
    return [
        Panels(title="How far apart the closest classes can be", panels=tuple(panels)),
        _distance_table(found, names),
        Panels(title="How long it takes", panels=(times,)),
    ]


def _code(one: Measured, key: str) -> Opens:
    """Return what opens a code of a size: the same program, or the same search."""
    K, L = int(one.cell.about["classes"]), int(one.cell.about["machines"])
    coding: Mapping[str, tuple[str, dict[str, ParamValue]]] = {
        "proved": (PROVED, {"n_bits": L}),
        "random": ("dense-random", {"n_bits": L, "trials": DRAWS}),
        "annealed": ("minimum-distance", {"n_bits": L, "sweeps": SWEEPS}),
    }
    asked = make_scenario(data=("blobs", {"n_classes": K}), coding=coding[key])
    return Opens(asked, Page.CODE_MATRIX)


def _point(one: Measured, key: str) -> Point:
    """Return a point, which opens its code."""
    note = ""
    if key == "proved":
        note = "proved" if _proved(one) else f"at most {one.record['proved']['bound']}"
    return Point(
        int(one.cell.about["machines"]), one.record[key]["distance"], opens=_code(one, key), note=note
    )


def _took(one: Measured, key: str) -> Point:
    opens = _code(one, key).but("the code that was found: seconds are not on any page")
    return Point(one.cell.key.replace("x", " x "), one.record[key]["took"], opens=opens)


def _distance_table(found: Sequence[Measured], names: Mapping[str, str]) -> Table:
    lines = []
    for one in found:
        best = max(one.record[key]["distance"] for key in names)
        entries = [
            Entry(
                one.record[key]["distance"],
                opens=_code(one, key),
                digits=0,
                best=one.record[key]["distance"] == best,
            )
            for key in names
        ]
        bounds = (one.record["proved"]["bound"], one.record["plain_bound"])
        bounded = _code(one, "proved").but("the code of the program, whose distance is bounded so")
        entries += [Entry(bound, opens=bounded, digits=0) for bound in bounds]
        lines.append((one.cell.key.replace("x", " x "), tuple(entries)))
    return Table(
        title="Least row distances",
        columns=("classes x machines", *names.values(), "proved bound", "bound by the mean over pairs"),
        rows=tuple(lines),
        note="Proved where the program's distance is the proved bound.",
    )


def draw_errors(found: Sequence[Measured]) -> list[Drawing]:
    """Draw the error of every code on every set, means over the splits."""
    names: Mapping[str, str] = {PROVED: "integer program", **STANDARD}
    sets: dict[str, list[Measured]] = {}
    for one in found:
        sets.setdefault(str(one.cell.about["set"]), []).append(one)

    def error(ones: Sequence[Measured], code: str) -> float:
        return fmean(100 * one.record["wrong"][code] / one.record["n_test"] for one in ones)

    bars = Panel(
        title="Test error with rbf machines and Hamming decoding",
        x="data set",
        y="test error, %",
        bars=True,
        lines=tuple(
            Line(
                name,
                tuple(
                    Point(
                        data,
                        error(ones, code),
                        opens=_first(ones, code),
                        note=f"{ones[0].record['machines'][code]} machines",
                    )
                    for data, ones in sets.items()
                ),
            )
            for code, name in names.items()
        ),
    )
    lines = []
    for data, ones in sets.items():
        least = min(error(ones, code) for code in names)
        lines.append(
            (
                data,
                tuple(
                    Entry(error(ones, code), opens=_first(ones, code), best=error(ones, code) == least)
                    for code in names
                ),
            )
        )
    table = Table(
        title="Test error, means over the splits",
        columns=("data set", *names.values()),
        rows=tuple(lines),
        unit="%",
    )
    return [Panels(title="Errors of proved and of standard codes", panels=(bars,)), table]


def _first(ones: Sequence[Measured], code: str) -> Opens:
    """Return what opens the first split of a set."""
    return Opens(scenario_of(ones[0].cell.about, code), differs=first_of(len(ones), "splits"))
