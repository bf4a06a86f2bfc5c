"""Damage to bytes: flipped bits, cuts, splices, repeated pieces, numbers that lie."""

from collections.abc import Sequence
from random import Random

LARGEST = 400_000
"""Bytes after a usual mutation; the largest cases are made on purpose."""
_NUMBERS = (0, 1, 127, 128, 255, 256, 32767, 65535, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1)
NASTY_CELLS = (
    *("", " ", "?", "NA", "nan", "inf", "-inf", "Infinity", "1e999", "-1e999", "1e-999", "0x10", "1_000"),
    *(
        "\u0663",
        "\uff11",
        "1,5",
        "1.5.5",
        "+",
        "-",
        ".",
        "e",
        "1e",
        "=1+1",
        "@SUM(A1)",
        "-2+3",
        "'",
        '"',
        '""',
    ),
    *("<script>alert(1)</script>", "![a](//other.host/l.png)", "$\\frac{1}{0}$", "%s%n", "{{7*7}}", "\\"),
    *("../../etc/passwd", "\u202eabc", "\u0000", "\x1b[31m", "\ufeff", "\ud7ff", "\U0001f600", "a" * 300),
    *(
        "class",
        "label",
        "x1",
        "None",
        "True",
        "9" * 400,
        "0." + "0" * 400 + "1",
        "\t",
        "\u2028",
        "\x85",
        "\xa0",
    ),
)


def mutated(random: Random, content: bytes, tokens: Sequence[bytes] = ()) -> bytes:
    """Damage bytes in one to four places."""
    for _ in range(random.choice((1, 1, 2, 4))):
        damage = random.choice(_DAMAGES)
        content = damage(random, content, tokens)[:LARGEST]
    return content


def _place(random: Random, content: bytes) -> int:
    return random.randrange(len(content) + 1)


def _flip(random: Random, content: bytes, _tokens: Sequence[bytes]) -> bytes:
    changed = bytearray(content)
    for _ in range(random.choice((1, 1, 3, 20))):
        if changed:
            changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def _cut(random: Random, content: bytes, _tokens: Sequence[bytes]) -> bytes:
    p = _place(random, content)
    return content[:p] if random.random() < 0.7 else content[p:]


def _drop(random: Random, content: bytes, _tokens: Sequence[bytes]) -> bytes:
    p = _place(random, content)
    return content[:p] + content[p + random.choice((1, 4, 40)) :]


def _splice(random: Random, content: bytes, _tokens: Sequence[bytes]) -> bytes:
    p, q, r = sorted(_place(random, content) for _ in range(3))
    return content[:r] + content[p:q] + content[r:]


def _repeat(random: Random, content: bytes, _tokens: Sequence[bytes]) -> bytes:
    p, length = _place(random, content), random.choice((1, 2, 8, 60))
    times = random.choice((2, 10, 500, 20_000))
    return content[:p] + content[p : p + length] * times + content[p + length :]


def _insert(random: Random, content: bytes, tokens: Sequence[bytes]) -> bytes:
    p = _place(random, content)
    piece = (
        random.choice(tokens) if tokens and random.random() < 0.8 else random.randbytes(random.randrange(9))
    )
    return content[:p] + piece + content[p:]


def _lie(random: Random, content: bytes, _tokens: Sequence[bytes]) -> bytes:
    """Write a number where something else may have been a length."""
    p, width = _place(random, content), random.choice((1, 2, 4, 8))
    number = random.choice(_NUMBERS) % 256**width
    return content[:p] + number.to_bytes(width, random.choice(("little", "big"))) + content[p + width :]


_DAMAGES = (_flip, _cut, _drop, _splice, _repeat, _insert, _insert, _lie)


def cell(random: Random) -> str:
    """Return what may stand in a cell of a table: mostly harmless."""
    draw = random.random()
    if draw < 0.4:
        return str(random.randrange(-5, 100))
    if draw < 0.6:
        return repr(random.gauss(0, 1000))
    if draw < 0.75:
        return random.choice(("red", "green", "u", "v", "class"))
    if draw < 0.93:
        return random.choice(NASTY_CELLS)
    return "".join(
        chr(random.choice((random.randrange(32, 127), random.randrange(0xD800)))) for _ in range(6)
    )


def pattern(random: Random, pieces: Sequence[bytes], largest: int) -> bytes:
    """Return a piece, or two in turns, as often as fits into some size up to the largest."""
    piece = random.choice(pieces) + (random.choice(pieces) if random.random() < 0.5 else b"")
    return piece * (random.randrange(largest) // max(1, len(piece)))
