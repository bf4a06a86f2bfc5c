"""What the browser journeys share: waiting, looking at canvases, reading the components."""

import hashlib
import re

import pytest
from playwright.sync_api import expect
from strategies import nightly
from waiting import until

LOOKS = pytest.mark.parametrize(
    ("dark", "width"), [(True, 1440), (False, 800), pytest.param(True, 800, marks=nightly)]
)

DEEP = """
document.eco = (selector) => {
  for (const host of document.querySelectorAll('*')) {
    const found = host.shadowRoot && host.shadowRoot.querySelector(selector);
    if (found) return found;
  }
  return null;
};
"""

RAN = """() => {
  const app = document.querySelector('[data-testid="stApp"]');
  return app && app.dataset.testScriptState === 'notRunning' && document.fonts.status === 'loaded';
}"""

PAINTED = """() =>
  !document.querySelector('[data-testid="stSpinner"], [data-testid="stProgress"]')
    && document.eco('.rv:not([aria-busy=true])[data-paint-ms]')"""

LISTENING = """(holder) => {
  const chart = holder.querySelector('.js-plotly-plot');
  return Boolean(chart && chart._ev && chart._ev._events.plotly_click
    && chart._fullLayout.clickmode.includes('select'));
}"""


def ran(page):
    """Wait until the page's script has run and what it changed is on the screen."""
    page.wait_for_function(RAN)
    page.evaluate("() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))")


def settle(page):
    """Wait until the page has run and the regions that it sent are painted."""
    regions = page.locator("canvas.base")
    regions.first.wait_for()  # while the page is drawn anew, those before may stand beside them
    page.evaluate(DEEP)
    page.wait_for_function(PAINTED)
    ran(page)
    page.wait_for_function(PAINTED)  # what has come meanwhile, too
    expect(regions).to_have_count(1)


def presents(page):
    """Wait until the presenter's bar is there, and no other beside it."""
    expect(page.locator(".lecture:not([hidden])")).to_be_visible()
    ran(page)
    expect(page.locator(".lecture")).to_have_count(1)


def charts(page):
    return page.get_by_test_id("stPlotlyChart")


def fits(page, dark, width, boxes, least):
    """See that nothing is wider than the window, that boxes have their width, and what the theme is."""
    assert page.evaluate("document.scrollingElement.scrollWidth <= window.innerWidth")
    for box in (one.bounding_box() for one in boxes.all()):
        assert box["width"] > least and box["x"] + box["width"] <= width
    paper = page.evaluate("getComputedStyle(document.querySelector('.stApp')).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", paper)[:3])) < 200) == dark


def give_file(page, name, content, place="train"):
    """On the Data page, unfold the place for files and give it one."""
    holder = page.locator(f".st-key-upload-{place}")
    if not holder.is_visible():
        page.get_by_text(re.compile("^(Upload a file of your own|Your file: its class)")).click()
        holder.wait_for()
    ran(page)  # Streamlit's place for files forgets one that comes while it is drawn anew
    content = content.encode() if isinstance(content, str) else content
    holder.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": content}
    )


def hears_clicks(page, chart):
    """Wait until the page has run and this chart hears clicks."""
    until(lambda: chart.evaluate(LISTENING))
    ran(page)


def repainted(page, before):
    """Wait until the regions' pixels differ from those of a digest; return their new digest."""
    return until(lambda: (now := canvas_digest(page)) != before and now)


def painted_again(page, before):
    """Wait until the regions' pixels are those of a digest once more."""
    until(lambda: canvas_digest(page) == before)


def canvas_digest(page):
    """A digest of the regions' pixels."""
    pixels = page.evaluate("document.eco('canvas.base').toDataURL()")
    return hashlib.sha256(pixels.encode()).hexdigest()


def view_data(page):
    """What the region view tells of itself."""
    page.wait_for_function("document.eco('.cg')")  # the grid comes after the regions
    return page.evaluate(
        """() => ({view: document.eco('.rv').dataset.view,
                   nBits: document.eco('.cg').querySelectorAll('thead th.col').length})"""
    )


def address_of(page):
    """Return the address as the browser has it: Playwright's own word may be old."""
    return page.evaluate("location.href")


def change_code(page):
    """Click an entry of the code, and wait until the server has heard of it and the regions show it."""
    cells = page.locator(".cg tbody td")
    # A machine without a + would be no change of the code yet.
    cell = cells.nth(next(k for k, sign in enumerate(cells.all_inner_texts()) if sign in {"\u2212", "0"}))
    sign, address, before = cell.inner_text(), address_of(page), canvas_digest(page)
    cell.click()
    until(lambda: address_of(page) != address)
    expect(cell).not_to_have_text(sign)
    repainted(page, before)  # on a full machine the regions come later than all else
