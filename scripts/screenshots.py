"""Take the pictures in docs/screenshots, every page of the app, and docs/first_hour, what three people see.

    python scripts/screenshots.py                   # all of them
    python scripts/screenshots.py bits student_tie  # only these

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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
SCREENSHOTS, FIRST_HOUR = ROOT / "docs" / "screenshots", ROOT / "docs" / "first_hour"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PAGES = (
    "data", "code_matrix", "decoders", "bits", "relations", "model_selection", "reductions",
)  # fmt: skip
WIDEST, QUIET_MS, LONGEST_S = 960, 1_500, 90
FLAT, SHADES, SPOTS = 16, 112, 32
"""Colours of a picture: the most frequent ones as they are, those of shaded areas, and of small symbols."""
BUSY = """() => document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState !== 'notRunning'
  || Boolean(document.querySelector('[data-testid="stSpinner"], [data-testid="stProgress"]'))"""

Act = Callable[[Page], None]


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: the link that is opened, the window, and what is done there first."""

    link: str = ""
    theme: str = "light"
    size: tuple[int, int] = (1440, 900)
    scale: int = 1
    acts: tuple[Act, ...] = ()
    kept: bool = False  # whether runs are computed and kept before
    folder: Path = SCREENSHOTS


NARROW, HALL, ZOOMED, PHONE = (800, 900), (1920, 1080), (720, 450), (390, 844)
TALL = (1440, 1300)
"""Windows: a small one, that of a projector, 1440 x 900 at 200 %, a phone, and a tall one."""
ONE_VS_ONE = (
    "v=1&data.n_samples=600&data.n_classes=6&split.test_share=0.7&coding=one-vs-one&machine.gamma=1.0"
    "&decoding=hamming&seed=1&pick=274"
)


def click(name: str) -> Act:
    """Return what clicks on a button."""
    return lambda page: page.get_by_role("button", name=name, exact=True).first.click()


def press(*keys: str) -> Act:
    """Return what presses keys."""

    def pressed(page: Page) -> None:
        for key in keys:
            page.keyboard.press(key)

    return pressed


def step(name: str) -> Act:
    """Return what clicks on a step of the start strip."""
    return lambda page: page.get_by_role("button", name=name).click()


def focus_cell(page: Page) -> None:
    """Go back from the button under the code to the code by key, and one entry to the right."""
    page.get_by_role("button", name="Add column").focus()
    press("Shift+Tab", "ArrowRight")(page)


def circle(page: Page) -> None:
    """Turn the ring on, around a group of points."""
    page.keyboard.press("r")
    page.mouse.move(650, 470)


def bring(name: str, text: str) -> Act:
    """Return what uploads a table."""

    def brought(page: Page) -> None:
        place = page.locator(".st-key-upload-train")
        if not place.is_visible():
            page.get_by_text("Upload a file of your own").click()
            place.wait_for()
        file = {"name": name, "mimeType": "text/csv", "buffer": text.encode()}
        place.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type] # Playwright's own dictionary

    return brought


def measurements() -> str:
    """Return a made table of three classes, one of them with a name that a page could take for markup."""
    rng = np.random.default_rng(0)
    centres = {"early": (0.0, 0.0), "late <b>": (2.0, 0.5), "50 % µ": (1.0, 2.0)}
    lines = ["length,width,group"]
    for name, centre in centres.items():
        lines += [f"{x:.3f},{y:.3f},{name}" for x, y in rng.normal(centre, 0.6, (50, 2))]
    return "\n".join(lines)


def go(title: str) -> Act:
    """Return what opens a page by the row of links on top."""
    return lambda page: page.get_by_role("link", name=title, exact=True).click()


