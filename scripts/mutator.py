"""Small faults for a Python file, one at a time: another operator, a number one off, a condition turned.

A fault is an edit of the text, so that lines keep their numbers up to it. No fault touches what a
program only says or is shaped by: texts, messages of errors, annotations, decorators, imports, and the
settings at the top level of a module.
"""

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass

COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
SAID = (ast.JoinedStr, ast.Raise, ast.Assert, ast.Import, ast.ImportFrom)
"""What is in these is told to people, or belongs to the language."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One edit.

    Attributes
    ----------
    line, column
        Where it begins; columns are those of `ast`, in bytes of UTF-8.
    end_line, end_column
        Where what is replaced ends.
    before, after
        The text there, and what replaces it.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    before: str
    after: str


def faults(source: str) -> list[list[Fault]]:
    """Return the faults that can be made, one list a place."""
    found = [
        [_fault(source, place, changed) for changed in others]
        for node in _reached(ast.parse(source))
        for place, others in _places(node)
        if others
    ]
    return sorted(found, key=lambda edits: (edits[0].line, edits[0].column, edits[0].before))


def with_fault(source: str, fault: Fault) -> str:
    r"""Return the source with one fault.

    >>> [[low, high]] = faults("def f(x):\n    x[1]\n")
    >>> with_fault("def f(x):\n    x[1]\n", high)
    'def f(x):\n    x[(2)]\n'
    """
    lines = source.encode().splitlines(keepends=True)
    start = sum(map(len, lines[: fault.line - 1])) + fault.column
    end = sum(map(len, lines[: fault.end_line - 1])) + fault.end_column
    whole = source.encode()
    return (whole[:start] + fault.after.encode() + whole[end:]).decode()


def _reached(tree: ast.Module) -> Iterator[ast.AST]:
    """Go through what is inside functions and classes, but for what is only said."""
    waiting: list[ast.AST] = [
        node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    ]
    while waiting:
        node = waiting.pop()
        if isinstance(node, SAID):
            continue
        yield node
        for name, value in ast.iter_fields(node):
            if name not in {"annotation", "returns", "decorator_list", "bases", "keywords"} or (
                name == "keywords" and isinstance(node, ast.Call)
            ):
                parts = value if isinstance(value, list) else [value]
                waiting += [part for part in parts if isinstance(part, ast.AST)]


def _fault(source: str, node: ast.AST, changed: ast.AST) -> Fault:
    """Return the edit that replaces a node."""
    before = ast.get_source_segment(source, node) or ""
    text = ast.unparse(changed)
    after = f"({text})" if isinstance(changed, ast.expr) else text
    line, column, end_line, end_column = (
        getattr(node, name) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset")
    )
    return Fault(line, column, end_line, end_column, before, after)


def _places(node: ast.AST) -> list[tuple[ast.AST, list[ast.AST]]]:
    """Return the places that belong to a node, and what may stand there instead."""
    makers: dict[type, Callable[..., list[ast.AST]]] = {
        ast.Compare: _compared,
        ast.BinOp: _computed,
        ast.AugAssign: _computed,
        ast.BoolOp: _joined,
        ast.UnaryOp: _unary,
        ast.Constant: _constants,
        ast.Return: _returned,
    }
    found = [(node, makers[type(node)](node))] if type(node) in makers else []
    tests = [node.test] if isinstance(node, ast.If | ast.While | ast.IfExp) else []
    tests += node.ifs if isinstance(node, ast.comprehension) else []
    # A comparison and a `not` are turned where they stand.
    return found + [(test, [_not(test)]) for test in tests if not isinstance(test, ast.Compare | ast.UnaryOp)]


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _not(node: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), node)


def _compared(node: ast.Compare) -> list[ast.AST]:
    first, *rest = node.ops
    return [_with(node, ops=[other(), *rest]) for other in COMPARED[type(first)]]


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _computed(node: ast.BinOp | ast.AugAssign) -> list[ast.AST]:
    parts = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.value,)
    other = COMPUTED.get(type(node.op))
    return [] if other is None or any(map(_is_text, parts)) else [_with(node, op=other())]


def _joined(node: ast.BoolOp) -> list[ast.AST]:
    return [_with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())]


def _unary(node: ast.UnaryOp) -> list[ast.AST]:
    return [node.operand] if isinstance(node.op, ast.Not | ast.USub | ast.Invert) else []


def _constants(node: ast.Constant) -> list[ast.AST]:
    value = node.value
    if isinstance(value, bool):
        return [ast.Constant(not value)]
    if isinstance(value, int):
        return [ast.Constant(value - 1), ast.Constant(value + 1)]
    return [ast.Constant(value * 2 if value else 1.0)] if isinstance(value, float) else []


def _returned(node: ast.Return) -> list[ast.AST]:
    value = node.value
    if value is None or (isinstance(value, ast.Constant) and value.value is None) or _is_text(value):
        return []
    return [_with(node, value=ast.Constant(None))]
