"""The first visit: what the app opens with, its three steps, its explained words, pictures that are saved."""

import io
import re
from math import ceil
from xml.etree import ElementTree as ET

import numpy as np
from e2e_tools import canvas_digest, painted_again, repainted, settle
from PIL import Image
from playwright.sync_api import expect

SVG = "{http://www.w3.org/2000/svg}"


def step(page, name):
    page.get_by_role("button", name=name).click()
    expect(page.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "true")
    settle(page)


def test_the_steps_do_themselves_and_can_be_put_away(visit, server):
    page = visit(server)
    settle(page)
    said, regions = page.locator(".ss .said"), canvas_digest(page)
    step(page, "Machines answer")
    expect(said).to_contain_text("Each of the 7 columns")
    expect(page.locator(".note")).to_have_text(re.compile(r"^Bit \d alone"))
    repainted(page, regions)
    step(page, "The nearest row")
    expect(said).to_contain_text("B has the lowest cost, 1.00; next is A with 3.00")
    painted_again(page, regions)
    step(page, "Flip bits")
    expect(said).to_contain_text("1 bit flipped: now A instead of B.")
    expect(page).to_have_url(re.compile("flips=0"))
    step(page, "Flip bits")
    expect(said).to_contain_text("No bit is flipped, and the decision is")
    expect(page).to_have_url(re.compile("/$"))
    page.get_by_role("button", name="Put away these steps").click()
    expect(page.locator(".ss")).to_have_count(0)
    page.get_by_role("link", name="Data", exact=True).click()
    page.get_by_role("link", name="Playground").click()
    settle(page)
    expect(page.locator(".ss")).to_have_count(0)


def test_words_are_explained_by_key_and_pictures_are_saved(visit, server, tmp_path):
    page = visit(server)
    settle(page)
    word = page.locator(".eco-term", has_text="Row distance")
    word.focus()
    shown = word.evaluate("(word) => getComputedStyle(word, '::after').content")
    assert shown.startswith('"In how many places the two most similar rows')
    expect(page.get_by_text("training point", exact=True)).to_be_visible()

    menu = page.locator(".st-key-playground-regions-save").get_by_role("button", name="Save")
    menu.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="SVG, ")).to_be_in_viewport(
        ratio=1
    )  # the menu is low on the screen
    files = {kind: saved(page, kind, tmp_path) for kind in ("SVG", "PNG")}
    root = ET.parse(files["SVG"]).getroot()  # noqa: S314 - our own picture
    texts = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    assert {*"ABCDEF", "Regions of Hamming", "x1", "misclassified", "picked"} <= set(texts)
    assert len(list(root.iter(f"{SVG}image"))) == 1

    # The PNG is what a browser makes of the SVG.
    width, height = (float(root.get(side).removesuffix("pt")) / 72 * 96 for side in ("width", "height"))
    page.set_viewport_size({"width": ceil(width), "height": ceil(height)})
    page.goto(files["SVG"].as_uri())
    shown = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    png = Image.open(files["PNG"]).convert("RGB").resize(shown.size, Image.Resampling.BOX)
    apart = np.abs(np.asarray(shown).astype(int) - np.asarray(png))
    assert apart.mean() < 6 and (apart.max(axis=2) > 96).mean() < 0.03


def saved(page, kind, folder):
    with page.expect_download() as download:
        page.get_by_role("button", name=f"{kind}, ").click()
    assert download.value.suggested_filename == f"ecocviz-playground-regions-column.{kind.lower()}"
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file
