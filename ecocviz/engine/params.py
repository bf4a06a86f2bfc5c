"""Declared parameters of catalogue entries: what may be chosen, in which range, and how it is written.

Every parameter knows its canonical text, so that links, files and widgets agree without knowing any
entry by name. `parse` and `check` raise `ValueError` with one sentence that says what is allowed.
"""

import base64
import binascii
import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ecocviz.engine.types import CodeMatrix

ParamValue: TypeAlias = int | float | str

MAX_PACKED_ENTRIES = 100_000
"""Largest hand-made matrix (rows times columns) that a text form may hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Named:
    """What all parameters share.

    Attributes
    ----------
    name
        The key in links and files.
    label
        What it is called on the screen.
    symbol
        Its letter, where a line has no room for the label.
    help
        One sentence.
    hint
        A few words on what larger values do, to stand beside the number.
    only_if
        Another parameter of the same entry and the values for which this one matters.
    prominent
        Whether it matters so much that it stands in view where the machines are looked at.
    """

    name: str
    label: str
    symbol: str = ""
    help: str = ""
    hint: str = ""
    only_if: tuple[str, tuple[ParamValue, ...]] | None = None
    prominent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class IntParam(_Named):
    """A whole number in [low, high]; `automatic` is the value that leaves the number to the entry."""

    default: int
    low: int
    high: int
    automatic: int | None = None

    def check(self, value: ParamValue) -> int:
        """Return the value as an int, or raise with a sentence."""
        if isinstance(value, bool) or not isinstance(value, int | np.integer):
            raise ValueError(f"{self.label} takes a whole number, not {quoted(value)}.")  # noqa: TRY004 - one kind of error for every bad value
        if not self.low <= value <= self.high:
            raise ValueError(
                f"{self.label} takes a whole number from {self.low} to {self.high}, not {quoted(value)}."
            )
        return int(value)

    def parse(self, text: str) -> int:
        """Read the canonical text.

        >>> IntParam(name="n", label="Bits", default=3, low=1, high=9).parse("7")
        7
        """
        try:
            if not (text.isascii() and len(text) <= 20):
                raise ValueError  # noqa: TRY301 - int() would also accept other scripts' digits
            value = int(text)
        except ValueError:
            raise ValueError(f"{self.label} takes a whole number, not {shorten(text)!r}.") from None
        return self.check(value)

    def text(self, value: ParamValue) -> str:
        """Write the canonical text."""
        return str(self.check(value))


@dataclass(frozen=True, slots=True, kw_only=True)
class FloatParam(_Named):
    """A finite number in [low, high], or one of a few words with a meaning of their own.

    `log` says that its sliders go in equal factors; where `low` is 0, that is where they begin.
    """

    default: float | str
    low: float
    high: float
    log: bool = False
    words: tuple[tuple[str, str], ...] = ()

    def check(self, value: ParamValue) -> float | str:
        """Return the value as a float (or an allowed word), or raise with a sentence."""
        names = [word for word, _ in self.words]
        if isinstance(value, str):
            if value in names:
                return value
        elif _is_number(value) and self.low <= value <= self.high and math.isfinite(value):
            return float(value)
        words = "".join(f" or {name!r}" for name in names)
        raise ValueError(
            f"{self.label} takes a number from {self.low:g} to {self.high:g}{words}, not {quoted(value)}."
        )

    def parse(self, text: str) -> float | str:
        """Read the canonical text."""
        if any(text == word for word, _ in self.words):
            return text
        try:
            return self.check(float(text) if text.isascii() and len(text) <= 40 and "_" not in text else text)
        except (ValueError, OverflowError):
            return self.check(text)

    def text(self, value: ParamValue) -> str:
        """Write the canonical text: the shortest digits that read back as the same float."""
        checked = self.check(value)
        return checked if isinstance(checked, str) else repr(checked)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceParam(_Named):
    """One of a few keys, each with a label."""

    default: str
    options: tuple[tuple[str, str], ...]

    def check(self, value: ParamValue) -> str:
        """Return the value if it is one of the options, or raise with a sentence."""
        for key, _ in self.options:
            if value == key:
                return key
        listed = ", ".join(key for key, _ in self.options)
        raise ValueError(f"{self.label} is one of {listed}, not {quoted(value)}.")

    def parse(self, text: str) -> str:
        """Read the canonical text."""
        return self.check(text)

    def text(self, value: ParamValue) -> str:
        """Write the canonical text."""
        return self.check(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextParam(_Named):
    """Short text over a fixed alphabet: a content digest, a packed matrix."""

    default: str
    alphabet: str
    max_length: int

    def check(self, value: ParamValue) -> str:
        """Return the text if it is short enough and within the alphabet, or raise with a sentence."""
        if isinstance(value, str) and len(value) <= self.max_length and set(value) <= set(self.alphabet):
            return value
        raise ValueError(f"{self.label} is not readable as {quoted(value)}.")

    def parse(self, text: str) -> str:
        """Read the canonical text."""
        return self.check(text)

    def text(self, value: ParamValue) -> str:
        """Write the canonical text."""
        return self.check(value)


Param: TypeAlias = IntParam | FloatParam | ChoiceParam | TextParam

PACKED_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_."


def shorten(text: str, length: int = 40) -> str:
    """Cut a user's text so that it can be quoted in a sentence."""
    return text if len(text) <= length else text[: length - 1] + "…"


