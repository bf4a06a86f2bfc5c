"""CSV and TSV: dialects, encodings, jumbles of cells, damaged files, and a few as large as may be."""

import csv
import io
from random import Random

from tests.hostile.cases import Kind
from tests.hostile.mutate import cell, mutated, pattern
from tests.hostile.tables import HEAVY, LARGEST, take_table

DELIMITERS = ",;\t| "
ENCODINGS = ("utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "latin-1", "cp1252")
TOKENS = (b'"', b'""', b",", b";", b"\t", b"\n", b"\r", b"\r\n", b"\x00", b"\xff\xfe", b"sep=;\n", b"1e999")
PIECES = (
    *(
        b",",
        b'"',
        b"\n",
        b"\r",
        b";",
        b"1",
        b"x",
        b"1,",
        b"1;2\n",
        b'"\n",',
        b'"a""',
        b'"",',
        b",\n",
        b" ",
        b"\t",
    ),
    *(
        b"1" * 130_000,
        b"9" * 100_000 + b"x,",
        b"a,b\n",
        b"1,u\n2,v\n",
        b"1e9,",
        b"\xff",
        "\U0001f600,".encode(),
    ),
)


def proper(random: Random) -> str:
    """Write a table as some program might: numbers, words and gaps, in some dialect."""
    out = io.StringIO(newline="")
    writer = csv.writer(
        out,
        delimiter=random.choice(DELIMITERS),
        quoting=random.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL)),
        lineterminator=random.choice(("\n", "\r\n", "\r")),
    )
    n_rows, n_columns = random.randrange(1, 12), random.randrange(1, 7)
    if random.random() < 0.8:
        names = [random.choice((f"c{k}", "a", "", cell(random))) for k in range(n_columns)]
        writer.writerow([*names, random.choice(("class", "Species", "kind", names[0]))])
    for k in range(n_rows):
        writer.writerow([*(cell(random) for _ in range(n_columns)), random.choice(("u", "v", str(k % 3)))])
    return out.getvalue()


def jumble(random: Random) -> str:
    """Write lines that agree in nothing."""
    lines = [
        random.choice(DELIMITERS).join(cell(random) for _ in range(random.randrange(6)))
        for _ in range(random.randrange(9))
    ]
    return random.choice(("\n", "\r\n", "\r")).join(lines)


def wide(random: Random) -> bytes:
    """Write a table near the limits of rows, columns or cells, of few different cells."""
    n_columns = random.choice((2, 40, 120, 1_999, 2_001, 60_000))
    words = [random.choice((b"1", b"", b"x", b"0.5", b"-1e9", b"?")) for _ in range(min(n_columns, 50))]
    line = b",".join(words[k % len(words)] for k in range(n_columns - 1))
    head = b",".join(random.choice((b"a", b"n%d" % k)) for k in range(n_columns - 1)) + b",class\n"
    size = random.randrange(200_000, LARGEST - len(head))
    lines = line + b",u\n" + line + b",v\n"
    return head + lines * (size // len(lines))


def make(random: Random) -> bytes:
    """Make a case."""
    if random.random() < HEAVY:
        if random.random() < 0.5:
            return wide(random)
        return b"a,class\n1,u\n2,v\n"[: random.choice((0, 8, 16))] + pattern(random, PIECES, LARGEST)
    text = proper(random) if random.random() < 0.6 else jumble(random)
    content = text.encode(random.choice(ENCODINGS), errors="replace")
    return content if random.random() < 0.3 else mutated(random, content, TOKENS)


def take(content: bytes) -> str:
    """Read it as the Data page does."""
    return take_table(content, "case.csv")


KIND = Kind(name="csv", make=make, take=take, share=2.0)
