"""The first hour of a student who met codes yesterday, by keyboard alone from the first Tab on."""

import pytest
from e2e_tools import ran, settle
from playwright.sync_api import expect

FOCUSED = """() => {
  let on = document.activeElement;
  while (on?.shadowRoot?.activeElement) on = on.shadowRoot.activeElement;
  return (on?.getAttribute("aria-label") || on?.innerText || "").trim().replace(/\\s+/g, " ");
}"""
MOST_STOPS = 70


def tab_to(page, name, key="Tab"):
    """Press Tab until what has the focus begins with a name."""
    for _ in range(MOST_STOPS):
        page.keyboard.press(key)
        if page.evaluate(FOCUSED).startswith(name):
            return
    pytest.fail(f"{name} was not reached in {MOST_STOPS} steps.")


def press(page, name, key="Enter", by="Tab"):
    tab_to(page, name, by)
    page.keyboard.press(key)
    ran(page)


def in_main(page):
    return page.get_by_test_id("stMainBlockContainer")


def choose(page, group, title):
    """Unfold a group of the sidebar, and type what is to be chosen."""
    press(page, f"keyboard_arrow_right {group}", by="Shift+Tab")
    box = page.locator(f".st-key-group-{group}").get_by_role("combobox").first
    expect(box).to_be_visible()
    tab_to(page, group)
    expect(box).to_be_focused()
    page.keyboard.type(title)
    expect(page.get_by_role("option").first).to_contain_text(title)
    page.keyboard.press("Enter")
    ran(page)


def test_from_three_steps_to_another_code(visit, server):
    page = visit(server)
    settle(page)
    point, said = page.locator(".in h3"), page.locator(".in .said")
    expect(said).to_have_text("1 of its 7 bits is wrong; Hamming decoding repairs it.")
    table = page.locator(".in .bits")
    top = table.bounding_box()["y"]

    # The three steps; what is read in the inspector does not move when a bit is flipped.
    press(page, "1 Machines answer")
    expect(page.locator(".ss .said")).to_contain_text("Each of the 7 columns")
    press(page, "2 The nearest row")
    expect(page.locator(".ss .said")).to_contain_text("B has the lowest cost, 1.00; next is A with 3.00")
    press(page, "3 Flip bits")
    expect(point).to_have_text("Point 274, true class B, decoded as A by a tie with 1 flip")
    expect(said).to_contain_text("a tie between A, B and E; the first listed wins, A, not B.")
    assert table.bounding_box()["y"] == top
    page.keyboard.press("Enter")
    expect(point).to_have_text("Point 274, true class B, decoded as B")

    # One entry of the code: two rows come nearer, and the focus stays where it was.
    tab_to(page, "+, the point's bit differs")
    page.keyboard.press("-")
    expect(page.get_by_test_id("stSidebar")).to_contain_text("Made by hand")
    expect(in_main(page)).to_contain_text("Row distance 3, so Hamming decoding repairs any single wrong bit.")
    assert page.evaluate(FOCUSED).startswith("−")
    press(page, "Undo")
    expect(in_main(page)).to_contain_text("Row distance 4, so Hamming decoding repairs any single wrong bit.")

    # Bits until it breaks, and back.
    press(page, "flip bit 2", "Space")
    press(page, "flip bit 4", "Space")
    expect(said).to_contain_text("3 of its 7 bits are wrong.")
    press(page, "Restore bits")
    expect(said).to_have_text("1 of its 7 bits is wrong; Hamming decoding repairs it.")

    choose(page, "Code", "One-vs-one")
    expect(in_main(page)).to_contain_text("Test error 9.3 % (39 of 420).")
    expect(in_main(page)).to_contain_text("One-vs-all makes 85 more errors: 29.5 % (124 of 420).")
    expect(said).to_have_text("All 5 bits that count for B are right.")

    press(page, "Decoders")
    expect(in_main(page)).to_contain_text(
        "are best with 35 errors in 420 points, Linear and Euclidean worst with 90."
    )
    expect(
        page.get_by_role("button", name="Hamming").filter(has_text="39 of 420 wrong").first
    ).to_be_visible()
    press(page, "Bits")
    expect(in_main(page)).to_contain_text("90.7 % (381 of 420) of the points have none")


def test_an_impossible_choice_says_why_and_offers_one_that_works(visit, server):
    page = visit(f"{server}/?data.n_samples=120&data.n_classes=4&coding=one-vs-one&decoding=hamming")
    settle(page)
    tab_to(page, "1 Machines answer")
    choose(page, "Reduction", "One binary machine for a code")
    why = "One binary machine for a code needs a code without zeros, but One-vs-one may have some."
    expect(page.get_by_role("alert")).to_have_text(why)
    press(page, "Use ")
    expect(page.get_by_role("alert")).to_have_count(0)
    settle(page)
    expect(in_main(page)).to_contain_text("Test error")
    expect(page.get_by_role("button", name="Undo", exact=True).first).to_be_enabled()
