"""OpenML sets by their number, through scikit-learn: fetched when somebody asks for that, read ever after.

A set that was fetched is marked as kept. Reading never asks the network, whatever a link or a scenario names.
"""

import gzip
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError

import numpy as np
import pandas as pd

from ecocviz.data.home import home, why_not_written
from ecocviz.data.limits import current_limits, refuse
from ecocviz.data.openml_network import Allowance, NotAskedError, TooMuchError, asking, guard, read_json
from ecocviz.data.policy import current_policy
from ecocviz.data.readers_common import unique_names
from ecocviz.data.types import Dataset, Table
from ecocviz.engine.params import IntParam
from ecocviz.engine.progress import NO_PROGRESS, Progress

FETCH_SECONDS = 90.0
ROOM_SHARE = 5
"""One set may take this part of the room for all that are kept."""
GONE = frozenset({404, 410, 412})
"""What OpenML answers where there is no such set; 412 is its own."""
_FETCHING = threading.Lock()


class UnusableError(ValueError):
    """What OpenML gave, or what is kept of it, cannot be read."""


def load(*, data_id: int) -> Table:
    """Read a set from the data folder; raise a sentence if it was not fetched yet."""
    if not is_kept(data_id):
        raise ValueError(
            f"The OpenML set {data_id} is not on this computer; fetch it on the Data page, or with the "
            "command "
            f"ecocviz fetch {data_id}."
        )
    guard()
    try:
        return _table(data_id)
    except (NotAskedError, UnusableError):
        _remove_unreadable()
        _mark(data_id).unlink(missing_ok=True)
        raise ValueError(
            f"The kept copy of the OpenML set {data_id} is damaged; fetch it again on the Data page."
        ) from None


def _remove_unreadable() -> None:
    """Remove kept files that cannot be unpacked: not every scikit-learn fetches them again by itself."""
    for file in _folder().rglob("*.gz"):
        try:
            with gzip.open(file) as packed:
                while packed.read(1 << 20):
                    pass
        except (OSError, EOFError, zlib.error):
            file.unlink(missing_ok=True)


def is_kept(data_id: int) -> bool:
    """Say whether a set was fetched."""
    return _mark(data_id).is_file()


