"""Journeys through the Reductions page in Chromium."""

import re

from e2e_tools import ran
from playwright.sync_api import expect

PATIENCE_MS = 120_000
"""The first visit compiles what twelve reductions run on."""
QUICK = "v=1&data=moons&data.n_samples=80"


def open_page(visit, server, query=QUICK, **options):
    page = visit(f"{server}/reductions?{query}", **options)
    expect(page.get_by_test_id("stDataFrame")).to_be_visible(timeout=PATIENCE_MS)
    settle(page)
    return page


def settle(page):
    """Wait until every reduction is trained and the page has run."""
    ran(page)
    expect(page.get_by_test_id("stProgress")).to_have_count(0, timeout=PATIENCE_MS)
    ran(page)


def test_all_reductions_appear_and_one_is_looked_into_and_used(visit, server):
    page = open_page(visit, server)
    tiles = page.locator(".dt .tile[data-key]")
    expect(tiles).to_have_count(12)
    expect(page.locator(".dt .tile[aria-pressed='true']")).to_have_attribute("data-key", "ecoc")
    page.locator(".dt .tile[data-key='support-pattern']").click()
    expect(page.get_by_text("Support patterns", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile("entrant=support-pattern"))
    expect(page.locator(".dt .tile[aria-pressed='true']")).to_have_attribute("data-key", "support-pattern")
    page.get_by_role("button", name="Use this reduction").click()
    expect(page.get_by_test_id("stSidebar")).to_contain_text("One machine for all classes")
    expect(page.get_by_role("button", name="Already chosen")).to_be_disabled()
    settle(page)

    again = visit(page.url)
    expect(again.get_by_text("Support patterns", exact=True)).to_be_visible()
    settle(again)


def test_a_link_shows_joint_learning_beside_its_control_in_the_dark_on_a_small_screen(visit, server):
    page = open_page(visit, server, QUICK + "&entrant=joint&entered=ecoc.joint", dark=True, width=800)
    for title in ("Learned relation", "Relation of independent machines", "Objective"):
        expect(page.get_by_text(title, exact=True)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 800
    with page.expect_download() as got:
        page.get_by_role("button", name="Comparison as CSV").click()
    assert "Joint learning" in got.value.path().read_text(encoding="utf-8-sig")


def test_a_long_comparison_is_cancelled_and_run_again(visit, server):
    page = visit(f"{server}/reductions?v=1&data=segment&reduction=joint&entered=joint")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text(re.compile(r"^Stopped at \d+ %"))).to_be_visible()
    expect(page.get_by_role("button", name="Run again")).to_be_visible()
    page.get_by_role("button", name="Run again").click()
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Run again")).to_be_visible()
