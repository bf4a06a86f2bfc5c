"""The statements that a verdict is made of, as a table."""

from ecocviz.lab.evidence.entries import Statement
from ecocviz.views.shared.draw.words import percent

HEAD = ("Statement", "true for", "needs", "holds")


def statement_row(statement: Statement) -> tuple[str, ...]:
    """Return a statement as the cells under `HEAD`.

    >>> statement_row(Statement("nothing was measured", 0, 0))[1:]
    ('0 of 0', '80 %', 'no')
    """
    held = percent(statement.held, statement.of) if statement.of else "0 of 0"
    return statement.text, held, f"{100 * statement.least:.0f} %", "yes" if statement.holds else "no"
