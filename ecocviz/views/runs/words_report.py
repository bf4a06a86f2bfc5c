"""Chosen runs as a report: one HTML file that needs no network and no script, to be sent and printed.

All that may come from outside (names, titles, files' names) passes `literal`.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from urllib.parse import quote

import ecocviz
from ecocviz.engine.references import DEMSAR_2006
from ecocviz.lab.store_rows import RUN
from ecocviz.views.runs import figures, words
from ecocviz.views.runs.facts import MOST_COMPARED, Kept, same_test
from ecocviz.views.runs.figures_report import errors_svg, ranks_svg
from ecocviz.views.runs.inside import Inside
from ecocviz.views.runs.over_sets import OverSets
from ecocviz.views.runs.words_inside import inside_part, table
from ecocviz.views.runs.words_more import more_rows
from ecocviz.views.shared.draw.judged import Dot
from ecocviz.views.shared.draw.outside import Shown, literal
from ecocviz.views.shared.draw.theme import DARK, LIGHT, Theme
from ecocviz.views.shared.draw.words import count

TABLES = """
body { max-width: 66rem; margin: 2rem auto; padding: 0 1.2rem; background: var(--surface); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .2rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .4rem; }
h3 { font-size: 1rem; margin: 1rem 0 .2rem; }
p { margin: .4rem 0; } .dim, .note { color: var(--dim); } .note { font-size: .9rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; margin: .5rem 0; }
th, td { padding: .28rem .6rem; border-bottom: 1px solid var(--line); text-align: right;
  vertical-align: top; }
th { font-weight: 600; } :is(th, td):first-child { text-align: left; padding-left: 0; }
td { white-space: nowrap; } :is(td:first-child, td.long) { white-space: normal; overflow-wrap: anywhere; }
td:first-child { min-width: 8em; }
td.long { text-align: left; }
a { color: var(--accent); }
svg { width: 100%; max-width: 720px; height: auto; font: 12px system-ui, sans-serif; margin: .4rem 0; }
svg text { fill: var(--ink); } svg text.dim { fill: var(--dim); }
.grid { stroke: var(--line); } .axis { stroke: var(--dim); stroke-width: 1.2; }
.interval { stroke: var(--accent); stroke-width: 2; } .dot { fill: var(--accent); }
.bar { stroke: var(--accent); stroke-width: 5; stroke-linecap: round; }
.ruler { stroke: var(--ink); stroke-width: 2; }
.curve { fill: none; stroke-width: 1.8; } .many.curve { stroke: var(--dim); stroke-width: 1; }
circle.many { fill: var(--dim); }
@media print { body { margin: 0; max-width: none; font-size: 10.5pt; } h2, svg, tr { break-inside: avoid; }
  h2 { break-after: avoid; } .wide { overflow: visible; } }
"""
HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
"""
TAIL = "\n</body>\n</html>\n"
VERSION = literal(ecocviz.__version__)
SHOWN = ("surface", "ink", "dim", "line", "accent", "positive", "negative", "wrong")
LINES = ("accent", "positive", "negative", "wrong", "ink", "dim")
"""Colours of curves, each with dashes of its own."""
DASHES = ("none", "6 3", "2 3", "8 3 2 3", "12 4", "1 4")


def report(
    chosen: Sequence[Kept],
    inside: Mapping[int, Inside] | None = None,
    *,
    over: OverSets | None = None,
    root: str = "",
    now: datetime | None = None,
) -> str:
    """Write a report of chosen runs.

    Parameters
    ----------
    chosen
        The runs.
    inside
        What is inside the sweeps and studies among them, by their numbers.
    over
        Methods over data sets, written down too where there are ranks.
    root
        The beginning of the app's address, with which links to scenarios begin; "" for none.
    now
        When it is written.
    """
    made, title = now or datetime.now(UTC), f"ecocviz: {count(len(chosen), 'run')}"
    singles = [one for one in chosen if figures.is_single(one)]
    parts = [
        f"<h1>{literal(title)}</h1>",
        f'<p class="dim">Written on {made:%Y-%m-%d} at {made:%H:%M} by ecocviz {VERSION}.</p>',
        _runs_part(chosen),
        *([_compared_part(singles[:MOST_COMPARED], len(chosen))] if len(singles) > 1 else []),
        _more_part(singles),
        *(inside_part(one, inside[one.run.id]) for one in chosen if inside and one.run.id in inside),
        *([_over_part(over)] if over is not None and over.ranking is not None else []),
        _scenarios_part(chosen, root),
    ]
    return HEAD.format(title=literal(title), style=_colours() + TABLES) + "\n".join(parts) + TAIL


