"""The files of a component as one module, and how Streamlit comes to serve it."""

import json
import shutil
import subprocess

import pytest
from streamlit.testing.v1 import AppTest

from ecocviz.views.shared.app.components import assets, joining
from ecocviz.views.shared.draw.theme import palette

NAMES = ("code_grid", "decoder_tiles", "inspector", "pulse", "region_view")

LOAD = """
globalThis.window = { addEventListener() {} };
const module = await import(process.argv[1]);
console.log(JSON.stringify([Object.keys(module), typeof module.default, module.default.length]));
"""


@pytest.mark.parametrize("name", NAMES)
def test_a_component_is_one_module_that_needs_no_other(node_path, tmp_path, name):
    module = tmp_path / "joined.mjs"
    module.write_text(joining.joined(name), encoding="utf-8")
    command = [node_path, "--input-type=module", "-e", LOAD, module.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [["default"], "function", 1]


@pytest.mark.parametrize("name", NAMES)
def test_markup_style_and_colours_travel_with_it(name):
    text = joining.joined(name)
    look = json.loads(text.split(f"$mount.LOOKS.{name} = ")[1].split(";\nexport default")[0])
    assert look["markup"] == joining.source(f"{name}.html")
    assert look["style"] == joining.readable(joining.source("shared.css", f"{name}.css"))
    assert look["palette"] == palette()


def test_no_type_is_smaller_than_the_page_asks_for():
    style = joining.readable("p { font-size: .8rem; margin: 1rem } b { font-size: 1.2em; }")
    assert style == "p { font-size: max(.8rem, var(--eco-least, 0px)); margin: 1rem } b { font-size: 1.2em; }"


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Write modules; return a function that joins them."""
    monkeypatch.setattr(joining, "FOLDER", tmp_path)
    joining.source.cache_clear()

    def write(**modules):
        (tmp_path / "shared.css").write_text("p { margin: 0 }")
        for name, text in {"mount": "export const LOOKS = {};\n", **modules}.items():
            for end, content in {".js": text, ".css": "", ".html": ""}.items():
                (tmp_path / f"{name}{end}").write_text(content)
        return joining.joined

    yield write
    joining.source.cache_clear()


IMPORTS = 'import { LOOKS } from "./mount.js";\n'


def test_modules_keep_their_names_to_themselves_and_are_run_once(written, node_path):
    join = written(
        one="const own = 1;\nexport const runs = [own];\nexport function more() {\n  runs.push(own);\n}\n",
        two='import { more } from "./one.js";\nconst own = 2;\nmore();\nexport class Two {\n  own = own;\n}',
        app=IMPORTS
        + 'import { runs } from "./one.js";\nimport { Two } from "./two.js";\n'
        + "export default () => [new Two().own, ...runs, Object.keys(LOOKS)];\n",
    )
    script = f"{join('app').replace('export default', 'const view =')} console.log(JSON.stringify(view()));"
    done = subprocess.run([node_path, "-e", script], capture_output=True, text=True, check=False)
    assert json.loads(done.stdout) == [2, 1, 1, ["app"]], done.stderr


def test_what_cannot_be_joined_is_said(written):
    join = written(
        app=IMPORTS + 'import other from "./mount.js";\nexport default () => other;\n',
        here=IMPORTS + 'import { there } from "./there.js";\nexport default () => there;\n',
        there='import { here } from "./here.js";\nexport const there = here;\n',
    )
    with pytest.raises(ValueError, match=r"^app\.js cannot be joined with the others: import other from"):
        join("app")
    with pytest.raises(ValueError, match=r"^These modules import each other: here > there > here\.$"):
        join("here")


SCRIPT = """
from ecocviz.views.shared.app.components.inspector import _mount
_mount(key="one", data={"a": 1})
"""


def sent():
    """What the script's one component is sent by a server of its own."""
    test = AppTest.from_string(SCRIPT).run()
    assert not test.exception, test.exception
    return test.get("bidi_component")[0].proto


def test_a_message_names_the_module_and_holds_only_data(caplog):
    first, second = sent(), sent()  # each of them a new server, in the same process
    for proto in (first, second):
        assert proto.component_name == "ecocviz.inspector"
        assert (proto.js_content, proto.css_content, proto.html_content) == ("", "", "")
        assert json.loads(proto.json) == {"a": 1}
    assert first.js_source_path == second.js_source_path
    assert [record for record in caplog.records if "omponent" in record.getMessage()] == []


def test_a_changed_module_has_another_address(monkeypatch):
    before = sent().js_source_path
    monkeypatch.setattr(assets, "_joined", lambda name: joining.joined(name) + "// changed\n")
    assert assets._served("inspector").name not in {before, ""}


def test_a_module_that_was_cleared_away_is_written_anew():
    file = assets._served("inspector")
    shutil.rmtree(file.parent)
    assert assets._served("inspector").read_text("utf-8") == joining.joined("inspector")
