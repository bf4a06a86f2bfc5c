"""Messages that no browser of ours would send: what widgets and components say, forged, from a seed.

`forged(n, seed)` yields as many. Each knows what it says, and becomes a message for whatever is on a screen.
"""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState

NAMES = {
    "playground.regions": ("pick", "decoder", "frames", "drawn"),
    "playground.grid": ("matrix",),
    "playground.strip": ("step",),
    "playground.inspector": ("flips", "next"),
    "presenter.keys": ("act",),
    "code.grid": ("matrix",),
    "decoders.tiles": ("decoder",),
    "reductions.tiles": ("decoder",),
}
"""What our components say, by their keys."""
OTHERS = ("tick", "point", "selection", "__proto__", "__class__", "", "pick.point", "events", "value")

SCALARS = (
    "true", "false", "null", "0", "-1", "1", "1.0", "1.5", "-0.0", "1e400", "-1e400", "1e308", "5e-324",
    "NaN", "Infinity", "-Infinity", "9223372036854775807", "9223372036854775808", "18446744073709551616",
    "-9223372036854775809", "1e19", "1" + "0" * 400, "9" * 5_000, "-" + "7" * 4_301, "0.1e-9999",
    '""', '"1"', '"true"', '"NaN"', '"-"', '"\\u0000"', '"\\ud800"', '"\\u202e"', '"<b>"', '"a"', '"linear"',
    '"+-\\n-+"', '"+\\n+"', '"0"', '"' + "+-0" * 20_000 + '"', '"' + "\\n" * 5_000 + '"', "[]", "{}",
)  # fmt: skip
"""As JSON: what `json.dumps` would not write is among them."""
BROKEN = ("", "{", "[1,", "nul", "{'a': 1}", '{"a":1}}', "\x00", '{"a":1,"a":[]}', "[" * 100_000, "0x10", '"')

TEXTS = ("", "1", "-1", "nan", "<img src=x>", "one-vs-all", "\x00", "a" * 100_000, "..", "0,0", "π" * 300)
NUMBERS = (0.0, -1.0, 1e308, -1e308, float("nan"), float("inf"), float("-inf"), 5e-324, 2.0**63, 0.5, 1e19)
WHOLES = (0, -1, 1, 2**31, 2**62, 2**63 - 1, -(2**63), 10**9)


@dataclass(frozen=True)
class Forged:
    """One forged message.

    Attributes
    ----------
    whose
        Which widget of the screen it speaks for, as a share of their list: it fits any screen.
    event
        Whether it is an event of a component rather than its state.
    field
        Of Streamlit's `WidgetState`.
    value
        What it says there; for a component a function of what it is asked about.
    """

    whose: float
    event: bool
    field: str
    value: Any
    inner: str = ""

    def state(self, ids: Sequence[str]) -> WidgetState:
        """Return it as a message for a screen that has these widgets."""
        name = ids[int(self.whose * len(ids))] if ids else "nobody"
        state = WidgetState(id=event_id(name) if self.event else name)
        if self.field in ("json_value", "json_trigger_value", "string_value") and self.inner:
            key = name[len("$$ID-") + 33 :]
            setattr(state, self.field, self._json(key))
        elif self.field.endswith("_array_value"):
            getattr(state, self.field).data.extend(self.value)
        elif self.field == "string_trigger_value":
            state.string_trigger_value.data = self.value
        elif self.field:
            setattr(state, self.field, self.value)
        return state

    def _json(self, key: str) -> str:
        """Put what is forged where the component of a key, a chart or a table says something."""
        names = NAMES.get(key)
        if self.field == "string_value":
            return f'{{"selection": {self.inner}}}'
        name = (names or OTHERS)[int(self.whose * 1_000_003) % len(names or OTHERS)]
        if self.event:
            return f'[{{"event": {json.dumps(name)}, "value": {self.inner}}}]'
        return f"{{{json.dumps(name)}: {self.inner}}}"


def event_id(component: str) -> str:
    """Return the id under which a component says what happened."""
    return f"$$STREAMLIT_INTERNAL_KEY_{component}__events"


