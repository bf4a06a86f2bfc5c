"""Files that are small to send and large to read: one sentence, soon, and in little memory."""

import io
import pickle
import re

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from ecocviz.data import readers
from ecocviz.data.readers import read_columns, read_table
from ecocviz.data.readers_look import look
from tests.hostile.cases import Kind, note
from tests.hostile.thrift_tree import Node, parse, write

LABELS = ["u", "v"]


def packed(columns, **options):
    out = io.BytesIO()
    parquet.write_table(pa.table(columns), out, **options)
    return out.getvalue()


def refused(content, name, seconds=2.0, megabytes=200.0):
    """Return the sentence with which a file is refused within so much time and memory."""
    said = []

    def take(content):
        try:
            read_table(content, name)
        except ValueError as error:
            said.append(str(error))
            raise
        return "table"

    noted = note(Kind(name="test", make=lambda _: b"", take=take), content)
    assert noted.outcome == "sentence" and not noted.failure, noted
    assert noted.seconds < seconds and noted.megabytes < megabytes, noted
    return said[0]


# Parquet -------------------------------------------------------------------------------------------


def repeated_word(n_rows, length):
    word = pa.DictionaryArray.from_arrays(pa.array(np.zeros(n_rows, dtype=np.int32)), ["x" * length])
    return {"x": word, "class": LABELS * (n_rows // 2)}


def test_a_long_word_that_occurs_in_every_row_is_not_written_out():
    content = packed(repeated_word(100_000, 65_000))
    assert len(content) < 10_000
    sentence = refused(content, "t.parquet", seconds=1.0)
    assert sentence.startswith("This table has 6,500,000,000 characters of text but at most 50,000,000")


def test_a_word_that_occurs_often_is_kept_once():
    cells = read_columns(packed(repeated_word(1_000, 500)), "t.parquet").columns[0].texts
    assert cells == ["x" * 500] * 1_000
    assert len({id(cell) for cell in cells}) == 1


@pytest.mark.parametrize("codec", ["zstd", "gzip", "brotli", "snappy"])
def test_pages_that_unpack_to_more_than_is_read(codec):
    content = packed(
        {"x": ["x" * 1_000_000] * 110, "class": LABELS * 55}, compression=codec, use_dictionary=False
    )
    assert "bytes once it is unpacked but at most 100,000,000" in refused(content, "t.parquet", megabytes=30)


def test_texts_that_all_differ_take_more_than_their_letters():
    words = pa.array(np.arange(100_000)).cast(pa.string())
    content = packed({f"x{k}": words for k in range(30)} | {"class": LABELS * 50_000}, use_dictionary=False)
    assert "bytes once it is unpacked" in refused(content, "t.parquet", megabytes=30)


def test_more_cells_than_are_read():
    zeros = np.zeros(100_000)
    content = packed({f"x{k}": zeros for k in range(120)} | {"class": LABELS * 50_000})
    assert refused(content, "t.parquet", megabytes=30).startswith("This table has 12,100,000 cells")


def footer_of(content):
    length = int.from_bytes(content[-8:-4], "little")
    return parse(content, len(content) - 8 - length)[0], len(content) - 8 - length


def with_footer(content, root, start):
    footer = write(root)
    return content[:start] + footer + len(footer).to_bytes(4, "little") + b"PAR1"


def test_a_footer_that_belittles_its_pages():
    content = packed({"x": ["x" * 1_000_000] * 110, "class": LABELS * 55}, use_dictionary=False)
    root, start = footer_of(content)
    for group in dict(root.value)[4].value:
        dict(group.value)[2].value = 1_000
        for chunk in dict(group.value)[1].value:
            dict(dict(chunk.value)[3].value)[6].value = 1_000
    assert "bytes once it is unpacked" in refused(
        with_footer(content, root, start), "t.parquet", megabytes=30
    )


def test_columns_in_columns_without_end():
    content = packed({"x": [1.0, 2.0], "class": LABELS})
    root, start = footer_of(content)
    deep = Node(12, [(3, Node(5, 0)), (4, Node(8, b"d")), (5, Node(5, 1))])
    dict(root.value)[2].value[1:1] = [deep] * 100_000
    sentence = refused(with_footer(content, root, start), "t.parquet")
    assert sentence.startswith("This file is not a readable Parquet file")


def test_lists_in_lists_without_end():
    content = packed({"x": [1.0, 2.0], "class": LABELS})
    _, start = footer_of(content)
    footer = b"\x29" + b"\x19" * 50_000 + b"\x00"
    content = content[:start] + footer + len(footer).to_bytes(4, "little") + b"PAR1"
    assert refused(content, "t.parquet").startswith("This file is not a readable Parquet file")


def test_a_page_that_names_an_entry_its_dictionary_lacks():
    content = packed({"x": ["a", "b", "c", "a"], "class": LABELS * 2}, compression="none")
    start = parquet.ParquetFile(io.BytesIO(content)).metadata.row_group(0).column(0).dictionary_page_offset
    head, end = parse(content, start)
    n_words = dict(dict(head.value)[7].value)[1]
    assert n_words.value == 3
    n_words.value = 2
    content = content[:start] + write(head) + content[end:]
    assert refused(content, "t.parquet").startswith("This file is not a readable Parquet file")


def test_an_encoding_whose_length_nobody_can_tell_is_refused_by_name():
    columns = {"x": ["aaaa", "aaab"], "class": LABELS}
    content = packed(
        columns, use_dictionary=False, column_encoding={"x": "DELTA_BYTE_ARRAY", "class": "PLAIN"}
    )
    assert "uses the encoding DELTA_BYTE_ARRAY" in refused(content, "t.parquet")


def test_a_dictionary_that_claims_more_entries_than_bytes():
    content = packed({"x": ["a", "b"], "class": LABELS}, compression="none")
    start = parquet.ParquetFile(io.BytesIO(content)).metadata.row_group(0).column(0).dictionary_page_offset
    head, end = parse(content, start)
    dict(dict(head.value)[7].value)[1].value = 2**31 - 1
    content = content[:start] + write(head) + content[end:]
    assert refused(content, "t.parquet", megabytes=10).startswith("This file is not a readable Parquet file")


def test_a_file_in_more_pieces_than_can_be_looked_through():
    columns = {f"x{k}": np.arange(300.0) for k in range(199)} | {"class": LABELS * 150}
    pieces = packed(columns, row_group_size=2, compression="none", write_statistics=False)
    assert refused(pieces, "t.parquet") == (
        "This Parquet file is cut into too many pieces; write it again in fewer row groups."
    )
    assert len(read_columns(packed(columns, row_group_size=30), "t.parquet").columns) == 200


# ARFF ----------------------------------------------------------------------------------------------

HEAD = b"@attribute a numeric\n@attribute class {u,v}\n@data\n"


def test_a_hundred_thousand_levels_are_read():
    levels = ",".join(f"l{k}" for k in range(100_000))
    rows = "".join(f"l{99_999 - k},{'uv'[k % 2]}\n" for k in range(100_000))
    content = f"@attribute a {{{levels}}}\n@attribute class {{u,v}}\n@data\n{rows}".encode()
    kind = Kind(
        name="test", make=lambda _: b"", take=lambda c: str(len(read_columns(c, "t.arff").columns[1].texts))
    )
    noted = note(kind, content)
    assert (noted.outcome, noted.failure) == ("100000", "") and noted.megabytes < 200


NOMINAL = b"@attribute a {" + b"x" * 900_000 + b"}\n@attribute class {u,v}\n@data\n"
ARFF = [
    (lambda: HEAD + b"{" + b"0 1," * 240_000 + b"0 1}\n", "is not a proper sparse row"),
    (lambda: HEAD + b"{" + b"0 1," * 6_000_000 + b"}\n", "The row at line 4 has 24,000,003 characters"),
    (lambda: HEAD + b"{0 '" + b"\\'" * 490_000 + b"'}\n", "where 'a' takes a number"),
    (lambda: HEAD + b"'" * 900_000, "goes on after a closing quotation mark"),
    (
        lambda: b"@attribute a real\n" * 900_000 + b"@data\n",
        "This table has 900,000 columns but at most 2,000",
    ),
    (
        lambda: (b"@attribute a {" + b"x," * 400_000 + b"}\n") * 20,
        "header has 400,001 values but at most 200,000",
    ),
    (lambda: HEAD + b"\n" * 24_000_000, "This file has 24,000,003 lines but at most 1,000,000"),
    (lambda: HEAD + b"%\n" * 9_000_000, "lines but at most 1,000,000"),
    (lambda: HEAD + b"1,u\n" * 5_000_000, "This table has 100,001 rows but at most 100,000"),
    (lambda: NOMINAL + b"{1 u}\n{1 v}\n" * 5_000, "This table has 9,000,000,000 characters of text"),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("make", "sentence"), ARFF, ids=range(len(ARFF)))
def test_arff_that_is_large_to_read(make, sentence):
    assert sentence in refused(make(), "t.arff")


# CSV -----------------------------------------------------------------------------------------------

CSV = [
    (lambda: b"12345," * 4_000_000, "The row at line 1 has 24,000,000 characters but at most 1,000,000"),
    (lambda: b"1," * 400_000 + b"\n", "This table has 400,001 columns but at most 2,000"),
    (lambda: b"a,b\n" + b"x" * 24_000_000, "The row at line 2 has 24,000,000 characters"),
    (lambda: b"a,b\n" + b"x" * 200_000 + b",1\n", "Line 2 cannot be cut into cells"),
    (lambda: b'"' * 24_000_000, "Only one column was found"),
    (lambda: b"a,b\n" + b'"' * 24_000_000, "The row at line 2 has 24,000,000 characters"),
    (lambda: b"a,b\n" + b"\n" * 24_000_000, "This file has 24,000,001 lines but at most 1,000,000"),
    (lambda: b"a,b\n" + b"\r" * 24_000_000, "lines but at most 1,000,000 are accepted"),
    (lambda: b"," * 24_000_000, "The row at line 1 has 24,000,000 characters"),
    (lambda: b"a,b\n" + b",\n" * 12_000_000, "lines but at most 1,000,000 are accepted"),
    (lambda: b"a,b\n" + b'"\n",' * 4_800_000, "The row at line 250,002 has 1,000,002 characters"),
    (lambda: b"a,b\n" + (b"," * 900_000 + b"\n") * 26, "cells but at most 8,000,000 are accepted"),
    (lambda: (b"1," * 119 + b"u\n") * 100_000, "This table has 11,999,880 cells but at most 8,000,000"),
    (lambda: b"a,b\n1,\x00\n" * 2_000_000, "not readable as text"),
    (lambda: b"a,class\n" + (b"9" * 130_000 + b",u\n1,v\n") * 99, "too large to compute with"),
    (lambda: b"a,class\n" + (b"1" * 130_000 + b"x,u\n") * 99, "has 1 class"),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("make", "sentence"), CSV, ids=range(len(CSV)))
def test_csv_that_is_large_to_read(make, sentence):
    assert sentence in refused(make(), "t.csv")


# Words that would each become a column --------------------------------------------------------------


def distinct_words(n_columns, n_rows):
    """Return a CSV file whose features are all words that never occur twice."""
    rows = (",".join(f"w{k:05x}{c:02x}" for c in range(n_columns)) + f",{'uv'[k % 2]}" for k in range(n_rows))
    return "\n".join([",".join(f"c{c}" for c in range(n_columns)) + ",class", *rows]).encode()


def test_words_are_counted_before_they_become_more_than_cells(monkeypatch):
    made = []
    monkeypatch.setattr(readers.pd, "Series", made.append)
    content = distinct_words(12, 2_000)
    with pytest.raises(
        ValueError, match=r"^The columns c0, c1 hold 4,000 different words .* at most 20,000 "
    ):
        read_table(content, "t.csv")
    assert made == []
    monkeypatch.setenv("ECOCVIZ_MAX_WORDS", "1")
    with pytest.raises(ValueError, match=r"hold 24,000 .*; leave them out, or raise ECOCVIZ_MAX_WORDS\.$"):
        read_table(content, "t.csv")


def test_what_is_left_out_or_occurs_again_does_not_count():
    content = distinct_words(12, 2_000)
    assert read_table(content, "t.csv", left_out=["c3", "c4"]).features.shape == (2_000, 10)
    again = content.replace(b"\nw", b"\nx") + b"\n" + content.partition(b"\n")[2]
    assert len(read_table(again, "t.csv", left_out=["c0", "c1", "c2"]).labels) == 4_000


def test_a_file_of_distinct_words_is_refused_in_little_memory():
    content = distinct_words(40, 10_000)
    assert "hold 380,000 different words" in refused(content, "t.csv", megabytes=14 * len(content) / 1e6)


def test_little_is_kept_of_a_file_that_is_looked_at():
    seen = look(distinct_words(12, 2_000), "t.csv")
    assert len(pickle.dumps(seen)) < 10_000
    with pytest.raises(ValueError, match="The columns c0, c1 hold 4,000 different words"):
        seen.check("class", [])
    seen.check("class", ["c5", "c6"])


# Each budget can be set ------------------------------------------------------------------------------

WORDS = {"x": ["ab", "ab"], "c": LABELS}
BUDGETS = [
    (
        "CELLS",
        10,
        b"a,b,class\n1,2,u\n3,4,v\n5,6,u\n",
        "t.csv",
        "has 12 cells but at most 10 are accepted; up",
    ),
    ("CELLS", 5, HEAD + b"1,u\n2,v\n3,u\n", "t.arff", "has 6 cells but at most 5 are accepted; upload"),
    ("CELLS", 3, packed(WORDS), "t.pq", "has 4 cells but at most 3 are accepted; upload fewer rows or"),
    ("LINES", 3, b"a,class\n\n1,u\n2,v\n", "t.csv", "has 4 lines but at most 3 are accepted; upload"),
    ("LINES", 5, HEAD + b"%\n1,u\n2,v\n", "t.arff", "has 6 lines but at most 5 are accepted; upload"),
    ("ROW_CHARACTERS", 9, b'a,class\n1,"u\nv\nw\nx\ny"\n', "t.csv", "The row at line 5 has 11 characters"),
    ("ROW_CHARACTERS", 25, HEAD + b"1,u" + b" " * 30, "t.arff", "The row at line 4 has 33 characters"),
    ("CHARACTERS", 3, HEAD + b"1,u\n2,v\n3,u\n4,v\n", "t.arff", "has 4 characters of text but at most 3 are"),
    ("CHARACTERS", 5, packed(WORDS), "t.pq", "has 6 characters of text but at most 5 are accepted"),
    (
        "LEVELS",
        3,
        HEAD.replace(b"{u", b"{w,x,u") + b"1,u",
        "t.arff",
        "has 4 values but at most 3 are accepted; make",
    ),
    ("UNPACKED_BYTES", 9, packed(WORDS), "t.pq", "bytes once it is unpacked but at most 9 are accepted"),
]


@pytest.mark.parametrize(("variable", "limit", "content", "name", "sentence"), BUDGETS)
def test_each_budget_can_be_set(monkeypatch, variable, limit, content, name, sentence):
    read_columns(content, name)
    monkeypatch.setenv(f"ECOCVIZ_MAX_{variable}", str(limit))
    with pytest.raises(ValueError, match=re.escape(sentence)):
        read_columns(content, name)
