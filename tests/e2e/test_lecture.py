"""A lecture: the link that the room opens, presenter mode, and a walk through scenes."""

import re
from urllib.parse import urlsplit

from e2e_tools import ran, settle
from playwright.sync_api import expect

from ecocviz.lab.scenes import make_scene, pack
from ecocviz.serving.reach import own_addresses

PHONE = {"width": 390, "height": 844, "touch": True}
READABLE = 20

TOO_SMALL = """(least) => {
  const found = [];
  const walk = (root) => {
    const nodes = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = nodes.currentNode; node; node = nodes.nextNode()) {
      if (node.shadowRoot) walk(node.shadowRoot);
      const inside = node.parentElement;
      if (node.nodeType !== Node.TEXT_NODE || !node.textContent.trim() || !inside) continue;
      const look = getComputedStyle(inside);
      const range = document.createRange();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      if (box.width < 2 || look.visibility === "hidden" || look.fontFamily.includes("Material")) continue;
      if (parseFloat(look.fontSize) < least) found.push(`${look.fontSize}: ${node.textContent.trim()}`);
    }
  };
  walk(document.body);
  return found;
}"""

CUT = """() => [...document.querySelectorAll('[data-testid="stSelectbox"]')].filter((list) => {
  const box = list.getBoundingClientRect();
  const input = list.querySelector("input");
  const arrow = list.querySelector("button").getBoundingClientRect();
  return input.scrollWidth > input.clientWidth || arrow.right > box.right;
}).map((list) => list.querySelector("input").value)"""


def shown(page):
    """What two screens must have in common."""
    return [page.locator(part).inner_text() for part in (".in h3", ".in .said", ".cg tbody")]


def test_a_phone_opens_the_link_of_the_room_at_another_address(visit, serving):
    # As `make app HOST=0.0.0.0` starts it.
    with serving("--server.address", "0.0.0.0") as address:  # noqa: S104 - the point of the test
        page = visit(f"{address}/?v=1&data=moons&coding=one-vs-one&pick=7&flips=0")
        settle(page)
        page.get_by_role("button", name="Share").click()
        panel = page.get_by_test_id("stPopoverBody")
        own = own_addresses()
        expect(panel).to_contain_text("answers at this address" if own else "this computer only")
        parts = urlsplit(panel.locator("code").first.inner_text())
        if own:
            assert parts.hostname == own[0]
        host = parts.hostname if own else "127.0.0.2"
        phone = visit(f"http://{host}:{urlsplit(address).port}{parts.path}?{parts.query}", **PHONE)
        settle(phone)
        assert shown(phone) == shown(page)

        page.get_by_role("button", name="QR code full screen").click()
        code = page.get_by_alt_text("QR code of the link")
        expect(code).to_be_visible()
        expect(page.locator(".st-key-room-host")).to_have_text(parts.netloc)
        assert code.bounding_box()["height"] > page.viewport_size["height"] / 2
        page.keyboard.press("Escape")
        expect(code).not_to_be_visible()
        for one in (page, phone):
            one.context.close()


def test_a_lecture_is_presented_and_walked_through_by_keys(visit, server):
    listed = (make_scene("One <b>", "playground?v=1&pick=7"), make_scene("Two", "data?v=1&data=moons"))
    page = visit(f"{server}/?v=1&scenes={pack(listed)}", width=1920, height=1080)
    settle(page)
    plot = page.locator("canvas.over")
    before = plot.bounding_box()["height"]
    page.keyboard.press("p")
    expect(page.locator(".lecture:not([hidden])")).to_be_visible()
    settle(page)
    assert page.evaluate(TOO_SMALL, READABLE) == []
    assert page.evaluate(CUT) == []
    assert plot.bounding_box()["height"] > max(before, 0.6 * 1080)
    assert plot.bounding_box()["width"] > 0.45 * 1920
    told, bar = page.get_by_text(re.compile(r"^Test error")), page.locator(".st-key-presenter")
    assert told.bounding_box()["y"] + told.bounding_box()["height"] < bar.bounding_box()["y"]
    for part in (page.locator(".rv .under"), page.locator(".bits .flip").last):
        assert part.bounding_box()["y"] + part.bounding_box()["height"] < bar.bounding_box()["y"]
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()
    expect(page.locator(".lecture:not([hidden])")).to_be_visible()

    page.keyboard.press("PageDown")
    expect(page.locator(".scene")).to_have_text("1 of 2: One <b>")
    settle(page)
    expect(page.locator(".in h3")).to_contain_text("Point 7")
    page.keyboard.press("PageDown")
    expect(page).to_have_url(re.compile(r"/data\?"))
    expect(page.locator(".scene")).to_have_text("2 of 2: Two")
    ran(page)
    expect(page.locator(".js-plotly-plot text").first).to_be_visible()
    sizes = page.locator(".js-plotly-plot text").evaluate_all(
        "(all) => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
    )
    assert sizes and min(sizes) >= READABLE
    assert page.evaluate(TOO_SMALL, READABLE) == []

    page.keyboard.press("r")
    page.mouse.move(500, 400)
    ring = page.locator(".ring").bounding_box()
    assert abs(ring["x"] + ring["width"] / 2 - 500) < 2 and abs(ring["y"] + ring["height"] / 2 - 400) < 2

    figure = page.get_by_test_id("stFullScreenFrame").first
    figure.hover()
    figure.locator('.modebar-btn[data-title="Fullscreen"]').click()
    expect(figure).to_have_css("position", "fixed")
    assert figure.bounding_box() == {"x": 0, "y": 0, "width": 1920, "height": 1080}
    page.keyboard.press("Escape")
    expect(figure).not_to_have_css("position", "fixed")
    expect(page.locator(".lecture:not([hidden])")).to_be_visible()  # the figure is left, not presenter mode

    page.keyboard.press("PageUp")
    expect(page).to_have_url(re.compile(r"/\?|/playground\?"))
    settle(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Share")).to_be_visible()


def test_letters_in_a_field_do_not_present(visit, server):
    page = visit(f"{server}/?v=1")
    settle(page)
    page.locator(".st-key-group-Data summary").click()
    field = page.get_by_role("combobox", name="Data")
    field.click()
    page.keyboard.type("p")
    expect(field).to_have_value("p")
    assert not page.locator(".lecture").is_visible()
