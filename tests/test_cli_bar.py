"""The bar of a command: on a terminal of any width, and elsewhere."""

import pytest

from ecocviz.cli_bar import Bar


class Terminal:
    """Stands for a terminal; keeps what is written."""

    def __init__(self):
        self.written = []

    def isatty(self):
        return True

    def write(self, text):
        self.written.append(text)

    def flush(self):
        pass


def at_terminal(monkeypatch, name):
    """Stand before a terminal; not in a fixture, after which pytest puts its own in place."""
    found = Terminal()
    monkeypatch.setattr("sys.stderr", found)
    monkeypatch.setenv("TERM", name)
    return found


def lines(terminal):
    return [part for part in "".join(terminal.written).split("\r\033[K") if part]


@pytest.mark.parametrize("columns", [100, 40, 12])
def test_the_bar_fits_the_terminal(monkeypatch, columns):
    terminal = at_terminal(monkeypatch, "xterm")
    monkeypatch.setenv("COLUMNS", str(columns))
    bar = Bar(3, "points")
    for _ in range(3):
        bar.one_more()
    assert len(lines(terminal)) == 3 and all(len(line) < columns for line in lines(terminal))
    assert lines(terminal)[0].startswith("[########....") == (columns == 100)
    assert columns < 40 or "3 of 3, about 0 s left" in lines(terminal)[2]


def test_a_terminal_that_knows_no_bars_gets_lines(monkeypatch):
    terminal = at_terminal(monkeypatch, "dumb")
    bar = Bar(2, "points", lines=False)
    bar.one_more()
    bar.clear()
    assert "".join(terminal.written) == "1 of 2 points\n"
