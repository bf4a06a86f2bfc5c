"""Ways through the heavier pages; acted out in a real browser, as those of `journeys.py`.

They too begin and end at the first screen. Who reads Papers and Runs types no seed: what is opened there is
soon known to all. Who compares decoders and measures curves does.
"""

import re

from benchmarks.load.journeys import Journey, Person

HEAD, ROW = 38, 28
"""Pixels of a table's head and of each row."""
SEEN = 4
"""Rows above the one that is clicked: a table is scrolled so far."""
EXHIBITS = (1, 13, 24, 32)
"""Rows of the list of exhibits, of four papers: curves, two tables with tints, and a figure with bars."""
BOXES, ERRORS = 16, 620
"""From the left of the table of runs: the boxes that choose rows, and the column of the test errors."""
RAN = """() =>
  document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState === 'notRunning'"""
LISTENING = """(holder) => {
  const chart = holder.querySelector('.js-plotly-plot');
  return Boolean(chart && chart._ev && chart._ev._events.plotly_click);
}"""


class Reader(Person):
    """Somebody who reads what others have measured."""

    async def picks_row(self, table: int, row: int, x: int) -> None:
        """Click a row of the page's n-th table."""
        above = max(row - SEEN, 0)
        if above:
            await self._points_at(table, x, HEAD + ROW)
            await self.page.mouse.wheel(0, ROW * above)
            await self.page.wait_for_timeout(300)
        await self._clicks(table, x, HEAD + ROW * (row - above) + ROW / 2)
        await self.think()

    async def sorts(self, table: int, x: int) -> None:
        """Click the head of a column; the browser sorts by itself."""
        await self._clicks(table, x, HEAD / 2)
        await self.think(2)

    async def _clicks(self, table: int, x: float, y: float) -> None:
        await self._points_at(table, x, y)
        await self.page.mouse.down()
        await self.page.mouse.up()

    async def _points_at(self, table: int, x: float, y: float) -> None:
        await self.page.wait_for_function(RAN)
        shown = self.page.get_by_test_id("stDataFrame").nth(table)
        await shown.scroll_into_view_if_needed()
        box = await shown.bounding_box()
        await self.page.mouse.move(box["x"] + x, box["y"] + y)

    async def picks_from(self, key: str, option: str) -> None:
        """Choose from a list on the page."""
        field = self.page.locator(f".st-key-{key}").get_by_role("combobox")
        await field.click()
        await self.page.get_by_role("option", name=re.compile(option)).first.click()
        await self.think()

    async def presses(self, name: str) -> None:
        """Press a button on the page."""
        main = self.page.get_by_test_id("stMainBlockContainer")
        await main.get_by_role("button", name=name, exact=True).click()
        await self.think()

    async def picks_bar(self) -> None:
        """Click the first bar of the page's first figure, which opens its scenario."""
        chart = self.page.get_by_test_id("stPlotlyChart").first
        bar = chart.locator(".barlayer .point").first
        await bar.scroll_into_view_if_needed()
        handle = await chart.element_handle()
        await self.page.wait_for_function(LISTENING, arg=handle)
        await bar.click(force=True)
        await self.page.locator(".rv[data-paint-ms]").wait_for()
        await self.think()


async def papers(page: Person) -> None:
    """Read exhibits of four papers, and open a bar of the last one's figure in the Playground."""
    reader = Reader(page.page, "papers")
    await reader.goes_to("Papers")
    for row in EXHIBITS:
        await reader.picks_row(0, row, BOXES)
    await reader.picks_bar()
    await reader.resets()


async def runs(page: Person) -> None:
    """Look for runs among all that are kept, compare three, pin them, and open one in the Playground."""
    reader = Reader(page.page, "runs")
    await reader.goes_to("Runs")
    await reader.picks_from("runs-data", "Glass")
    await reader.sorts(0, ERRORS)
    for row in (0, 1, 2):
        await reader.picks_row(0, row, BOXES)
    await reader.presses("Pin")
    await reader.presses("Unpin")
    await reader.presses("Choose none")
    field = reader.page.locator(".st-key-runs-find input")
    await field.fill("one-vs-one linear")
    await field.press("Enter")
    await reader.think()
    await reader.picks_row(0, 1, BOXES)
    await reader.presses("Open in the Playground")
    await reader.resets()


async def compared(page: Person) -> None:
    """Compare all decoders over one parameter and the other, and again on other machines."""
    await _measures(Reader(page.page, "compared"), "Decoders", "decoders-axis")


async def curves(page: Person) -> None:
    """Measure curves over one parameter and the other, and again on other points."""
    await _measures(Reader(page.page, "curves"), "Model selection", "ms-axis")


async def _measures(reader: Reader, name: str, axis: str) -> None:
    await reader.goes_to(name)
    await reader.picks_from(axis, "Penalty")
    await reader.seeds()
    await reader.picks_from(axis, "Kernel width")
    await reader.resets()


EVIDENCE: dict[str, Journey] = {"papers": papers, "runs": runs, "compared": compared, "curves": curves}
