"""Journeys through the Relations page: cells and lists pick a pair, and the link keeps it."""

import re

from e2e_tools import LOOKS, charts, fits, hears_clicks
from playwright.sync_api import expect


def click_cell(page, chart, row, column):
    """Click the marker in a cell of a heatmap, counted from 0 in the order on the screen."""
    markers = charts(page).nth(chart).locator(".scatterlayer .points path")
    expect(markers.first).to_be_attached()
    n = round(markers.count() ** 0.5)
    hears_clicks(page, charts(page).nth(chart))
    markers.nth(row * n + column).click(force=True)


def test_a_click_on_a_cell_picks_its_machines(visit, server):
    page = visit(f"{server}/relations?sort=code")
    expect(charts(page)).to_have_count(5)
    click_cell(page, 2, 1, 3)
    expect(page.get_by_text("Machines 2 and 4 in the code")).to_be_visible()
    expect(page).to_have_url(re.compile("pair=1%2C3"))
    again = visit(page.url)
    expect(again.get_by_text("Machines 2 and 4 in the code")).to_be_visible()


def test_lists_pick_machines_and_points_are_chosen(visit, server):
    page = visit(f"{server}/relations?coding=one-vs-one")
    expect(charts(page)).to_have_count(5)
    page.get_by_role("combobox", name=re.compile("and machine")).click()
    page.get_by_role("option", name="6: C against D").click()
    expect(page.get_by_text(re.compile(r"Machines \d and 6 in the code"))).to_be_visible()
    page.get_by_role("radio", name="Training points").click()
    expect(page.get_by_text("measured on 112 training points")).to_be_visible()


def test_one_machine_is_one_sentence(visit, server):
    page = visit(f"{server}/relations?data=moons")
    expect(page.get_by_text("This code has one machine, so there is nothing to correlate")).to_be_visible()


@LOOKS
def test_nothing_is_wider_than_the_window(visit, server, dark, width):
    page = visit(f"{server}/relations?v=1", dark=dark, width=width)
    expect(charts(page)).to_have_count(5)
    fits(page, dark, width, charts(page), 250)
