"""OpenML sets by their number, through scikit-learn. Only this file uses the network."""

from typing import Any
from urllib.error import HTTPError, URLError

import numpy as np
import pandas as pd

from ecocviz.data.home import home, why_not_written
from ecocviz.data.limits import current_limits, refuse
from ecocviz.data.policy import current_policy
from ecocviz.data.readers_common import unique_names
from ecocviz.data.types import Dataset, Table
from ecocviz.engine.params import IntParam


def load(*, data_id: int) -> Table:
    """Fetch a set, or read it from the data folder where it was kept the first time."""
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
    limits = current_limits()
    name = f"The OpenML set {data_id}"
    refuse(name, len(frame), limits.rows, "rows", "choose a smaller set")
    refuse(name, frame.shape[1], limits.columns, "columns", "choose a smaller set")
    refuse(name, frame.size * 8, limits.bytes, "bytes", "choose a smaller set")
    known = target.notna().to_numpy()
    labels = target[known].astype("str").reset_index(drop=True)
    refuse(name, labels.nunique(), limits.classes, "classes", "choose another set")
    if labels.nunique() < 2 or frame.shape[1] == 0:
        raise ValueError(f"{name} has no two classes or no features; choose another number.")
    features, categorical = _features(frame[known].reset_index(drop=True))
    details: dict[str, Any] = dict(bunch.details or {})
    lost = int((~known).sum())
    return Table(
        name=str(details.get("name", f"OpenML {data_id}")),
        features=features,
        labels=labels.rename("class"),
        categorical=categorical,
        source=f"OpenML data set {data_id}, version {details.get('version', '?')}",
        licence=str(details.get("licence", "as said on OpenML")),
        notes=(f"{lost:,} rows without a label are left out.",) if lost else (),
    )


def _fetch(data_id: int) -> Any:  # noqa: ANN401 - scikit-learn's Bunch has no types for the checker
    from sklearn.datasets import fetch_openml  # noqa: PLC0415 - half a second that only this set should cost

    unknown = ValueError(f"OpenML has no usable data set with the number {data_id}; choose another.")
    try:
        return fetch_openml(
            data_id=data_id, as_frame=True, data_home=str(home() / "openml"), n_retries=1, delay=0.5
        )
    except HTTPError:
        raise unknown from None
    except (URLError, TimeoutError, ConnectionError):
        raise ValueError(
            "OpenML cannot be reached; sets fetched before still open, for others connect to the network."
        ) from None
    except OSError as error:
        unwritten = why_not_written(error, shared=current_policy().shared)
        if unwritten is None:
            raise unknown from None
        raise ValueError(
            f"Sets of OpenML are kept in the data folder, but {unwritten[0]}; {unwritten[1]}, then try again."
        ) from None
    except (ValueError, KeyError):
        # A broken download, a format scikit-learn does not read, or a set that was withdrawn.
        raise unknown from None


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
    summary="Any classification set of OpenML by its number; fetched once, then kept.",
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
    licence="as said on OpenML",
    needs="network",
    order=91,
)
