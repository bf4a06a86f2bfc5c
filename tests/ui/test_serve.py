import sys

from ecocviz.lab.run import run
from ecocviz.lab.scenario import make_scenario
from ecocviz.ui import serve


def test_the_first_screen_is_computed_while_the_server_starts(monkeypatch):
    seen = []
    monkeypatch.setattr("ecocviz.lab.run.run", lambda scenario: seen.append(scenario) or run(scenario))
    serve.warm_up()
    assert seen == [make_scenario()]


def test_arguments_are_those_of_streamlit_run(monkeypatch):
    calls = []
    monkeypatch.setattr(serve, "warm_up", lambda: None)
    monkeypatch.setattr(serve.cli, "main", lambda prog_name: calls.append((prog_name, list(sys.argv))))
    monkeypatch.setattr(sys, "argv", ["serve", "app.py", "--server.port", "1234"])
    serve.main()
    assert calls == [("streamlit", ["streamlit", "run", "app.py", "--server.port", "1234"])]
