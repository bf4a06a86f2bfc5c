"""Journeys through the Bits page in Chromium."""

import re

from e2e_tools import LOOKS, charts, fits, hears_clicks, ran, settle
from playwright.sync_api import expect

OVERLAPPING = "data.overlap=0.8&coding=dense-random"


def listed(page):
    return page.get_by_role("combobox", name=re.compile("Listed points"))


def opened(visit, address, n_charts=4, **how):
    page = visit(address, **how)
    expect(charts(page)).to_have_count(n_charts)
    expect(charts(page).nth(1).locator(".bars .point path").first).to_be_attached()
    for k in range(3):
        hears_clicks(page, charts(page).nth(k))
    return page


def test_a_click_on_a_bar_lists_its_points_and_one_opens_on_the_playground(visit, server):
    page = opened(visit, f"{server}/bits?{OVERLAPPING}")
    # Near its top: the foot of a bar lies below the axis.
    bar = charts(page).nth(1).locator(".bars .point path").nth(2)
    bar.click(position={"x": 20, "y": 20}, force=True)
    expect(page).to_have_url(re.compile("bar=bit.2"))
    expect(listed(page)).to_have_value(re.compile(r"\d+ points? that bit 3 gets wrong"))
    ran(page)
    button = page.get_by_role("button", name=re.compile(r"Open point \d+ in the Playground"))
    number = re.search(r"\d+", button.inner_text()).group()
    button.click()
    settle(page)
    expect(page.locator(".in h3")).to_contain_text(f"Point {number},")
    expect(page).to_have_url(re.compile(f"pick={number}"))


def test_a_click_on_a_cell_lists_joint_errors(visit, server):
    page = opened(visit, f"{server}/bits?{OVERLAPPING}")
    marks = page.locator('[data-testid="stPlotlyChart"]:has(.hm) .scatterlayer .points path')
    marks.nth(1).click(force=True)
    expect(page).to_have_url(re.compile("bar=pair.0%2C2"))
    expect(listed(page)).to_have_value(re.compile("that bits 1 and 3 both get wrong"))


def test_two_reductions_side_by_side(visit, server):
    page = opened(visit, f"{server}/bits?{OVERLAPPING}")
    page.get_by_role("combobox", name=re.compile("Compared with")).click()
    page.get_by_role("option", name="Joint learning").click()
    expect(charts(page)).to_have_count(8)
    expect(
        page.get_by_text(re.compile("has [0-9,]+ (fewer|more) wrong bits? than|same number of wrong bits"))
    ).to_be_visible()
    expect(page).to_have_url(re.compile("against=joint"))


def test_a_machine_for_all_classes_has_no_bits(visit, server):
    page = visit(f"{server}/bits?reduction=support-pattern")
    expect(page.get_by_text("so it has no bits that could be wrong")).to_be_visible()


@LOOKS
def test_nothing_is_wider_than_the_window(visit, server, dark, width):
    page = opened(visit, f"{server}/bits?{OVERLAPPING}", dark=dark, width=width)
    fits(page, dark, width, charts(page), 300)


def test_a_figure_is_saved_for_print(visit, server, tmp_path):
    page = opened(visit, f"{server}/bits?{OVERLAPPING}", dark=True)
    page.get_by_role("button", name="Save", exact=True).first.click()
    page.get_by_text("Page, 17 cm").click()
    for kind, start in (
        ("SVG", b"<?xml"),
        ("PDF", b"%PDF"),
        ("PNG", b"\x89PNG"),
        ("CSV", b"\xef\xbb\xbfseries"),
    ):
        with page.expect_download() as download:
            page.get_by_role(
                "button", name=re.compile(f"{kind}, .*{'drawn' if kind == 'CSV' else '17 cm'}$")
            ).click()
        name = download.value.suggested_filename
        assert name == f"ecocviz-bits-histogram-only-{'drawn' if kind == 'CSV' else 'page'}.{kind.lower()}"
        download.value.save_as(tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(start)