OWN = (bring("measured.csv", measurements()), click("Use these data"))
SCENES = (
    step("Share"),
    click("Add this screen to my scenes"),
    press("Escape"),
    lambda page: page.get_by_role("radio", name="Likelihood").click(),
    step("Share"),
    click("Add this screen to my scenes"),
    click("My scenes"),
)
HOUR = {
    "student_first": Shot(),
    "student_tie": Shot(theme="dark", acts=(step("Flip bits"),)),
    "student_keyboard": Shot(acts=(focus_cell,)),
    "student_zoomed": Shot(size=ZOOMED, scale=2, acts=(step("The nearest row"),)),
    "student_code": Shot(f"?{ONE_VS_ONE}", size=NARROW),
    "student_decoders": Shot(f"decoders?{ONE_VS_ONE}", theme="dark"),
    "student_impossible": Shot("?data=digits&coding=ternary-complete"),
    "lecturer_present": Shot(size=HALL, acts=(press("p"),)),
    "lecturer_ring": Shot(f"?{ONE_VS_ONE}&present=1", theme="dark", size=HALL, acts=(circle,)),
    "lecturer_code": Shot(size=HALL, acts=(press("p"), press("q"))),
    "lecturer_scenes": Shot(acts=SCENES),
    "lecturer_phone": Shot(f"?{ONE_VS_ONE}", size=PHONE, scale=2),
    "researcher_broken": Shot("data", acts=(bring("broken.csv", "a,b\n1,2,3\n4,5\n"),)),
    "researcher_data": Shot("data", size=NARROW, acts=OWN),
    "researcher_own": Shot("data", acts=(*OWN, go("Playground"))),
    "researcher_choice": Shot("data", theme="dark", acts=(*OWN, go("Model selection"))),
}
SHOTS = {"playground": Shot(), "playground_dark": Shot(theme="dark"), "playground_narrow": Shot(size=NARROW)}
SHOTS |= {name: Shot(name) for name in PAGES}
SHOTS |= {
    "runs": Shot("runs?method=decoding", size=TALL, kept=True),
    "papers": Shot("papers?paper=passerini-2004&exhibit=figure-4", size=TALL),
}
SHOTS |= {name: replace(shot, folder=FIRST_HOUR) for name, shot in HOUR.items()}


@contextmanager
def app() -> Iterator[tuple[str, dict[str, str]]]:
    """Run the app with a home of its own; yield its address and its environment."""
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
            yield f"http://127.0.0.1:{port}", environment
        finally:
            server.terminate()
            server.wait(timeout=20)


def compute(environment: dict[str, str]) -> None:
    """Measure three decoders on seven data sets; the store keeps them."""
    sets = "iris,wine,glass,ecoli,new-thyroid,vehicle,zoo"
    command = [sys.executable, "-m", "ecocviz.cli", "sweep", "--set", "coding=dense-random"]
    command += ["--over", f"data={sets}", "decoding=hamming,linear,likelihood"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own command


def wait_for(port: int) -> None:
    """Wait until the server answers."""
    for _ in range(300):
        with socket.socket() as caller:
            if caller.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    raise SystemExit("The app did not start within a minute.")


def take(browser: Browser, address: str, shot: Shot) -> Image.Image:
    """Open a page, do what is to be done there, and return what the window shows."""
    width, height = shot.size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=shot.theme,  # type: ignore[arg-type] # one of Playwright's literals
        device_scale_factor=shot.scale,
    )
    page = context.new_page()
    page.goto(f"{address}/{shot.link}")
    page.get_by_test_id("stMainBlockContainer").wait_for()
    calm(page)
    for act in shot.acts:
        act(page)
        calm(page)
    picture = Image.open(io.BytesIO(page.screenshot()))
    context.close()
    return picture


def calm(page: Page) -> None:
    """Wait until nothing has run for a while."""
    quiet, end = 0, time.monotonic() + LONGEST_S
    while quiet < QUIET_MS and time.monotonic() < end:
        page.wait_for_timeout(250)
        quiet = 0 if page.evaluate(BUSY) else quiet + 250


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
    with app() as (address, environment), sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for name in names or SHOTS:
            shot = SHOTS[name]
            if shot.kept:
                compute(environment)
            picture = take(browser, address, shot).convert("RGB")
            picture.thumbnail((WIDEST, WIDEST), Image.Resampling.LANCZOS)
            shot.folder.mkdir(parents=True, exist_ok=True)
            file = shot.folder / f"{name}.png"
            with_few_colours(picture).save(file, optimize=True)
            print(f"{file.relative_to(ROOT)}: {file.stat().st_size / 1000:.0f} kB")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
