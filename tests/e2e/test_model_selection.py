"""Journeys through the Model selection page: a curve is run, cancelled and run again."""

import re

from e2e_tools import LOOKS, charts, fits, hears_clicks, ran
from playwright.sync_api import expect

LONG = "data=vowel&grid=-5,5,41&curves=train.exact.cross-validation"


def lines(page):
    """Curves drawn in the first chart: the legend's entries."""
    return charts(page).first.locator(".legend .traces")


def points(page):
    """Markers of the first curve."""
    return charts(page).first.locator(".scatterlayer .trace").first.locator(".points path")


def test_the_first_visit_shows_a_finished_curve_and_chooses_nothing(visit, server):
    page = visit(f"{server}/model_selection?v=1")
    expect(lines(page)).to_have_count(3)
    expect(points(page)).to_have_count(11)
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)
    expect(page.get_by_text("Choosing γ by the leave-one-out bound")).to_be_visible()
    expect(page.get_by_test_id("stSidebar")).to_contain_text("from the data's variance")
    expect(page.locator(".st-key-undo button").first).to_be_disabled()


def test_a_click_on_a_point_puts_its_value_into_the_scenario(visit, server):
    page = visit(f"{server}/model_selection?v=1")
    expect(points(page)).to_have_count(11)
    hears_clicks(page, charts(page).first)
    points(page).nth(7).click(force=True)
    expect(page.get_by_test_id("stSidebar")).to_contain_text("γ 4")
    expect(page.get_by_role("button", name="Use γ = 2²")).to_be_disabled()
    page.locator(".st-key-undo button").first.click()
    expect(page.get_by_test_id("stSidebar")).to_contain_text("from the data's variance")


def test_a_curve_is_run_cancelled_and_run_again(visit, server):
    page = visit(f"{server}/model_selection?{LONG}")
    cancel = page.get_by_role("button", name="Cancel")
    cancel.wait_for()
    expect(points(page).first).to_be_attached()  # points appear while the job runs
    cancel.click()
    page.get_by_text(re.compile(r"Stopped at \d+ %")).wait_for()
    expect(cancel).to_have_count(0)
    before = points(page).count()
    assert 0 < before < 41
    page.get_by_role("button", name="Run again").click()
    cancel.wait_for()
    cancel.click()
    page.get_by_role("button", name="Run again").wait_for()
    expect(points(page).nth(before - 1)).to_be_attached()


def test_the_page_stays_usable_while_a_job_runs(visit, server):
    page = visit(f"{server}/model_selection?{LONG}&seed=3")
    cancel = page.get_by_role("button", name="Cancel")
    cancel.wait_for()
    page.locator(".st-key-group-Decoder summary").click()
    page.locator(".st-key-group-Decoder").get_by_role("combobox").first.click()
    page.get_by_role("option", name="Hamming", exact=True).click()
    page.wait_for_url(re.compile("decoding=hamming"))  # the field says so before the server has heard of it
    ran(page)  # until then the button is that of the job that was left
    cancel.click()
    expect(page.get_by_role("button", name="Run again")).to_be_visible()


def test_a_click_on_a_map_takes_two_values_and_undo_brings_them_back(visit, server):
    page = visit(f"{server}/model_selection?data=blobs")
    sidebar = page.get_by_test_id("stSidebar")
    expect(sidebar).to_contain_text("from the data's variance")
    page.get_by_role("button", name="Measure 49 pairs").click()
    expect(page.get_by_role("combobox", name="Or any other pair")).to_be_visible()  # all 49 are there
    shown = page.locator(".st-key-model-selection-maps-test").get_by_test_id("stPlotlyChart")
    cells = shown.locator(".scatterlayer .points path")
    expect(cells).to_have_count(49)
    hears_clicks(page, shown)
    cells.nth(10).hover(force=True, position={"x": 1, "y": 1})  # anywhere in the cell
    expect(shown.locator(".hovertext").first).to_contain_text("γ = 0.25, C = 4")
    cells.nth(10).click(force=True, position={"x": 1, "y": 1})
    expect(sidebar).to_contain_text("γ 0.25 · C 4")
    page.wait_for_url(re.compile("machine.gamma=0.25&machine.C=4.0&maps=machine.gamma%2Cmachine.C"))
    undo = page.locator(".st-key-undo button").first
    undo.click()
    expect(sidebar).to_contain_text("from the data's variance")
    expect(undo).to_be_disabled()  # both values were one change
    # The same by keys: a list has every pair.
    choice = page.get_by_role("combobox", name="Or any other pair")
    choice.evaluate("field => field.scrollIntoView({block: 'center'})")  # its list needs room
    ran(page)  # a list that is drawn anew forgets what was written into it
    choice.fill("γ = 1, C = 4")
    expect(page.get_by_role("option", name="γ = 1, C = 4").first).to_be_visible()
    choice.press("Enter")
    expect(sidebar).to_contain_text("γ 1 · C 4")


@LOOKS
def test_nothing_is_wider_than_the_window(visit, server, dark, width):
    page = visit(f"{server}/model_selection?tried=hamming", dark=dark, width=width)
    expect(lines(page)).to_have_count(3)
    fits(page, dark, width, charts(page), 250)
    paper = charts(page).first.locator(".main-svg").first
    colour = paper.evaluate("node => getComputedStyle(node).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", colour)[:3])) < 200) == dark
