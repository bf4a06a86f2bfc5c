"""Six people's ways through a lesson, and what everybody does when told to; acted out in a real browser.

All begin and end at the first screen, so that who has come to the end can begin again. About every
third change is a seed of their own, which nobody has trained before; what else they do is soon known to all.
"""

import re
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

from playwright.async_api import TimeoutError as PlaywrightTimeout

SHORTEST_PAUSE, LONGEST_PAUSE = 1.5, 9.0


class Person:
    """Somebody in front of a browser: looks, thinks, and does the next thing."""

    def __init__(self, page: Any, name: str) -> None:
        self.page = page
        self._pauses = Random(name)  # noqa: S311 - the same pauses when recorded again

    async def think(self, about: float = 4.0) -> None:
        """Pause: mostly for as long as was said, now and then much longer."""
        seconds = about * self._pauses.lognormvariate(0, 0.4)
        await self.page.wait_for_timeout(1000 * min(max(seconds, SHORTEST_PAUSE), LONGEST_PAUSE))

    async def unfold(self, group: str) -> None:
        """Unfold a group of the sidebar, unless it is unfolded already."""
        if await self.page.locator(f".st-key-group-{group} details[open]").count() == 0:
            await self.page.locator(f".st-key-group-{group} summary").click()
            await self.think(2)

    async def goes_to(self, name: str) -> None:
        """Go to another page."""
        link = self.page.get_by_test_id("stTopNavLink").filter(has_text=re.compile(f"^{name}$"))
        await link.click()
        await self.think()

    async def seeds(self) -> None:
        """Type a seed or two, look, and type one that everybody has had."""
        await self.unfold("Data")
        for seed in [*(self._pauses.randrange(1, 1000) for _ in range(self._pauses.choice((1, 2)))), 0]:
            field = self.page.locator(".st-key-seed input")
            await field.fill(str(seed))
            await field.press("Enter")
            await self.think()

    async def undoes(self) -> None:
        """Press Undo."""
        await self.page.locator(".st-key-undo button").first.click()
        await self.think(3)

    async def resets(self) -> None:
        """Go back to the first screen, and fold the group of the data up again."""
        await self.page.locator(".st-key-reset button").first.click()
        await self.think(3)

    async def picks(self, x: int, y: int) -> None:
        """Click a place of the regions."""
        await self.page.locator("canvas.over").click(position={"x": x, "y": y})
        await self.think(3)

    async def decodes(self, number: int) -> None:
        """Switch to a decoder by its number."""
        await self.page.locator("canvas.over").focus()
        await self.page.keyboard.press(str(number))
        await self.think(3)

    async def chooses(self, group: str, key: str, option: str) -> None:
        """Choose from a list of the sidebar."""
        await self.unfold(group)
        field = self.page.locator(f".st-key-{key}").get_by_role("combobox")
        choice = self.page.get_by_role("option", name=re.compile(f"^{option}")).first
        for _ in range(5):  # a list that opens while the page is drawn closes again
            await field.fill(option)  # a long list shows a part
            try:
                await choice.click(timeout=3_000)
                break
            except PlaywrightTimeout:
                await self.page.keyboard.press("Escape")
        else:
            raise AssertionError(f"The list of {group} never offered {option}.")
        await self.think()

    async def slides(self, group: str, label: str, arrow: str) -> None:
        """Move a slider one step."""
        await self.unfold(group)
        slider = self.page.locator(f".st-key-group-{group}").get_by_role("slider", name=re.compile(label))
        await slider.focus()
        await self.page.keyboard.press(arrow)
        await self.think(3)

    async def flips(self, c: int, b: int, sign: str) -> None:
        """Put a sign into a cell of the code matrix."""
        await self.page.locator(f'.cell[data-c="{c}"][data-b="{b}"]').focus()
        await self.page.keyboard.press(sign)
        await self.think(3)


async def widths(person: Person) -> None:
    """Slide gamma to and fro, and look how the regions change."""
    for arrow in ("ArrowRight", "ArrowRight", "ArrowRight"):
        await person.slides("Machine", "γ", arrow)
        await person.seeds()
    await person.picks(260, 240)
    await person.seeds()
    await person.undoes()
    await person.undoes()
    await person.seeds()
    await person.resets()


async def decoders(person: Person) -> None:
    """Compare decoders, on the Playground and on their own page."""
    await person.decodes(2)
    await person.seeds()
    await person.decodes(3)
    await person.picks(180, 200)
    await person.seeds()
    await person.goes_to("Decoders")
    await person.goes_to("Playground")
    await person.seeds()
    await person.decodes(1)
    await person.seeds()
    await person.resets()


async def codes(person: Person) -> None:
    """Try codes, and change one by hand."""
    await person.chooses("Code", "slot-coding", "One-vs-one")
    await person.seeds()
    await person.chooses("Code", "slot-coding", "Dense random")
    await person.seeds()
    await person.chooses("Code", "slot-coding", "One-vs-all")
    await person.goes_to("Code matrix")
    await person.flips(0, 1, "+")
    await person.goes_to("Playground")
    await person.seeds()
    await person.seeds()
    await person.resets()


async def errors(person: Person) -> None:
    """Ask which machines err, and on which points."""
    await person.goes_to("Bits")
    await person.goes_to("Relations")
    await person.goes_to("Playground")
    await person.seeds()
    await person.picks(320, 180)
    await person.picks(120, 300)
    await person.seeds()
    await person.decodes(2)
    await person.seeds()
    await person.seeds()
    await person.resets()


async def sets(person: Person) -> None:
    """Go through data sets."""
    await person.chooses("Data", "slot-data", "Iris")
    await person.seeds()
    await person.goes_to("Data")
    await person.goes_to("Playground")
    await person.seeds()
    await person.chooses("Data", "slot-data", "Moons")
    await person.seeds()
    await person.chooses("Data", "slot-data", "Blobs")
    await person.seeds()
    await person.slides("Data", "Overlap", "ArrowRight")
    await person.seeds()
    await person.resets()


async def points(person: Person) -> None:
    """Look at single points, one wrong one after another."""
    for x, y in ((150, 150), (220, 260), (300, 200), (360, 330)):
        await person.picks(x, y)
        await person.seeds()
    await person.goes_to("Bits")
    await person.goes_to("Playground")
    await person.seeds()
    await person.resets()


async def together(person: Person) -> None:
    """Now everybody click: a decoder, a point, and the first decoder again."""
    await person.decodes(3)
    await person.picks(200, 220)
    await person.decodes(2)
    await person.resets()


Journey = Callable[[Person], Awaitable[None]]
JOURNEYS: dict[str, Journey] = {
    journey.__name__: journey for journey in (widths, decoders, codes, errors, sets, points, together)
}
