"""Links: fields that exist and do not, values of no kind, thousands of fields, queries that are none."""

from random import Random
from urllib.parse import parse_qsl, urlencode

from ecocviz.engine.params import PACKED_ALPHABET
from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.scenario import MAX_FIELDS, Scenario, explain, from_flat, from_query
from ecocviz.lab.selection import split_link
from ecocviz.views.catalogue import FIELDS
from ecocviz.views.code_matrix.text import read_coding, write_coding
from tests.hostile.cases import Kind, check_sentence
from tests.hostile.kind_toml import chosen
from tests.hostile.mutate import NASTY_CELLS, cell, mutated

PARAMS = [f"{s}.{p.name}" for s, entries in SLOTS.items() for e in entries.values() for p in e.params]
NAMES = [*SLOTS, *PARAMS, *FIELDS, "v", "seed"]
KEYS = [key for entries in SLOTS.values() for key in entries]
TOKENS = (
    b"&",
    b"=",
    b"%",
    b"%00",
    b"%ff",
    b"+",
    b";",
    b"#",
    b"?",
    b"%F0%9F",
    b"&v=2",
    b"&seed=-1",
    b"&a&b&c",
)


def value(random: Random) -> str:
    """Return a value that some field may have, or none."""
    draw = random.randrange(6)
    if draw == 0:
        return random.choice(KEYS)
    if draw == 1:
        sizes = f"{random.choice((0, 2, 5, 10**6, 10**9))}.{random.choice((1, 3, 10**5))}."
        return sizes + "".join(random.choices(PACKED_ALPHABET, k=random.randrange(40)))
    if draw == 2:
        return random.choice(NASTY_CELLS)
    if draw == 3:
        return random.choice(("9", "-", "a", "A", "%", "1.", "0,", "\U0001f600")) * random.choice(
            (40, 5_000, 60_000)
        )
    return (
        ",".join(str(random.randrange(-3, 2**33)) for _ in range(random.randrange(9)))
        if draw == 4
        else cell(random)
    )


def make(random: Random) -> bytes:
    """Make a case."""
    draw = random.random()
    if draw < 0.25:
        return mutated(random, chosen(random).to_query().encode(), TOKENS)
    count = random.randrange(8) if draw < 0.97 else random.choice((MAX_FIELDS, MAX_FIELDS + 1, 30_000))
    names = [random.choice(NAMES) if random.random() < 0.8 else cell(random) for _ in range(count)]
    values = [value(random) if count < 10 else random.choice(NASTY_CELLS) for _ in names]
    query = urlencode(list(zip(names, values, strict=True)), errors="replace").encode()
    return query if draw < 0.7 else mutated(random, query, TOKENS)


def take(content: bytes) -> str:
    """Open it as the app does: the scenario, what is selected, the coding beside it."""
    query = content.decode(errors="replace")
    scenario, problems = from_query(query)
    assert isinstance(scenario, Scenario)
    assert from_flat(scenario.to_flat()) == (scenario, ())
    try:
        fields = dict(parse_qsl(query, keep_blank_values=True, max_num_fields=2 * MAX_FIELDS))
    except ValueError:
        fields = {}
    rest, selection, lost = split_link(fields, FIELDS.values())
    again, dropped = from_flat(rest)
    assert from_flat(again.to_flat()) == (again, ())
    assert split_link(selection.to_flat(), FIELDS.values()) == ({}, selection, ())
    for text in fields.values():
        coding = read_coding(text)
        assert coding is None or read_coding(write_coding(coding)) == coding
    for clauses in (problems, (*dropped, *lost)):
        check_sentence(explain(clauses) or "Nothing.")
    return "defaults" if problems else "scenario"


KIND = Kind(name="link", make=make, take=take)
