"""Journeys through the Decoders page in Chromium."""

import re

from e2e_tools import LOOKS, fits, ran
from playwright.sync_api import expect

from ecocviz.engine.catalogue import DECODINGS

FEW = "data.n_samples=60&judged=hamming.linear.likelihood&grid=-1,1,3"


def tiles(page):
    return page.locator(".dt .tile")


def opened(visit, address, n_tiles=4, **how):
    """Open the page and wait until its jobs are done."""
    page = visit(address, **how)
    expect(tiles(page)).to_have_count(n_tiles)
    page.locator(".dt[data-paint-ms]").wait_for()
    expect(page.get_by_test_id("stProgress")).to_have_count(0)
    expect(page.get_by_text(re.compile(r"errors in 18 points over"))).to_be_visible()
    return page


def colours(tile):
    """How many colours a picture holds."""
    return tile.locator("canvas").evaluate(
        """(canvas) => {
          const { width, height } = canvas, seen = new Set();
          const data = canvas.getContext("2d").getImageData(0, 0, width, height).data;
          for (let i = 0; i < data.length; i += 4) seen.add([data[i], data[i + 1], data[i + 2]].join());
          return seen.size;
        }"""
    )


def test_a_picture_becomes_the_scenarios_decoder(visit, server):
    page = opened(visit, f"{server}/decoders?{FEW}")
    for k in range(4):
        assert colours(tiles(page).nth(k)) >= 2
    hamming = page.locator('.tile[data-key="hamming"]')
    expect(hamming).to_have_attribute("aria-pressed", "false")
    hamming.click()
    expect(page.locator('.tile[data-key="hamming"]')).to_have_attribute("aria-pressed", "true")
    expect(page).to_have_url(re.compile("decoding=hamming"))
    expect(page.get_by_test_id("stSidebar").get_by_text("Hamming", exact=True)).to_be_visible()


def test_a_row_becomes_the_scenarios_decoder(visit, server):
    page = opened(visit, f"{server}/decoders?{FEW}")
    table = page.get_by_test_id("stDataFrame")
    table.scroll_into_view_if_needed()
    expect(table.locator("canvas [role='row']")).to_have_count(4)
    ran(page)
    # The table is a canvas: the box of the last of three rows, under a head of 35 pixels.
    table.click(position={"x": 16, "y": 35 + 2 * 28 + 14})
    expect(page).to_have_url(re.compile("decoding=(hamming|linear)"))


def test_decoders_are_chosen_and_the_link_gives_the_same_screen(visit, server):
    page = opened(visit, f"{server}/decoders?{FEW}")
    page.get_by_role("button", name=re.compile(f"3 of {len(DECODINGS)} decoders")).click()
    page.get_by_test_id("stPopoverBody").get_by_text("Euclidean", exact=True).click()
    expect(page.locator('.tile[data-key="euclidean"]')).to_be_visible()
    expect(page).to_have_url(re.compile("judged=hamming.likelihood.linear.euclidean"))
    again = opened(visit, page.url, 5)
    expect(again.locator('.tile[data-key="euclidean"]')).to_be_visible()


@LOOKS
def test_nothing_is_wider_than_the_window(visit, server, dark, width):
    page = opened(visit, f"{server}/decoders?{FEW}", dark=dark, width=width)
    fits(page, dark, width, tiles(page), 110)
    surface = page.locator('.tile[data-key="hamming"] canvas').evaluate(
        "(c) => getComputedStyle(c.closest('.dt')).getPropertyValue('--surface').trim()"
    )
    assert (surface == "#12161d") == dark
