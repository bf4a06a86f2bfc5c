"""Settings of the whole test run: hypothesis profiles, a home of its own, and Chromium."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

import hypothesis
import pytest

if "PYTEST_XDIST_WORKER" in os.environ:
    # Linear algebra with two threads in each of two workers mostly waits for its turn on two cores.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

MAIN = sys.modules["__main__"]
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

NO_CHROMIUM = (
    "Browser tests need Chromium, and none was found. On Debian or Ubuntu: apt install chromium; "
    "elsewhere set ECOCVIZ_CHROMIUM to the browser's path."
)

BROWSER_TESTS = Path(__file__).resolve().parent / "e2e"
LONG = (
    "tests/e2e/test_faults.py",
    "tests/e2e/test_first_request.py",
    "tests/e2e/test_training_jobs.py",
    "tests/e2e/test_accessibility.py",
    "tests/e2e/test_serving.py",
    "tests/e2e/test_outside_text.py",
    "tests/test_load.py",
    "tests/lab/test_workers.py",
    "tests/test_cli_sweep_kept.py",
    "tests/views/bits/test_page.py",
    "tests/views/playground/test_page.py",
)
"""Files that take a process 15 seconds or more come first: none may be the last to be begun."""

hypothesis.settings.register_profile("quick", deadline=None, derandomize=True, max_examples=5)
hypothesis.settings.register_profile("fast", deadline=None, derandomize=True, max_examples=50)
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=2_000, print_blob=True)
# What holds unless pytest is given --hypothesis-profile=quick or =thorough.
hypothesis.settings.load_profile("fast")


def find_chromium() -> str | None:
    """The path of a Chromium to test with: the one named by ECOCVIZ_CHROMIUM, or one on the PATH."""
    named = os.environ.get("ECOCVIZ_CHROMIUM")
    if named:
        return shutil.which(named)
    return next((path for path in map(shutil.which, CHROMIUM_NAMES) if path), None)


def pytest_configure(config):
    # Set before any module of ecocviz is imported, so that no test ever touches a user's own runs.
    home = tempfile.TemporaryDirectory(prefix="ecocviz-test-home-", ignore_cleanup_errors=True)
    config.add_cleanup(home.cleanup)
    os.environ["ECOCVIZ_HOME"] = home.name
    # pytest-xdist would begin with the files of most tests; those of few are not the short ones.
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


def pytest_ignore_collect(collection_path, config):
    """Where only the browser tests are asked for, read no other test: that takes seconds."""
    whole = [config.rootpath / place for place in config.getini("testpaths")]
    if config.option.markexpr != "e2e" or [config.rootpath / place for place in config.args] != whole:
        return None
    return (collection_path.is_file() and not collection_path.is_relative_to(BROWSER_TESTS)) or None


def pytest_addoption(parser):
    parser.addoption(
        "--few-cases", type=int, metavar="N", help="run only N cases of every test, spread evenly"
    )


def pytest_itemcollected(item):
    if item.path.is_relative_to(BROWSER_TESTS):
        item.add_marker(pytest.mark.e2e)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))
    if config.option.few_cases:
        kept = few_cases(items, config.option.few_cases)
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = [item for item in items if item in kept]


def few_cases(items, most):
    """Return the first and the last case of every test, and others between them at even distances."""
    cases = {}
    for item in items:
        cases.setdefault((item.parent.nodeid, getattr(item, "originalname", item.name)), []).append(item)
    places = {
        n: {round(k * (n - 1) / max(most - 1, 1)) for k in range(most)} for n in map(len, cases.values())
    }
    return {case for each in cases.values() for k, case in enumerate(each) if k in places[len(each)]}


def pytest_runtest_setup(item):
    if item.get_closest_marker("e2e") is None or find_chromium():
        return
    if os.environ.get("CI") == "true":
        pytest.fail(NO_CHROMIUM + " With CI=true these tests are required.", pytrace=False)
    pytest.skip(NO_CHROMIUM)


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the checkout."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of Chromium; only tests marked e2e may ask for it."""
    path = find_chromium()
    assert path is not None, NO_CHROMIUM
    return path


@pytest.fixture
def fresh_home(tmp_path, monkeypatch) -> Path:
    """An empty ECOCVIZ_HOME for one test."""
    monkeypatch.setenv("ECOCVIZ_HOME", str(tmp_path))
    return tmp_path


def pytest_runtest_teardown():
    # A page that a test ran stays there, and every process that is started after would begin by running it.
    sys.modules["__main__"] = MAIN
