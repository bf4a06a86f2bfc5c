import string
import time
from urllib.parse import parse_qsl, urlencode

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from ecocviz.engine.params import (
    PACKED_ALPHABET,
    ChoiceParam,
    FloatParam,
    IntParam,
    TextParam,
    pack_matrix,
)
from ecocviz.lab.catalogue import DEFAULTS, SLOTS
from ecocviz.lab.scenario import (
    MAX_FIELDS,
    Choice,
    Scenario,
    choose,
    explain,
    from_flat,
    from_query,
    from_toml,
    make_scenario,
)
from ecocviz.lab.selection import SHARED, Selection, split_link


def values(param):
    if isinstance(param, IntParam):
        return st.integers(param.low, param.high)
    if isinstance(param, FloatParam):
        numbers = st.floats(param.low, param.high)
        return st.one_of(numbers, *(st.just(word) for word, _ in param.words))
    if isinstance(param, ChoiceParam):
        return st.sampled_from([key for key, _ in param.options])
    assert isinstance(param, TextParam)
    return st.text(param.alphabet, max_size=min(param.max_length, 30))


@st.composite
def scenarios(draw):
    slots = {}
    for slot, entries in SLOTS.items():
        key = draw(st.sampled_from(list(entries)))
        slots[slot] = (key, {param.name: draw(values(param)) for param in entries[key].params})
    return make_scenario(seed=draw(st.integers(0, 2**31 - 1)), **slots)


@given(scenarios())
@examples(300)
def test_every_text_form_reads_back(scenario):
    assert from_flat(scenario.to_flat()) == (scenario, ())
    assert from_query(scenario.to_query()) == (scenario, ())
    assert from_query("?" + scenario.to_query()) == (scenario, ())
    assert from_toml(scenario.to_toml()) == (scenario, ())
    names = {"make_scenario": make_scenario}
    assert eval(scenario.to_python(), {"__builtins__": {}}, names) == scenario  # noqa: S307 - our own output


@given(scenarios())
def test_the_text_is_canonical_and_the_value_hashes(scenario):
    again, _ = from_query(scenario.to_query())
    assert again.to_query() == scenario.to_query()
    assert hash(again) == hash(scenario)
    shuffled = list(scenario.to_flat().items())
    assert from_flat(dict(reversed(shuffled)))[0] == scenario


def test_defaults_are_there_and_short():
    assert make_scenario().to_query() == "v=1"
    for slot, key in DEFAULTS.items():
        assert key in SLOTS[slot]


def test_changing_one_thing_keeps_the_rest():
    scenario = make_scenario().chosen("machine", gamma=2.0)
    assert scenario.chosen("machine", C=3.0).machine.values["gamma"] == 2.0
    other = next(key for key in SLOTS["machine"] if key != "kernel")
    assert scenario.chosen("machine", other).machine == choose("machine", other)


@pytest.mark.parametrize(
    "build, words",
    [
        (lambda: make_scenario(colour="red"), "has no 'colour'"),
        (lambda: make_scenario(coding="nope"), "There is no coding 'nope'"),
        (lambda: make_scenario(machine=("kernel", {"gamma": -1.0})), "takes a number from"),
        (lambda: make_scenario(machine=("kernel", {"nope": 1})), "There is no parameter 'nope'"),
        (lambda: make_scenario(seed=-1), "Seed takes a whole number"),
        (lambda: from_toml("= not toml"), "This file is not a scenario"),
        (
            lambda: Scenario(**{slot: choose(slot, key) for slot, key in DEFAULTS.items()}, seed=2**40),
            "Seed takes",
        ),
    ],
)
def test_mistakes_get_one_sentence(build, words):
    with pytest.raises(ValueError, match=words) as caught:
        build()
    assert "\n" not in str(caught.value)


def test_a_scenario_cannot_be_incomplete():
    slots = {slot: choose(slot, key) for slot, key in DEFAULTS.items()}
    with pytest.raises(ValueError, match="must list all parameters"):
        Scenario(**(slots | {"machine": Choice("kernel", ())}))


NAMES = [
    *SLOTS,
    *(
        f"{slot}.{p.name}"
        for slot, entries in SLOTS.items()
        for entry in entries.values()
        for p in entry.params
    ),
    *(p.name for p in SHARED),
    "v",
    "seed",
]
NASTY = st.one_of(
    st.text(max_size=60),
    st.text(string.printable, max_size=60),
    st.integers().map(str),
    st.floats().map(str),
    st.sampled_from(
        [
            "",
            "nan",
            "inf",
            "-inf",
            "1e999",
            "0x10",
            "1_000",
            "٣",
            "__import__('os').system('true')",
            "<script>alert(1)</script>",
            "../../etc/passwd",
            "=cmd|' /C calc'!A0",
            "\x00",
            "9" * 5000,
            "cos\nsystem\n(S'true'\ntR.",
            "one-vs-all",
            "kernel",
            *(key for entries in SLOTS.values() for key in entries),
        ]
    ),
    st.text(PACKED_ALPHABET, max_size=40),
    st.builds(
        lambda a, b, c: f"{a}.{b}.{c}", st.integers(), st.integers(), st.text(PACKED_ALPHABET, max_size=20)
    ),
)
FIELDS = st.dictionaries(st.one_of(st.sampled_from(NAMES), st.text(max_size=12)), NASTY, max_size=12)