def quoted(value: object) -> str:
    """Write what was given in place of a value so that it can be quoted in a sentence, whatever it is.

    >>> quoted("a"), quoted(3.5), quoted(10**5_000), quoted([1, [2]])
    ("'a'", '3.5', 'a number of that size', 'a list')
    """
    if isinstance(value, str):
        return repr(shorten(value))
    if isinstance(value, int) and not -(10**20) < value < 10**20:
        return "a number of that size"  # Python refuses to write the longest ones
    if value is None or isinstance(value, int | float | np.number):
        return str(value)
    return f"a {type(value).__name__}"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def complete(params: tuple[Param, ...], given: dict[str, ParamValue]) -> dict[str, ParamValue]:
    """Return every declared parameter with its checked value, defaults filled in.

    >>> complete((IntParam(name="n_bits", label="Bits", default=7, low=1, high=31),), {})
    {'n_bits': 7}
    """
    names = [param.name for param in params]
    for name in given:
        if name not in names:
            listed = ", ".join(names) or "none"
            raise ValueError(f"There is no parameter {shorten(name)!r} here; known parameters: {listed}.")
    return {param.name: param.check(given.get(param.name, param.default)) for param in params}


def pack_matrix(code_matrix: CodeMatrix) -> str:
    """Write a ternary matrix as short URL-safe text: rows.columns.entries, five entries to a byte.

    >>> pack_matrix(np.array([[1, -1], [-1, 1]], dtype=np.int8))
    '2.2.qA'
    >>> unpack_matrix("2.2.qA").tolist()
    [[1, -1], [-1, 1]]
    """
    digits = code_matrix.astype(np.int64).ravel() + 1
    n_entries = digits.size
    padded = np.concatenate([digits, np.zeros(-n_entries % 5, dtype=np.int64)]).reshape(-1, 5)
    packed = (padded @ np.array([81, 27, 9, 3, 1])).astype(np.uint8).tobytes()
    text = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    return f"{code_matrix.shape[0]}.{code_matrix.shape[1]}.{text}"


def unpack_matrix(text: str) -> CodeMatrix:
    """Read what `pack_matrix` wrote; raise ValueError with a sentence for anything else."""
    broken = ValueError("The code matrix in this link is damaged; design or paste it again.")
    head = text.split(".")
    if len(head) != 3 or not (
        head[0].isascii() and head[0].isdigit() and head[1].isascii() and head[1].isdigit()
    ):
        raise broken
    if len(head[0]) > 6 or len(head[1]) > 6:
        raise broken
    n_rows, n_columns = int(head[0]), int(head[1])
    if not 0 < n_rows * n_columns <= MAX_PACKED_ENTRIES:
        raise broken
    try:
        packed = base64.b64decode(head[2] + "=" * (-len(head[2]) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise broken from None
    codes = np.frombuffer(packed, dtype=np.uint8).astype(np.int64)
    n_entries = n_rows * n_columns
    if codes.size != -(-n_entries // 5) or (codes.size and codes.max() >= 243):
        raise broken
    digits = (codes[:, None] // np.array([81, 27, 9, 3, 1]) % 3).ravel()
    matrix: CodeMatrix = (digits[:n_entries] - 1).astype(np.int8).reshape(n_rows, n_columns)
    return matrix