def fetch(data_id: int, progress: Progress = NO_PROGRESS) -> Table:
    """Fetch a set into the data folder; raise a sentence where it cannot be, or may not.

    Its size is asked for first, and compared with the limits before any of its data are.
    """
    if not current_policy().openml:
        raise ValueError("This server fetches no sets from OpenML; choose another data set.")
    if not _FETCHING.acquire(blocking=False):
        raise ValueError("Another set is being fetched from OpenML; try again in a minute.")
    try:
        limits = current_limits()
        with _sentences(data_id):
            used = _used()
        room = min(limits.folder_bytes // ROOM_SHARE, limits.folder_bytes - used)
        if room <= 0:
            raise ValueError(
                f"The sets from OpenML fill the {used:,} bytes that they may take; "
                "whoever runs the app can remove some."
            )
        progress.note(f"fetching set {data_id} from OpenML")
        with asking(Allowance(FETCH_SECONDS, room)):
            _check_size(data_id)
            table = _table(data_id)
        with _sentences(data_id):
            _mark(data_id).parent.mkdir(parents=True, exist_ok=True)
            _mark(data_id).touch()
        return table
    finally:
        _FETCHING.release()


def _folder() -> Path:
    return home() / "openml"


def _mark(data_id: int) -> Path:
    return _folder() / "kept" / str(int(data_id))


def _used() -> int:
    """Return the bytes of all that is kept."""
    return sum(file.stat().st_size for file in _folder().rglob("*") if file.is_file())


def _check_size(data_id: int) -> None:
    """Compare a set's size, as OpenML tells it, with the limits."""
    qualities = _asked(f"api/v1/json/data/qualities/{data_id}", data_id).get("data_qualities", {})
    told = {one["name"]: one.get("value") for one in qualities.get("quality", [])}
    try:
        rows, columns = (int(float(told[name])) for name in ("NumberOfInstances", "NumberOfFeatures"))
    except (KeyError, TypeError, ValueError, OverflowError):
        raise ValueError(
            f"OpenML does not say how large its set {data_id} is, so it is not fetched; choose another."
        ) from None
    _check(f"The OpenML set {data_id}", rows, columns - 1)  # its class is a column to OpenML


def _check(name: str, rows: int, columns: int) -> None:
    limits = current_limits()
    refuse(name, rows, limits.rows, "rows", "choose a smaller set")
    refuse(name, columns, limits.columns, "columns", "choose a smaller set")
    refuse(name, rows * columns * 8, limits.bytes, "bytes", "choose a smaller set")


def _asked(path: str, data_id: int) -> dict[str, Any]:
    with _sentences(data_id):
        found = read_json(path)
    return found if isinstance(found, dict) else {}


def _fetch(data_id: int) -> Any:  # noqa: ANN401 - scikit-learn's Bunch has no types for the checker
    from sklearn.datasets import fetch_openml  # noqa: PLC0415 - half a second that only this set should cost

    with _sentences(data_id):
        return fetch_openml(data_id=data_id, as_frame=True, data_home=str(_folder()), n_retries=1, delay=0.5)


@contextmanager
def _sentences(data_id: int) -> Iterator[None]:
    """Say in one sentence what goes wrong inside."""
    try:
        yield
    except TooMuchError:
        raise
    except (OSError, ValueError, KeyError) as error:
        if isinstance(error, HTTPError):
            error.close()
        raise _refusal(error, data_id) from None


def _refusal(error: Exception, data_id: int) -> ValueError:
    """Return the one sentence of an error."""
    if isinstance(error, HTTPError) and error.code not in GONE:
        return ValueError(f"OpenML answers with an error just now ({error.code}); try again later.")
    if isinstance(error, URLError | TimeoutError | ConnectionError) and not isinstance(error, HTTPError):
        return ValueError(
            "OpenML cannot be reached; connect to the network, or choose a set that was fetched before."
        )
    unwritten = why_not_written(error, shared=current_policy().shared) if isinstance(error, OSError) else None
    if unwritten is not None:
        why, remedy = unwritten
        return ValueError(f"Sets of OpenML are kept in the data folder, but {why}; {remedy}, then try again.")
    # No such set, a broken download, a format scikit-learn does not read, or a set that was withdrawn.
    return UnusableError(f"OpenML has no usable data set with the number {data_id}; choose another.")


def _table(data_id: int) -> Table:
    """Make a table of a set, which is fetched where it is not kept and may be."""
    bunch = _fetch(data_id)
    frame, target = bunch.data, bunch.target
    if (
        not isinstance(target, pd.Series)
        or isinstance(frame, pd.Series)
        or not isinstance(target.dtype, pd.CategoricalDtype)
    ):
        raise ValueError(  # noqa: TRY004 - the sentence is about the user's number, not about a type
            f"The OpenML set {data_id} has no class to predict (no nominal target); choose another number."
        )
    name = f"The OpenML set {data_id}"
    _check(name, *frame.shape)
    known = target.notna().to_numpy()
    labels = target[known].astype("str").reset_index(drop=True)
    refuse(name, labels.nunique(), current_limits().classes, "classes", "choose another set")
    if labels.nunique() < 2 or frame.shape[1] == 0:
        raise ValueError(f"{name} has fewer than two classes or no features; choose another number.")
    features, categorical = _features(frame[known].reset_index(drop=True))
    details: dict[str, Any] = dict(bunch.details or {})
    lost = int((~known).sum())
    return Table(
        name=str(details.get("name", f"OpenML {data_id}")),
        features=features,
        labels=labels.rename("class"),
        categorical=categorical,
        source=f"OpenML data set {data_id}, version {details.get('version', '?')}",
        licence=str(details.get("licence", "as stated on OpenML")),
        notes=(f"{lost:,} rows without a label are left out.",) if lost else (),
    )


def _features(frame: pd.DataFrame) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return numbers as float64, everything else as text."""
    columns: dict[str, pd.Series[Any]] = {}
    categorical: list[str] = []
    for position, name in enumerate(unique_names([str(column) for column in frame.columns])):
        column = frame.iloc[:, position]
        if isinstance(column.dtype, pd.SparseDtype):
            column = pd.Series(np.asarray(column), name=name)
        if pd.api.types.is_numeric_dtype(column.dtype):
            columns[name] = column.astype("float64")
        else:
            columns[name] = column.astype("object").where(column.notna(), None).astype("str")
            categorical.append(name)
    return pd.DataFrame(columns), tuple(categorical)


OPENML = Dataset(
    key="openml",
    title="OpenML",
    summary="Any classification set from OpenML, by its number; fetched when you ask for it, then kept.",
    group="OpenML",
    load=load,
    params=(
        IntParam(
            name="data_id",
            label="Number",
            default=61,
            low=1,
            high=999_999,
            help="The number in the set's address on OpenML, such as 61 for Iris.",
        ),
    ),
    source="OpenML",
    licence="as stated on OpenML",
    needs="network",
    order=91,
)
