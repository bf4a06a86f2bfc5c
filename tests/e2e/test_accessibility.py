"""Pages, and what opens over them, in both themes: nobody is shut out, and nothing jumps while it loads."""

from pathlib import Path

import pytest
from e2e_tools import presents, ran
from playwright.sync_api import expect
from strategies import nightly
from waiting import until

ROOT = Path(__file__).parents[2]
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))
ASKED = ["model_selection?data=blobs&maps=machine.gamma,machine.C", "runs?chosen=1.2.3"]
"""What a page shows only when it is asked for."""
SERIOUS = ("serious", "critical")
MOST_SHIFT = 0.05
"""Shares of the screen that moved times how far, all added up; Chromium calls a page good below 0.1."""


LOADED = """() => !['stSpinner', 'stProgress'].some((id) => document.querySelector(`[data-testid="${id}"]`))
  && !document.querySelector('main [data-testid="stSkeleton"]')
  && document.documentElement.dataset.eco"""

PAPER = "getComputedStyle(document.querySelector('.stApp')).backgroundColor"

FINDINGS = """async (serious) => {
  const passing = document.getAnimations().filter((one) => one.effect.getTiming().iterations < Infinity);
  await Promise.allSettled(passing.map((one) => one.finished)); // what fades has too little contrast
  const found = await axe.run(document, {resultTypes: ['violations']});
  return found.violations.filter(({impact}) => serious.includes(impact)).map(({id, help, nodes}) =>
    [id, help, ...nodes.slice(0, 3).map((node) => node.target.join(' ') + ': ' + node.html.slice(0, 200))]);
}"""

SHIFTS = """() => new Promise((done) => {
  const box = ({x, y, width, height}) => [x, y, width, height].map(Math.round).join(' ');
  const name = (node) => (node?.outerHTML ?? node?.textContent ?? '').slice(0, 120);
  const told = ({node, previousRect, currentRect}) =>
    `${name(node)}: ${box(previousRect)} -> ${box(currentRect)}`;
  const found = [];
  new PerformanceObserver((list) => {
    for (const {value, hadRecentInput, sources} of list.getEntries())
      if (!hadRecentInput) found.push([value, ...sources.map(told)]);
    done(found);
  }).observe({type: 'layout-shift', buffered: true});
  setTimeout(() => done(found), 200); // an observer that has nothing to tell says nothing
})"""

UNTOLD = """() => {
  const untold = [];
  const look = (root) => {
    for (const one of root.querySelectorAll('*')) {
      const seen = one.tagName === 'CANVAS' && one.offsetParent;
      if (seen && !told(one)) untold.push(one.outerHTML.slice(0, 200));
      if (one.shadowRoot) look(one.shadowRoot);
    }
  };
  const told = (canvas) => {
    for (let one = canvas; one; one = one.parentElement) {
      if (one.getAttribute('aria-label') || one.getAttribute('aria-hidden') === 'true') return true;
      if (one.matches('[data-testid="stPlotlyChart"], [data-testid="stDataFrame"]')) return true;
    }
    return Boolean(canvas.textContent.trim());
  };
  look(document);
  return untold;
}"""


def loaded(page):
    """Wait until a page has all that it computes."""
    until(lambda: ran(page) is None and page.evaluate(LOADED))
    ran(page)


def assert_nobody_is_shut_out(page):
    assert AXE.is_file(), "axe-core is not installed; run make test or make check once."
    page.evaluate(AXE.read_text("utf-8"))
    assert page.evaluate(FINDINGS, SERIOUS) == []
    assert page.evaluate(UNTOLD) == []


# Every page comes in one form and is put into the other: half of them light and wide first.
BOTH = [
    pytest.param(
        path, dark, marks=[nightly] * (dark != bool(k % 2)), id=f"{'dark' if dark else 'light'}-{path}"
    )
    for k, path in enumerate([*PAGES, *ASKED])
    for dark in (False, True)
]


@pytest.mark.parametrize(("path", "dark"), BOTH)
def test_nobody_is_shut_out_and_nothing_jumps(visit, server, path, dark):
    page = visit(f"{server}/{path}", dark=dark, width=800 if dark else 1440)
    loaded(page)
    title = path.partition("?")[0].replace("_", " ").capitalize()
    expect(page).to_have_title(f"{title} · ecocviz")
    expect(page.get_by_test_id("stException")).to_have_count(0)
    shifts = page.evaluate(SHIFTS)
    assert sum(value for value, *_ in shifts) < MOST_SHIFT, shifts
    assert_nobody_is_shut_out(page)
    before = page.evaluate(PAPER)
    page.emulate_media(color_scheme="light" if dark else "dark")
    page.set_viewport_size({"width": 1440 if dark else 800, "height": 900})
    until(lambda: page.evaluate(PAPER) != before)
    loaded(page)
    assert_nobody_is_shut_out(page)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_nobody_is_shut_out_of_a_lecture(visit, server, dark):
    page = visit(server, dark=dark)
    loaded(page)
    for name, shown in (
        ("Share", page.get_by_test_id("stPopoverBody")),
        ("Add this screen to my scenes", page.get_by_text("1 of 1: ")),
        ("My scenes", page.get_by_role("dialog").get_by_alt_text("QR code of the link")),
    ):
        page.get_by_role("button", name=name, exact=True).click()
        expect(shown.first).to_be_visible()
        ran(page)
        assert_nobody_is_shut_out(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("p")
    presents(page)
    loaded(page)
    assert_nobody_is_shut_out(page)
    page.keyboard.press("q")
    expect(page.get_by_role("dialog").get_by_alt_text("QR code of the link")).to_be_visible()
    assert_nobody_is_shut_out(page)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_nobody_is_shut_out_of_choosing(visit, server, dark):
    page = visit(f"{server}/?v=1&data=digits&coding=ternary-complete", dark=dark)
    page.get_by_role("button", name="Use Sparse random instead", exact=True).wait_for()
    ran(page)
    assert_nobody_is_shut_out(page)
    for group in ("Data", "Code", "Machine", "Reduction", "Decoder"):
        page.locator(f".st-key-group-{group} summary").first.click()
        ran(page)
    assert_nobody_is_shut_out(page)
