"""What is selected on screen: part of a link, but not of a scenario (nothing is computed from it)."""

from collections.abc import Mapping
from dataclasses import dataclass

from ecocviz.engine.params import ChoiceParam, IntParam, Param, ParamValue, TextParam, shorten

NOTHING = -1

PARAMS: tuple[Param, ...] = (
    IntParam(name="pick", label="Picked point", default=NOTHING, low=NOTHING, high=10_000_000),
    TextParam(
        name="place",
        label="Picked place",
        default="",
        alphabet="0123456789.,-+e",
        max_length=60,
    ),
    TextParam(name="plane", label="Shown plane", default="", alphabet="pca0123456789,", max_length=20),
    TextParam(
        name="compare",
        label="Compared decoders",
        default="",
        alphabet="abcdefghijklmnopqrstuvwxyz0123456789-.",
        max_length=600,
    ),
    TextParam(name="flips", label="Flipped bits", default="", alphabet="0123456789.", max_length=2_000),
    TextParam(
        name="axis",
        label="Parameter of the curves",
        default="",
        alphabet="abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._",
        max_length=60,
    ),
    TextParam(name="grid", label="Grid of the curves", default="", alphabet="0123456789-,", max_length=20),
    TextParam(
        name="tried",
        label="Decoders of the curves",
        default="",
        alphabet="abcdefghijklmnopqrstuvwxyz0123456789-.",
        max_length=600,
    ),
    TextParam(
        name="curves",
        label="Curves shown",
        default="train",
        alphabet="abcdefghijklmnopqrstuvwxyz-.",
        max_length=80,
    ),
    TextParam(name="pair", label="Picked machines", default="", alphabet="0123456789,", max_length=20),
    ChoiceParam(
        name="part",
        label="Points of the relations",
        default="test",
        options=(("test", "Test points"), ("train", "Training points")),
    ),
    ChoiceParam(
        name="sort",
        label="Order of the machines",
        default="errors",
        options=(
            ("errors", "Errors"),
            ("scores", "Scores"),
            ("weights", "Weights"),
            ("relation", "Learned relation"),
            ("code", "Code"),
        ),
    ),
    TextParam(
        name="judged",
        label="Decoders of the comparison",
        default="",
        alphabet="abcdefghijklmnopqrstuvwxyz0123456789-.",
        max_length=600,
    ),
    TextParam(
        name="confused",
        label="Decoders whose decisions are counted",
        default="",
        alphabet="abcdefghijklmnopqrstuvwxyz0123456789-.",
        max_length=100,
    ),
    TextParam(
        name="against",
        label="Compared reduction",
        default="",
        alphabet="abcdefghijklmnopqrstuvwxyz0123456789-",
        max_length=60,
    ),
    TextParam(
        name="bar",
        label="Picked bar",
        default="",
        alphabet="abcdefghijklmnopqrstuvwxyz0123456789.,",
        max_length=30,
    ),
    TextParam(name="axes", label="Axes of the data", default="", alphabet="pca0123456789,", max_length=20),
    TextParam(
        name="beside",
        label="Compared code",
        default="",
        alphabet="ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.?=&%+",
        max_length=40_000,
    ),
    IntParam(name="step", label="Picked step of a search", default=NOTHING, low=NOTHING, high=100_000),
    TextParam(
        name="entered",
        label="Reductions compared",
        default="",
        alphabet="abcdefghijklmnopqrstuvwxyz0123456789-_.",
        max_length=600,
    ),
    TextParam(
        name="entrant",
        label="Picked reduction",
        default="",
        alphabet="abcdefghijklmnopqrstuvwxyz0123456789-_",
        max_length=80,
    ),
    ChoiceParam(name="present", label="Presenter mode", default="0", options=(("0", "off"), ("1", "on"))),
)


@dataclass(frozen=True, slots=True)
class Selection:
    """The picked point or place, the shown plane, the flipped bits, the presenter mode.

    `pick` is the row of a point among training then test points, -1 for none; `place` is "x,y" in
    the plane; `plane` is "pca", or two feature numbers such as "0,3", or "" for the default;
    `compare` lists the decoders shown beside the scenario's own, dot-separated, or "" for a few;
    `flips` lists the flipped bits, dot-separated.

    Of the model selection: `axis` is "slot.parameter", `grid` "low,high,points" with powers of two,
    `tried` and `curves` list decoders and measures, dot-separated. Of the relations: `pair` is "a,b",
    `part` and `sort` say on which points and in which order.

    Of the decoders: `judged` lists those that are compared, "" for all, and `confused` the one or two
    whose decisions are counted class by class. Of the bits: `against` is another reduction, `bar` the
    picked bar, "bit.3", "count.2" or "pair.0,4". Of the data: `axes` is "pca", or two columns' numbers.

    Of the reductions: `entered` lists those that are compared, "" for all, and `entrant` is the picked one.

    Of the code matrix: `beside` is a second coding, "key?name=value&...", `step` a step of the search that
    found the code.
    """

    pick: int = NOTHING
    place: str = ""
    plane: str = ""
    compare: str = ""
    flips: str = ""
    axis: str = ""
    grid: str = ""
    tried: str = ""
    curves: str = "train"
    pair: str = ""
    part: str = "test"
    sort: str = "errors"
    judged: str = ""
    confused: str = ""
    against: str = ""
    bar: str = ""
    axes: str = ""
    beside: str = ""
    step: int = NOTHING
    entered: str = ""
    entrant: str = ""
    present: str = "0"

    def to_flat(self) -> dict[str, str]:
        """Write what differs from the defaults."""
        values: dict[str, ParamValue] = {param.name: getattr(self, param.name) for param in PARAMS}
        return {p.name: p.text(values[p.name]) for p in PARAMS if values[p.name] != p.default}


def split_link(flat: Mapping[str, str]) -> tuple[dict[str, str], Selection, tuple[str, ...]]:
    """Part a link's fields into those of the scenario and the selection; clauses say what was dropped."""
    declared = {param.name: param for param in PARAMS}
    problems: list[str] = []
    values: dict[str, ParamValue] = {}
    for name, text in flat.items():
        if name in declared:
            try:
                values[name] = declared[name].parse(text)
            except ValueError:
                problems.append(f"{name} {shorten(text, 20)!r} is not allowed")
    rest = {name: text for name, text in flat.items() if name not in declared}
    return rest, Selection(**values), tuple(problems)  # type: ignore[arg-type]  # each param's parse gives its own type
