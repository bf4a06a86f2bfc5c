"""Code matrices as they are pasted: signs, numbers, names, headers, and a million of anything."""

from random import Random

import numpy as np

from ecocviz.views.code_matrix.text import MAX_TEXT, read_matrix
from tests.hostile.cases import Kind
from tests.hostile.mutate import NASTY_CELLS, mutated, pattern

CLASSES = ("setosa", "=1+1", "1", "-1", "a", "<b>")
ENTRIES = ("1", "-1", "0", "+", "-", "\u2212", "1.0", "-1.000", "2", "x", "", "1e0", "0x1", "\u0661", "+1")
PIECES = (
    b"+",
    b"-",
    b"1,",
    b"1\n",
    b"\n",
    b'"',
    b'",',
    b" ",
    b"\t",
    b"0;",
    b"1",
    b"setosa,1\n",
    b"\xe2\x88\x92",
)
TOKENS = (*PIECES, b"\x00", b"class", b"'", b"\xef\xbb\xbf", b"\x0b", b"\xe2\x80\xa8", b"1.00000000")


def make(random: Random) -> bytes:
    """Make a case."""
    if random.random() < 0.01:
        return pattern(random, PIECES, random.choice((10_000, MAX_TEXT + 1_000)))
    sound = random.random() < 0.5
    entries = ENTRIES[: 3 if sound else random.choice((8, len(ENTRIES)))]
    mark = random.choice((",", ";", "\t", " "))
    width = random.randrange(2, 9)
    named = random.random() < 0.5
    lines = [mark.join(("class", *(f"m{b}" for b in range(width))))] if named else []
    for name in random.sample(CLASSES, len(CLASSES)):
        cells = [random.choice(entries) for _ in range(width)]
        said = random.choice((name, f'"{name}"', name if sound else random.choice(NASTY_CELLS)))
        lines.append(mark.join([said, *cells] if named else cells))
    content = "\n".join(lines if sound else lines[: random.randrange(1, len(lines) + 1)])
    return content.encode() if sound else mutated(random, content.encode(errors="replace"), TOKENS)


def take(content: bytes) -> str:
    """Read it as the Code matrix page does."""
    text = content.decode(errors="replace")
    # As many classes as there are rows, or one fewer: it may be a header.
    n_rows = sum(bool(line.strip()) for line in text.splitlines())
    n_classes = min(max(2, n_rows - len(text) % 2), len(CLASSES))
    matrix = read_matrix(text, CLASSES[:n_classes])
    assert matrix.shape[0] == n_classes and matrix.dtype == np.int8
    assert set(np.unique(matrix).tolist()) <= {-1, 0, 1}
    return "matrix"


KIND = Kind(name="matrix", make=make, take=take)
