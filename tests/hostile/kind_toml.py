"""Scenario files: proper ones damaged, values of wrong kinds, and depth, length and size without end."""

from random import Random

from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.scenario import Scenario, explain, from_flat, from_toml, make_scenario
from tests.hostile.cases import Kind, check_sentence
from tests.hostile.mutate import cell, mutated, pattern

VALUES = (
    *(
        "1",
        "-1",
        "1.5",
        "nan",
        "inf",
        "-inf",
        "1e999",
        "true",
        "[]",
        "[1]",
        "{}",
        "{a=1}",
        "[[1],[2]]",
        '""',
        "''",
    ),
    *(
        '"x"',
        '"""a\nb"""',
        "'''a\nb'''",
        "1979-05-27",
        "1979-05-27T07:32:00Z",
        "07:32:00",
        "2000-13-45",
        "0x10",
    ),
    *(
        "9" * 300,
        "9" * 5_000,
        "0x" + "f" * 5_000,
        "1_0",
        '"\\u0000"',
        '"\\ud800"',
        '"\\x"',
        "[[[[[[[[1]]]]]]]]",
    ),
    *("1e" + "9" * 400, "0." + "1" * 5_000, '"' + "x" * 3_000 + '"', "{a.b.c.d={}}", "[1,[2,[3,{a=[{}]}]]]"),
)
PIECES = (
    *(
        b"a.",
        b"[",
        b"{a=",
        b"[[a]]\n",
        b"a=1\n",
        b"'",
        b'"',
        b'"""',
        b"\\",
        b"#",
        b"#\n",
        b"\n",
        b".",
        b"[a.b]\n",
    ),
    *(b'"a".', b"'a'.", b"a.b=1\n", b"[a", b"]", b"9", b"{", b"a={", b"\r", b"\t", b"=", b"0.", b"a . "),
)
TOKENS = (*PIECES[:14], b"\x00", b"\x7f", b"key = 3\n", b"=[1]\n", b"\xff", b"[machine]\n", b"seed = 1e999\n")


def drawn(random: Random) -> str:
    """Write tables and keys that a scenario has or has not, of any values."""
    lines = [f"{random.choice(('version', 'seed', 'extra', 'data'))} = {random.choice(VALUES)}"] * 1
    for slot in random.sample(list(SLOTS), random.randrange(3)):
        entry = random.choice(list(SLOTS[slot].values()))
        lines += [f"[{slot}]", f'key = "{entry.key}"']
        lines += [
            f"{param.name} = {random.choice(VALUES)}" for param in entry.params if random.random() < 0.7
        ]
        if random.random() < 0.2:
            lines.append(f"{random.choice(('a.b', 'q', cell(random)))} = {random.choice(VALUES)}")
    return "\n".join(lines)


def chosen(random: Random) -> Scenario:
    """Return some scenario."""
    slot = random.choice(list(SLOTS))
    return make_scenario(seed=random.randrange(2**31), **{slot: random.choice(list(SLOTS[slot]))})


def make(random: Random) -> bytes:
    """Make a case."""
    draw = random.random()
    if draw < 0.15:
        size = random.choice((2_000, 20_000, 199_000, 3_000_000 if draw < 0.005 else 4_000))
        start = random.choice((b"", b"a=", b"[a]\n", b"[", b"a="))
        return start + pattern(random, PIECES, size) + random.choice((b"b=1", b"", b"\n[b]"))
    if draw < 0.5:
        return mutated(random, chosen(random).to_toml().encode(), TOKENS)
    content = drawn(random).encode(errors="replace")
    return content if draw < 0.8 else mutated(random, content, TOKENS)


def take(content: bytes) -> str:
    """Read it as the command line does."""
    scenario, problems = from_toml(content.decode(errors="replace"))
    assert from_flat(scenario.to_flat()) == (scenario, ())
    if not problems:
        return "scenario"
    check_sentence(explain(problems) or "")
    return "defaults"


KIND = Kind(name="toml", make=make, take=take)
