"""`ecocviz link`: a scenario's file as a link of the app, and a link as a file."""

import argparse
import re
from urllib.parse import urlsplit

from ecocviz.cli_said import say
from ecocviz.cli_scenario import add_choices, read_fields, scenario_of

EXAMPLES = """\
examples:
  ecocviz link experiment.toml                               opens it in the app on this computer
  ecocviz link experiment.toml --base http://10.0.0.7:8501/bits       ... on a page of another computer
  ecocviz link --set data=glass coding=one-vs-one            a scenario without a file
  ecocviz link 'http://127.0.0.1:8501/?v=1&data=glass' --toml         a file for `ecocviz run`

A link stands wherever a file may: `ecocviz run 'http://127.0.0.1:8501/?v=1&data=glass'`. Put it in quotes,
since & means something else to a shell."""


def add_link(commands: "argparse._SubParsersAction[argparse.ArgumentParser]", base: str) -> None:
    """Add the command to the others."""
    link = commands.add_parser(
        "link",
        help="print the app's link to a scenario, or the scenario of a link",
        description="Print the link that opens a scenario in the app, or the file of a link's scenario.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_choices(link)
    link.add_argument(
        "--base",
        default=base,
        metavar="URL",
        help=f"where the app is, with a page if you like: http://host:8501/bits (default: {base})",
    )
    link.add_argument("--toml", action="store_true", help="print a scenario's file in place of a link")


def link(chosen: argparse.Namespace) -> int:
    """Print the link or the file; raise ValueError with one line for what is wrong."""
    base = _checked(chosen.base)
    fields, _ = read_fields(chosen.file)
    scenario = scenario_of(fields, chosen.set)
    say(scenario.to_toml().rstrip("\n") if chosen.toml else f"{base}?{scenario.to_query()}")
    return 0


def app_root(base: str) -> str:
    """Return the beginning of an address of the app; raise ValueError if no app can be there."""
    parts = urlsplit(_checked(base))
    return f"{parts.scheme}://{parts.netloc}"


def _checked(base: str) -> str:
    """Return where the app is, with a path; raise ValueError if no app can be there."""
    try:
        parts = urlsplit(base)
        whole = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is none
        whole = False
    if not whole or not re.fullmatch(r"[^?#\s]+", base):
        raise ValueError(f"--base is where the app is, such as http://10.0.0.7:8501, not {base[:60]!r}.")
    return base if urlsplit(base).path else f"{base}/"
