"""Drawing a data set and training on it, in Chromium: by mouse, by keys and by finger."""

import re

from e2e_tools import canvas_digest, painted_again, settle
from playwright.sync_api import expect


def start(page):
    settle(page)
    page.get_by_role("button", name="Draw", exact=True).click()
    sheet = page.locator("canvas.sheet")
    expect(sheet).to_be_visible()
    return sheet


def drag(page, sheet, start_at, end_at):
    box = sheet.bounding_box()
    page.mouse.move(box["x"] + start_at[0], box["y"] + start_at[1])
    page.mouse.down()
    page.mouse.move(box["x"] + end_at[0], box["y"] + end_at[1], steps=8)
    page.mouse.up()


def drawn(page, name):
    """How many points of a class the brushes tell."""
    label = page.get_by_role("radio", name=f"Class {name},").get_attribute("aria-label")
    return int(label.split(", ")[1].split(" ")[0])


def test_draw_three_classes_and_train_on_them(visit, server):
    page = visit(f"{server}/?v=1")
    sheet = start(page)
    drag(page, sheet, (110, 90), (260, 120))
    count = drawn(page, "A")
    assert count > 10
    page.get_by_role("button", name="Train on these").click()
    said = page.locator(".drawbar .cap")
    expect(said).to_have_text(re.compile("^Only class A has points, but two are needed"))

    page.get_by_role("radio", name="Class B,").click()
    drag(page, sheet, (300, 300), (450, 420))
    page.get_by_role("radio", name="Class C,").click()
    sheet.click(position={"x": 150, "y": 400})
    assert drawn(page, "C") == 1
    drag(page, sheet, (120, 330), (200, 430))

    full = drawn(page, "C")
    tools = page.get_by_role("toolbar", name="Drawing")
    tools.get_by_role("button", name="Undo").click()
    assert drawn(page, "C") == 1
    tools.get_by_role("button", name="Redo").click()
    assert drawn(page, "C") == full
    tools.get_by_role("button", name="Erase").click()
    drag(page, sheet, (90, 60), (280, 150))
    assert drawn(page, "A") < count
    sheet.press("Control+z")
    assert drawn(page, "A") == count
    tools.get_by_role("button", name="Clear").click()
    assert drawn(page, "B") == 0
    sheet.press("Control+z")

    total = sum(drawn(page, name) for name in "ABC")
    page.get_by_role("button", name="Train on these").click()
    expect(page.get_by_test_id("stSidebar")).to_contain_text("Your own data")
    settle(page)
    expect(sheet).to_be_hidden()
    expect(page.locator(".rv .legend")).to_have_text(re.compile(r"^A\s*B\s*C$"))
    told = page.get_by_test_id("stMainBlockContainer").inner_text()
    of = [int(n) for n in re.findall(r"error \d+\.\d % \(\d+ of (\d+)\)", told)[:2]]
    assert sum(of) == total
    assert "data=upload" in page.url

    shown = canvas_digest(page)
    again = visit(page.url)
    settle(again)
    painted_again(again, shown)

    # The drawing is still there, and more can be added to it.
    sheet = start(page)
    assert sum(drawn(page, name) for name in "ABC") == total


def test_draw_by_keys_alone(visit, server):
    page = visit(f"{server}/?v=1")
    settle(page)
    page.get_by_role("button", name="Draw", exact=True).focus()
    page.keyboard.press("Enter")
    sheet = page.locator("canvas.sheet")
    expect(sheet).to_be_focused()
    for key in ("1", "Enter", "ArrowRight", "Enter", "2", "Shift+ArrowUp", "Enter", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    assert (drawn(page, "A"), drawn(page, "B")) == (2, 2)
    page.keyboard.press("Delete")
    assert drawn(page, "B") < 2
    page.keyboard.press("Control+z")
    page.get_by_role("button", name="Train on these").press("Enter")
    settle(page)
    told = page.get_by_test_id("stMainBlockContainer")
    expect(told).to_contain_text("this is the training error")  # too few points to spare some
    start(page)
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()


def test_a_finger_sets_a_point_and_shown_points_can_be_copied(visit, server):
    page = visit(f"{server}/?v=1", touch=True, width=800, dark=True)
    sheet = start(page)
    sheet.tap(position={"x": 120, "y": 120})
    assert drawn(page, "A") == 1
    page.get_by_role("button", name="Copy shown points").tap()
    assert [drawn(page, name) for name in "ABCD"] == [40, 40, 40, 40]
    assert page.evaluate("document.scrollingElement.scrollWidth <= window.innerWidth")
    page.get_by_role("button", name="Back to the regions").tap()
    expect(sheet).to_be_hidden()
