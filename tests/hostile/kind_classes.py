"""Names of classes and columns: markup, formulas, marks of direction, numbers that are none, long ones."""

import csv
import io
import json
from random import Random

from ecocviz.data.readers import read_table
from ecocviz.data.readers_numbers import NUMBER
from ecocviz.data.writers import write_csv
from tests.hostile.cases import Kind
from tests.hostile.mutate import NASTY_CELLS, cell


def make(random: Random) -> bytes:
    """Make a case: the names of the classes, and those of the columns."""
    few = random.random() < 0.97
    n_classes, n_columns = random.randrange(1, 7), random.randrange(1, 5)
    if not few:
        n_classes, n_columns = random.choice(
            ((199, 2), (200, 50), (201, 1), (5_000, 2), (2, 1_999), (3, 2_001))
        )
    classes = [_name(random) + ("" if few else str(k)) for k in range(n_classes)]
    return json.dumps([classes, [_name(random) for _ in range(n_columns)]]).encode()


def _name(random: Random) -> str:
    return random.choice(
        (cell(random), random.choice(NASTY_CELLS), random.choice(NASTY_CELLS) + cell(random))
    )


def take(content: bytes) -> str:
    """Read a table with these names, and write what is left of it for a spreadsheet."""
    classes, columns = json.loads(content)
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([*columns, "class"])
    for k, name in enumerate(classes * 2):
        writer.writerow([*(str(k + j) for j in range(len(columns))), name])
    table = read_table(out.getvalue().encode(errors="replace"), "names.csv")
    assert sorted(set(table.labels)) == sorted(table.classes)
    assert table.codes().max() == len(table.classes) - 1
    for row in csv.reader(io.StringIO(write_csv(table.labels.to_frame()), newline="")):
        for written in row:
            assert NUMBER.fullmatch(written) or written.strip()[:1] not in {"=", "+", "-", "@"}, written
    return "table"


KIND = Kind(name="classes", make=make, take=take)
