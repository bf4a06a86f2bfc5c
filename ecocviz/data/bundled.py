"""The UCI sets that ship with the package: files/*.csv.gz, checked against files/manifest.json."""

import functools
import gzip
import hashlib
import io
import json
import zlib
from collections.abc import Callable
from importlib import resources
from typing import Any

import pandas as pd

from ecocviz.data.bundled_facts import FACTS, Facts
from ecocviz.data.types import Dataset, Table

GROUP_SMALL = "Small sets"
GROUP_LARGE = "Large sets"

SMALL_ROWS = 1_000

LICENCE = "CC BY 4.0"
SOURCE = "Dua and Graff, UCI Machine Learning Repository"

LABEL = "class"


@functools.lru_cache(maxsize=1)
def manifest() -> dict[str, Any]:
    """Read files/manifest.json: for each file its rows, features, classes, source and sha256."""
    text = (resources.files("ecocviz.data") / "files" / "manifest.json").read_text(encoding="utf-8")
    read: dict[str, Any] = json.loads(text)
    return read


def checked_csv(file: str, content: bytes) -> bytes:
    """Unpack a bundled file, or raise with one sentence if it is not the file that was shipped."""
    damaged = ValueError(
        f"The bundled file {file}.csv.gz is damaged; install ecocviz again to get a fresh copy."
    )
    try:
        csv = gzip.decompress(content)
    except (OSError, EOFError, zlib.error):
        raise damaged from None
    if hashlib.sha256(csv).hexdigest() != manifest()[file]["sha256_csv"]:
        raise damaged
    return csv


@functools.lru_cache(maxsize=8)
def _read(facts: Facts) -> Table:
    entry = manifest()[facts.file]
    packed = (resources.files("ecocviz.data") / "files" / f"{facts.file}.csv.gz").read_bytes()
    categorical = tuple(name for name in entry["categorical"] if name not in facts.not_features)
    words = {**dict.fromkeys(entry["categorical"], "str"), LABEL: "str"}
    # "none" is a class of one set and "?" a value of two: only an empty cell is a missing value.
    frame = pd.read_csv(
        io.BytesIO(checked_csv(facts.file, packed)), dtype=words, keep_default_na=False, na_values=[""]
    )
    features = frame.drop(columns=[LABEL, *facts.not_features])
    numeric = [name for name in features.columns if name not in categorical]
    return Table(
        name=facts.title,
        features=features.astype(dict.fromkeys(numeric, "float64")),
        labels=frame[LABEL],
        categorical=categorical,
        n_train=entry["n_train"],
        source=_source(facts),
        licence=LICENCE,
        notes=facts.notes,
        own_notes=facts.own_notes,
        lost_n_train=facts.lost_n_train,
    )


def _source(facts: Facts) -> str:
    return f"{SOURCE}, doi:{facts.doi}" if facts.doi else SOURCE


def _loader(facts: Facts) -> Callable[[], Table]:
    def load() -> Table:
        return _read(facts)

    return load


BUNDLED: tuple[Dataset, ...] = tuple(
    Dataset(
        key=facts.key,
        title=facts.title,
        summary=facts.summary,
        group=GROUP_SMALL if manifest()[facts.file]["n"] <= SMALL_ROWS else GROUP_LARGE,
        load=_loader(facts),
        source=_source(facts),
        licence=LICENCE,
        order=facts.order,
    )
    for facts in FACTS
)
