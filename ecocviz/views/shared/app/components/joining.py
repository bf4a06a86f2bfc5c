"""Joins a component's browser files into one module: its JavaScript, its markup, its style and the colours.

In the folder every file is a module of its own, which node and the type checker read as it is. A browser
would need thirty requests for a component that way. Each module becomes a function that is called
once and returns what the module exports, so that what it keeps to itself stays its own.
"""

import json
import re
from functools import cache
from pathlib import Path

from ecocviz.views.shared.draw.theme import palette

FOLDER = Path(__file__).parent / "browser"
_IMPORT = re.compile(r'^import \{([\w\s,]+)\} from "\./(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)
_DEFAULT = re.compile(r"^export default ", re.MULTILINE)
_SIZE = re.compile(r"(?<=font-size: )([\d.]+rem)")
_OTHER = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)


@cache
def source(*names: str) -> str:
    """Join browser files into one text."""
    return "\n".join((FOLDER / name).read_text(encoding="utf-8") for name in names)


def joined(name: str) -> str:
    """Return the component `name` as one module, which exports what `name`.js exports by default."""
    modules = "\n".join(_as_function(module) for module in _with_needs(name, ()))
    look = {
        "markup": source(f"{name}.html"),
        "style": readable(source("shared.css", f"{name}.css")),
        "palette": palette(),
    }
    return f"{modules}\n$mount.LOOKS.{name} = {json.dumps(look)};\nexport default ${name}.standard;\n"


def readable(style: str) -> str:
    """Let no type be smaller than the page asks for, as it does in a lecture hall."""
    return _SIZE.sub(r"max(\1, var(--eco-least, 0px))", style)


def _with_needs(name: str, above: tuple[str, ...]) -> list[str]:
    """Return a module after all that it needs, each once; `above` are those that need it."""
    if name in above:
        raise ValueError(f"These modules import each other: {' > '.join([*above, name])}.")
    needed = [_with_needs(other, (*above, name)) for _, other in _IMPORT.findall(source(f"{name}.js"))]
    return list(dict.fromkeys([*(module for group in needed for module in group), name]))


def _as_function(name: str) -> str:
    """Write a module as a constant that holds what it exports.

    Imports name what they take from modules beside it; exports stand before what they export.
    """
    text = source(f"{name}.js")
    exported = _EXPORT.findall(text)
    if _DEFAULT.search(text):
        exported.append("standard")
    body = _DEFAULT.sub("const standard = ", _EXPORT.sub("", _IMPORT.sub(r"const {\1} = $\2;", text)))
    other = _OTHER.search(body)
    if other:
        raise ValueError(f"{name}.js cannot be joined with the others: {other.group()}")
    return f"const ${name} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();"
