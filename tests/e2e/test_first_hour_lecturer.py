"""The first hour of a lecturer: presents to a room, turns gamma and decoder in the bar, walks two scenes."""

import re
from urllib.parse import urlsplit

from e2e_tools import presents, settle
from playwright.sync_api import expect

ADDRESS = "127.0.0.2"
"""A second address of this computer, as that of a room would be."""
HALL = {"width": 1920, "height": 1080}
PHONE = {"width": 390, "height": 844, "touch": True}
TYPE = "parseFloat(getComputedStyle(document.documentElement).fontSize)"


def in_main(page):
    return page.get_by_test_id("stMainBlockContainer")


def share(page):
    page.get_by_role("button", name="Share").click()
    panel = page.get_by_test_id("stPopoverBody")
    expect(panel).to_contain_text("This link opens on this computer only.")
    return panel


def add_scene(page, number):
    panel = share(page)
    panel.get_by_role("button", name="Add this screen to my scenes").click()
    expect(panel).to_contain_text(f"{number} of {number}: Playground: Blobs, Hadamard")
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)


def test_two_scenes_before_a_room_and_the_link_on_a_phone(visit, serving):
    with serving(host=ADDRESS) as address:
        page = visit(address, **HALL)
        settle(page)
        add_scene(page, 1)
        page.keyboard.press("p")
        bar = page.locator(".st-key-presenter")
        expect(bar).to_be_visible()
        settle(page)
        assert page.evaluate(TYPE) == 24
        room = in_main(page).bounding_box()
        assert room["x"] == 0 and room["width"] == HALL["width"]

        # Gamma and the decoder in the bar: the finding follows.
        bar.get_by_role("slider").press("ArrowRight")
        expect(page).to_have_url(re.compile("machine.gamma=2.0"))
        expect(in_main(page)).to_contain_text("Test error 15.5 % (65 of 420).")
        decoder = bar.get_by_role("combobox", name="Decoder")
        decoder.fill("Likelihood")
        decoder.press("Enter")
        settle(page)
        expect(page.locator(".verdicts tr.now td").first).to_have_text("Likelihood")
        expect(in_main(page)).to_contain_text("Test error 9.3 % (39 of 420).")
        assert in_main(page).bounding_box()["x"] == 0

        # The ring by key, the link on the whole screen, and out again.
        page.locator(".cg h3").click()
        page.keyboard.press("r")
        expect(bar.get_by_role("button", name="Ring")).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("q")
        expect(page.locator(".st-key-room-host")).to_have_text(urlsplit(address).netloc)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.keyboard.press("Escape")
        expect(page.get_by_test_id("stSidebar")).to_contain_text("γ 2")
        add_scene(page, 2)

        page.keyboard.press("p")
        presents(page)
        scene = page.locator(".scene")
        expect(scene).to_have_text("2 of 2: Playground: Blobs, Hadamard, Likelihood")
        page.keyboard.press("PageUp")
        expect(scene).to_have_text("1 of 2: Playground: Blobs, Hadamard, Hamming")
        expect(in_main(page)).to_contain_text("Test error 18.3 % (77 of 420).")
        page.keyboard.press("PageDown")
        expect(scene).to_have_text("2 of 2: Playground: Blobs, Hadamard, Likelihood")
        expect(in_main(page)).to_contain_text("Test error 9.3 % (39 of 420).")
        settle(page)

        page.keyboard.press("Escape")
        panel = share(page)
        phone = visit(panel.locator("code").first.inner_text(), **PHONE)
        settle(phone)
        expect(in_main(phone)).to_contain_text("Test error 9.3 % (39 of 420).")
        assert phone.locator(".in h3").inner_text() == page.locator(".in h3").inner_text()
        for one in (page, phone):
            one.context.close()
