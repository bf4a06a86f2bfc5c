"""`ecocviz serve`: its options, and what they make of the server."""

import argparse
import functools
import os
import re
from collections.abc import Callable
from pathlib import Path

from ecocviz.serving.addresses import LOOPBACK, resolve, why_not
from ecocviz.serving.fronts import FRONTS
from ecocviz.serving.handed import EMBED, read_networks
from ecocviz.serving.passes import read_code

CLUSTER = "ECOCVIZ_CLUSTER"
MOST_WORKERS = 64
ORIGIN = re.compile(r"https?://[a-z0-9.-]+(:[0-9]{1,5})?", re.IGNORECASE)


def add_serve(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    port: Callable[[str], int],
    default_port: int,
) -> None:
    """Add the command to the others."""
    serve = commands.add_parser(
        "serve",
        help="serve the app to a class, by several processes if wanted, or to strangers",
        description="Serve the app without opening a browser. With --workers N, N processes stand behind one "
        "front (haproxy where it is installed), and a browser that loses its process goes on in another. "
        "SIGHUP replaces the processes one by one.",
    )
    serve.add_argument(
        "--host",
        default=LOOPBACK,
        help=f"address to listen on (default: {LOOPBACK}; 0.0.0.0: all of this computer)",
    )
    serve.add_argument("--port", type=port, default=argparse.SUPPRESS, help=f"port (default: {default_port})")
    serve.add_argument(
        "--workers", type=_workers, default=1, metavar="N", help="number of app processes (default: 1)"
    )
    serve.add_argument(
        "--front",
        choices=FRONTS,
        help="what stands in front of the processes (default: haproxy where it is installed, else python)",
    )
    add_allow_host(serve)
    serve.add_argument(
        "--embed-in",
        type=_origin,
        action="append",
        default=[],
        metavar="SITE",
        help="a site whose pages may show the app inside them, such as https://course.example; "
        "may be given again (default: none)",
    )
    serve.add_argument(
        "--operator-port",
        type=port,
        metavar="PORT",
        help=f"port of a page for whoever runs the server, at {LOOPBACK} only: sessions, jobs, memory, "
        "times, "
        "errors (default: there is none)",
    )
    serve.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="measure the points of curves and maps on the workers of the Dask scheduler at tcp://host:port "
        f"(default: what {CLUSTER} names, else this computer)",
    )
    _add_shared(serve)


def add_allow_host(parser: argparse.ArgumentParser) -> None:
    """Add the option that names hosts."""
    parser.add_argument(
        "--allow-host",
        action="append",
        default=argparse.SUPPRESS,
        metavar="NAME",
        help="a name that browsers open the app at, such as course.example of a proxy before it; may be "
        "given again (default: what ECOCVIZ_ALLOW_HOST names; its own addresses are always allowed)",
    )


def _add_shared(serve: argparse.ArgumentParser) -> None:
    shared = serve.add_argument_group(
        "a server for people who do not know each other",
        "With --shared, uploads are found only by their link, each visitor has a share of "
        "computations, memory and uploads, OpenML is not asked, and what the server prints holds nothing of "
        "its visitors.",
    )
    shared.add_argument("--shared", action="store_true", help="serve to people who do not know each other")
    shared.add_argument(
        "--access-code-file",
        type=Path,
        metavar="FILE",
        help="ask every visitor for the code in the first line of this file, which only its owner may read; "
        "SIGHUP reads it again",
    )
    shared.add_argument(
        "--allow-openml", action="store_true", help="let visitors fetch sets from OpenML, within bounds"
    )
    shared.add_argument(
        "--behind",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="address or network of a proxy before this server (nginx, a balancer), which is believed whom "
        "it speaks for (X-Forwarded-For) and how (X-Forwarded-Proto); may be given again",
    )


def _workers(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= 3 and 1 <= int(text) <= MOST_WORKERS:
        return int(text)
    raise argparse.ArgumentTypeError(
        f"the number of processes is a whole number from 1 to {MOST_WORKERS}, not {text[:40]!r}"
    )


def _origin(text: str) -> str:
    if ORIGIN.fullmatch(text):
        return text
    raise argparse.ArgumentTypeError(f"a site is written like https://course.example, not {text[:60]!r}")


def serve(
    chosen: argparse.Namespace,
    app_command: Callable[[int], list[str]],
    alone: Callable[[str, int], int],
) -> int:
    """Serve as the options say.

    Parameters
    ----------
    chosen
        The options.
    app_command
        What serves the app on a port of the loopback address.
    alone
        Serves by this process alone, at an address and a port.
    """
    from ecocviz.serving.hosts import allow  # noqa: PLC0415 - --help does without it

    if not chosen.shared:
        for name in ("access_code_file", "allow_openml", "behind"):
            if getattr(chosen, name):
                raise ValueError(f"--{name.replace('_', '-')} is for a shared server; add --shared.")
    if chosen.cluster is not None:
        os.environ[CLUSTER] = chosen.cluster
    if chosen.embed_in:
        os.environ[EMBED] = " ".join(chosen.embed_in)
    address = resolve(chosen.host)
    allow([chosen.host if chosen.host.isascii() else address])
    if chosen.workers == 1 and not chosen.shared and chosen.operator_port is None:
        return alone(address, chosen.port)
    if os.name != "posix":
        raise ValueError(
            "Several processes, --shared and --operator-port need Linux or macOS; here the app is served "
            "with --workers 1."
        )
    _check_ports(address, chosen.port, chosen.operator_port)
    _supervise(chosen, app_command, (address, chosen.port))
    return 0


def _check_ports(address: str, port: int, operator_port: int | None) -> None:
    problem = why_not(address, port)
    if problem is None and operator_port is not None:
        problem = why_not(LOOPBACK, operator_port)
        if operator_port == port:
            problem = "The operator's page needs a port of its own, not that of the app."
        if problem is not None:
            problem = problem.replace("--port (or PORT= with make app)", "--operator-port")
    if problem is not None:
        raise ValueError(problem)


def _supervise(
    chosen: argparse.Namespace, app_command: Callable[[int], list[str]], where: tuple[str, int]
) -> None:
    """Start the supervisor; the processes share the memory that one would have."""
    from ecocviz.data.policy import OPENML, SHARED  # noqa: PLC0415 - --help and one process do without it
    from ecocviz.lab.budget import VARIABLE, budget  # noqa: PLC0415 - as above
    from ecocviz.lab.cluster import standing  # noqa: PLC0415 - as above
    from ecocviz.lab.quiet import watch_errors  # noqa: PLC0415 - as above
    from ecocviz.serving.processes import Extras, serve  # noqa: PLC0415 - as above
    from ecocviz.serving.reach import LISTENS  # noqa: PLC0415 - as above

    standing()  # a cluster that cannot be used is refused here, not on the first page
    extras = None
    if chosen.shared or chosen.operator_port is not None:
        extras = Extras(
            code_file=chosen.access_code_file,
            behind=read_networks(chosen.behind),
            operator_port=chosen.operator_port,
        )
    if chosen.access_code_file is not None:
        read_code(chosen.access_code_file)  # refused here, before anything is started
    os.environ[LISTENS] = f"{where[0]} {where[1]}"
    os.environ[VARIABLE] = str(budget().total // chosen.workers)
    if chosen.shared:
        os.environ[SHARED] = "1"
        if chosen.allow_openml:
            os.environ[OPENML] = "1"
        watch_errors(quiet=True)
    say = functools.partial(print, flush=True)
    serve(app_command, where, chosen.workers, chosen.front, say, extras)
