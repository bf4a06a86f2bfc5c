"""No number of a table is cut, in Chromium: what is written fits into its cell."""

import pytest
from e2e_tools import ran
from playwright.sync_api import expect

from ecocviz.views.shared.draw.tables import AROUND, text_width

FEW = "data.n_samples=60&judged=hamming.loss-weighted-exponential.likelihood&grid=-1,1,3"

CUT = """() => [...document.querySelectorAll('.eco-table')].flatMap((table) => {
  const cells = [...table.querySelectorAll('th, td')];
  const cut = cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1);
  const wide = table.getBoundingClientRect().right > table.parentElement.getBoundingClientRect().right + 1;
  return wide ? [table.getAttribute('aria-label')] : cut.map((cell) => cell.textContent);
})"""

WRITTEN = """(holder) => {
  const canvas = holder.querySelector('canvas[data-testid="data-grid-canvas"]');
  const pen = document.createElement('canvas').getContext('2d');
  pen.font = `13px ${getComputedStyle(holder).fontFamily}`;
  const cells = [...canvas.querySelectorAll('[role="gridcell"], [role="columnheader"]')];
  return cells.map((cell) => [cell.textContent, pen.measureText(cell.textContent).width]);
}"""


@pytest.mark.parametrize("width", [1440, 800])
@pytest.mark.parametrize(
    "link",
    [f"model_selection?{FEW}&tried=hamming", "code_matrix?data=iris&coding=one-vs-one&beside=one-vs-all"],
)
def test_no_cell_is_cut(visit, server, link, width):
    page = visit(f"{server}/{link}", width=width)
    expect(page.locator(".eco-table").last).to_be_visible()
    expect(page.get_by_test_id("stProgress")).to_have_count(0)
    ran(page)
    assert page.evaluate(CUT) == []


def test_the_texts_of_a_drawn_table_are_no_wider_than_is_reckoned(visit, server):
    page = visit(f"{server}/decoders?{FEW}")
    table = page.get_by_test_id("stDataFrame")
    expect(table.locator("canvas [role='row']")).to_have_count(4)
    expect(page.get_by_test_id("stProgress")).to_have_count(0)
    table.scroll_into_view_if_needed()
    ran(page)
    written = [(text, width) for text, width in table.evaluate(WRITTEN) if text.strip()]
    assert "Loss-weighted exponential (ELW)" in dict(written)
    assert [text for text, width in written if width > text_width(text) + AROUND - 16] == []
