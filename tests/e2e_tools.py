"""What the browser journeys share: waiting, looking at canvases, reading the components."""

import hashlib

DEEP = """
document.eco = (selector) => {
  for (const host of document.querySelectorAll('*')) {
    const found = host.shadowRoot && host.shadowRoot.querySelector(selector);
    if (found) return found;
  }
  return null;
};
"""

IDLE = """() => {
  const app = document.querySelector('[data-testid="stApp"]');
  return app && app.dataset.testScriptState === 'notRunning'
    && !document.querySelector('[data-testid="stSpinner"]')
    && document.eco && document.eco('.rv') && document.eco('.rv').dataset.paintMs;
}"""


def settle(page):
    """Wait until the page has run and the regions are painted."""
    page.locator("canvas.base").wait_for()
    page.evaluate(DEEP)
    page.wait_for_timeout(350)  # an event is on its way for up to 250 ms before the run starts
    page.wait_for_function(IDLE)
    page.wait_for_timeout(120)


def canvas_digest(page):
    """A digest of the regions' pixels."""
    pixels = page.evaluate("document.eco('canvas.base').toDataURL()")
    return hashlib.sha256(pixels.encode()).hexdigest()


def view_data(page):
    """What the region view tells of itself."""
    return page.evaluate(
        """() => ({view: document.eco('.rv').dataset.view,
                   nBits: document.eco('.cg').querySelectorAll('thead th.col').length})"""
    )
