"""Import contracts of our own, beside import-linter's: rooms one above the other, and who may use a library.

import-linter's layers name modules; ours are patterns, so that a new view is under contract the moment
its file is there. In a pattern `*` is one part of a dotted name (or the end of one, as in `page_*`), `**`
any number of them.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import cast

import grimp
from importlinter import Contract, ContractCheck, fields, output


@cache
def matches(pattern: str, module: str) -> bool:
    """Say whether a module's name is of a pattern.

    >>> matches("a.*.page_*", "a.b.page_c"), matches("a.*.page", "a.b.c.page"), matches("a.**", "a.b.c.page")
    (True, False, True)
    """
    pieces = [
        ".*" if piece == "**" else re.escape(piece).replace(r"\*", "[^.]*") for piece in pattern.split(".")
    ]
    return re.fullmatch(r"\.".join(pieces), module) is not None


def imports(graph: grimp.ImportGraph) -> Iterator[tuple[str, str]]:
    """Go through all direct imports: importer, imported."""
    for importer in sorted(graph.modules):
        for imported in sorted(graph.find_modules_directly_imported_by(importer)):
            yield importer, imported


class _Listed(Contract):
    """A contract that is broken by the imports in a list."""

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print them."""
        for line in cast("list[str]", check.metadata["broken"]):
            output.print_error(line)


def _verdict(broken: list[str]) -> ContractCheck:
    return ContractCheck(kept=not broken, metadata={"broken": broken})


class RoomsContract(_Listed):
    """Rooms from top to bottom: a module imports from its own room and those below, never upwards.

    A room is a few patterns with blanks between; a module lives in the first room that has a pattern for it.
    Every module below the package must live somewhere. With `apart`, a pattern that ends in `*`, modules
    below two different names that stand there never import each other.
    """

    type_name = "rooms"
    rooms = fields.ListField(subfield=fields.StringField())
    apart = fields.StringField(required=False)
    shared = fields.ListField(subfield=fields.StringField(), required=False)

    def check(self, graph: grimp.ImportGraph, verbose: bool) -> ContractCheck:
        """Look for imports that point upwards or across, and for modules without a room."""
        del verbose
        room_of = {module: self._room(module) for module in graph.modules}
        found = []
        for importer, imported in imports(graph):
            above, below = room_of[importer], room_of[imported]
            if below is None:
                continue
            if above is None or above > below:
                found.append(f"{importer} imports {imported}, which stands in a room above it")
            elif self._strangers(importer, imported):
                found.append(f"{importer} imports {imported}, which stand apart")
        roots = {str(pattern).split(".")[0] for room in self._listed() for pattern in room}
        homeless = [m for m in sorted(graph.modules) if m.split(".")[0] in roots and room_of[m] is None]
        return _verdict([*found, *(f"{module} has no room" for module in homeless)])

    def _listed(self) -> list[list[str]]:
        return [room.split() for room in cast("Sequence[str]", self.rooms)]

    def _room(self, module: str) -> int | None:
        patterns = enumerate(self._listed())
        return next((k for k, room in patterns if any(matches(pattern, module) for pattern in room)), None)

    def _strangers(self, importer: str, imported: str) -> bool:
        names = {self._name(importer), self._name(imported)}
        return len(names) == 2 and None not in names and not names & set(self.shared or ())

    def _name(self, module: str) -> str | None:
        """Return what stands for the `*` of `apart`; None for modules elsewhere."""
        if self.apart is None:
            return None
        above = cast("str", self.apart).removesuffix("*")
        return module.removeprefix(above).split(".")[0] if module.startswith(above) else None


class OnlyContract(_Listed):
    """A library that only some modules may import."""

    type_name = "only"
    library = fields.StringField()
    importers = fields.ListField(subfield=fields.StringField())

    def check(self, graph: grimp.ImportGraph, verbose: bool) -> ContractCheck:
        """Look for imports of the library by others."""
        del verbose
        library, allowed = cast("str", self.library), cast("Sequence[str]", self.importers)
        users = graph.find_modules_that_directly_import(library) if library in graph.modules else ()
        return _verdict(
            [
                f"{user} imports {library}"
                for user in sorted(users)
                if not any(matches(pattern, user) for pattern in allowed)
            ]
        )
