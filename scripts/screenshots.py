"""Take the pictures in docs/screenshots: every page of the app, small enough for a README.

    python scripts/screenshots.py                 # all of them
    python scripts/screenshots.py bits relations  # only these

Needs playwright, Pillow and Chromium (on the PATH, or named by ECOCVIZ_CHROMIUM).
"""

import io
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "screenshots"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PAGES = ("data", "code_matrix", "decoders", "bits", "relations", "model_selection", "reductions")
SHOTS = {"playground": ("", "light", 1440)} | {name: (name, "light", 1440) for name in PAGES}
SHOTS |= {"playground_dark": ("", "dark", 1440), "playground_narrow": ("", "light", 800)}
"""Name of the picture: page, theme, width of the window."""
HEIGHT, WIDEST, QUIET_MS, LONGEST_S = 900, 960, 2_500, 90
FLAT, SHADES, SPOTS = 16, 112, 32
"""Colours of a picture: the most frequent ones as they are, those of shaded areas, and of small symbols."""
BUSY = """() => document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState !== 'notRunning'
  || Boolean(document.querySelector('[data-testid="stSpinner"], [data-testid="stProgress"]'))"""


@contextmanager
def app() -> Iterator[str]:
    """Run the app with a home of its own; yield its address."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "ecocviz.views.shared.app.serve",
        str(ROOT / "app.py"),
        "--server.port",
        str(port),
    ]
    command += ["--server.fileWatcherType", "none"]  # else an edit meanwhile shows in the picture
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        environment = {**os.environ, "ECOCVIZ_HOME": home}
        server = subprocess.Popen(  # noqa: S603 - our own server
            command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            wait_for(port)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(timeout=20)


def wait_for(port: int) -> None:
    """Wait until the server answers."""
    for _ in range(300):
        with socket.socket() as caller:
            if caller.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    raise SystemExit("The app did not start within a minute.")


def take(browser: Browser, address: str, theme: str, width: int) -> Image.Image:
    """Open a page, wait until nothing has run for a while, and return what the window shows."""
    context = browser.new_context(viewport={"width": width, "height": HEIGHT}, color_scheme=theme)  # type: ignore[arg-type] # one of Playwright's literals
    page = context.new_page()
    page.goto(address)
    page.get_by_test_id("stMainBlockContainer").wait_for()
    quiet, end = 0, time.monotonic() + LONGEST_S
    while quiet < QUIET_MS and time.monotonic() < end:
        page.wait_for_timeout(250)
        quiet = 0 if page.evaluate(BUSY) else quiet + 250
    picture = Image.open(io.BytesIO(page.screenshot()))
    context.close()
    return picture


def with_few_colours(picture: Image.Image) -> Image.Image:
    """Return a picture with a palette, every pixel in the nearest of its colours."""
    pixels = np.asarray(picture)
    colours, which, counts = np.unique(
        pixels.reshape(-1, 3).astype(np.int32), axis=0, return_inverse=True, return_counts=True
    )
    parts = [colours[np.argsort(-counts)[:FLAT]]]
    for n, method in ((SHADES, Image.Quantize.MEDIANCUT), (SPOTS, Image.Quantize.MAXCOVERAGE)):
        found = picture.quantize(n, method, kmeans=3).getpalette() or []
        parts.append(np.reshape(found[: 3 * n], (-1, 3)))
    palette = np.concatenate(parts)
    nearest = [int(np.argmin(((palette - colour) ** 2).sum(axis=1))) for colour in colours]
    flat = Image.fromarray(np.array(nearest, dtype=np.uint8)[which.ravel()].reshape(pixels.shape[:2]))
    flat.putpalette(palette.astype(np.uint8).tobytes())
    return flat


def main(names: list[str]) -> None:
    """Take the pictures named, or all."""
    path = os.environ.get("ECOCVIZ_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    FOLDER.mkdir(parents=True, exist_ok=True)
    with app() as address, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for name in names or SHOTS:
            page, theme, width = SHOTS[name]
            picture = take(browser, f"{address}/{page}", theme, width).convert("RGB")
            picture.thumbnail((WIDEST, HEIGHT), Image.Resampling.LANCZOS)
            file = FOLDER / f"{name}.png"
            with_few_colours(picture).save(file, optimize=True)
            print(f"{file.relative_to(ROOT)}: {file.stat().st_size / 1000:.0f} kB")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
