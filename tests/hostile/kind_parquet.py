"""Parquet: sound files with hostile contents, footers and page heads that lie, damaged bytes."""

import datetime as dt
import io
import string
from functools import cache
from random import Random

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from tests.hostile.cases import Kind
from tests.hostile.mutate import NASTY_CELLS, mutated
from tests.hostile.tables import HEAVY, take_table
from tests.hostile.thrift_tree import Node, lie, nodes, parse, write

CODECS = ("none", "snappy", "gzip", "zstd", "lz4", "brotli")
ENCODINGS = {
    "PLAIN": (pa.float64(), pa.int32(), pa.string(), pa.bool_()),
    "DELTA_BINARY_PACKED": (pa.int32(), pa.int64()),
    "DELTA_LENGTH_BYTE_ARRAY": (pa.string(),),
    "DELTA_BYTE_ARRAY": (pa.string(),),
    "BYTE_STREAM_SPLIT": (pa.float64(), pa.float32(), pa.int32()),
    "RLE": (pa.bool_(),),
}
VALUES: tuple[list[object], ...] = (
    [word.replace("\ud7ff", "") for word in NASTY_CELLS],
    [0.0, 1e308, np.inf, np.nan, -0.0, 5e-324],
    [[1], [], None],
    [b"\xff", None],
    [{"a": [{"b": [1]}]}],
    [dt.date(2020, 1, 1), None],
)
TOKENS = (
    b"PAR1",
    b"PARE",
    b"\x15\xfe\xff\xff\xff\x0f",
    b"\x00",
    b"\xff" * 8,
    b"\x19\xfc\xff\xff\x03",
    b"\x28",
)


def packed(columns: dict[str, object], **options: object) -> bytes:
    """Write columns as a file."""
    out = io.BytesIO()
    parquet.write_table(pa.table(columns), out, **options)
    return out.getvalue()


@cache
def sound() -> tuple[bytes, ...]:
    """Return small files that are read, one for each codec and encoding, and a few others."""
    numbers, words = np.arange(40) % 7, [f"w{k % 5}" for k in range(40)]
    columns = {"x": numbers * 0.5, "n": pa.array(numbers, pa.int32()), "w": words, "class": ["u", "v"] * 20}
    found = [packed(columns, compression=codec) for codec in CODECS]
    found += [packed(columns, data_page_version="2.0", compression=codec) for codec in CODECS]
    found += [packed(columns, row_group_size=9), packed(columns, use_dictionary=False, store_schema=False)]
    found.append(packed(columns, data_page_size=16, dictionary_pagesize_limit=16, write_page_index=True))
    for encoding, kinds in ENCODINGS.items():
        for kind in kinds:
            values = pa.array(numbers).cast(pa.int64()).cast(kind)
            names = {"x": encoding} | ({"class": "PLAIN"} if encoding != "PLAIN" else {})
            found.append(
                packed(
                    {"x": values, "class": ["u", "v"] * 20},
                    use_dictionary=False, column_encoding=names, compression="none",
                )
            )  # fmt: skip
    gaps = pa.array([None if k % 3 else k for k in range(40)])
    found.append(packed({"g": gaps, "t": pa.array(words, pa.large_string()), "class": words}))
    return tuple(found)


