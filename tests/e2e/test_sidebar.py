"""The sidebar by mouse and keyboard: groups stay open, greyed choices, sliders, names that are heard."""

import re

from e2e_tools import ran, settle
from playwright.sync_api import expect

PAGES = (
    "", "data", "code_matrix", "decoders", "bits", "relations", "model_selection", "reductions",
    "runs", "papers",
)  # fmt: skip


def test_choosing_keeps_the_group_open_and_the_focus(visit, server):
    page = visit(f"{server}/?v=1")
    settle(page)
    side = page.get_by_test_id("stSidebar")
    side.get_by_text("One-vs-all", exact=True).click(force=True)  # what is chosen opens its group too
    code = side.get_by_role("combobox", name="Code", exact=True)
    code.fill("Dense random")
    page.get_by_role("option", name="Dense random", exact=True).wait_for()
    code.press("Enter")
    ran(page)
    expect(side.get_by_role("spinbutton", name="Draws")).to_be_visible()
    expect(code).to_be_focused()
    expect(page).to_have_url(re.compile("coding=dense-random"))


def test_what_is_folded_away_is_not_reached_by_the_tab_key(visit, server):
    page = visit(f"{server}/?v=1")
    settle(page)
    side = page.get_by_test_id("stSidebar")
    side.hover()
    page.get_by_test_id("stSidebarCollapseButton").get_by_role("button").click()
    expect(side.get_by_role("button", name="Share")).to_be_hidden()
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(side.get_by_role("button", name="Share")).to_be_visible()


def test_gamma_by_keys_and_by_number(visit, server):
    page = visit(f"{server}/?v=1")
    settle(page)
    gamma = page.get_by_role("slider", name="Kernel width γ").first
    for value in ("10.0", "20.0"):
        gamma.press("ArrowRight")
        expect(page).to_have_url(re.compile(f"machine.gamma={value}"))
        ran(page)
    expect(gamma).to_be_focused()
    expect(page.get_by_role("button", name=re.compile("^From the data: "))).to_be_visible()
    captions = page.locator(".st-key-playground-params").get_by_test_id("stCaptionContainer")
    tops = {round(one.bounding_box()["y"]) for one in captions.all()}
    assert captions.count() == 2 and len(tops) == 1
    exact = page.get_by_role("spinbutton", name="Kernel width γ: the number")
    exact.fill("0.123456789")
    exact.press("Enter")
    expect(page).to_have_url(re.compile("machine.gamma=0.123456789"))
    page.reload()
    settle(page)
    expect(page).to_have_url(re.compile("machine.gamma=0.123456789"))


def test_what_cannot_be_chosen_is_greyed_and_what_can_is_offered(visit, server):
    page = visit(f"{server}/?data=digits&coding=ternary-complete")
    page.get_by_role("button", name="Use Sparse random instead", exact=True).wait_for()
    ran(page)
    side = page.get_by_test_id("stSidebar")
    side.get_by_text("Ternary exhaustive", exact=True).click(force=True)
    side.get_by_role("combobox", name="Code", exact=True).click()
    greyed = page.get_by_role("option", name="Ternary exhaustive (unavailable)")
    expect(greyed).to_have_class(re.compile("eco-off"))
    expect(greyed).to_have_attribute("title", re.compile("up to 7 classes; these data have 10"))
    expect(page.get_by_role("option", name="One-vs-all")).not_to_have_class(re.compile("eco-off"))


def test_every_button_on_every_page_has_a_name_without_its_icon(visit, server):
    page = visit(f"{server}/?v=1")
    for path in PAGES:
        page.goto(f"{server}/{path}")
        page.get_by_role("button", name="Reset to the first screen", exact=True).wait_for()
        ran(page)
        for name in ("Undo", "Redo"):
            expect(
                page.locator(f".st-key-{name.lower()}").get_by_role("button", name=name, exact=True)
            ).to_have_count(1)
        heard = [line for line in page.locator("body").aria_snapshot().splitlines() if "- button" in line]
        assert heard
        assert not [line for line in heard if " icon" in line or re.search(r"- button( \[|:?$)", line)], path


def test_what_is_said_of_a_folded_group_stays_while_parts_of_the_page_are_redrawn(visit, server):
    page = visit(f"{server}/?data=vowel&coding=one-vs-one&seed=7")
    settle(page)
    for _ in range(2):
        page.get_by_role("button", name="Next wrong point").click()
        ran(page)
    expect(page.get_by_test_id("stSidebar").locator(".eco-chosen")).to_have_count(5)
