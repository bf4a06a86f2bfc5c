"""Thrift's compact form, in which Parquet writes its footer and the heads of its pages.

Read are plain values and containers of them, without knowing what they mean: a struct is a dictionary
from the numbers of its fields to their values. Nothing is made that is not in the bytes, and no more than
a budget of values.
"""

from typing import Any

_TRUE, _FALSE, _BINARY, _MAP, _STRUCT = 1, 2, 8, 11, 12
_VARINTS = (4, 5, 6)
_LISTS = (9, 10)
_SIZES = {_TRUE: 1, _FALSE: 1, 3: 1, 7: 8, 13: 16}
"""Bytes of what always takes as many: truth values in a list, a byte, a float, a UUID."""
_DEEPEST = 40
_LONGEST_VARINT = 70
"""Bits; no whole number has more than 64."""


class NotThriftError(Exception):
    """The bytes are not what they should be."""


class TooManyValuesError(NotThriftError):
    """The bytes hold more values than the budget allows."""


class Compact:
    """Reads values from bytes, one after another.

    Attributes
    ----------
    position
        Where the next value begins.
    """

    def __init__(self, content: bytes, position: int, budget: int) -> None:
        self._content = content
        self._left = budget
        self.position = position

    def struct(self, depth: int = 0) -> dict[int, Any]:
        """Read a struct: field number -> value."""
        fields: dict[int, Any] = {}
        field = 0
        while head := self._byte():
            step, kind = head >> 4, head & 15
            field = field + step if step else self._whole()
            fields[field] = kind == _TRUE if kind in (_TRUE, _FALSE) else self._value(kind, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Any:  # noqa: ANN401 - what a file holds
        self._left -= 1
        if self._left < 0:
            raise TooManyValuesError
        if depth > _DEEPEST:
            raise NotThriftError
        if kind in _VARINTS:
            return self._whole()
        if kind == _BINARY or kind in _SIZES:
            return self._take(_SIZES[kind] if kind in _SIZES else self._varint())
        if kind == _STRUCT:
            return self.struct(depth + 1)
        if kind in _LISTS:
            return self._list(depth)
        if kind == _MAP:
            return self._map(depth)
        raise NotThriftError

    def _list(self, depth: int) -> list[Any]:
        head = self._byte()
        length = head >> 4
        if length == 15:
            length = self._varint()
        return [self._value(head & 15, depth + 1) for _ in range(length)]

    def _map(self, depth: int) -> None:
        """Pass over a map; Parquet has none."""
        length = self._varint()
        kinds = self._byte() if length else 0
        for _ in range(length):
            self._value(kinds >> 4, depth + 1)
            self._value(kinds & 15, depth + 1)

    def _whole(self) -> int:
        """Read a whole number with its sign."""
        number = self._varint()
        return (number >> 1) ^ -(number & 1)

    def _varint(self) -> int:
        result = shift = 0
        while shift < _LONGEST_VARINT:
            byte = self._byte()
            result |= (byte & 127) << shift
            if byte < 128:
                return result
            shift += 7
        raise NotThriftError

    def _byte(self) -> int:
        if self.position >= len(self._content):
            raise NotThriftError
        byte = self._content[self.position]
        self.position += 1
        return byte

    def _take(self, length: int) -> bytes:
        taken = self._content[self.position : self.position + length]
        self.position += length
        if len(taken) < length:
            raise NotThriftError
        return taken
