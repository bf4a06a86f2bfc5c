"""The only caches of the interface. Keys are the canonical texts of scenarios, never arrays.

What is kept is shared by all sessions and never changed: results are records of arrays that nobody
writes to. Everything is bounded, what may be large in bytes.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar, cast

import streamlit as st

from ecocviz.data.types import Table
from ecocviz.lab.curves import Memory
from ecocviz.lab.jobs import Jobs
from ecocviz.lab.keeper import Keeper
from ecocviz.lab.run import load, train, without_decoder
from ecocviz.lab.scenario import Choice, Scenario
from ecocviz.lab.trained import TrainedKeeper

Value = TypeVar("Value")

MAX_BYTES = 300_000_000
"""Room for what views remember besides machines: tables, planes, pictures."""


# Keys ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def text_key(scenario: Scenario) -> str:
    """Return the canonical text of a scenario without its decoder: what training depends on."""
    return without_decoder(scenario).to_query()


@lru_cache(maxsize=512)
def choices_key(choices: tuple[Choice, ...]) -> str:
    """Return the text of some choices."""
    return repr([(choice.key, choice.params) for choice in choices])


@lru_cache(maxsize=512)
def data_key(scenario: Scenario, *slots: str) -> str:
    """Return the text of a scenario's data, and of other slots, with its seed."""
    return choices_key(tuple(getattr(scenario, slot) for slot in ("data", *slots))) + str(scenario.seed)


# What is kept ----------------------------------------------------------------------------------------


@st.cache_resource(show_spinner=False)
def keeper() -> TrainedKeeper:
    """Return the keeper of trained scenarios, of all pages and sessions."""
    return TrainedKeeper(train, without_decoder)


@st.cache_resource(show_spinner=False)
def _remembered() -> Keeper[object]:
    return Keeper(MAX_BYTES)


def remember(name: str, key: object, make: Callable[[], Value]) -> Value:
    """Return what a view has computed before, or compute it.

    Parameters
    ----------
    name
        What it is.
    key
        What it depends on; hashable, and cheap to compare.
    make
        Computes it.
    """
    return cast("Value", _remembered().get((name, key), lambda _progress: make()))


def known(name: str, key: object) -> object | None:
    """Return what `remember` has kept, None if it is not there; compute nothing."""
    return _remembered().find((name, key))


def remembered_bytes() -> int:
    """Return the size of what views remember."""
    return _remembered().n_bytes


def table(scenario: Scenario) -> Table:
    """Return a scenario's data set."""
    return remember("table", data_key(scenario), lambda: load(scenario))


@st.cache_resource(show_spinner=False)
def readings() -> Memory:
    """Return the readings of model-selection curves that are remembered."""
    return Memory()


# Background work -------------------------------------------------------------------------------------


@st.cache_resource(show_spinner=False)
def jobs() -> Jobs:
    """Return the long background jobs of the whole process: comparisons, curves, learned codes."""
    return Jobs(max_kept=24)


@st.cache_resource(show_spinner=False)
def trainings() -> Jobs:
    """Return the trainings of the whole process, by `text_key`; the keeper has the machines.

    More threads than long jobs have, so that a quick training does not wait for slow ones.
    """
    return Jobs(n_threads=4, max_kept=12)


@st.cache_resource(show_spinner=False)
def views() -> Jobs:
    """Return what pages make of trained machines before they can draw: pictures, bits, correlations."""
    return Jobs(n_threads=4, max_kept=64)
