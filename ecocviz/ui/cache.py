"""The only caches of the interface. Keys are the canonical texts of scenarios, never arrays.

What is kept is shared by all sessions and never changed: results are records of arrays that
nobody writes to. Every cache is bounded. Arguments with an underscore are not part of a key; the
text beside them says the same, and is hashed a hundred times faster than the records.
"""

from functools import lru_cache

import streamlit as st

from ecocviz.lab.curves import Memory
from ecocviz.lab.jobs import Jobs
from ecocviz.lab.regions import (
    Frames,
    Plane,
    Points,
    Regions,
    make_frames,
    make_plane,
    make_points,
    make_regions,
)
from ecocviz.lab.relations import Relations, relate
from ecocviz.lab.run import Outcome, Trained, decide, train, undecoded
from ecocviz.lab.scenario import Choice, Scenario
from ecocviz.ui.choices import deciders
from ecocviz.ui.components.region_view import Picked, pack_regions


@lru_cache(maxsize=512)
def text_key(scenario: Scenario) -> str:
    """Return the canonical text of a scenario without its decoder: what training depends on."""
    return undecoded(scenario).to_query()


@lru_cache(maxsize=512)
def choices_key(choices: tuple[Choice, ...]) -> str:
    """Return the text of some choices."""
    return repr([(choice.key, choice.params) for choice in choices])


def trained(scenario: Scenario) -> Trained:
    """Return the trained machines of a scenario; its decoder does not matter."""
    return _trained(text_key(scenario), scenario)


@st.cache_resource(max_entries=12, show_spinner="Training the machines")
def _trained(key: str, _scenario: Scenario) -> Trained:
    del key
    return train(undecoded(_scenario))


def outcome(scenario: Scenario, decoding: Choice, part: str) -> Outcome:
    """Return what a decoder makes of the "train" or the "test" points."""
    return _outcome(text_key(scenario), choices_key((decoding,)), part, scenario, decoding)


@st.cache_resource(max_entries=400, show_spinner=False)
def _outcome(key: str, decoder: str, part: str, _scenario: Scenario, _decoding: Choice) -> Outcome:
    del key, decoder
    result = trained(_scenario)
    models = (result.shown,) if part == "train" else result.models
    return decide(models, _decoding, len(result.classes), part=part)


def plane(scenario: Scenario, name: str) -> Plane:
    """Return a plane through a scenario's data."""
    return _plane(text_key(scenario), name, scenario)


@st.cache_resource(max_entries=64, show_spinner=False)
def _plane(key: str, name: str, _scenario: Scenario) -> Plane:
    del key
    return make_plane(trained(_scenario).shown.prepared, name)


def regions(scenario: Scenario, name: str, decodings: tuple[Choice, ...]) -> tuple[Regions, Points]:
    """Return the decisions over a plane, and those of the points."""
    return _regions(text_key(scenario), name, choices_key(decodings), scenario, decodings)


@st.cache_resource(max_entries=48, show_spinner="Drawing the regions")
def _regions(
    key: str, name: str, decoders: str, _scenario: Scenario, _decodings: tuple[Choice, ...]
) -> tuple[Regions, Points]:
    del key, decoders
    shown, through = trained(_scenario).shown, plane(_scenario, name)
    return make_regions(shown, through, _decodings), make_points(shown, through, _decodings)


def frames(scenario: Scenario, name: str, decoding: Choice, n: int) -> Frames:
    """Return the plane, n cells a side, decoded with the first 1, 2, ... bits."""
    return _frames(text_key(scenario), name, choices_key((decoding,)), n, scenario, decoding)


@st.cache_resource(max_entries=16, show_spinner=False)
def _frames(key: str, name: str, decoder: str, n: int, _scenario: Scenario, _decoding: Choice) -> Frames:
    del key, decoder
    return make_frames(trained(_scenario).shown, plane(_scenario, name), _decoding, n)


def payload(
    scenario: Scenario,
    name: str,
    decodings: tuple[Choice, ...],
    decoder: int,
    picked: Picked,
    *,
    playable: bool,
    with_frames: bool,
    alt: str,
) -> bytes:
    """Return the packed message of the region view."""
    flags = (decoder, picked.serial, picked.point, picked.place, playable, with_frames, alt)
    return _payload(text_key(scenario), name, choices_key(decodings), flags, scenario, decodings, picked)


@st.cache_data(max_entries=96, show_spinner=False)
def _payload(
    key: str,
    name: str,
    decoders: str,
    flags: tuple[int, int, int, tuple[float, float] | None, bool, bool, str],
    _scenario: Scenario,
    _decodings: tuple[Choice, ...],
    _picked: Picked,
) -> bytes:
    del key, decoders
    decoder, _, _, _, playable, with_frames, alt = flags
    result = trained(_scenario)
    shown_regions, points = regions(_scenario, name, _decodings)
    played = frames(_scenario, name, _decodings[decoder], shown_regions.n) if with_frames else None
    return pack_regions(
        shown_regions,
        points,
        classes=result.classes,
        code_matrix=result.code_matrix,
        deciders=deciders(_scenario, _decodings),
        decoder=decoder,
        picked=_picked,
        playable=playable,
        frames=played,
        alt=alt,
    )


@st.cache_resource(show_spinner=False)
def jobs() -> Jobs:
    """Return the background jobs of the whole process."""
    return Jobs(max_kept=24)


@st.cache_resource(show_spinner=False)
def readings() -> Memory:
    """Return the readings of model-selection curves that are remembered."""
    return Memory()


def relations(scenario: Scenario, part: str) -> Relations:
    """Return how the machines of a scenario are related on its "train" or its "test" points."""
    return _relations(text_key(scenario), part, scenario)


@st.cache_resource(max_entries=24, show_spinner="Comparing the machines")
def _relations(key: str, part: str, _scenario: Scenario) -> Relations:
    del key
    return relate(trained(_scenario), part)
