"""A journey through the Runs page in Chromium: kept over a restart, named, compared, reported, deleted."""

import re

from e2e_tools import ran, settle
from playwright.sync_api import expect

QUICK = "v=1&data=moons&data.n_samples=80"
HEAD, ROW = 38, 28
"""Pixels of the table's head and of each row; the boxes that choose rows stand on its left."""
NAME = "for the talk <b>"


def at_runs(page, n):
    """Wait until the list holds so many runs."""
    expect(page.get_by_test_id("stMainBlockContainer")).to_contain_text(
        f"{n} run{'s' * (n > 1)} of 1 data set"
    )
    expect(page.get_by_test_id("stDataFrame").locator("canvas [role='row']")).to_have_count(n + 1)
    ran(page)


def choose(page, row):
    page.get_by_test_id("stDataFrame").click(position={"x": 16, "y": HEAD + ROW * row + ROW / 2})
    ran(page)


def open_playground(visit, address, decoding):
    page = visit(f"{address}/?{QUICK}&decoding={decoding}")
    settle(page)
    return page


def test_runs_outlive_the_server_and_leave_as_a_report(visit, serving, browser, tmp_path):
    with serving() as address:
        open_playground(visit, address, "hamming").context.close()
        page = open_playground(visit, address, "linear")
        page.get_by_role("link", name="Runs", exact=True).click()
        at_runs(page, 2)
        choose(page, 0)
        expect(page).to_have_url(re.compile("oflist=recent"))
        page.get_by_role("button", name="Pin", exact=True).click()
        expect(page.get_by_role("button", name="Unpin", exact=True)).to_be_visible()
        page.get_by_role("button", name="Name", exact=True).click()
        field = page.get_by_role("textbox", name="Name of the run")
        field.fill(NAME)
        field.press("Enter")
        expect(page.locator("canvas [role='gridcell']").filter(has_text=NAME)).to_have_count(1)
        page.context.close()

    with serving() as address:
        page = visit(f"{address}/runs")
        expect(page.get_by_test_id("stDataFrame").locator("canvas [role='row']")).to_have_count(2)  # the kept
        page.get_by_role("radio", name="All 2").click()
        at_runs(page, 2)
        expect(page.locator("canvas [role='gridcell']").filter(has_text=NAME)).to_have_count(1)
        choose(page, 0)
        choose(page, 1)
        expect(page.get_by_text("2 runs side by side")).to_be_visible()
        expect(page.locator(".eco-table").first).to_contain_text("Hamming")
        expect(page).to_have_url(re.compile(r"chosen=\d+\.\d+"))
        look_at_report(page, browser, tmp_path, address)

        again = visit(page.url)  # the link shows the same comparison
        expect(again.get_by_text("2 runs side by side")).to_be_visible()
        again.context.close()

        choose(page, 1)
        page.get_by_role("button", name="Open in the Playground").click()
        settle(page)
        expect(page).to_have_url(re.compile(r"/\?.*data=moons.*decoding=linear"))
        page.get_by_role("link", name="Runs", exact=True).click()
        at_runs(page, 2)
        page.get_by_role("button", name="Delete", exact=True).click()
        page.get_by_role("button", name="Delete for good").click()
        at_runs(page, 1)
        page.context.close()


def look_at_report(page, browser, folder, address):
    """Open the report by itself, without network and scripts: it asks for nothing, complains of nothing."""
    page.get_by_test_id("stMainBlockContainer").get_by_role("button", name="Export").click()
    with page.expect_download() as got:
        page.get_by_role("button", name="Report (HTML)").click()
    file = folder / "report.html"
    got.value.save_as(file)
    page.keyboard.press("Escape")
    context = browser.new_context(offline=True)
    asked, said = [], []
    report = context.new_page()
    report.on("request", lambda request: asked.append(request.url))
    report.on("console", lambda message: said.append(message.text))
    report.goto(file.as_uri())
    expect(report.get_by_role("heading", level=1)).to_have_text("ecocviz: 2 runs")
    expect(report.locator("svg circle")).to_have_count(2)
    expect(report.get_by_text(NAME).first).to_be_visible()
    links = report.get_by_role("link")
    expect(links).to_have_count(2)
    assert all(link.get_attribute("href").startswith(f"{address}/?v=1&data=moons") for link in links.all())
    assert (asked, said) == ([file.as_uri()], [])
    context.close()
