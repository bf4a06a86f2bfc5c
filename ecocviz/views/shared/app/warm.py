"""What everybody asks for first, computed before it is asked for, and never forgotten.

It goes where pages look for it, under the keys that pages ask for: their own stages say what that is.
"""

import pkgutil
from collections.abc import Callable, Iterator
from functools import cache as once
from importlib import import_module
from types import ModuleType
from typing import Any

from ecocviz import views
from ecocviz.data.catalogue import DATASETS
from ecocviz.lab.catalogue import DEFAULTS
from ecocviz.lab.first_screen import first_scenario, first_selection
from ecocviz.lab.predict import training_cost
from ecocviz.lab.run import load
from ecocviz.lab.scenario import Scenario, make_scenario
from ecocviz.lab.selection import Selection
from ecocviz.views.shared.app import cache
from ecocviz.views.shared.app.stage import Stage
from ecocviz.views.shared.app.state import Session

MAX_SECONDS = 1.0
"""An example that trains for longer is left to whoever wants it."""


@once
def stages() -> tuple[Stage[Any], ...]:
    """Return the stages of all pages."""
    found = [value for page in _pages() for value in vars(page).values() if isinstance(value, Stage)]
    return tuple(dict.fromkeys(found))


def _pages() -> list[ModuleType]:
    names = [module.name for module in pkgutil.walk_packages(views.__path__, f"{views.__name__}.")]
    return [import_module(name) for name in names if name.rpartition(".")[2].startswith("page")]


def warm_screen(scenario: Scenario | None = None, *, comparisons: bool = True) -> None:
    """Compute what the pages show of a scenario, the first screen's if none is given, and keep it for good.

    Parameters
    ----------
    scenario
        As a link without anything else has it.
    comparisons
        Whether the long jobs of pages are begun too: all decoders on the same machines.
    """
    selection = first_selection() if scenario is None else Selection()
    session = Session(scenario or first_scenario(), selection, [], [], {})
    trained = cache.keeper().get(session.scenario)
    cache.keeper().pin(session.scenario)
    if scenario is None:  # the page compares with the default code where its machines are known
        beside = session.scenario.chosen("coding", DEFAULTS["coding"])
        cache.keeper().get(beside)
        cache.keeper().pin(beside)
    for work in (work for stage in stages() for work in stage.works):
        if comparisons or work.pool is not cache.jobs:
            work.keep(session, trained)


def warm_pages(idle: Callable[[], bool]) -> None:
    """Make known what pages show to all, whatever the scenario: `WARM` of a page names it.

    `idle` waits until nobody needs the server, False when it ends.
    """
    for make in (make for page in _pages() for make in getattr(page, "WARM", ())):
        if not idle():
            return
        make()


def examples() -> Iterator[Scenario]:
    """Go through the data sets that come with the app, where the defaults' training is short."""
    first = make_scenario()
    for key in (key for key, dataset in DATASETS.items() if not dataset.needs):
        scenario = first.chosen("data", key)
        if training_cost(scenario, load(scenario)).seconds < MAX_SECONDS:
            yield scenario


def warm_examples(idle: Callable[[], bool]) -> None:
    """Make the examples known, one by one; `idle` waits until nobody needs the server, False when it ends."""
    for scenario in examples():
        if not idle():
            return
        warm_screen(scenario, comparisons=False)
