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
from ecocviz.figures.codes import CodeFigures, draw_code
from ecocviz.figures.theme import Theme
from ecocviz.lab.bits import BitView, look_at_bits
from ecocviz.lab.codes import Code, Problem, plain_code, problem_of
from ecocviz.lab.curves import Memory
from ecocviz.lab.data_report import (
    Cloud,
    ColumnFacts,
    Consequences,
    describe_columns,
    make_cloud,
    make_consequences,
)
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
from ecocviz.lab.run import Outcome, Trained, decide, load, train, undecoded
from ecocviz.lab.scenario import Choice, Scenario
from ecocviz.ui.choices import deciders
from ecocviz.ui.components.region_view import MAX_BRUSHES, Picked, pack_regions


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


def bits(scenario: Scenario, result: Trained, part: str) -> BitView | None:
    """Return what the machines of a trained scenario get wrong on the "train" or the "test" points."""
    return _bits(text_key(scenario), part, result)


@st.cache_resource(max_entries=24, show_spinner=False)
def _bits(key: str, part: str, _result: Trained) -> BitView | None:
    del key
    return look_at_bits(_result, part)


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
        n_brushes=MAX_BRUSHES,
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