def contents(random: Random) -> bytes:
    """Write a sound file of hostile contents: any types, names and texts, runs and dictionaries."""
    n_rows = (
        random.choice((0, 1, 2, 30, 30, 5_000))
        if random.random() > HEAVY
        else random.choice((99_999, 100_001))
    )
    n_columns = random.choice((1, 2, 3)) if random.random() > HEAVY else random.choice((99, 2_000, 2_001))
    compact = random.random() < 0.7
    shared = [_column(random, n_rows, compact=compact) for _ in range(min(3, n_columns))]
    names = [random.choice((f"c{k}", f"c{k}", f"{k}{random.choice(NASTY_CELLS)}")) for k in range(n_columns)]
    columns = {name.replace("\ud7ff", ""): shared[k % len(shared)] for k, name in enumerate(names)}
    labels = pa.array(np.arange(n_rows) % random.choice((2, 3, 300))).cast(pa.string())
    return packed(
        columns | {"class": labels},
        compression=random.choice(CODECS),
        use_dictionary=compact,
        row_group_size=random.choice((n_rows + 1, n_rows + 1, n_rows // 3 + 1)),
        data_page_version=random.choice(("1.0", "2.0")),
        store_schema=random.random() < 0.8,
    )


def _column(random: Random, n: int, *, compact: bool) -> object:
    draw = random.randrange(7)
    if draw == 0:
        # Without a dictionary the writer itself writes it out.
        longest = 70_000 if random.random() < 0.9 else 900_000
        length = min(random.choice((1, 500, longest)), longest if compact else 20_000_000 // (n + 1))
        word = random.choice(string.ascii_letters) * length
        return pa.DictionaryArray.from_arrays(pa.array(np.zeros(n, dtype=np.int32)), [word])
    if draw == 1:
        kind = random.choice((pa.int8(), pa.uint64(), pa.decimal128(30, 2), pa.decimal256(60, 5)))
        return pa.array(np.zeros(n, dtype=np.int64)).cast(kind)
    if draw == 2:
        kinds = (pa.null(), pa.string(), pa.float64(), pa.bool_(), pa.float16(), pa.timestamp("ns"))
        return pa.nulls(n, random.choice(kinds))
    if draw == 3:
        return np.arange(n) * random.choice((0, 1, 1.5, 2**40))
    values = random.choice(VALUES)
    return pa.array([random.choice(values) for _ in range(30)] * (n // 30 + 1))[:n]


def footer_lies(random: Random) -> bytes:
    """Write a sound file with a footer that lies."""
    content = random.choice(sound())
    length = int.from_bytes(content[-8:-4], "little")
    root, _ = parse(content, len(content) - 8 - length)
    for _ in range(random.choice((1, 1, 1, 2, 5))):
        lie(random, root)
    if random.random() < 0.05:
        _nest(random, root)
    footer = write(root)
    return content[: -8 - length] + footer + len(footer).to_bytes(4, "little") + b"PAR1"


def _nest(random: Random, root: Node) -> None:
    """Put a column many columns deep."""
    schema = next((value.value for field, value in root.value if field == 2), [])
    deep = Node(12, [(3, Node(5, 0)), (4, Node(8, b"d")), (5, Node(5, 1))])
    schema[1:1] = [deep] * random.choice((1, 15, 30, 5_000, 100_000))


def head_lies(random: Random) -> bytes:
    """Write a sound file with the head of a page that lies; what stands after it moves."""
    content = random.choice(sound())
    meta = parquet.ParquetFile(pa.BufferReader(content)).metadata.row_group(0)
    chunk = meta.column(random.randrange(meta.num_columns))
    start = chunk.dictionary_page_offset if random.random() < 0.5 else None
    start = start or chunk.data_page_offset
    root, end = parse(content, start)
    fields = [node for node in nodes(root)[1:] if node.kind in (5, 6)]
    if random.random() < 0.5 and fields:
        node = random.choice(fields)
        # A number of as many bytes moves nothing.
        node.value = random.choice((node.value + 1, node.value ^ 1, node.value ^ 2, 63, 40, 1, 0))
    else:
        lie(random, root)
    return content[:start] + write(root) + content[end:]


def make(random: Random) -> bytes:
    """Make a case."""
    draw = random.random()
    if draw < 0.1:
        return contents(random)
    if draw < 0.45:
        return footer_lies(random)
    if draw < 0.65:
        return head_lies(random)
    return mutated(random, random.choice(sound()), TOKENS)


def take(content: bytes) -> str:
    """Read it as the Data page does."""
    return take_table(content, "case.parquet")


KIND = Kind(name="parquet", make=make, take=take, share=2.0)
