"""Every text of a page passes the one function that makes it harmless: read off the code, page by page."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SAID = ROOT / "ecocviz/views/shared/app/said.py"
FILES = sorted([*ROOT.glob("ecocviz/views/**/*.py"), *ROOT.glob("pages/*.py"), ROOT / "app.py"])

WRITERS = {
    "badge", "caption", "chat_message", "error", "exception", "header", "html", "info", "json", "latex",
    "markdown", "metric", "subheader", "success", "text", "title", "toast", "warning", "write",
    "write_stream",
}  # fmt: skip
"""What writes its first argument on the page, most of it as Markdown or HTML."""
UNMISTAKABLE = WRITERS - {"error", "exception", "header", "info", "json", "text", "title", "warning", "write"}
"""Those that nothing but a part of a page has a method of."""
LABELLED = {
    "button", "camera_input", "chat_input", "checkbox", "color_picker", "date_input", "dialog",
    "download_button", "expander", "feedback", "file_uploader", "form_submit_button", "link_button",
    "multiselect", "number_input", "page_link", "pills", "popover", "progress", "radio",
    "segmented_control", "select_slider", "selectbox", "slider", "spinner", "status", "tabs", "text_area",
    "text_input", "time_input", "toggle",
    "CheckboxColumn", "Column", "DateColumn", "ImageColumn", "LinkColumn", "ListColumn", "NumberColumn",
    "ProgressColumn", "SelectboxColumn", "TextColumn",
}  # fmt: skip
"""What takes a label first."""
EVERYWHERE = {"format_func", "help"}
WORDS = {"alt", "body", "caption", "label", "placeholder", "text"}
HARMLESS = {"literal", "plain"}
FORBIDDEN = {"html": "escape", "markupsafe": "escape", "xml.sax.saxutils": "escape"}


def harmless(node):
    """Say whether an expression is words of the code itself, or has passed what makes it harmless."""
    match node:
        case ast.Call(func=ast.Name(id=name)) | ast.Name(id=name):
            return name in HARMLESS
        case ast.IfExp(body=body, orelse=orelse):
            return harmless(body) and harmless(orelse)
        case ast.BoolOp(values=parts) | ast.List(elts=parts) | ast.Tuple(elts=parts):
            return all(map(harmless, parts))
        case ast.Lambda(body=body):
            return harmless(body)
    return isinstance(node, ast.Constant)


def of_streamlit(node):
    """Say whether an expression begins with `st.`."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id == "st"


def problems(source, *, picks_widgets=False):
    """Return what is wrong with a file; `picks_widgets` where a widget is handed on, to be labelled there."""
    tree = ast.parse(source)
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            found += of_call(node)
        elif isinstance(node, ast.Attribute) and of_streamlit(node) and node.attr in WRITERS | LABELLED:
            if id(node) not in called and not picks_widgets:
                found.append(f"{node.lineno}: st.{node.attr} is handed on")
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "streamlit":
            found += [
                f"{node.lineno}: {a.name} by itself" for a in node.names if a.name in WRITERS | LABELLED
            ]
        elif isinstance(node, ast.Import):
            found += [
                f"{node.lineno}: {a.name}" for a in node.names if a.name == "streamlit" != a.asname != "st"
            ]
        if isinstance(node, ast.ImportFrom) and FORBIDDEN.get(node.module) in [a.name for a in node.names]:
            found.append(f"{node.lineno}: a second way to escape")
        if isinstance(node, ast.Import) and any(alias.name in FORBIDDEN for alias in node.names):
            found.append(f"{node.lineno}: a second way to escape")
    return found


def of_call(node):
    """Return what is wrong with one call."""
    given = {word.arg: word.value for word in node.keywords}
    found = [word for word in EVERYWHERE & given.keys() if not harmless(given[word])]
    if "unsafe_allow_html" in given:
        found.append("unsafe_allow_html")
    if isinstance(node.func, ast.Attribute):
        name, own = node.func.attr, of_streamlit(node.func)
        if own or name in LABELLED:
            found += [word for word in WORDS & given.keys() if not harmless(given[word])]
        if (own and name in WRITERS | LABELLED) or name in LABELLED | UNMISTAKABLE:
            found += [name for argument in node.args[:1] if not harmless(argument)]
    return [f"{node.lineno}: {word}" for word in found]


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_text_is_harmless(file):
    if file != SAID:
        assert problems(file.read_text(), picks_widgets=file.name == "widgets.py") == []


