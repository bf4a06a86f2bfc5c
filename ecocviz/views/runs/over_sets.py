"""Methods over several data sets: which runs can be compared, and their ranks, tests, wins and losses.

A method is what a scenario holds in one slot. On a data set it is compared with others only where everything
else in their scenarios is equal; where several such settings are known, a method's error is their mean.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

import numpy as np

from ecocviz.data.catalogue import DATASETS
from ecocviz.data.uploads import name_of
from ecocviz.engine.analysis.ranks import Pair, Ranking, compare_pairs, rank_methods
from ecocviz.engine.params import ChoiceParam, FloatParam
from ecocviz.engine.types import FloatArray
from ecocviz.lab.catalogue import DEFAULTS, SLOTS
from ecocviz.views.runs.facts import Count

FEWEST_METHODS = 2
FEWEST_RANKED = 2
"""On a single data set a rank says no more than the errors."""
FEWEST_SETS = 6
"""On fewer sets not even a win on each of them is rarer than 5 % by chance: 2 / 2^5 = 6 %, 2 / 2^6 = 3 %."""
MOST_METHODS = 24
"""Compared at once, unless a link asks for others."""
DIGITS_OF_DIGEST = 8

Fields = tuple[tuple[str, str], ...]
"""Some fields of a scenario's flat text form, in its order."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A scenario in its flat text form, and its test error."""

    flat: Mapping[str, str]
    test: Count


@dataclass(frozen=True, slots=True)
class Method:
    """What is compared: an entry of a slot with its parameters.

    Attributes
    ----------
    key
        A short digest, for links.
    fields
        Those of the scenario's flat text form.
    title
        Of the entry.
    n_sets
        Data sets on which it was run beside another method, with everything else equal.
    """

    key: str
    fields: Fields
    title: str
    n_sets: int


