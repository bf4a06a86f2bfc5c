"""The first hour of a researcher: own files, a broken one, codes and decoders, a figure and a script."""

import os
import re
import subprocess
import sys
from random import Random
from xml.etree import ElementTree as ET

from e2e_tools import give_file, settle
from playwright.sync_api import expect

CENTRES = {'=SUM("A")': (0, 0), "naïve, <b>": (2, 0), "50 % µ": (1, 2), "日本": (3, 2)}
"""Class names that a table or a page might take for something else."""


def table(n, seed):
    rng, lines = Random(seed), ["length,width,group"]  # noqa: S311 - repeatable, and no secret
    for k in range(n):
        name, (x, y) = list(CENTRES.items())[k % len(CENTRES)]
        quoted = name.replace('"', '""')
        lines.append(f'{x + rng.gauss(0, 0.6):.3f},{y + rng.gauss(0, 0.6):.3f},"{quoted}"')
    return "\n".join(lines).encode()


def in_main(page):
    return page.get_by_test_id("stMainBlockContainer")


def go(page, title, seen):
    page.get_by_role("link", name=title, exact=True).click()
    expect(in_main(page)).to_contain_text(seen)


def exported(page, folder):
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Python script").click()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file


def test_own_files_to_a_figure_and_a_script_with_the_same_numbers(visit, server, tmp_path):
    page = visit(f"{server}/data")
    expect(in_main(page)).to_contain_text("Blobs has 600 rows")
    page.get_by_text("Upload a file of your own").click()
    expect(page.locator(".st-key-upload-train")).to_be_visible()
    # A broken file gets one sentence, and nothing is lost.
    give_file(page, "broken.csv", b"a,b\n1,2,3\n4,5\n")
    alert = page.get_by_role("alert")
    expect(alert).to_have_text("Line 2 has 3 cells but the first has 2; correct the line.")
    expect(in_main(page)).to_contain_text("Blobs has 600 rows")
    give_file(page, "train.csv", table(160, 1))
    expect(in_main(page)).to_contain_text("160 rows, 2 features")
    expect(alert).to_have_count(0)
    give_file(page, "test.csv", table(80, 2), "test")
    expect(in_main(page)).to_contain_text("train.csv, test rows in test.csv")
    names = '50 % µ, =SUM("A"), naïve, <b> and 日本'
    expect(in_main(page)).to_contain_text(f"group has 4 different values: {names}.")
    page.get_by_role("button", name="Use these data").click()
    expect(in_main(page)).to_contain_text("train.csv has 240 rows of 2 features in 4 classes of 60 rows each")
    expect(in_main(page)).to_contain_text("The machines train on 160 rows and are tested on 80 others.")

    go(page, "Playground", "Test error 12.5 % (10 of 80). Training error 5.0 % (8 of 160).")
    settle(page)
    expect(in_main(page)).to_contain_text("Linear makes 2 fewer errors than Likelihood.")
    expect(page.locator(".cg tbody")).to_contain_text("naïve, <b>")
    go(page, "Code matrix", "Row distance 1")
    expect(in_main(page)).to_contain_text("Training shows 480 points in all to 6 machines")
    go(page, "Model selection", "gives 12.5 % (10 of 80) test errors, 2 more than at the best value (2²).")
    page.get_by_role("button", name="Use γ = 2²").click()
    expect(page).to_have_url(re.compile("machine.gamma=4.0"))
    go(page, "Playground", "Test error 10.0 % (8 of 80).")
    settle(page)

    page.locator(".st-key-playground-regions-save").get_by_role("button", name="Save").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="SVG, ").click()
    figure = tmp_path / download.value.suggested_filename
    download.value.save_as(figure)
    texts = {"".join(text.itertext()) for text in ET.parse(figure).iter("{http://www.w3.org/2000/svg}text")}  # noqa: S314 - our own picture
    assert {*CENTRES, "length", "width"} <= texts

    script = exported(page, tmp_path)
    printed = subprocess.run(
        [sys.executable, script],
        env={**os.environ, "ECOCVIZ_HOME": str(tmp_path / "empty")},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert printed.splitlines()[-1] == "test error 8 of 80"
