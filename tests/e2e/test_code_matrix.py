"""Journeys through the Code matrix page in Chromium."""

import re

from e2e_tools import LOOKS, canvas_digest, ran, repainted, settle
from playwright.sync_api import expect

HEADS = ".cg thead th.col"


def opened(page):
    """Wait until the page has run and the grid is there."""
    page.get_by_text("What it promises").wait_for()
    page.locator(HEADS).first.wait_for()
    ran(page)


def promise(page):
    return page.get_by_test_id("stMainBlockContainer").locator(".eco-words b").first


def test_editing_the_matrix_changes_the_report_and_the_regions(visit, server):
    page = visit(f"{server}/?v=1")
    settle(page)
    regions = canvas_digest(page)
    page.get_by_role("link", name="Code matrix").click()
    opened(page)
    expect(promise(page)).to_contain_text("Row distance 2")
    expect(page.locator(HEADS)).to_have_count(4)
    # A faulty matrix is marked, said in one sentence, and stays here.
    page.locator(HEADS).nth(3).click()
    page.get_by_role("button", name="Duplicate").click()
    expect(page.locator(HEADS)).to_have_count(5)
    expect(page.locator("th.col.bad")).to_have_count(2)
    page.locator('.cell[data-c="0"][data-b="0"]').click()
    sentence = page.get_by_text("Column 1 has no class on one side; a machine needs a +1 and a -1.")
    expect(sentence).to_be_visible()
    # By key: the entry under the focus becomes + again, and another column changes.
    page.locator('.cell[data-c="0"][data-b="0"]').focus()
    page.keyboard.press("+")
    expect(sentence).to_be_hidden()
    page.locator('.cell[data-c="1"][data-b="4"]').focus()
    page.keyboard.press("+")
    expect(page.locator("th.col.bad")).to_have_count(0)
    expect(page.get_by_test_id("stSidebar")).to_contain_text("Made by hand")
    edited = page.locator(".cg tbody").inner_text()
    page.get_by_role("link", name="Playground").click()
    settle(page)
    repainted(page, regions)
    assert page.locator(HEADS).count() == 5
    page.get_by_role("link", name="Code matrix").click()
    opened(page)
    assert page.locator(".cg tbody").inner_text() == edited


def test_a_matrix_goes_out_and_comes_in(visit, server, tmp_path):
    page = visit(f"{server}/code_matrix?coding=one-vs-one")
    opened(page)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Matrix as CSV").click()
    file = tmp_path / "matrix.csv"
    waiting.value.save_as(file)
    lines = file.read_text(encoding="utf-8-sig").splitlines()
    assert lines[0].startswith("class,machine 1") and len(lines) == 5
    # The same rows in another order, with one column less, come back by name.
    changed = [lines[0], *reversed(lines[1:])]
    file.write_text("\n".join(line.rpartition(",")[0] for line in changed), encoding="utf-8")
    page.get_by_role("button", name="Paste or upload").click()
    page.locator('[data-testid="stFileUploaderDropzoneInput"]').set_input_files(file)
    page.get_by_text("matrix.csv").wait_for()
    page.get_by_role("button", name="Use this matrix").click()
    expect(page.locator(HEADS)).to_have_count(5)
    row = page.locator(".cg tbody tr").first.inner_text().split()
    assert [cell.replace("\u2212", "-") for cell in row[1:]] == [
        {"1": "+", "-1": "-", "0": "0"}[cell] for cell in lines[1].split(",")[1:-1]
    ]
    # What cannot be read is said, and the grid stays.
    page.get_by_role("textbox", name="Code matrix").fill("1, 2\n3, 4")
    page.get_by_role("button", name="Use this matrix").click()
    expect(page.get_by_text("This matrix has 2 rows but the data have 4 classes")).to_be_visible()
    assert page.locator(HEADS).count() == 5


def test_the_scenario_is_exported(visit, server, tmp_path):
    page = visit(f"{server}/code_matrix?coding=one-vs-one&seed=3")
    opened(page)
    page.get_by_role("button", name="Export").click()
    for label, expected in (("Python script", "'one-vs-one'"), ("Scenario (TOML)", 'key = "one-vs-one"')):
        with page.expect_download() as waiting:
            page.get_by_role("button", name=label).click()
        file = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(file)
        text = file.read_text(encoding="utf-8")
        assert expected in text and re.search(r"seed ?= ?3\b", text)


@LOOKS
def test_26_classes_and_78_columns_stay_inside_the_window(visit, server, dark, width):
    page = visit(
        f"{server}/code_matrix?data=letter&coding=dense-random&coding.n_bits=78", dark=dark, width=width
    )
    opened(page)
    expect(page.locator(".cg tbody tr")).to_have_count(26)
    assert page.evaluate("document.scrollingElement.scrollWidth <= window.innerWidth")
    page.locator(".cg .slide").focus()
    page.keyboard.press("End")
    page.locator('.cell[data-c="25"][data-b="77"]').click()
    expect(page.get_by_test_id("stSidebar")).to_contain_text("Made by hand")
    box = page.locator(".cg .scroll").bounding_box()
    assert box["x"] + box["width"] <= width


def test_a_window_goes_over_325_columns_and_its_entries_are_edited_by_keys(visit, server):
    page = visit(f"{server}/code_matrix?data=letter&coding=one-vs-one")
    opened(page)
    slider = page.get_by_role("slider", name="Columns in the window")
    expect(slider).to_have_attribute("aria-valuetext", re.compile(r"^Columns 1 to \d+ of 325"))
    assert 20 <= page.locator(HEADS).count() <= 60
    # Where the overview is clicked the window comes to, and from there it is dragged.
    box = slider.bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 10)
    page.mouse.down()
    expect(page.locator(HEADS).get_by_text("163", exact=True)).to_be_visible()
    page.mouse.move(box["x"] + box["width"] * 0.284, box["y"] + 10)
    page.mouse.up()
    expect(page.locator(HEADS).get_by_text("92", exact=True)).to_be_visible()
    # The window follows an arrow key beyond its edge, and the entry keeps the focus through the answer.
    last = int(page.locator(HEADS).last.inner_text()) - 1
    page.locator(f'.cell[data-c="3"][data-b="{last}"]').focus()
    page.keyboard.press("ArrowRight")
    entry = page.get_by_role("gridcell").and_(page.locator(f'[data-c="3"][data-b="{last + 1}"]'))
    expect(entry).to_be_focused()
    page.keyboard.press("-")
    expect(page.get_by_test_id("stSidebar")).to_contain_text("Made by hand")
    ran(page)
    expect(entry).to_be_focused()
    expect(entry).to_have_text("\u2212")
