"""The only caches of the interface. Keys are the canonical texts of scenarios, never arrays.

What is kept is shared by all sessions and never changed: results are records of arrays that
nobody writes to. Every cache is bounded. Arguments with an underscore are not part of a key; the
text beside them says the same, and is hashed a hundred times faster than the records.
"""

from functools import lru_cache
from hashlib import blake2b

import streamlit as st

from ecocviz.data.readers import read_columns
from ecocviz.data.readers_common import Raw
from ecocviz.data.types import Table
from ecocviz.engine.analysis.codes import CodeReport
from ecocviz.lab.curves import Memory
from ecocviz.lab.jobs import Jobs
from ecocviz.lab.regions import Frames, Plane, make_plane
from ecocviz.lab.run import Trained, load, undecoded
from ecocviz.lab.scenario import Choice, Scenario
from ecocviz.views.code_matrix.facts import Code, Problem, plain_code, problem_of
from ecocviz.views.code_matrix.figures import CodeFigures, draw_code
from ecocviz.views.data.facts import (
    Cloud,
    ColumnFacts,
    Consequences,
    describe_columns,
    make_cloud,
    make_consequences,
)
from ecocviz.views.playground.facts import Picture
from ecocviz.views.shared.app.choices import deciders
from ecocviz.views.shared.app.components.region_view import MAX_BRUSHES, Picked, pack_regions
from ecocviz.views.shared.draw.theme import Theme


@lru_cache(maxsize=512)
def text_key(scenario: Scenario) -> str:
    """Return the canonical text of a scenario without its decoder: what training depends on."""
    return undecoded(scenario).to_query()


@lru_cache(maxsize=512)
def choices_key(choices: tuple[Choice, ...]) -> str:
    """Return the text of some choices."""
    return repr([(choice.key, choice.params) for choice in choices])


def plane(scenario: Scenario, name: str, trained: Trained) -> Plane:
    """Return a plane through a trained scenario's data."""
    return _plane(text_key(scenario), name, trained)


@st.cache_resource(max_entries=64, show_spinner=False)
def _plane(key: str, name: str, _trained: Trained) -> Plane:
    del key
    return make_plane(_trained.shown.prepared, name)


def payload(
    scenario: Scenario,
    trained: Trained,
    picture: Picture,
    picked: Picked,
    *,
    name: str,
    decoder: int,
    playable: bool,
    frames: Frames | None,
    alt: str,
) -> bytes:
    """Return the packed message of the region view."""
    flags = (decoder, picked.serial, picked.point, picked.place, playable, frames is not None, alt)
    decoders = choices_key(picture.regions.decodings)
    return _payload(text_key(scenario), name, decoders, flags, scenario, trained, picture, picked, frames)


@st.cache_data(max_entries=96, show_spinner=False)
def _payload(
    key: str,
    name: str,
    decoders: str,
    flags: tuple[int, int, int, tuple[float, float] | None, bool, bool, str],
    _scenario: Scenario,
    _trained: Trained,
    _picture: Picture,
    _picked: Picked,
    _frames: Frames | None,
) -> bytes:
    del key, name, decoders
    decoder, _, _, _, playable, _, alt = flags
    return pack_regions(
        _picture.regions,
        _picture.points,
        classes=_trained.classes,
        code_matrix=_trained.code_matrix,
        deciders=deciders(_scenario, _picture.regions.decodings),
        decoder=decoder,
        picked=_picked,
        playable=playable,
        frames=_frames,
        alt=alt,
        n_brushes=MAX_BRUSHES,
    )


@st.cache_resource(show_spinner=False)
def jobs() -> Jobs:
    """Return the long background jobs of the whole process: comparisons, curves, learned codes."""
    return Jobs(max_kept=24)


@st.cache_resource(show_spinner=False)
def trainings() -> Jobs:
    """Return the trainings of the whole process, by `text_key`; their results are the kept machines.

    More threads than long jobs have, so that a quick training does not wait for slow ones.
    """
    return Jobs(n_threads=4, max_kept=12)


