"""Real browsers among the others: what is waited for in front of one, from the event to the paint."""

import asyncio
import time
from typing import Any

from benchmarks.app import LAUNCH, STAMPS
from benchmarks.cached_change import chromium
from benchmarks.load.journeys import Person
from benchmarks.load.visitor import Class

WAIT_MS = 60_000
CHANGES_EACH = 5.0
"""Seconds between two changes of a real tab."""


async def real_tabs(others: Class, n: int) -> None:
    """Open the app in some real tabs and use it until the end of the lesson."""
    if not n:
        return
    from playwright.async_api import async_playwright

    async with async_playwright() as play:
        browser = await play.chromium.launch(executable_path=chromium(), args=LAUNCH)
        async with asyncio.TaskGroup() as group:
            for k in range(n):
                group.create_task(_used(browser, others, k))
        await browser.close()


async def _used(browser: Any, others: Class, k: int) -> None:
    from playwright.async_api import Error

    context = await browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(WAIT_MS)
    await context.add_init_script(STAMPS)
    page = await context.new_page()
    person = Person(page, f"tab {k}")
    try:
        await asyncio.sleep(2.0 * k)
        await page.goto(others.address)
        await page.wait_for_function("window.firstPicture !== undefined")
        others.log.took("real tab: first picture", await page.evaluate("window.firstPicture / 1000"))
        await person.unfold("Data")
        while time.perf_counter() < others.end - CHANGES_EACH:
            await _round(page, others, person)
        if await page.get_by_test_id("stException").count():
            others.log.wrong("A real tab shows an error.")
    except Error as error:
        others.log.wrong(f"A real tab: {str(error).splitlines()[0]}")
    finally:
        await context.close()


async def _round(page: Any, others: Class, person: Person) -> None:
    """Move the overlap to and fro, which is soon known, and type a seed that is new."""
    for arrow in ("ArrowRight", "ArrowLeft"):
        await asyncio.sleep(CHANGES_EACH)
        await page.locator(".st-key-group-Data").get_by_role("slider").last.focus()
        await _timed(page, others, "real tab: cached change", lambda arrow=arrow: page.keyboard.press(arrow))
    await asyncio.sleep(CHANGES_EACH)
    await page.locator(".st-key-seed input").fill(str(next(others.numbers)))
    await _timed(page, others, "real tab: new training", lambda: page.keyboard.press("Enter"))
    await asyncio.sleep(CHANGES_EACH)
    await person.undoes()


async def _timed(page: Any, others: Class, kind: str, act: Any) -> None:
    await page.evaluate("expectPaint('keydown', 'changed')")
    await act()
    await page.wait_for_function("window.took !== null")
    others.log.took(kind, await page.evaluate("window.took / 1000"))
