"""`ecocviz link`: a scenario's file and the app's link are interchangeable."""

import contextlib
import io
import json
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples
from test_cli import call, refused

from ecocviz import cli
from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.first_screen import first_scenario
from ecocviz.lab.scenario import Scenario, choose, from_query, from_toml, make_scenario
from ecocviz.views.shared.app.state import read_link

GLASS = "http://127.0.0.1:8501/?v=1&data=glass&decoding=hamming"


def printed(capsys, *arguments):
    status, out, err = call(capsys, "link", *arguments)
    assert (status, err) == (0, "")
    return out


@st.composite
def scenarios(draw):
    """Any entry in each slot, with its defaults, and some other values that can be written."""
    chosen = {}
    for slot, entries in SLOTS.items():
        entry = entries[draw(st.sampled_from(sorted(entries)))]
        values = {}
        for param in entry.params:
            words = [key for key, _ in (*getattr(param, "options", ()), *getattr(param, "words", ()))]
            if words and draw(st.booleans()):
                values[param.name] = draw(st.sampled_from(words))
        chosen[slot] = choose(slot, entry.key, values)
    return Scenario(**chosen, seed=draw(st.integers(0, 2**31 - 1)))


@given(scenarios())
@examples(30)
def test_file_and_link_are_interchangeable(tmp_path_factory, scenario):
    """File -> link -> file -> link: nothing is lost, and the app reads the link as this scenario."""
    folder = tmp_path_factory.mktemp("link")
    (folder / "a.toml").write_text(scenario.to_toml(), "utf-8")
    link = output_of("link", str(folder / "a.toml"), "--base", "http://host:99/bits").strip()
    assert link.startswith("http://host:99/bits?v=1")
    assert from_query(urlsplit(link).query) == (scenario, ())
    assert read_link(dict(parse_qsl(urlsplit(link).query)))[0] == scenario
    toml = output_of("link", link, "--toml")
    assert from_toml(toml) == (scenario, ()) and toml == scenario.to_toml()


def output_of(*arguments):
    """Run the command line; return what it printed. The fixture for that does not go with hypothesis."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert cli.main(list(arguments)) == 0
    return out.getvalue()


def test_the_link_opens_the_app_on_this_computer(capsys):
    assert printed(capsys, "--set", "data=glass") == "http://127.0.0.1:8501/?v=1&data=glass\n"
    assert printed(capsys) == "http://127.0.0.1:8501/?v=1\n"
    base = ("--base", "https://[::1]:8443")
    assert printed(capsys, GLASS, *base, "--set", "seed=3") == (
        "https://[::1]:8443/?v=1&data=glass&decoding=hamming&seed=3\n"
    )


def test_a_link_stands_where_a_file_may(capsys, tmp_path):
    file = tmp_path / "glass.toml"
    file.write_text(make_scenario(data="glass", decoding="hamming").to_toml())
    told = []
    for place in (str(file), GLASS, GLASS.partition("/?")[2].join(["?", ""])):
        status, out, err = call(capsys, "run", place, "--json", "--no-store")
        assert (status, err) == (0, "")
        told.append({name: value for name, value in json.loads(out).items() if name != "training_seconds"})
    assert told[0] == told[1] == told[2] and told[0]["scenario"]["data"] == "glass"
    status, out, _ = call(capsys, "sweep", GLASS, "--over", "seed=0,1", "--json", "--no-store")
    assert status == 0 and json.loads(out)["points"][0]["test"] == told[0]["test"]


def test_a_link_without_fields_is_the_first_screen_and_one_with_a_field_means_defaults(capsys):
    assert from_toml(printed(capsys, "http://127.0.0.1:8501", "--toml"))[0] == first_scenario()
    assert from_toml(printed(capsys, "http://127.0.0.1:8501/?v=1", "--toml"))[0] == make_scenario()


def test_what_a_link_says_of_the_page_is_left_out_and_told(capsys):
    status, out, err = call(capsys, "link", f"{GLASS}&pick=3&bar=2")
    assert (status, out) == (0, f"{GLASS}\n")
    assert err == "Left out, being no part of a scenario: pick, bar.\n"


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (("http://127.0.0.1:8501/?v=1&data=gras",), "Did you mean data=glass?"),
        (("http://127.0.0.1:8501/?v=9",), "it was written for version '9'"),
        (("?" + "&".join(f"x{k}=1" for k in range(300)),), "is not a link of the app."),
        (("missing.toml",), "missing.toml cannot be read"),
        *(
            (("--base", base), "--base is where the app is, such as http://10.0.0.7:8501, not")
            for base in (
                "10.0.0.7",
                "ftp://a",
                "http://",
                "http://a:x",
                "http://a/?b",
                "http://a b",
                "http://a#b",
            )
        ),
    ],
)
def test_wrong_input_is_refused(capsys, arguments, sentence):
    assert sentence in refused(capsys, "link", *arguments)


def test_help_has_examples(capsys):
    with pytest.raises(SystemExit) as ended:
        call(capsys, "link", "--help")
    assert ended.value.code == 0 and "ecocviz link experiment.toml" in capsys.readouterr().out