@st.cache_resource(show_spinner=False)
def views() -> Jobs:
    """Return what pages make of trained machines before they can draw: pictures, bits, correlations."""
    return Jobs(n_threads=4, max_kept=64)


@st.cache_resource(show_spinner=False)
def readings() -> Memory:
    """Return the readings of model-selection curves that are remembered."""
    return Memory()


@lru_cache(maxsize=512)
def data_key(scenario: Scenario, *slots: str) -> str:
    """Return the text of a scenario's data, and of other slots, with its seed."""
    return choices_key(tuple(getattr(scenario, slot) for slot in ("data", *slots))) + str(scenario.seed)


def table(scenario: Scenario) -> Table:
    """Return a scenario's data set."""
    return _table(data_key(scenario), scenario)


@st.cache_resource(max_entries=4, show_spinner="Loading the data")
def _table(key: str, _scenario: Scenario) -> Table:
    del key
    return load(_scenario)


def column_facts(scenario: Scenario) -> list[ColumnFacts]:
    """Return the facts of every column of a scenario's data."""
    return _column_facts(data_key(scenario), scenario)


@st.cache_resource(max_entries=16, show_spinner=False)
def _column_facts(key: str, _scenario: Scenario) -> list[ColumnFacts]:
    del key
    return describe_columns(table(_scenario))


def consequences(scenario: Scenario) -> Consequences:
    """Return what preparation and split make of a scenario's data."""
    return _consequences(data_key(scenario, "preparation", "split"), scenario)


@st.cache_resource(max_entries=6, show_spinner=False)
def _consequences(key: str, _scenario: Scenario) -> Consequences:
    del key
    return make_consequences(_scenario, table(_scenario))


def cloud(scenario: Scenario, axes: str) -> Cloud:
    """Return the rows of a scenario's data as points of a plane."""
    return _cloud(data_key(scenario, "preparation", "split"), axes, scenario)


@st.cache_resource(max_entries=32, show_spinner=False)
def _cloud(key: str, axes: str, _scenario: Scenario) -> Cloud:
    del key
    return make_cloud(table(_scenario), consequences(_scenario), axes)


def file_columns(digest: str, name: str, content: bytes) -> Raw:
    """Return the columns of a user's file; the digest is that of its content."""
    return _file_columns(digest, name, content)


@st.cache_resource(max_entries=4, show_spinner="Reading the file")
def _file_columns(digest: str, name: str, _content: bytes) -> Raw:
    del digest
    return read_columns(_content, name)


def problem(scenario: Scenario) -> Problem:
    """Return the classes of a scenario's data and their training points."""
    return _problem(data_key(scenario, "preparation", "split"), scenario)


@st.cache_resource(max_entries=32, show_spinner=False)
def _problem(key: str, _scenario: Scenario) -> Problem:
    del key
    return problem_of(_scenario)


def plain(scenario: Scenario) -> Code | None:
    """Return a scenario's code if it does not depend on data."""
    return _plain(data_key(scenario, "preparation", "split", "coding"), scenario)


@st.cache_resource(max_entries=64, show_spinner="Building the code")
def _plain(key: str, _scenario: Scenario) -> Code | None:
    del key
    return plain_code(_scenario, problem(_scenario))


def code_figures(code: Code, report: CodeReport, theme: Theme) -> CodeFigures:
    """Return the pictures of a code; they are shown and never changed."""
    content = (code.code_matrix.tobytes(), code.counts.tobytes(), repr((code.code_matrix.shape, code.names)))
    digest = blake2b(b"|".join((*content[:2], content[2].encode())), digest_size=16).hexdigest()
    return _code_figures(digest, theme.name, code, report, theme)


@st.cache_resource(max_entries=64, show_spinner=False)
def _code_figures(key: str, theme_name: str, _code: Code, _report: CodeReport, _theme: Theme) -> CodeFigures:
    del key, theme_name
    return draw_code(_code.code_matrix, _code.counts, _code.names, _report, _theme)
