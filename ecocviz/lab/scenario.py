"""The scenario: everything a user chooses, as one frozen value with one canonical text form.

The same value is the state of the app, the page's link, the cache key, the key in the run store and
the file that the command line runs. Reading a link never fails: what cannot be read falls back to
its default and is reported as a short clause, which `explain` makes one sentence of.
"""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from ecocviz.engine.analysis.rejecting import NONE
from ecocviz.engine.params import IntParam, ParamValue, complete, shorten
from ecocviz.lab.catalogue import DEFAULTS, SLOTS

VERSION = 1
"""Of the text form: it fixes what the defaults are, so that short links keep their meaning."""

MAX_FIELDS = 200
"""More fields than any scenario has; a longer link is not read."""

MAX_TOML = 200_000
"""Characters of a TOML file: a code matrix may take a fifth of them."""

MAX_DOTS = 50
"""Dots in a line of it: the time to read keys of keys of keys grows with the square of their number."""

SEED = IntParam(
    name="seed",
    label="Seed",
    default=0,
    low=0,
    high=2**31 - 1,
    help="Repeats every random choice exactly.",
)


@dataclass(frozen=True, slots=True)
class Choice:
    """One entry of a catalogue with all its parameters, in the order in which it declares them."""

    key: str
    params: tuple[tuple[str, ParamValue], ...] = ()

    @property
    def values(self) -> dict[str, ParamValue]:
        """The parameters as a dictionary."""
        return dict(self.params)


@dataclass(frozen=True, slots=True)
class Decider(Choice):
    """A decoder that leaves points undecided, by a rule; goes wherever the choice of a decoder goes."""

    rule: Choice = Choice(NONE.key)


@dataclass(frozen=True, slots=True)
class Scenario:
    """A whole experiment. Build it with `make_scenario`, change it with `chosen`.

    Examples
    --------
    >>> make_scenario(coding="one-vs-one", seed=3).to_query()
    'v=1&coding=one-vs-one&seed=3'
    """

    data: Choice
    preparation: Choice
    split: Choice
    coding: Choice
    machine: Choice
    reduction: Choice
    decoding: Choice
    rejecting: Choice
    seed: int = 0

    def __post_init__(self) -> None:
        SEED.check(self.seed)
        for slot in SLOTS:
            choice: Choice = getattr(self, slot)
            if choose(slot, choice.key, choice.values) != choice:
                raise ValueError(
                    f"The {slot} of a scenario must list all parameters of {choice.key!r} in order."
                )

    def chosen(self, slot: str, key: str | None = None, **params: ParamValue) -> "Scenario":
        """Return a copy with another entry in a slot, or the same entry with other parameters.

        Parameters not given keep their value when the entry stays, else take their default.
        """
        now: Choice = getattr(self, slot)
        kept = now.values if key in (None, now.key) else {}
        changed: dict[str, Any] = {slot: choose(slot, key or now.key, kept | params)}
        return replace(self, **changed)

    @property
    def decider(self) -> Choice:
        """The decoder together with the rule by which it leaves points undecided, if there is one."""
        return self.deciding(self.decoding)

    def deciding(self, decoding: Choice) -> Choice:
        """Return any decoder with the scenario's rule, the decoder itself where every point is decided."""
        if self.rejecting.key == NONE.key:
            return decoding
        return Decider(decoding.key, decoding.params, self.rejecting)

    def to_flat(self) -> dict[str, str]:
        """Write the canonical flat text form: what differs from the defaults, in a fixed order."""
        flat = {"v": str(VERSION)}
        for slot, entries in SLOTS.items():
            choice: Choice = getattr(self, slot)
            if choice.key != DEFAULTS[slot]:
                flat[slot] = choice.key
            for param in entries[choice.key].params:
                value = choice.values[param.name]
                if value != param.default:
                    flat[f"{slot}.{param.name}"] = param.text(value)
        if self.seed != SEED.default:
            flat["seed"] = SEED.text(self.seed)
        return flat

    def to_query(self) -> str:
        """Write a URL query."""
        return urlencode(self.to_flat())

    def to_toml(self) -> str:
        """Write a TOML file with every choice spelled out."""
        lines = ["# An ecocviz scenario; run it with: ecocviz run FILE"]
        lines += [f"version = {VERSION}", f"seed = {self.seed}"]
        for slot in SLOTS:
            choice: Choice = getattr(self, slot)
            lines += ["", f"[{slot}]", f"key = {_toml(choice.key)}"]
            lines += [f"{name} = {_toml(value)}" for name, value in choice.params]
        return "\n".join(lines) + "\n"

    def to_python(self) -> str:
        """Write the Python expression that builds this scenario with `make_scenario`."""
        lines = ["make_scenario("]
        for slot in SLOTS:
            choice: Choice = getattr(self, slot)
            lines.append(f"    {slot}=({choice.key!r}, {choice.values!r}),")
        return "\n".join([*lines, f"    seed={self.seed},", ")"])


def choose(slot: str, key: str, params: Mapping[str, ParamValue] | None = None) -> Choice:
    """Return a checked choice with all parameters, or raise ValueError with one sentence."""
    entry = SLOTS[slot].get(key)
    if entry is None:
        raise ValueError(f"There is no {slot} {shorten(str(key))!r}; `ecocviz list {slot}` shows them.")
    return Choice(key, tuple(complete(entry.params, dict(params or {})).items()))


