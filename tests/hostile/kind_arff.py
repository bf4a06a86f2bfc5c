"""ARFF: headers and rows of its grammar and beside it, damaged files, and a few as large as may be."""

from random import Random

from tests.hostile.cases import Kind
from tests.hostile.mutate import cell, mutated, pattern
from tests.hostile.tables import HEAVY, LARGEST, take_table

TYPES = (
    "numeric",
    "real",
    "INTEGER",
    "string",
    "{u,v}",
    "{'a b',\"c\",d}",
    "date",
    "relational",
    "{",
    "{}",
    "",
)
TOKENS = (
    *(b"'", b'"', b"{", b"}", b",", b"\\", b"%", b"?", b"\n", b"\t", b"@data\n", b"@attribute a numeric\n"),
    *(b"{0 1}", b"{0 1,1 u}", b"{99999999 1}", b"{0 ?}", b"'\\''", b"\xa0", b"@relation 'x\n"),
)
PIECES = (
    *(
        b"'",
        b'"',
        b"{",
        b"{0 1,",
        b"0 1,",
        b"\\",
        b"\\\\",
        b"\\'",
        b"%\n",
        b"\n",
        b",",
        b"1,",
        b"1,u\n",
        b"{1 v}\n",
    ),
    *(
        b"@attribute a real\n",
        b"@attribute b {u,v}\n",
        b"x",
        b"'',",
        b"{}\n",
        b"?,u\n",
        b"\t",
        b"9" * 100_000,
    ),
)


def quoted(random: Random, text: str) -> str:
    """Write a word bare or in quotes."""
    mark = random.choice(("", "'", '"'))
    return mark + text.replace("\\", "\\\\").replace(mark, "\\" + mark) + mark if mark else text


def proper(random: Random) -> str:
    """Write a file that is mostly right."""
    kinds = [random.choice(TYPES[:6]) if random.random() < 0.9 else random.choice(TYPES) for _ in range(4)]
    kinds = kinds[: random.randrange(1, 5)]
    lines = ["@relation case"] if random.random() < 0.7 else []
    lines += [f"@attribute {quoted(random, random.choice(('a', f'c{k}', cell(random))))} {kind}"
              for k, kind in enumerate(kinds)]  # fmt: skip
    lines += ["@attribute class {u,v,'w x'}", "@data"]
    lines += [_row(random, kinds) for _ in range(random.randrange(8))]
    return random.choice(("\n", "\r\n")).join(lines) + "\n"


def _row(random: Random, kinds: list[str]) -> str:
    cells = [_cell(random, kind) for kind in kinds] + [random.choice(("u", "v", "'w x'", "?"))]
    if random.random() < 0.3:
        kept = [(k, said) for k, said in enumerate(cells) if random.random() < 0.6]
        return "{" + ",".join(f"{k} {said}" for k, said in kept) + "}"
    return random.choice((",", ", ", "\t")).join(cells)


def _cell(random: Random, kind: str) -> str:
    if random.random() < 0.03:
        return quoted(random, cell(random))
    if kind.startswith("{"):
        return random.choice(("u", "v", "?") if "u" in kind else ("'a b'", "c", "?"))
    return str(random.randrange(-9, 99)) if kind in {"numeric", "real", "INTEGER"} else quoted(random, "w")


def heavy(random: Random) -> bytes:
    """Write a file as large as may be: many levels, wide or many rows, one piece again and again."""
    head = b"@attribute a numeric\n@attribute class {u,v}\n@data\n"
    draw = random.randrange(4)
    if draw == 0:
        levels = ",".join(f"l{k}" for k in range(random.choice((1_000, 99_000, 300_000))))
        return b"@attribute a {%s}\n@attribute class {u,v}\n@data\nl1,u\nl2,v\n" % levels.encode()
    if draw == 1:
        n = random.choice((3, 500, 1_999, 3_000))
        head = b"".join(
            b"@attribute a%d %s\n" % (k, random.choice((b"real", b"{xxxxxxxx,y}"))) for k in range(n)
        )
        rows = random.choice((b"{%d u}\n{%d v}\n" % (n, n), b"{0 1,%d u}\n{%d v}\n" % (n, n)))
        return head + b"@attribute class {u,v}\n@data\n" + rows * random.randrange(1, 60_000)
    if draw == 2:
        return b"@attribute a {" + pattern(random, (b"x", b"x,", b"' '", b"\\"), 1_200_000) + b"}\n@data\n"
    return head[: random.choice((0, 21, len(head)))] + pattern(random, PIECES, LARGEST)


def make(random: Random) -> bytes:
    """Make a case."""
    if random.random() < HEAVY:
        return heavy(random)
    content = proper(random).encode(errors="replace")
    return content if random.random() < 0.5 else mutated(random, content, TOKENS)


def take(content: bytes) -> str:
    """Read it as the Data page does."""
    return take_table(content, "case.arff")


KIND = Kind(name="arff", make=make, take=take, share=2.0)
