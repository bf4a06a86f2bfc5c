"""The parts of a report that tell of one run: a sweep's curve and points, a study's verdicts and cells."""

from collections.abc import Mapping, Sequence
from typing import Any

from ecocviz.lab.curves import Measure
from ecocviz.lab.evidence.standing import Standing
from ecocviz.lab.scenario import Scenario
from ecocviz.views.runs import words
from ecocviz.views.runs.facts import Kept, count_of, read_scenario
from ecocviz.views.runs.figures_report import points_svg
from ecocviz.views.runs.inside import Inside
from ecocviz.views.runs.points import MOST_POINTS, Points
from ecocviz.views.runs.words_more import flat
from ecocviz.views.shared.draw.curves import MEASURES
from ecocviz.views.shared.draw.outside import literal
from ecocviz.views.shared.draw.statements import HEAD, statement_row

MOST_COLUMNS = 12
"""Numbers of a study's cell that have a column; an export has all."""


def inside_part(kept: Kept, inside: Inside) -> str:
    """Write what is inside a sweep or a study."""
    points = inside.points
    said = words.points_sentence(kept, points) if points.value == "error" else f"{words.kind_text(kept.run)}."
    parts = [f"<h2>{literal(kept.title)}</h2>", f"<p>{literal(said)}</p>"]
    if inside.standings or inside.unjudged:
        parts.append(_verdicts(inside))
    if points.lines and points.value == "error":
        parts.append(points_svg(points, words.axis_name(points), said))
    head, rows = sweep_rows(points) if points.value == "error" else cell_rows(points)
    parts.append(table(head, rows))
    more = kept.run.n_done - len(points.rows)
    if more > 0:
        parts.append(f'<p class="note">The first {MOST_POINTS:,} points; an export has {more:,} more.</p>')
    return "\n".join(parts)


def sweep_rows(points: Points) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return head and rows of a sweep's points: what is varied, and every error with its interval."""
    known = [(key, _scenario(key), record) for key, record in points.rows]
    read = [scenario for _, scenario, _ in known if scenario is not None]
    varied = words.difference_rows(read)
    measures = [m for m in Measure if any(m in record for _, record in points.rows)]
    head = (
        *(row[0] for row in varied),
        *(part for m in measures for part in (MEASURES[m], "95 % interval")),
        "Note",
    )
    rows, number = [], 0
    for key, scenario, record in known:
        if scenario is None:  # of another version
            fields: tuple[str, ...] = (key, *("–" for _ in varied[1:]))
        else:
            number += 1
            fields = tuple(row[number] for row in varied)
        errors = [count_of(record.get(measure)) for measure in measures]
        cells = [text for one in errors for text in (words.error_text(one), words.interval_text(one))]
        rows.append((*fields, *cells, _why_not(record, measures)))
    if all(row[-1] == "" for row in rows):
        return head[:-1], [row[:-1] for row in rows]
    return head, rows


def _scenario(key: str) -> Scenario | None:
    try:
        return read_scenario(key)
    except (ValueError, AttributeError):
        return None


def _why_not(record: Mapping[str, Any], measures: Sequence[str]) -> str:
    """Say why a point lacks an error."""
    if "failed" in record:
        return str(record["failed"])
    found = (record.get(measure) for measure in measures)
    said = (str(one["refused"]) for one in found if isinstance(one, Mapping) and "refused" in one)
    return " ".join(dict.fromkeys(said))


def cell_rows(points: Points) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return head and rows of a study's cells: the numbers that most of them hold."""
    rows = [(key.rpartition(" ")[0] or key, flat(record)) for key, record in points.rows]
    counts: dict[str, int] = {}
    for _, record in rows:
        for name in record:
            counts[name] = counts.get(name, 0) + 1
    names = sorted(counts, key=lambda name: -counts[name])[:MOST_COLUMNS]
    found = [(key, *(record.get(name, "–") for name in names)) for key, record in rows]
    return ("Cell", *names), found


def _verdicts(inside: Inside) -> str:
    """Write what a study says about its exhibits, or why that is not known."""
    if inside.unjudged:
        return f"<p>{literal(inside.unjudged)}</p>"
    return "\n".join(_verdict(standing) for standing in inside.standings)


def _verdict(standing: Standing) -> str:
    found = standing.verdict
    said = f"<h3>{literal(standing.exhibit.title)}: {literal(standing.word)}</h3>\n"
    said += f"<p>{literal(standing.exhibit.claim)}</p>"
    if found is None:
        return said
    why = f"\n<p>{literal(found.why)}</p>" if found.why else ""
    made = standing.results
    how = "" if made is None else f" Measured on {made.date} by ecocviz {made.version}: {made.command}"
    rule = f'\n<p class="note">Rule: {literal(standing.exhibit.rule + how)}</p>'
    return f"{said}\n{table(HEAD, list(map(statement_row, found.statements)))}{why}{rule}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]], *, long: bool = False) -> str:
    """Write a table of numbers, or of `long` texts."""
    top = "".join(f'<th scope="col">{literal(text)}</th>' for text in head)
    cell = '<td class="long">' if long else "<td>"
    body = "\n".join(f"<tr>{''.join(f'{cell}{literal(text)}</td>' for text in row)}</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{top}</tr></thead>\n<tbody>{body}</tbody></table></div>'
