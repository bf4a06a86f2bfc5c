"""Errors that differ by their seeds, in words."""

from collections.abc import Sequence
from dataclasses import replace

from ecocviz.lab.scenario import Scenario
from ecocviz.lab.spread import Spread, range_text
from ecocviz.views.runs.facts import Kept
from ecocviz.views.runs.points import Place
from ecocviz.views.shared.draw.words import count, listed

MOST_SETTINGS = 8


def seeds_text(spreads: Sequence[Spread[str]]) -> str:
    """Say what the errors of settings are over seeds.

    >>> seeds_text([Spread("", (0.1, 0.2))])
    'The test error is 15.0 % on average over 2 seeds (standard deviation 7.1 %).'
    """
    if len(spreads) > MOST_SETTINGS:
        means = range_text(each.mean for each in spreads)
        return f"The mean test error over seeds goes {means} over {count(len(spreads), 'setting')}."
    if len(spreads) == 1:
        return f"The test error is {spreads[0].told()}."
    return f"Test errors: {'; '.join(f'{each.place} {each.told()}' for each in spreads)}."


def over_text(places: Sequence[Place], over: str) -> str:
    """Say from where to where errors go over a number: the least of them was chosen by the test points.

    >>> over_text([Place(0.5, 0.1, None, ""), Place(2.0, 0.3, None, "")], "γ")
    'Test errors from 10.0 % to 30.0 % over γ from 0.5 to 2.'
    """
    said = f"Test errors {range_text(place.y for place in places)}"
    low, high = (end(place.x for place in places) for end in (min, max))
    return f"{said} over {over} from {low:g} to {high:g}." if over else f"{said}."


def seeds_of(runs: Sequence[Kept]) -> list[Spread[str]]:
    """Return the errors of each setting, called by its runs; none where no two differ in the seed alone."""
    settings: dict[Scenario, dict[str, float]] = {}
    for k, run in enumerate(runs):
        if run.scenario is None or run.test is None:
            return []
        settings.setdefault(replace(run.scenario, seed=0), {})[str(k + 1)] = run.test.error
    if len(settings) == len(runs) or len({run.scenario for run in runs}) < len(runs):
        return []
    return [
        Spread(f"{'run' if len(errors) == 1 else 'runs'} {listed(list(errors))}:", tuple(errors.values()))
        for errors in settings.values()
    ]