@pytest.mark.parametrize(
    "planted",
    [
        "st.caption(name)",
        "st.caption(body=name)",
        "st.caption(f'of {name}')",
        "st.caption('of ' + name)",
        "st.markdown(body=1, help=name)",
        "st.html(markup)",
        "left.caption(note)",
        "left.markdown(note)",
        "st.sidebar.warning(note)",
        "st.error(str(error))",
        "st.write(frame)",
        "st.button(name, key='k')",
        "st.button('Use', help=f'of {name}')",
        "left.button(label, key='k')",
        "st.expander(title)",
        "st.tabs([name])",
        "st.tabs(names)",
        "st.selectbox('Of', names, format_func=names.__getitem__)",
        "st.selectbox('Of', names, format_func=lambda k: names[k])",
        "st.progress(0.5, text=note)",
        "st.dataframe(frame, alt=name)",
        "st.spinner(name)",
        "st.metric(name, 1)",
        "columns.TextColumn(name)",
        "say = st.caption",
        "list(map(st.markdown, names))",
        "from streamlit import caption",
        "import streamlit",
        "from html import escape",
        "import html",
        "st.markdown('x', unsafe_allow_html=True)",
        "st.button(literal(a) if b else a)",
        "st.button(other.literal(a) + name)",
    ],
)
def test_what_is_forgotten_is_found(planted):
    assert problems(planted) != []


@pytest.mark.parametrize(
    "fine",
    [
        "st.caption('Words.')",
        "st.caption('One ' 'two')",
        "st.button(literal(name), help=literal(param.help) or None)",
        "st.tabs([literal(a), 'b'])",
        "st.selectbox('Of', names, format_func=lambda k: plain(names[k]))",
        "caption(f'of {name}')",
        "param.text(value)",
        "st.dataframe(frame, alt=plain(name))",
        "import streamlit as st",
        "st.container(key=f'{place}.panel')",
    ],
)
def test_what_is_fine_is_left_alone(fine):
    assert problems(fine) == []


# In the browser --------------------------------------------------------------------------------------

BROWSER = ROOT / "ecocviz/views/shared/app/components/browser"
RAW = re.compile(
    r"\.\s*(?:innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|parseFromString)\b"
    r"|\.\s*(?:parseHTMLUnsafe|setHTMLUnsafe|srcdoc)\b|\[\s*[\"'`](?:inner|outer)HTML"
    r"|document\s*\.\s*write|\beval\s*\(|\bnew Function\b|javascript:|new Markup\b"
)
"""What takes a text as markup or as a program."""
ALLOWED = {"markup.js": ["new Markup", "new Markup", ".innerHTML"]}
"""The one place where markup goes into a page, and the two where it is made."""


@pytest.mark.parametrize("file", sorted(BROWSER.glob("*.js")), ids=lambda file: file.name)
def test_components_put_nothing_into_a_page_but_markup(file):
    assert RAW.findall(file.read_text()) == ALLOWED.get(file.name, [])


@pytest.mark.parametrize(
    "planted",
    [
        "box.innerHTML = name", "a.outerHTML=b", "x.insertAdjacentHTML('a', b)", "document.write(a)",
        "x['innerHTML'] = a", "frame.srcdoc = a", "eval(a)", "new Function(a)", "new Markup(name)",
        "a.setHTMLUnsafe(b)",
    ],
)  # fmt: skip
def test_a_component_that_does_is_found(planted):
    assert RAW.search(planted)


@pytest.mark.parametrize("file", sorted(BROWSER.glob("*.html")), ids=lambda file: file.name)
def test_markup_of_components_runs_nothing(file):
    assert not re.search(r"<script|\son\w+=|javascript:|https?:", file.read_text())
