"""Journeys through the Papers page in Chromium."""

import re

from e2e_tools import charts, hears_clicks, ran, settle
from playwright.sync_api import expect

from ecocviz.lab.evidence.catalogue import PAPERS

PATIENCE_MS = 120_000
QUICK = "v=1&paper=liu-2016&exhibit=figure-1"
"""An exhibit whose quick setting is one cell, of a tenth of a second."""


def open_page(visit, server, query, **options):
    page = visit(f"{server}/papers?{query}", **options)
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible()
    ran(page)
    return page


def test_the_list_leads_to_an_exhibit_and_a_link_to_it_shows_the_same(visit, server):
    page = open_page(visit, server, "v=1")
    n = sum(len(paper.exhibits) for paper in PAPERS.values())
    expect(
        page.get_by_text(re.compile(f"{n} figures, tables and claims of {len(PAPERS)} papers"))
    ).to_be_visible()
    page.get_by_role("combobox", name="Figure, table or claim").click()
    first = next(iter(PAPERS.values()))
    page.get_by_role("option", name=first.exhibits[1].title, exact=True).click()
    expect(page).to_have_url(re.compile(f"exhibit={first.exhibits[1].key}"))
    expect(page.get_by_text(first.exhibits[1].claim[:40]).first).to_be_visible()
    again = visit(page.url)
    expect(again.get_by_text(first.exhibits[1].claim[:40]).first).to_be_visible()
    ran(again)


def test_the_list_shows_the_chosen_row_and_stays_where_it_is_when_another_is_clicked(visit, server):
    page = open_page(visit, server, "v=1&paper=our-questions&exhibit=choosing-the-decoder")
    rows = page.locator('[class*="st-key-papers-list"] .dvn-scroller')
    page.wait_for_function(
        "document.querySelector('[class*=st-key-papers-list] .dvn-scroller')?.scrollTop > 100"
    )
    before = rows.evaluate("rows => rows.scrollTop")
    box = page.locator('[class*="st-key-papers-list"]').bounding_box()
    page.mouse.click(box["x"] + 15, box["y"] + 38 + 28 * 4 + 14)
    expect(page).not_to_have_url(re.compile("choosing-the-decoder"))
    ran(page)
    assert rows.evaluate("rows => rows.scrollTop") == before


def test_a_cell_and_a_method_open_what_the_next_page_says(visit, server):
    page = open_page(visit, server, "v=1&paper=our-questions&exhibit=one-vs-rest")
    said = page.get_by_text(re.compile("^This scenario was opened from "))
    expect(charts(page)).to_have_count(5)  # they come in any order, and push each other
    first = charts(page).nth(0)
    first.scroll_into_view_if_needed()
    hears_clicks(page, first)
    cells = first.locator(".heatmaplayer image").bounding_box()
    page.mouse.click(cells["x"] + 0.3 * cells["width"], cells["y"] + 0.05 * cells["height"])
    expect(said).to_be_visible(timeout=PATIENCE_MS)
    expect(said).to_contain_text("which parameters the inner folds chose is not recorded")
    expect(page).to_have_url(re.compile(r"/\?v=1&.*coding=one-vs-one"))
    page.goto(f"{server}/papers?v=1&paper=our-questions&exhibit=one-vs-rest")
    expect(charts(page)).to_have_count(5)
    ranks = charts(page).nth(1)
    ranks.scroll_into_view_if_needed()
    hears_clicks(page, ranks)
    ranks.locator(".scatterlayer .trace").last.locator(".point").first.click(force=True)
    expect(said).to_be_visible(timeout=PATIENCE_MS)


def test_the_quick_setting_is_run_here_and_its_figure_opens_the_scenario(visit, server):
    page = open_page(visit, server, QUICK, dark=True, width=800)
    page.get_by_role("button", name="Run the quick one here").click()
    expect(page.get_by_text(re.compile("^Measured here: "))).to_be_visible(timeout=PATIENCE_MS)
    expect(page.get_by_text(re.compile("the quick setting on "))).to_be_visible()
    expect(page.locator(".js-plotly-plot .heatmaplayer image")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 800
    page.get_by_role("button", name="Open this scenario").click()
    expect(page).to_have_url(re.compile(r"/relations\?.*data=vehicle"), timeout=PATIENCE_MS)
    ran(page)


def test_a_click_on_a_bar_lands_in_the_playground_with_its_scenario(visit, server):
    page = open_page(visit, server, "v=1&paper=gupta-amin-2021&exhibit=errors&numbers=here")
    expect(page.get_by_text(re.compile("^Measured here: "))).to_be_visible(timeout=PATIENCE_MS)
    first = charts(page).filter(has=page.locator(".barlayer .point")).first
    bar = first.locator(".barlayer .point").first
    bar.scroll_into_view_if_needed()
    hears_clicks(page, first)
    bar.click(force=True)
    expect(page).to_have_url(
        re.compile(r"/\?v=1&data=glass&.*coding=integer-programming.*decoding=hamming"), timeout=PATIENCE_MS
    )
    settle(page)
    expect(page.get_by_test_id("stSidebar")).to_contain_text("Glass")
