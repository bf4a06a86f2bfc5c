"""Journeys through the Model selection page: a curve is run, cancelled and run again."""

import re

import pytest
from e2e_tools import hears_clicks, ran
from playwright.sync_api import expect

pytestmark = pytest.mark.e2e

LONG = "data=vowel&grid=-5,5,41&curves=train.exact.cross-validation"


def charts(page):
    return page.get_by_test_id("stPlotlyChart")


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
    assert points(page).count() >= before


def test_the_page_stays_usable_while_a_job_runs(visit, server):
    page = visit(f"{server}/model_selection?{LONG}&seed=3")
    cancel = page.get_by_role("button", name="Cancel")
    cancel.wait_for()
    page.locator(".st-key-group-Decoder summary").click()
    page.locator(".st-key-group-Decoder").get_by_role("combobox").first.click()
    page.get_by_role("option", name="Hamming", exact=True).click()
    expect(page.locator(".st-key-group-Decoder").get_by_role("combobox").first).to_have_value("Hamming")
    ran(page)  # until then the button is that of the job that was left
    cancel.click()
    expect(page.get_by_role("button", name="Run again")).to_be_visible()


@pytest.mark.parametrize(("dark", "width"), [(True, 1440), (False, 800)])
def test_nothing_is_wider_than_the_window(visit, server, dark, width):
    page = visit(f"{server}/model_selection?tried=hamming", dark=dark, width=width)
    expect(lines(page)).to_have_count(3)
    assert page.evaluate("document.scrollingElement.scrollWidth <= window.innerWidth")
    paper = charts(page).first.locator(".main-svg").first
    colour = paper.evaluate("node => getComputedStyle(node).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", colour)[:3])) < 200) == dark