@dataclass(frozen=True, slots=True)
class SetErrors:
    """A data set on which all methods were run.

    Attributes
    ----------
    title
        Of the data set.
    errors
        Of each method: the mean over the settings.
    n_settings
        Settings in which all methods were run, everything else equal.
    """

    title: str
    errors: tuple[float, ...]
    n_settings: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A data set that cannot count: the methods that lack, none if they were never run in one setting."""

    title: str
    lacking: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OverSets:
    """Methods over data sets.

    Attributes
    ----------
    slot
        What is compared.
    known
        All methods that were ever run beside another, those with the most data sets first.
    methods
        Those compared, the best average rank first.
    sets
        Data sets on which all of these were run.
    left_out
        Data sets on which only some were.
    ranking
        None where fewer than two methods have two data sets in common.
    pairs
        Two methods at a time; positions are those of `methods`. Holm's correction is for all of them.
    """

    slot: str
    known: tuple[Method, ...]
    methods: tuple[Method, ...]
    sets: tuple[SetErrors, ...]
    left_out: tuple[LeftOut, ...]
    ranking: Ranking | None
    pairs: tuple[Pair, ...]

    @property
    def tested(self) -> bool:
        """Whether there are data sets enough for tests."""
        return self.ranking is not None and len(self.sets) >= FEWEST_SETS

    @property
    def names(self) -> tuple[str, ...]:
        """Titles of the methods compared; those that share one are told apart by their settings."""
        return method_names(self.methods, self.slot)


def compare_over_sets(measured: Iterable[Measured], slot: str, asked: str = "") -> OverSets:
    """Compare what scenarios hold in one slot over data sets.

    Parameters
    ----------
    measured
        The latest first: of the same scenario the first one counts.
    slot
        What is compared, such as "decoding".
    asked
        Keys of the methods to compare, dot-separated; "" for those run on the most data sets.
    """
    blocks = _blocks(measured, slot)
    known = _known(blocks, slot)
    wanted = set(asked.split("."))
    methods = [method for method in known if method.key in wanted]
    if len(methods) < FEWEST_METHODS:
        methods = list(_usual(known))
    sets, left_out = _sets(blocks, methods, slot)
    if len(sets) < FEWEST_RANKED or len(methods) < FEWEST_METHODS:
        return OverSets(slot, known, tuple(methods), sets, left_out, None, ())
    errors = np.array([each.errors for each in sets])
    order = np.argsort(rank_methods(errors).ranks, kind="stable")
    errors = errors[:, order]
    ordered = tuple(
        SetErrors(each.title, tuple(errors[k].tolist()), each.n_settings) for k, each in enumerate(sets)
    )
    compared = tuple(methods[k] for k in order)
    return OverSets(slot, known, compared, ordered, left_out, rank_methods(errors), compare_pairs(errors))


# What can be compared --------------------------------------------------------------------------------

Blocks = Mapping[str, Mapping[Fields, Mapping[Fields, float]]]
"""Data set -> everything but the method -> method -> error."""


def _blocks(measured: Iterable[Measured], slot: str) -> Blocks:
    """Sort errors by data set, by everything but the method, and by the method."""
    found: dict[str, dict[Fields, dict[Fields, float]]] = {}
    for one in measured:
        method = tuple((name, text) for name, text in one.flat.items() if name.partition(".")[0] == slot)
        rest = tuple((name, text) for name, text in one.flat.items() if name.partition(".")[0] != slot)
        here = found.setdefault(data_set(one.flat), {}).setdefault(rest, {})
        here.setdefault(method, one.test.error)
    return found


def data_set(flat: Mapping[str, str]) -> str:
    """Name the data set of a scenario: its key, and what parts one file or number from another.

    A generator is one data set, however many points it draws: more of the same is no further evidence.

    >>> data_set({"v": "1", "data.n_samples": "60"}), data_set({"data": "openml", "data.data_id": "61"})
    ('blobs', 'openml data.data_id=61')
    """
    key = flat.get("data", DEFAULTS["data"])
    entry = DATASETS.get(key)
    if entry is None or not entry.needs:
        return key
    return f"{key} {urlencode([(name, text) for name, text in flat.items() if name.startswith('data.')])}"


def title_of_set(name: str) -> str:
    """Return what a data set is called; of files and numbers, which is told by a few letters.

    >>> title_of_set("iris"), title_of_set("openml data.data_id=61")
    ('Iris', 'OpenML 61')
    """
    key, _, which = name.partition(" ")
    entry = DATASETS.get(key)
    title, value = key if entry is None else entry.title, which.rpartition("=")[2]
    return name_of(value) or (f"{title} {value[:6]}" if which else title)


def _known(blocks: Blocks, slot: str) -> tuple[Method, ...]:
    """Return every method that was run beside another, those with the most data sets first."""
    sets: dict[Fields, set[str]] = {}
    for name, settings in blocks.items():
        for errors in settings.values():
            for method in errors if len(errors) >= FEWEST_METHODS else ():
                sets.setdefault(method, set()).add(name)
    order = list(SLOTS[slot])
    found = [
        Method(_digest(method), method, _title(method, slot), len(names)) for method, names in sets.items()
    ]
    return tuple(
        sorted(found, key=lambda m: (-m.n_sets, order.index(_entry(m.fields, slot, order)), m.fields))
    )


def _usual(known: Sequence[Method]) -> Sequence[Method]:
    """Return the methods with the most data sets: those that have as many as the second of them."""
    if len(known) < FEWEST_METHODS:
        return known
    return [method for method in known if method.n_sets >= known[1].n_sets][:MOST_METHODS]


def _entry(fields: Fields, slot: str, keys: Sequence[str]) -> str:
    key = dict(fields).get(slot, DEFAULTS[slot])
    return key if key in keys else keys[0]


def _title(fields: Fields, slot: str) -> str:
    key = dict(fields).get(slot, DEFAULTS[slot])
    entry = SLOTS[slot].get(key)
    return key if entry is None else str(entry.title)


def _digest(fields: Fields) -> str:
    return hashlib.sha256(urlencode(fields).encode()).hexdigest()[:DIGITS_OF_DIGEST]


def method_names(methods: Sequence[Method], slot: str) -> tuple[str, ...]:
    """Return the titles of methods; those that share one are told apart by the parameters they differ in."""
    by_title: dict[str, list[dict[str, str]]] = {}
    for method in methods:
        by_title.setdefault(method.title, []).append(_settings(method.fields, slot))

    def name(method: Method) -> str:
        alike, mine = by_title[method.title], _settings(method.fields, slot)
        apart = [label for label in mine if len({settings.get(label) for settings in alike}) > 1]
        told = ", ".join(_told(label, mine[label]) for label in apart)
        return f"{method.title} ({told})" if told else method.title

    return tuple(map(name, methods))


def _settings(fields: Fields, slot: str) -> dict[str, str]:
    """Return label -> value of every parameter of a method, in words; of an option "" -> its short name."""
    flat = dict(fields)
    entry = SLOTS[slot].get(flat.get(slot, DEFAULTS[slot]))
    found = {}
    for param in () if entry is None else entry.params:
        text = flat.get(f"{slot}.{param.name}", param.text(param.default))
        if isinstance(param, ChoiceParam):
            found[f" {param.name}"] = dict(param.options).get(text, text).partition(":")[0]
        else:
            words = dict(param.words) if isinstance(param, FloatParam) else {}
            found[getattr(param, "symbol", "") or param.label] = words.get(text, text)
    return found


def _told(label: str, value: str) -> str:
    return value if label.startswith(" ") else f"{label} {value}"


def _sets(
    blocks: Blocks, methods: Sequence[Method], slot: str
) -> tuple[tuple[SetErrors, ...], tuple[LeftOut, ...]]:
    """Part the data sets into those on which all methods were run and those on which only some were."""
    wanted = [method.fields for method in methods]
    names, found, left_out = method_names(methods, slot), [], []
    for key in sorted(blocks, key=title_of_set):
        settings = list(blocks[key].values())
        whole = [errors for errors in settings if all(method in errors for method in wanted)]
        if whole and wanted:
            rows: FloatArray = np.array([[errors[method] for method in wanted] for errors in whole])
            found.append(SetErrors(title_of_set(key), tuple(rows.mean(axis=0).tolist()), len(whole)))
            continue
        here = {method for errors in settings for method in errors}
        lacking = tuple(name for name, method in zip(names, wanted, strict=True) if method not in here)
        if len(lacking) < len(wanted):
            left_out.append(LeftOut(title_of_set(key), lacking))
    return tuple(found), tuple(left_out)
