"""What is made of proved distances and of errors: statements that hold or not, and drawings."""

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

from ecocviz.engine.params import ParamValue
from ecocviz.lab.evidence.drawings import Drawing, Entry, Line, Opens, Page, Panel, Panels, Point, Table
from ecocviz.lab.evidence.entries import Measured, Statement, count, grouped
from ecocviz.lab.papers.gupta_amin_2021.study import DRAWS, PROVED, SEARCHES, STANDARD, SWEEPS, scenario_of
from ecocviz.lab.scenario import make_scenario

FOUND: Mapping[str, str] = {"proved": "integer program", **SEARCHES}
CODES: Mapping[str, str] = {PROVED: "integer program", **STANDARD}


def _proved(one: Measured) -> bool:
    return bool(one.record["proved"]["distance"] == one.record["proved"]["bound"])


def judge_distances(found: Sequence[Measured]) -> list[Statement]:
    """Count the sizes whose largest row distance is proved, and whether a search ever finds more."""
    statements = [count("the row distance is proved to be the largest", map(_proved, found))]
    for key, name in SEARCHES.items():
        most = (one.record["proved"]["distance"] >= one.record[key]["distance"] for one in found)
        statements.append(count(f"{name} finds no larger one", most, least=1.0))
    return statements


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
    if not found:
        return ""
    parts = []
    for code, name in CODES.items():
        machines = fmean(one.record["machines"][code] for one in found)
        parts.append(f"{name} {_error(found, code):.1f} % with {machines:.0f} machines")
    return f"Mean test error: {'; '.join(parts)}."


def _error(ones: Sequence[Measured], code: str) -> float:
    """Return the mean test error of a code in percent."""
    return fmean(100 * one.record["wrong"][code] / one.record["n_test"] for one in ones)


def judge_errors(found: Sequence[Measured]) -> list[Statement]:
    """Count where the proved code errs at most as often as a standard one."""
    wrong = [one.record["wrong"] for one in found]
    return [
        count(f"the error is at most that of {name}", (each[PROVED] <= each[code] for each in wrong), 0.5)
        for code, name in STANDARD.items()
    ]


def draw_distances(found: Sequence[Measured]) -> list[Drawing]:
    """Draw the row distances of every number of classes over the machines, and the seconds."""
    panels = [
        Panel(title=f"{K} classes", x="machines", y="least row distance", lines=_lines(ones, _point))
        for K, ones in grouped(found, "classes").items()
    ]
    lines = _lines(found, _took)
    times = Panel(title="Seconds", x="classes x machines", y="seconds", log_y=True, bars=True, lines=lines)
    return [
        Panels(title="How far apart the closest classes can be", panels=tuple(panels)),
        _distance_table(found),
        Panels(title="How long it takes", panels=(times,)),
    ]


def _lines(ones: Sequence[Measured], point: Callable[[Measured, str], Point]) -> tuple[Line, ...]:
    return tuple(Line(name, tuple(point(one, key) for one in ones)) for key, name in FOUND.items())


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
    note = ""
    if key == "proved":
        note = "proved" if _proved(one) else f"at most {one.record['proved']['bound']}"
    return Point(
        int(one.cell.about["machines"]), one.record[key]["distance"], opens=_code(one, key), note=note
    )


def _took(one: Measured, key: str) -> Point:
    opens = _code(one, key).but("the code that was found: seconds are not on any page")
    return Point(one.cell.key.replace("x", " x "), one.record[key]["took"], opens=opens)


def _distance_table(found: Sequence[Measured]) -> Table:
    lines = []
    for one in found:
        distances = {key: one.record[key]["distance"] for key in FOUND}
        best = max(distances.values())
        entries = [
            Entry(distance, opens=_code(one, key), digits=0, best=distance == best)
            for key, distance in distances.items()
        ]
        bounds = (one.record["proved"]["bound"], one.record["plain_bound"])
        bounded = _code(one, "proved").but("the code of the program, whose distance is bounded so")
        entries += [Entry(bound, opens=bounded, digits=0) for bound in bounds]
        lines.append((one.cell.key.replace("x", " x "), tuple(entries)))
    return Table(
        title="Least row distances",
        columns=("classes x machines", *FOUND.values(), "proved bound", "bound by the mean over pairs"),
        rows=tuple(lines),
        note="Proved where the program's distance is the proved bound.",
    )


def draw_errors(found: Sequence[Measured]) -> list[Drawing]:
    """Draw the error of every code on every set, means over the splits."""
    sets = grouped(found, "set")
    bars = Panel(
        title="Test error with rbf machines and Hamming decoding",
        x="data set",
        y="test error, %",
        bars=True,
        lines=tuple(
            Line(name, tuple(_bar(ones, code) for ones in sets.values())) for code, name in CODES.items()
        ),
    )
    table = Table(
        title="Test error, means over the splits",
        columns=("data set", *CODES.values()),
        rows=tuple((data, _error_entries(ones)) for data, ones in sets.items()),
        unit="%",
    )
    return [Panels(title="Errors of proved and of standard codes", panels=(bars,)), table]


def _bar(ones: Sequence[Measured], code: str) -> Point:
    first, note = ones[0], f"{ones[0].record['machines'][code]} machines"
    return Point(first.cell.about["set"], _error(ones, code), opens=_first(ones, code), note=note)


def _error_entries(ones: Sequence[Measured]) -> tuple[Entry, ...]:
    errors = {code: _error(ones, code) for code in CODES}
    least = min(errors.values())
    return tuple(Entry(e, opens=_first(ones, code), best=e == least) for code, e in errors.items())


def _first(ones: Sequence[Measured], code: str) -> Opens:
    """Return what opens the first split of a set."""
    return Opens(scenario_of(ones[0].cell.about, code)).first_of(len(ones), "splits")
