"""Walk through the app of a checkout, and note which of its files run and what it trains.

    PYTHONPATH=CHECKOUT python scripts/walks.py slider CHECKOUT

Prints JSON. `scripts/house.py` calls it, each walk in a process of its own, so that a walk begins
with nothing remembered. The walks, on the default scenario:

slider
    The Playground is open and its machine's gamma is a number; the slider is moved until the new
    regions are there: what runs for this change. `again`: the same, to the gamma before, whose
    machines and regions are remembered.
run
    `ecocviz run`.
upload
    The Data page is open; a CSV is uploaded and used, then the Decoders page is opened and its
    comparison and its sweep are waited for.
curves
    Model selection is opened and its curves are waited for.
pages
    Every page of app.py is visited once, in its order, in one session, and all its jobs are waited
    for: what is trained meanwhile.

A file counts as a hop where one of its functions runs. A module's or a class's body that an import
runs does not count; `app.py` and the files of `pages/`, which Streamlit runs, do.

A training is a call of `fit` of a reduction's estimator that no other such `fit` has made: one for
every scenario without its decoder, and every fold. Two trainings are the same where the estimator,
its parameters but for the decoder, and the training points are.
"""

import argparse
import functools
import hashlib
import json
import os
import pkgutil
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from importlib import import_module
from inspect import CO_OPTIMIZED, isclass
from pathlib import Path
from types import FrameType
from typing import Any

LONGEST_SECONDS = 300.0
POLL_SECONDS = 0.05
GAMMAS = (0.5, 2.0)
"""Where the slider of gamma stands, and where it is moved to."""
CSV = b"long;kind;shade\n" + b"".join(
    b"%d,5;%s;%s\n" % (k * k % 17, [b"red", b"green", b"blue"][k % 3], [b"dim", b"lit"][k % 2])
    for k in range(60)
)
SCRIPTS = re.compile(r"app\.py|pages/\w+\.py")
"""Files that are run as a whole, not imported."""


class Hops:
    """The product's files in which functions run, noted by the interpreter's own profiling hook.

    To be made before any thread of the product.
    """

    def __init__(self, checkout: Path) -> None:
        self.checkout = checkout
        self.noting = False
        self._seen: set[tuple[str, bool]] = set()
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    def close(self) -> None:
        """Note nothing any more."""
        sys.setprofile(None)
        threading.setprofile(None)

    def _note(self, frame: FrameType, event: str, _argument: object) -> None:
        if self.noting and event == "call":
            code = frame.f_code  # equal for equal functions of different files: no key by itself
            self._seen.add((code.co_filename, bool(code.co_flags & CO_OPTIMIZED)))

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Note what runs inside."""
        self._seen = set()
        self.noting = True
        try:
            yield
        finally:
            self.noting = False

    def files(self) -> list[str]:
        """Return the files, relative to the checkout, that were noted last."""
        found = set()
        for file, is_function in self._seen.copy():
            place = Path(file)
            if not place.is_relative_to(self.checkout):
                continue
            name = place.relative_to(self.checkout).as_posix()
            if SCRIPTS.fullmatch(name) or (name.startswith("ecocviz/") and is_function):
                found.add(name)
        return sorted(found)


# Trainings -------------------------------------------------------------------------------------------


class Trainings:
    """The calls of `fit` of reductions' estimators, but for those that such a call makes itself.

    Attributes
    ----------
    made
        What was trained, named by its content, and how often.
    asked
        The functions that led to it, and how often.
    """

    def __init__(self) -> None:
        self.made: Counter[str] = Counter()
        self.asked: Counter[str] = Counter()
        self._inside = threading.local()
        self._lock = threading.Lock()

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count what is trained inside."""
        own = [(estimator, vars(estimator)["fit"]) for estimator in estimators()]
        for estimator, fit in own:
            estimator.fit = self._counting(fit)
        try:
            yield
        finally:
            for estimator, fit in own:
                estimator.fit = fit

    def _counting(self, fit: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(fit)
        def counting(model: Any, X: Any, y: Any, *more: Any, **named: Any) -> Any:  # noqa: ANN401 - as estimators take them
            if getattr(self._inside, "fit", False):
                return fit(model, X, y, *more, **named)
            with self._lock:
                self.made[content(model, X, y)] += 1
                self.asked[asker(sys._getframe(1))] += 1  # noqa: SLF001 - nothing else knows who calls
            self._inside.fit = True
            try:
                return fit(model, X, y, *more, **named)
            finally:
                self._inside.fit = False

        return counting


def estimators() -> list[Any]:
    """Return the classes below the engine's reductions that have a `fit` of their own."""
    package = import_module("ecocviz.engine.reductions")
    inside = f"{package.__name__}."
    modules = [import_module(found.name) for found in pkgutil.walk_packages(package.__path__, inside)]
    things = {thing for module in modules for thing in vars(module).values() if isclass(thing)}
    return [
        thing
        for thing in things
        if thing.__module__.startswith(inside) and "fit" in vars(thing) and hasattr(thing, "get_params")
    ]


def content(model: Any, X: Any, y: Any) -> str:  # noqa: ANN401 - as estimators take them
    """Name what is trained: the estimator, its parameters but for the decoder, and the points."""
    import numpy as np  # noqa: PLC0415 - only this walk needs it

    digest = hashlib.sha256(type(model).__name__.encode())
    for name, value in sorted(model.get_params(deep=True).items()):
        if "decoding" in name:
            continue
        known = type(value).__name__ if hasattr(value, "get_params") else value
        text = repr(known.tolist()) if isinstance(known, np.ndarray) else repr(known)
        digest.update(f"{name}={text};".encode())
    for array in (np.ascontiguousarray(X), np.ascontiguousarray(y)):
        digest.update(repr((array.shape, array.dtype)).encode() + array.tobytes())
    return digest.hexdigest()


def asker(frame: FrameType | None) -> str:
    """Name the functions of the lab, and of what stands above it, that lead to a training."""
    found: dict[str, None] = {}
    while frame is not None:
        name, function = str(frame.f_globals.get("__name__", "")), frame.f_code.co_name
        if re.match(r"ecocviz\.(lab|ui|views)\b", name) and not function.startswith("<"):
            found[f"{name.removeprefix('ecocviz.')}.{function}"] = None
        frame = frame.f_back
    return " < ".join(found)


# The walks -------------------------------------------------------------------------------------------


def opened(checkout: Path, page: str | None = None) -> Any:  # noqa: ANN401 - Streamlit's AppTest, imported late
    """Open a page of the app, and wait for its jobs."""
    from streamlit.testing.v1 import AppTest  # noqa: PLC0415 - `ecocviz run` must not import it

    test = AppTest.from_file(str(checkout / "app.py"), default_timeout=LONGEST_SECONDS)
    test.session_state["group.Machine"] = True
    if page is not None:
        test.switch_page(f"pages/{page}.py")
    return finished(test.run())


def finished(test: Any) -> Any:  # noqa: ANN401 - Streamlit's AppTest, imported late
    """Run until the page's jobs are done."""
    end = time.monotonic() + LONGEST_SECONDS
    while time.monotonic() < end:
        if test.exception or test.error:
            raise SystemExit(f"The page failed: {[one.value for one in (*test.exception, *test.error)]}")
        if not test.get("progress"):
            return test
        time.sleep(POLL_SECONDS)
        test.run()
    raise SystemExit("The page's jobs did not end.")


def regions(test: Any) -> list[bytes]:  # noqa: ANN401 - Streamlit's AppTest, imported late
    """Return what the region view was sent."""
    sent = [element.proto for element in test.get("bidi_component")]
    return [one.SerializeToString() for one in sent if one.component_name.endswith("region_view")]


def slider(checkout: Path, hops: Hops) -> dict[str, object]:
    """Move the slider of gamma, there and back."""
    test = opened(checkout)
    words = next(box for box in test.selectbox if box.key.endswith(".gamma.word"))
    finished(words.select("a number").run())
    key = words.key.removesuffix(".word")
    finished(test.select_slider(key=key).set_value(GAMMAS[0]).run())
    found = []
    for gamma in reversed(GAMMAS):
        before = regions(test)
        with hops.noted():
            finished(test.select_slider(key=key).set_value(gamma).run())
        if not before or regions(test) == before:
            raise SystemExit("The slider did not change the regions.")
        found.append(hops.files())
    return {"files": found[0], "again": found[1]}


def run(checkout: Path, hops: Hops) -> dict[str, object]:
    """Run the default scenario from the command line."""
    del checkout
    main = import_module("ecocviz.cli").main
    with hops.noted(), Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):
        status = main(["run"])
    if status:
        raise SystemExit("`ecocviz run` failed.")
    return {"files": hops.files()}


