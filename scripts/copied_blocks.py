"""Find blocks of the product's code that stand in two places.

    python scripts/copied_blocks.py                # identical blocks of over 12 lines
    python scripts/copied_blocks.py --lines 8
    python scripts/copied_blocks.py --shape        # blocks that differ in names, strings and numbers only

The status is 1 if there are any.
White space, blank lines, comments, docstrings and imports do not count, neither as lines nor as a
difference. Looked at are the Python and JavaScript files of `ecocviz/`, `pages/`, `app.py` and `asgi.py`; for
shapes only functions and classes, because the entries of a table all have the same.
"""

import argparse
import ast
import io
import keyword
import re
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PRODUCT = ("ecocviz", "pages", "app.py", "asgi.py")
SUFFIXES = (".py", ".js", ".mjs")
SILENT = frozenset(
    {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
)
LONGEST = 12
"""Lines that may be the same."""

SCRIPT_TOKENS = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
    |(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)
    |(?P<pattern>(?<=[\s(=,:;!&|?{}])/(?![/*\s])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+/[a-z]*)
    |(?P<number>\d[\w.]*)
    |(?P<name>[A-Za-z_$][\w$]*)
    |(?P<newline>\n)
    |(?P<other>[^\s\w])""",
    re.DOTALL | re.VERBOSE,
)
SCRIPT_WORDS = re.compile(
    "async|await|break|case|catch|class|const|continue|default|delete|do|else|export|extends|false|finally|for|"
    "function|if|import|in|instanceof|let|new|null|of|return|static|super|switch|this|throw|true|try|typeof|"
    "undefined|var|void|while|yield"
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line that counts: where it stands, and what it says."""

    file: str
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Copy:
    """Two places with the same lines."""

    first: tuple[Line, ...]
    second: tuple[Line, ...]

    def __str__(self) -> str:
        """Say where both are."""
        places = [f"{part[0].file}:{part[0].number}-{part[-1].number}" for part in (self.first, self.second)]
        return f"{len(self.first)} lines: {places[0]} and {places[1]}, from `{self.first[0].text[:60]}`"


# What counts -----------------------------------------------------------------------------------------


def python_lines(file: str, source: str, *, shape: bool = False) -> list[Line]:
    """Return the lines of a Python file that count."""
    dropped: set[int] = set()
    tree = ast.parse(source)
    if shape:
        tables = [node for node in tree.body if not isinstance(node, ast.FunctionDef | ast.ClassDef)]
        dropped |= {number for node in tables for number in _rows(node)}
    dropped |= {number for node in ast.walk(tree) if _drops(node) for number in _rows(node)}
    words: dict[int, list[str]] = defaultdict(list)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in SILENT:
            told = _folded(token) if shape else token.string
            for i, part in enumerate(told.splitlines()):
                words[token.start[0] + i].append(part.strip())
    return [
        Line(file, number, " ".join(parts))
        for number, parts in sorted(words.items())
        if number not in dropped
    ]


def _drops(node: ast.AST) -> bool:
    """Say whether a statement is a text or an import."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return isinstance(node.value.value, str)
    return isinstance(node, ast.Import | ast.ImportFrom)


def _rows(node: ast.AST) -> range:
    first: int = getattr(node, "lineno", 0)
    return range(first, (getattr(node, "end_lineno", None) or first) + 1)


def _folded(token: tokenize.TokenInfo) -> str:
    if token.type == tokenize.NAME:
        return token.string if keyword.iskeyword(token.string) else "name"
    return {tokenize.NUMBER: "1", tokenize.STRING: '""'}.get(token.type, token.string)


def script_lines(file: str, source: str, *, shape: bool = False) -> list[Line]:
    """Return the lines of a JavaScript file that count."""
    words: dict[int, list[str]] = defaultdict(list)
    number = 1
    for token in SCRIPT_TOKENS.finditer(source):
        text, kind = token.group(), token.lastgroup
        if kind not in {"comment", "newline"}:
            for i, part in enumerate(_script_word(text, kind, shape=shape).splitlines()):
                words[number + i].append(part.strip())
        number += text.count("\n")
    lines = [Line(file, number, " ".join(parts)) for number, parts in sorted(words.items()) if any(parts)]
    return [line for line in lines if not re.match(r"import\b(?! \()", line.text)]


def _script_word(text: str, kind: str | None, *, shape: bool) -> str:
    if not shape or kind == "other" or SCRIPT_WORDS.fullmatch(text):
        return text
    return {"name": "name", "number": "1", "string": '""', "pattern": '""'}.get(kind or "", text)


def product_lines(root: Path, *, shape: bool = False) -> list[list[Line]]:
    """Return the lines that count of every file of the product."""
    found = []
    for top in PRODUCT:
        place = root / top
        for path in [place] if place.is_file() else sorted(place.rglob("*")):
            if path.suffix in SUFFIXES and "node_modules" not in path.parts:
                read = python_lines if path.suffix == ".py" else script_lines
                name, source = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
                found.append(read(name, source, shape=shape))
    return found


# What is the same ------------------------------------------------------------------------------------


def copies(files: list[list[Line]], longest: int = LONGEST) -> list[Copy]:
    """Return every pair of places with more than so many lines the same, the longest first.

    A pair is told once, as long as it is; a block that goes on into itself ends where it begins anew.
    """
    size = longest + 1
    places: dict[tuple[str, ...], list[tuple[int, int]]] = defaultdict(list)
    for f, lines in enumerate(files):
        texts = [line.text for line in lines]
        for i in range(len(texts) - size + 1):
            places[tuple(texts[i : i + size])].append((f, i))
    found = [
        Copy(tuple(files[f][i : i + n]), tuple(files[g][j : j + n]))
        for same in places.values()
        for (f, i), (g, j) in _pairs(same)
        if not _same_before(files, f, i, g, j) and (n := _reach(files, f, i, g, j)) >= size
    ]
    return sorted(found, key=lambda copy: (-len(copy.first), copy.first[0].file, copy.first[0].number))


def _pairs(same: list[tuple[int, int]]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    for k, one in enumerate(same):
        for other in same[k + 1 :]:
            yield one, other


def _same_before(files: list[list[Line]], f: int, i: int, g: int, j: int) -> bool:
    """Say whether a pair begins earlier: it is told from there."""
    return i > 0 and j > 0 and files[f][i - 1].text == files[g][j - 1].text and (f, i) != (g, j - 1)


def _reach(files: list[list[Line]], f: int, i: int, g: int, j: int) -> int:
    """Return how many lines are the same from here."""
    most = min(len(files[f]) - i, len(files[g]) - j)
    if f == g:
        most = min(most, j - i)
    return next((n for n in range(most) if files[f][i + n].text != files[g][j + n].text), most)


def main(arguments: list[str] | None = None) -> int:
    """List the copies; return the exit status."""
    parser = argparse.ArgumentParser(
        description="Find blocks of the product's code that stand in two places."
    )
    parser.add_argument("--lines", type=int, default=LONGEST, help="lines that may be the same (%(default)s)")
    parser.add_argument("--shape", action="store_true", help="take names, strings and numbers for the same")
    parser.add_argument("--checkout", type=Path, default=ROOT, help="where to look (this checkout)")
    chosen = parser.parse_args(arguments)
    found = copies(product_lines(chosen.checkout, shape=chosen.shape), chosen.lines)
    for copy in found:
        print(copy)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
