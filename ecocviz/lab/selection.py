"""What is selected on screen: part of a link, but not of a scenario (nothing is computed from it).

A view declares the fields that it adds to a link in its `SELECTION`; those that several views read stand
here. A field is asked for by its declaration: `selection[PICK]`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, overload

from ecocviz.engine.params import PACKED_ALPHABET, ChoiceParam, IntParam, TextParam, shorten
from ecocviz.lab.scenes import MAX_PACKED, MAX_SCENES

Field: TypeAlias = IntParam | TextParam | ChoiceParam

NOTHING = -1
LOWER, DIGITS = "abcdefghijklmnopqrstuvwxyz", "0123456789"
KEYS = f"{LOWER}{DIGITS}-"
"""Letters of the keys of catalogues."""

PICK = IntParam(name="pick", label="Picked point", default=NOTHING, low=NOTHING, high=10_000_000)
"""Its number among the training, then the test points; -1 for none."""
PLACE = TextParam(name="place", label="Picked place", default="", alphabet=f"{DIGITS}.,-+e", max_length=60)
"""A point "x,y" of the plane."""
PLANE = TextParam(name="plane", label="Shown plane", default="", alphabet=f"pca{DIGITS},", max_length=20)
"""The directions "pca", two feature numbers such as "0,3", or "" for the default."""
FLIPS = TextParam(name="flips", label="Flipped bits", default="", alphabet=f"{DIGITS}.", max_length=2_000)
"""Numbers of bits, dot-separated."""
COMPARE = TextParam(
    name="compare", label="Compared decoders", default="", alphabet=f"{KEYS}.", max_length=600
)
"""Those shown beside the scenario's own, dot-separated, or "" for a few."""
PART = ChoiceParam(
    name="part",
    label="Shown points",
    default="test",
    options=(("test", "Test points"), ("train", "Training points")),
)
AXIS = TextParam(
    name="axis",
    label="Parameter of the curves",
    default="",
    alphabet=f"{LOWER}{LOWER.upper()}{DIGITS}._",
    max_length=60,
)
"""A parameter "slot.name"."""
GRID = TextParam(name="grid", label="Grid of the curves", default="", alphabet=f"{DIGITS}-,", max_length=20)
"""Values "low,high,points", the ends as powers of two."""
PRESENT = ChoiceParam(
    name="present", label="Presenter mode", default="0", options=(("0", "off"), ("1", "on"))
)
HIDE = TextParam(name="hide", label="Hidden parts", default="", alphabet=f"{LOWER}-.", max_length=200)
"""Parts of the screen that are not shown, dot-separated."""
SCENES = TextParam(name="scenes", label="Scenes", default="", alphabet=PACKED_ALPHABET, max_length=MAX_PACKED)
"""The list of scenes, packed."""
SCENE = IntParam(name="scene", label="Scene", default=0, low=0, high=MAX_SCENES)
"""The scene that was opened last, counted from 1; 0 for none."""

SHARED: tuple[Field, ...] = (
    *(PICK, PLACE, PLANE, FLIPS, COMPARE, PART, AXIS, GRID),
    *(PRESENT, HIDE, SCENES, SCENE),
)
OF_LECTURER: tuple[Field, ...] = (PRESENT, SCENES, SCENE)
"""What is not handed on with a screen: the room sees it without the lecturer's own tools."""

FORGOTTEN: Mapping[str, tuple[Field, ...]] = {
    "points": (PICK, PLACE, FLIPS),
    "data": (PLANE,),
    "coding": (FLIPS,),
}
"""What a scenario with other points, another data set or another code makes meaningless."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The values of fields that differ from their defaults, by name and in the order of the names.

    Examples
    --------
    >>> selection = Selection().put([PICK, PLANE], pick=3, plane="")
    >>> selection[PICK], selection[PLANE], selection.to_flat()
    (3, '', {'pick': '3'})
    """

    values: tuple[tuple[str, int | str], ...] = ()

    @overload
    def __getitem__(self, field: IntParam) -> int: ...

    @overload
    def __getitem__(self, field: TextParam | ChoiceParam) -> str: ...

    def __getitem__(self, field: Field) -> int | str:
        return dict(self.values).get(field.name, field.default)

    def put(self, fields: Iterable[Field], **changes: int | str) -> "Selection":
        """Return the selection with other values of declared fields."""
        declared = {field.name: field for field in fields}
        now = dict(self.values)
        for name, value in changes.items():
            field = declared[name]
            now[name] = field.check(value)
            if now[name] == field.default:
                del now[name]
        return Selection(tuple(sorted(now.items())))

    def without(self, fields: Iterable[Field]) -> "Selection":
        """Return the selection with the defaults of some fields."""
        names = {field.name for field in fields}
        return Selection(tuple(pair for pair in self.values if pair[0] not in names))

    def to_flat(self) -> dict[str, str]:
        """Write what differs from the defaults."""
        return {name: str(value) for name, value in self.values}


def split_link(
    flat: Mapping[str, str], fields: Iterable[Field]
) -> tuple[dict[str, str], Selection, tuple[str, ...]]:
    """Part a link's fields into those of the scenario and the selection; clauses say what was dropped."""
    declared = {field.name: field for field in fields}
    problems: list[str] = []
    values: dict[str, int | str] = {}
    for name, text in flat.items():
        if name in declared:
            try:
                values[name] = declared[name].parse(text)
            except ValueError:
                problems.append(f"{name} {shorten(text, 20)!r} is not allowed")
    rest = {name: text for name, text in flat.items() if name not in declared}
    return rest, Selection().put(declared.values(), **values), tuple(problems)


def hidden_parts(selection: Selection) -> frozenset[str]:
    """Return the names of the parts of the screen that the link hides.

    >>> sorted(hidden_parts(Selection().put([HIDE], hide="words.code")))
    ['code', 'words']
    """
    return frozenset(filter(None, selection[HIDE].split(".")))