def make_scenario(seed: int = 0, **slots: str | tuple[str, Mapping[str, ParamValue]]) -> Scenario:
    """Build a scenario from keys, or (key, parameters) pairs; slots not named take their default.

    Examples
    --------
    >>> make_scenario(decoding="hamming").decoding.key
    'hamming'
    """
    for slot in slots:
        if slot not in SLOTS:
            raise ValueError(f"A scenario has no {shorten(slot)!r}; it has {', '.join(SLOTS)} and seed.")
    chosen = {}
    for slot, default in DEFAULTS.items():
        given = slots.get(slot, default)
        key, params = (given, {}) if isinstance(given, str) else given
        chosen[slot] = choose(slot, key, params)
    return Scenario(**chosen, seed=SEED.check(seed))


def from_flat(flat: Mapping[str, str]) -> tuple[Scenario, tuple[str, ...]]:
    """Read the flat text form; return the scenario and a clause for everything that was dropped."""
    problems: list[str] = []
    if len(flat) > MAX_FIELDS:
        return make_scenario(), (f"it has {len(flat)} fields",)
    version = flat.get("v", str(VERSION))
    if version != str(VERSION):
        problems.append(f"it was written for version {shorten(version, 8)!r}")
    chosen = {slot: _read_slot(slot, flat, problems) for slot in SLOTS}
    seed = SEED.default
    if "seed" in flat:
        try:
            seed = SEED.parse(flat["seed"])
        except ValueError:
            problems.append(f"seed {shorten(flat['seed'], 20)!r} is not allowed")
    known = {"v", "seed", *SLOTS}
    problems += [
        f"{shorten(name, 30)!r} is unknown"
        for name in flat
        if name not in known and name.partition(".")[0] not in SLOTS
    ]
    return Scenario(**chosen, seed=seed), tuple(problems)


def _read_slot(slot: str, flat: Mapping[str, str], problems: list[str]) -> Choice:
    key = flat.get(slot, DEFAULTS[slot])
    entry = SLOTS[slot].get(key)
    if entry is None:
        problems.append(f"{slot} {shorten(key, 30)!r} does not exist")
        return choose(slot, DEFAULTS[slot])
    declared = {param.name: param for param in entry.params}
    values: dict[str, ParamValue] = {}
    for name, text in flat.items():
        head, dot, param_name = name.partition(".")
        if head != slot or not dot:
            continue
        param = declared.get(param_name)
        if param is None:
            problems.append(f"{shorten(name, 30)!r} is unknown")
            continue
        try:
            values[param_name] = param.parse(text)
        except ValueError:
            problems.append(f"{shorten(name, 30)} {shorten(text, 20)!r} is not allowed")
    return choose(slot, key, values)


def from_query(query: str) -> tuple[Scenario, tuple[str, ...]]:
    """Read a URL query; of a repeated field the last one counts."""
    try:
        return from_flat(query_fields(query))
    except ValueError as error:
        return make_scenario(), (str(error),)


def query_fields(query: str) -> dict[str, str]:
    """Return the fields of a URL query, whatever they hold; raise ValueError with a clause if it has none."""
    try:
        return dict(parse_qsl(query.removeprefix("?"), keep_blank_values=True, max_num_fields=MAX_FIELDS))
    except ValueError:
        raise ValueError("it is not a link of this app") from None


def from_toml(text: str) -> tuple[Scenario, tuple[str, ...]]:
    """Read a TOML file as `to_toml` writes it; raise ValueError if it is not TOML at all."""
    return from_flat(toml_fields(text))


def toml_fields(text: str) -> dict[str, str]:
    """Return the fields of a TOML file as the flat text form has them, whatever they hold."""
    return _fields(_toml_tables(text))


def toml_fields_and(text: str, name: str) -> tuple[dict[str, str], Any]:
    """Return the fields of a TOML file as `toml_fields`, and apart from them what stands under one name."""
    content = _toml_tables(text)
    apart = content.pop(name, {})
    return _fields(content), apart


def _fields(content: Mapping[str, Any]) -> dict[str, str]:
    flat: dict[str, str] = {}
    for name, value in content.items():
        if name == "version":
            flat["v"] = _text(value)
        elif isinstance(value, dict):
            for inner, leaf in value.items():
                flat[name if inner == "key" else f"{name}.{inner}"] = _text(leaf)
        else:
            flat[name] = _text(value)
    return flat


def _toml_tables(text: str) -> dict[str, Any]:
    """Parse TOML; raise ValueError with one sentence where that fails, or would take long."""
    reason = ""
    if len(text) > MAX_TOML:
        reason = f"it has {len(text):,} characters but at most {MAX_TOML:,} are read"
    for number, line in enumerate(text.split("\n") if not reason else (), start=1):
        if line.count(".") > MAX_DOTS:
            reason = f"line {number:,} has too many dots"
    try:
        if not reason:
            return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reason = shorten(" ".join(str(error).split()), 120)
    except RecursionError:
        reason = "its lists or tables are nested too deeply"
    except ValueError:
        reason = "it has a number with too many digits"
    raise ValueError(f"This file is not a scenario: {reason}.")


def explain(problems: tuple[str, ...]) -> str | None:
    """Make one sentence of what was dropped, or None if nothing was."""
    if not problems:
        return None
    listed = "; ".join(problems[:3])
    more = f"; and {len(problems) - 3} more" if len(problems) > 3 else ""
    return " ".join(f"Parts of this link were replaced by defaults: {listed}{more}.".split())


def _text(value: object) -> str:
    """Write a value as a link has it; what no link can hold by its kind only."""
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    if isinstance(value, int) and value.bit_length() > 64:
        return "a number too large"
    return repr(value) if isinstance(value, float) else str(value)


def _toml(value: ParamValue) -> str:
    return json.dumps(value)