def upload(checkout: Path, hops: Hops) -> dict[str, object]:
    """Upload a file and compare the decoders on it."""
    test = opened(checkout, "data")
    with hops.noted():
        finished(test.file_uploader(key="upload.train").upload("mine.csv", CSV).run())
        finished(test.button(key="upload.use").click().run())
        finished(test.switch_page("pages/decoders.py").run())
    if test.query_params.get("data") != "upload" or not test.get("plotly_chart"):
        raise SystemExit("The Decoders page does not show the upload.")
    return {"files": hops.files()}


def curves(checkout: Path, hops: Hops) -> dict[str, object]:
    """Open Model selection."""
    with hops.noted():
        test = opened(checkout, "model_selection")
    if not test.get("plotly_chart"):
        raise SystemExit("Model selection shows no curves.")
    return {"files": hops.files()}


def pages(checkout: Path, hops: Hops) -> dict[str, object]:
    """Visit every page."""
    hops.close()
    first, *others = dict.fromkeys(re.findall(r"pages/(\w+)\.py", (checkout / "app.py").read_text()))
    trainings, counts = Trainings(), []
    with trainings.counted():
        test = opened(checkout)
        counts.append((sum(trainings.made.values()), len(trainings.made)))
        for name in others:
            finished(test.switch_page(f"pages/{name}.py").run())
            counts.append((sum(trainings.made.values()), len(trainings.made)))
    before = [(0, 0), *counts]
    return {
        "total": counts[-1][0],
        "distinct": counts[-1][1],
        "pages": {
            name: {"total": now[0] - then[0], "new": now[1] - then[1]}
            for name, now, then in zip((first, *others), counts, before, strict=False)
        },
        "asked by": dict(trainings.asked.most_common()),
    }


WALKS: dict[str, Callable[[Path, Hops], dict[str, object]]] = {
    "slider": slider,
    "run": run,
    "upload": upload,
    "curves": curves,
    "pages": pages,
}


def main() -> None:
    """Make one walk and print what was found."""
    parser = argparse.ArgumentParser(description="Make one walk through a checkout's app; print JSON.")
    parser.add_argument("walk", choices=WALKS)
    parser.add_argument("checkout", type=Path)
    chosen = parser.parse_args()
    checkout = chosen.checkout.resolve()
    hops = Hops(checkout)
    package = import_module("ecocviz").__file__
    if package is None or not Path(package).is_relative_to(checkout):
        raise SystemExit(f"ecocviz is taken from {package}; set PYTHONPATH to the checkout.")
    print(json.dumps(WALKS[chosen.walk](checkout, hops)))


if __name__ == "__main__":
    main()
