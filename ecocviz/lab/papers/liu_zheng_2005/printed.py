"""What Table I prints, and the problems that its rows are about."""

from collections.abc import Mapping
from dataclasses import dataclass

from ecocviz.engine.params import ParamValue

Choice = tuple[str, dict[str, ParamValue]]
"""A key of a catalogue and parameters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of Table I.

    Attributes
    ----------
    title
        What it is called.
    data, preparation, split
        The points; how they are divided.
    machine
        The machine, without what its settings say.
    settings
        What the paper does not print, each choice tried: parameters of the machine.
    percent
        Errors printed for f(x), SRM and DRM, in percent.
    """

    title: str
    data: str
    preparation: str
    split: Choice
    machine: Choice
    settings: tuple[dict[str, ParamValue], ...]
    percent: tuple[float, float, float]


PENALTIES: tuple[dict[str, ParamValue], ...] = ({"C": 1.0}, {"C": 10.0}, {"C": 100.0}, {"C": 1000.0})
SEGMENT_TEST = 2100 / 2310

ROWS: Mapping[str, Row] = {
    "segment-1": Row(
        title="Segment, degree 1",
        data="segment",
        preparation="min-max",
        split=("hold-out", {"test_share": SEGMENT_TEST}),
        machine=("libsvm", {"kernel": "poly", "degree": 1}),
        settings=PENALTIES,
        percent=(9.24, 8.57, 7.76),
    ),
    "segment-2": Row(
        title="Segment, degree 2",
        data="segment",
        preparation="min-max",
        split=("hold-out", {"test_share": SEGMENT_TEST}),
        machine=("libsvm", {"kernel": "poly", "degree": 2}),
        settings=PENALTIES,
        percent=(27.8, 9.95, 9.57),
    ),
    "letter": Row(
        title="Letter, rbf",
        data="letter",
        preparation="min-max",
        split=("own", {}),
        machine=("kernel", {"kernel": "rbf"}),
        settings=tuple({"gamma": gamma, "C": C} for gamma in (2.0, 8.0) for C in (1.0, 10.0)),
        percent=(3.98, 3.97, 3.77),
    ),
    "iris": Row(
        title="Iris, linear",
        data="iris-uci",
        preparation="as-is",
        split=("leave-one-out", {}),
        machine=("libsvm", {"kernel": "linear"}),
        settings=PENALTIES,
        percent=(4.0, 2.67, 2.0),
    ),
}
"""Row -> what it is about, in the order of the table."""

SHARES: Mapping[str, tuple[float, float]] = {
    "segment-1": (7.25, 16.0),
    "segment-2": (64.2, 65.6),
    "letter": (0.25, 5.3),
    "iris": (33.3, 50.0),
}
"""Row -> share of the errors of f(x) that SRM and DRM take away, in percent, as printed."""
