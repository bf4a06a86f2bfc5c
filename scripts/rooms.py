"""Which tests know of a file of the product."""

import ast
from pathlib import Path

NOT_ASKED = {"pages", "ui", "app", "e2e", "scripts"}
"""Folders of tests that reach everything, or none of this."""


def module_of(file: str) -> str:
    """Return the name by which a file is imported.

    >>> module_of("ecocviz/lab/run.py"), module_of("ecocviz/lab/__init__.py")
    ('ecocviz.lab.run', 'ecocviz.lab')
    """
    return file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


def imported(path: Path) -> set[str]:
    """Return the modules that a file imports, with what it takes from them, which may be modules too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


class Room:
    """Which tests know of which files of the product."""

    def __init__(self, root: Path) -> None:
        self._imports = {
            module_of(path.relative_to(root).as_posix()): imported(path)
            for path in (root / "ecocviz").rglob("*.py")
        }
        tests = root / "tests"
        self.tests = {
            path.relative_to(root).as_posix(): imported(path)
            for path in tests.rglob("test_*.py")
            if not NOT_ASKED & set(path.relative_to(tests).parts) and path.parent != tests
        }

    def _reached(self, modules: set[str]) -> set[str]:
        """Return modules and all that they import, below the lab and the views."""
        found: set[str] = set()
        waiting = {name for name in modules if name in self._imports}
        while waiting:
            name = waiting.pop()
            found.add(name)
            above = {
                other for other in self._imports[name] if other.startswith(("ecocviz.lab", "ecocviz.views"))
            }
            waiting |= (above & self._imports.keys()) - found
        return found

    def tests_of(self, file: str, seconds: dict[str, float]) -> list[str]:
        """Return the tests that know of a file, those to ask first before the others."""
        module, stem = module_of(file), Path(file).stem
        folder = Path("tests", *Path(file).parts[1:-1])
        ranks = {}
        for test, modules in self.tests.items():
            place = Path(test)
            if place.parent == folder and place.stem == f"test_{stem}":
                ranks[test] = 0
            elif module in modules:
                ranks[test] = 1
            elif module in self._reached(modules):
                ranks[test] = 2
        return sorted(ranks, key=lambda test: (ranks[test], seconds.get(test, 0.0), test))