@given(st.one_of(FIELDS.map(lambda fields: urlencode(fields, errors="replace")), st.text(max_size=200)))
@examples(2_000)
def test_hostile_links_open_on_defaults_with_one_sentence(query):
    scenario, problems = from_query(query)
    assert isinstance(scenario, Scenario)
    assert from_flat(scenario.to_flat()) == (scenario, ())
    sentence = explain(problems)
    if problems:
        assert sentence.endswith(".") and len(sentence) < 400
        assert len(sentence.splitlines()) == 1
    else:
        assert sentence is None
    rest, selection, _ = split_link(dict(parse_qsl(query, keep_blank_values=True)), SHARED)
    assert isinstance(selection, Selection)
    assert split_link(selection.to_flat(), SHARED) == ({}, selection, ())
    assert from_flat(rest)[0] == from_flat({k: v for k, v in rest.items() if k not in selection.to_flat()})[0]


def test_what_was_dropped_is_named():
    scenario, problems = from_query("v=7&coding=nope&machine.gamma=-3&machine.colour=red&what=1&seed=x")
    assert scenario == make_scenario()
    assert problems == (
        "it was written for version '7'",
        "coding 'nope' does not exist",
        "machine.gamma '-3' is not allowed",
        "'machine.colour' is unknown",
        "seed 'x' is not allowed",
        "'what' is unknown",
    )
    assert explain(problems).endswith("and 3 more.")


def test_a_link_with_too_many_fields_is_not_read():
    assert from_query("&".join(f"a{i}=1" for i in range(MAX_FIELDS + 5)))[1] == (
        "it is not a link of this app",
    )
    assert from_flat({f"a{i}": "1" for i in range(MAX_FIELDS + 5)})[0] == make_scenario()


def test_a_hand_made_matrix_travels_in_the_link():
    matrix = np.random.default_rng(0).integers(-1, 2, size=(26, 78)).astype(np.int8)
    scenario = make_scenario(coding=("custom", {"matrix": pack_matrix(matrix)}))
    query = scenario.to_query()
    assert len(query) < 700
    again, problems = from_query(query)
    assert again == scenario and not problems


def test_toml_with_wrong_kinds_falls_back():
    scenario, problems = from_toml("version = 1\nseed = 1.5\nextra = [1]\n[machine]\nkey = 3\ngamma = true\n")
    assert scenario == make_scenario()
    assert len(problems) == 3


@pytest.mark.parametrize(
    "text, reason",
    [
        ("a." * 2_000 + "b=1", "line 1 has too many dots"),
        ("\n[" + "a." * 60_000 + "b]", "line 2 has too many dots"),
        ('\n"a\x85".' * 1 + '"a\u2028".' * 10_000 + "b=1", "line 2 has too many dots"),
        ("a=" + "[" * 5_000, "its lists or tables are nested too deeply"),
        ("{a=" * 5_000, "Invalid statement"),
        ("a=" + "{a=" * 5_000, "its lists or tables are nested too deeply"),
        ("a=" + "9" * 5_000, "it has a number with too many digits"),
        ("a=2000-02-30", "Invalid date or datetime"),
        ("a=1\r\rb=2", r"Expected newline"),
        ("x" * 200_001, "it has 200,001 characters but at most 200,000 are read"),
    ],
)
def test_toml_that_is_none_gets_one_sentence_at_once(text, reason):
    start = time.process_time()
    with pytest.raises(ValueError, match=rf"^This file is not a scenario: .*{reason}") as caught:
        from_toml(text)
    assert time.process_time() - start < 1
    assert str(caught.value).endswith(".") and len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    "text",
    [
        "data.a.b.c.d.e = 1",
        "a.b.c.d = 1\n[coding]\nkey = [[1], {a = [2]}]",
        "version = 0x" + "f" * 5_000,
        "seed = 0x" + "f" * 5_000,
        "seed = 1979-05-27T07:32:00Z",
        '"\\u0000\\n\\u202e" = 1',
        '[machine]\nkey = "' + "k" * 100_000 + '"',
        "\n".join(f"a{k} = 1" for k in range(2 * MAX_FIELDS)),
    ],
    ids=range(8),
)
def test_toml_of_wrong_kinds_opens_on_defaults_with_one_sentence(text):
    scenario, problems = from_toml(text)
    assert scenario == make_scenario()
    sentence = explain(problems)
    assert sentence.endswith(".") and len(sentence) < 300 and len(sentence.splitlines()) == 1
