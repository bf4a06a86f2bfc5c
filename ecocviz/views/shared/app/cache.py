"""The only caches of the interface. Keys are the canonical texts of scenarios, never arrays.

What is kept is shared by all sessions and never changed: results are records of arrays that nobody
writes to. Everything is bounded, what may be large in bytes.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar, cast

import streamlit as st

from ecocviz.data.policy import current_policy
from ecocviz.data.types import Table
from ecocviz.lab.budget import MACHINES, READINGS, RESULTS, VIEWS, Budget, budget
from ecocviz.lab.cluster import Standing, standing
from ecocviz.lab.curves import Memory
from ecocviz.lab.gate import N_ASIDE, Gate
from ecocviz.lab.jobs import Jobs
from ecocviz.lab.keeper import Keeper
from ecocviz.lab.predict import train_away
from ecocviz.lab.run import load, without_decoder
from ecocviz.lab.scenario import Choice, Scenario
from ecocviz.lab.shares import Shares
from ecocviz.lab.trained import TrainedKeeper
from ecocviz.lab.workers import Workers

Value = TypeVar("Value")


# Keys ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def text_key(scenario: Scenario) -> str:
    """Return the canonical text of a scenario without its decoder: what training depends on."""
    return without_decoder(scenario).to_query()


@lru_cache(maxsize=512)
def choices_key(choices: tuple[Choice, ...]) -> str:
    """Return the text of some choices."""
    return repr(choices)


@lru_cache(maxsize=512)
def data_key(scenario: Scenario, *slots: str) -> str:
    """Return the text of a scenario's data, and of other slots, with its seed."""
    return choices_key(tuple(getattr(scenario, slot) for slot in ("data", *slots))) + str(scenario.seed)


def total_bytes() -> int:
    """Return what this process may take of the memory."""
    return _budget().total


# What is kept ----------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _budget() -> Budget:
    return budget()


@st.cache_resource(show_spinner=False)
def keeper() -> TrainedKeeper:
    """Return the keeper of trained scenarios, of all pages and sessions."""
    return TrainedKeeper(train_away, without_decoder, _budget().keep(MACHINES))


@st.cache_resource(show_spinner=False)
def _remembered() -> Keeper[object]:
    return Keeper(_budget().keep(VIEWS))


def remember(name: str, key: object, make: Callable[[], Value], *, for_good: bool = False) -> Value:
    """Return what a view has computed before, or compute it.

    Parameters
    ----------
    name
        What it is.
    key
        What it depends on; hashable, and cheap to compare.
    make
        Computes it.
    for_good
        Whether it never gives room to others: for what is small, and the same for all.
    """
    if for_good:
        _remembered().pin((name, key))
    return cast("Value", _remembered().get((name, key), lambda _progress: make()))


def remember_newest(name: str, key: object, stamp: object, make: Callable[[], Value]) -> Value:
    """Return what belongs to the newest stamp of a key as `remember` does, and forget that of older ones.

    For what is another one whenever somebody adds something: in a class that is each second, and what is out
    of date would push out what others look at.
    """
    here = (name, key)

    def anew(_progress: object) -> Value:
        _remembered().forget(lambda other: isinstance(other, tuple) and other[:2] == here)
        return make()

    return cast("Value", _remembered().get((name, key, stamp), anew))


def known(name: str, key: object) -> object | None:
    """Return what `remember` has kept, None if it is not there; compute nothing."""
    return _remembered().find((name, key))


def results_bytes() -> int:
    """Return the size of what the jobs of all pools have found."""
    return sum(pool().n_bytes for pool in (jobs, trainings, views))


def remembered_bytes() -> int:
    """Return the size of what views remember."""
    return _remembered().n_bytes


def forget() -> None:
    """Forget all that is kept: what was computed can be computed again."""
    for kept in (keeper(), _remembered(), readings(), jobs(), trainings(), views()):
        kept.clear()


def table(scenario: Scenario) -> Table:
    """Return a scenario's data set."""
    return remember("table", data_key(scenario), lambda: load(scenario))


@st.cache_resource(show_spinner=False)
def readings() -> Memory:
    """Return the readings of model-selection curves that are remembered."""
    return Memory(_budget().keep(READINGS))


# Background work -------------------------------------------------------------------------------------


@st.cache_resource(show_spinner=False)
def gate() -> Gate:
    """Return what says whose turn it is to compute."""
    mine = _budget()
    limit = int(current_policy().memory_share * mine.computing)
    return Gate(n_large=mine.n_large, room=mine.room, limit=limit)


@st.cache_resource(show_spinner=False)
def shares() -> Shares:
    """Return what counts the computations of each session."""
    return Shares(current_policy().jobs)


@st.cache_resource(show_spinner=False)
def workers() -> Workers:
    """Return the processes that do large work, and what is small and done aside."""
    return Workers(_budget().n_large + N_ASIDE)


@st.cache_resource(show_spinner=False)
def cluster() -> Standing:
    """Return the cluster that whoever runs the app has named, if any."""
    return standing()


def _pool(*, later: bool = False) -> Jobs:
    return Jobs(gate(), workers(), max_bytes=_budget().keep(RESULTS), later=later, shares=shares())


@st.cache_resource(show_spinner=False)
def jobs() -> Jobs:
    """Return the long background jobs of the whole process: comparisons, curves."""
    return _pool(later=True)


@st.cache_resource(show_spinner=False)
def trainings() -> Jobs:
    """Return the trainings of the whole process, by `text_key`; the keeper has the machines."""
    return _pool()


@st.cache_resource(show_spinner=False)
def views() -> Jobs:
    """Return what pages make of trained machines before they can draw: pictures, bits, correlations."""
    return _pool()