def forged(n: int, seed: int) -> Iterator[Forged]:
    """Yield so many forged messages, the same for the same seed."""
    rng = random.Random(seed)  # noqa: S311 - not for secrets
    for _ in range(n):
        yield _one(rng)


def _one(rng: random.Random) -> Forged:
    whose, kind = rng.random(), rng.random()
    if kind < 0.35:
        return Forged(whose, event=False, field="json_value", value=None, inner=_value(rng))
    if kind < 0.5:
        return Forged(whose, event=True, field="json_trigger_value", value=None, inner=_value(rng))
    if kind < 0.65:
        return Forged(whose, event=False, field="string_value", value=None, inner=_selection(rng))
    if kind < 0.72:
        field = rng.choice(["json_value", "json_trigger_value", "string_value"])
        return Forged(whose, rng.random() < 0.5, field, rng.choice(BROKEN))
    return Forged(whose, rng.random() < 0.1, *_plain(rng))


def _plain(rng: random.Random) -> tuple[str, Any]:
    """Return a field of `WidgetState`, whichever it is, and something that it can hold."""
    many = rng.choice([0, 1, 2, 3, 5, 20_000])
    return rng.choice(
        [
            ("", None),
            ("bool_value", rng.random() < 0.5),
            ("trigger_value", True),
            ("bytes_value", rng.randbytes(rng.choice([0, 1, 100]))),
            ("int_value", rng.choice(WHOLES)),
            ("double_value", rng.choice(NUMBERS)),
            ("string_value", rng.choice(TEXTS)),
            ("string_trigger_value", rng.choice(TEXTS)),
            ("double_array_value", [rng.choice(NUMBERS) for _ in range(many)]),
            ("int_array_value", [rng.choice(WHOLES) for _ in range(many)]),
            ("string_array_value", [rng.choice(TEXTS[:7]) for _ in range(many)]),
        ]
    )


def _value(rng: random.Random) -> str:
    """Return JSON where a component would say something: of the right shape with a wrong part, or of none."""
    part = rng.choice(SCALARS)
    return rng.choice(
        [
            part,
            f'{{"point": {part}, "n": 1}}',
            f'{{"place": [{part}, {rng.choice(SCALARS)}], "n": 1}}',
            f'{{"place": {part}}}',
            f'{{"bits": [{part}], "of": "{rng.randrange(150)}|", "n": 1}}',
            f'{{"bits": {_many(rng, part)}, "of": "-1|", "n": 1}}',
            f'{{"points": [[{part}, 0.5, 0], [0.5, {part}, 1]]}}',
            f'{{"points": {_many(rng, "[0.5,0.5,0]")}}}',
            _many(rng, part),
            _deep(rng, part),
        ]
    )


def _selection(rng: random.Random) -> str:
    """Return JSON where a chart or a table would say what is selected."""
    part = rng.choice(SCALARS)
    point = rng.choice(
        [
            part,
            f'{{"x": {part}, "y": {rng.choice(SCALARS)}}}',
            f'{{"x": 1, "y": 1, "point_index": {part}, "customdata": {rng.choice(SCALARS)}}}',
            f'{{"x": 1, "customdata": [{part}, {part}, 0, 0]}}',
            f'{{"customdata": {_many(rng, part)}}}',
            _deep(rng, part),
        ]
    )
    return rng.choice(
        [
            part,
            f'{{"points": [{point}], "point_indices": [{part}], "box": [], "lasso": []}}',
            f'{{"points": {part}}}',
            f'{{"points": {_many(rng, "{}")}}}',
            f'{{"rows": [{part}], "columns": [], "cells": []}}',
            f'{{"rows": {part}, "columns": {part}, "cells": {part}}}',
            f'{{"rows": [0], "cells": [[{part}], {part}]}}',
            f'{{"rows": {_many(rng, part)}}}',
        ]
    )


def _many(rng: random.Random, part: str) -> str:
    n = rng.choice([2, 401, 100_000]) if len(part) < 20 else 3
    return "[" + ",".join([part] * n) + "]"


def _deep(rng: random.Random, part: str) -> str:
    n = rng.choice([20, 300, 900, 5_000, 50_000])
    return rng.choice(["[" * n + part + "]" * n, '{"a":' * n + part + "}" * n])