def _colours() -> str:
    """Return the colours of both themes as variables; paper is light."""

    def values(theme: Theme) -> str:
        return "; ".join(f"--{name}: {getattr(theme, name)}" for name in SHOWN)

    return (
        f":root {{ color-scheme: light dark; {values(LIGHT)} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {values(DARK)} }} }}\n"
        + "".join(
            f".k{k}.curve {{ stroke: var(--{colour}); stroke-dasharray: {dash}; }} "
            f"circle.k{k} {{ fill: var(--{colour}); }}\n"
            for k, (colour, dash) in enumerate(zip(LINES, DASHES, strict=True))
        )
    )


def _runs_part(chosen: Sequence[Kept]) -> str:
    head = (
        *("Run", "Test error", "95 % interval", "Training error", "Training, s", "Seed", "Computed"),
        "Version",
    )
    rows = [
        (
            _named(one),
            words.error_text(one.test) if one.run.kind == RUN else words.kind_text(one.run),
            words.interval_text(one.test),
            words.error_text(one.train),
            f"{one.run.seconds:.3g}",
            "–" if one.scenario is None else f"{one.scenario.seed}",
            words.when(one.run.began, UTC),
            one.run.version,
        )
        for one in chosen
    ]
    return f"<h2>Runs</h2>\n{table(head, rows)}"


def _named(one: Kept) -> Shown:
    """Return the name that somebody gave a run over what it is by itself, else only that."""
    if not one.run.name:
        return literal(one.run.title)
    return Shown(f'{literal(one.run.name)}<br><span class="dim">{literal(one.run.title)}</span>')


def _more_part(singles: Sequence[Kept]) -> str:
    """Write what else is known of single runs: bounds, bits, codes."""
    rows = [(one.title, *row) for one in singles for row in more_rows(one)]
    return f"<h2>More numbers</h2>\n{table(('Run', 'Of', 'Numbers'), rows, long=True)}" if rows else ""


def _compared_part(runs: Sequence[Kept], n_chosen: int) -> str:
    differ, found = figures.compared_rows(runs)
    head = ("", *(f"{k + 1} {one.title}" for k, one in enumerate(runs)))
    said = " ".join(filter(None, words.compared_sentence(runs, n_chosen, same=same_test(runs))))
    dots = [
        Dot(name, one.test.wrong, one.test.n, one.test.interval)
        for name, one in zip(figures.short_names(runs), runs, strict=True)
        if one.test is not None
    ]
    figure = errors_svg(dots, f"Test errors of {count(len(dots), 'run')} with 95 % intervals") if dots else ""
    return (
        f"<h2>Side by side</h2>\n<p>{literal(said)}</p>\n{table(head, [*differ, *found])}\n"
        '<p class="note">Of the settings, only those in which the runs differ are listed. Intervals: Wilson, '
        "95 %.</p>\n"
        f"{figure}"
    )


def _over_part(over: OverSets) -> str:
    first, more = words.sets_sentence(over)
    head = ("Data set", *over.names)
    said = " ".join(filter(None, (words.settings_sentence(over), words.left_out_sentence(over))))
    heads, rows = figures.pair_rows(over)
    pairs = table((f"{over.names[0]} against", *heads), rows)
    return (
        f"<h2>Over several data sets</h2>\n<p><b>{literal(first)}</b> {literal(more)}</p>\n"
        f"{ranks_svg(figures.diagram_of(over), words.ranks_alt(over))}\n"
        f"{table(head, figures.set_rows(over, len(over.names)))}\n"
        f'<p class="note">Test error in %, of all runs that are kept. {literal(said)}</p>\n'
        f"{pairs}\n"
        f'<p class="note">{literal(words.pairs_sentence(over))} Ranks, tests and diagram follow '
        f"{literal(str(DEMSAR_2006))}</p>"
    )


def _scenarios_part(chosen: Sequence[Kept], root: str) -> str:
    rows = []
    for one in chosen:
        if one.scenario is None:
            continue
        # Written as addresses are nothing of it is markup but &, and it can be copied letter by letter.
        link = quote(f"{root}/?{one.scenario.to_query()}", safe="/:?&=%[]+,~").replace("&", "&#38;")
        rows.append((one.title, Shown(f'<a href="{link}">{link}</a>' if root else link)))
    if not rows:
        return ""
    return (
        f"<h2>Scenarios</h2>\n{table(('Run', 'Link'), rows, long=True)}\n"
        '<p class="note">A link opens the scenario in the app, of a sweep the one that it begins from. '
        "What stands after the question mark is the "
        "whole scenario, which any ecocviz can open; all its random choices follow from its seed.</p>"
    )
