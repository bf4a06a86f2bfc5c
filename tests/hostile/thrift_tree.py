"""Thrift's compact form as a tree that can be changed and written again: a lie at a chosen place."""

from dataclasses import dataclass
from random import Random

LIES = (0, 1, -1, 2, 7, 100, 2**15, 2**31 - 1, 2**31, -(2**31), 2**40, 2**62, -(2**62))


MOST_NODES = 20_000


@dataclass
class Node:
    """A value: its type in the compact form, and what it is (for containers: nodes)."""

    kind: int
    value: object
    inner: int = 0


def parse(content: bytes, p: int = 0) -> tuple[Node, int]:
    """Read a struct; return it and the position after it."""
    fields, field = [], 0
    while content[p]:
        step, kind = content[p] >> 4, content[p] & 15
        p += 1
        if step:
            field += step
        else:
            number, p = _varint(content, p)
            field = number >> 1 ^ -(number & 1)
        value, p = (Node(kind, None), p) if kind in (1, 2) else _value(content, p, kind)
        fields.append((field, value))
    return Node(12, fields), p + 1


def _varint(content: bytes, p: int) -> tuple[int, int]:
    result = shift = 0
    while True:
        result |= (content[p] & 127) << shift
        shift, p = shift + 7, p + 1
        if content[p - 1] < 128:
            return result, p


def _value(content: bytes, p: int, kind: int) -> tuple[Node, int]:
    if kind in (4, 5, 6):
        number, p = _varint(content, p)
        return Node(kind, number >> 1 ^ -(number & 1)), p
    if kind == 8:
        length, p = _varint(content, p)
        return Node(kind, content[p : p + length]), p + length
    if kind == 12:
        return parse(content, p)
    if kind == 9:
        length, inner, p = content[p] >> 4, content[p] & 15, p + 1
        if length == 15:
            length, p = _varint(content, p)
        items = []
        for _ in range(length):
            item, p = _value(content, p, inner)
            items.append(item)
        return Node(kind, items, inner), p
    size = {1: 1, 2: 1, 3: 1, 7: 8}[kind]
    return Node(kind, content[p : p + size]), p + size


def write(node: Node) -> bytes:
    """Write a value."""
    if node.kind in (4, 5, 6):
        return _written((node.value << 1 ^ node.value >> 63) & (2**64 - 1))
    if node.kind == 8:
        return _written(len(node.value)) + node.value
    if node.kind == 9:
        head = bytes([0xF0 | node.inner]) + _written(len(node.value))
        return head + b"".join(map(write, node.value))
    if node.kind == 12:
        fields = (
            bytes([value.kind]) + _written((field << 1 ^ field >> 63) & (2**64 - 1)) + _bare(value)
            for field, value in node.value
        )
        return b"".join(fields) + b"\0"
    return node.value


def _bare(node: Node) -> bytes:
    """Write a field's value: a truth value stands in its type."""
    return b"" if node.kind in (1, 2) and node.value is None else write(node)


def _written(number: int) -> bytes:
    result = bytearray()
    while number > 127:
        result.append(number & 127 | 128)
        number >>= 7
    return bytes([*result, number])


def nodes(node: Node) -> list[Node]:
    """Return a node and all in it."""
    inner = [value for _, value in node.value] if node.kind == 12 else node.value if node.kind == 9 else []
    return [node, *(deeper for child in inner for deeper in nodes(child))]


def lie(random: Random, root: Node) -> None:
    """Change one value, or drop, double or swap what a container holds."""
    every = nodes(root)
    if len(every) > MOST_NODES:
        return
    node = random.choice(every)
    if node.kind in (4, 5, 6):
        node.value = random.choice((*LIES, node.value + 1, node.value * 2, random.randrange(40)))
    elif node.kind == 8:
        name = node.value or b"x"
        node.value = random.choice((b"", b"\xff\xfe", name * 2, name * random.choice((1, 1000)), name[:-1]))
    elif node.kind in (9, 12) and node.value:
        k = random.randrange(len(node.value))
        times = random.choice((0, 0, 2, 2, 3, 1 + MOST_NODES // len(every)))
        node.value = node.value[:k] + [node.value[k]] * times + node.value[k + 1 :]
    elif node.kind in (1, 2):
        node.kind = 3 - node.kind
