"""Journeys through the Data page in Chromium."""

import re

from e2e_tools import LOOKS, canvas_digest, fits, give_file, repainted, settle
from playwright.sync_api import expect

ROWS = [
    (["setosa", "vera", "nova"][k % 3], 4 + k % 3 + 0.07 * (k % 11), 2 * (k % 3) + 0.11 * (k % 7))
    for k in range(90)
]
CSV = "kind,long,broad\r\n" + "".join(f"{name},{a:.2f},{b:.2f}\r\n" for name, a, b in ROWS)


def in_main(page):
    return page.get_by_test_id("stMainBlockContainer")


def test_upload_a_file_and_compare_decoders_on_it(visit, server):
    page = visit(f"{server}/data?v=1")
    expect(in_main(page)).to_contain_text("Blobs has 160 rows")
    give_file(page, "flowers.csv", CSV.encode())
    box = page.get_by_role("combobox", name="Column that holds the class")
    expect(box).to_be_visible()
    box.click()
    page.get_by_role("option", name="kind", exact=True).click()
    expect(in_main(page)).to_contain_text("kind has 3 different values: nova, setosa and vera.")
    page.get_by_role("button", name="Use these data").click()
    expect(in_main(page)).to_contain_text(
        "flowers.csv has 90 rows of 2 features in 3 classes of 30 rows each."
    )
    expect(page.get_by_test_id("stPlotlyChart")).to_have_count(2)
    expect(page.get_by_test_id("stSidebar")).to_contain_text("Your own data")

    page.get_by_role("link", name="Playground").click()
    settle(page)
    expect(page.locator(".rv .legend")).to_contain_text("setosa")
    shown = canvas_digest(page)
    page.get_by_role("radio", name="Hamming").click()
    settle(page)
    repainted(page, shown)
    expect(page.locator(".verdicts tbody tr, .verdicts tr")).not_to_have_count(0)
    expect(in_main(page)).to_contain_text(re.compile(r"Test error \d+\.\d % \(\d+ of 27\)"))
    expect(in_main(page)).to_contain_text("decoders shown")


NUMBERED = "plant,kind,long,class\n" + "".join(
    f"{2 * k},{name},{a:.2f},{('low', 'high')[k % 2]}\n" for k, (name, a, _) in enumerate(ROWS)
)


def test_a_kept_file_gets_another_class_in_a_new_session(visit, server):
    page = visit(f"{server}/data?v=1")
    expect(in_main(page)).to_contain_text("Blobs has 160 rows")
    give_file(page, "numbered.csv", NUMBERED.encode())
    expect(in_main(page)).to_contain_text("plant has a different value in every row, so it is left out")
    page.get_by_role("button", name="Use these data").click()
    expect(in_main(page)).to_contain_text("numbered.csv has 90 rows of 2 features in 2 classes")
    expect(page.locator(".st-key-upload-train")).to_be_visible()  # the place stays open
    first = page.url

    page = visit(first)
    expect(in_main(page)).to_contain_text("numbered.csv has 90 rows of 2 features in 2 classes")
    page.get_by_text("Your file: its class and columns, or another file").click()
    expect(page.get_by_role("button", name="In use")).to_be_disabled()
    page.get_by_role("combobox", name="Column that holds the class").click()
    page.get_by_role("option", name="kind", exact=True).click()
    expect(in_main(page)).to_contain_text("kind has 3 different values: nova, setosa and vera.")
    page.get_by_role("button", name="Use these data").click()
    expect(in_main(page)).to_contain_text(
        "numbered.csv has 90 rows of 2 features in 3 classes of 30 rows each."
    )
    expect(page.get_by_role("button", name="In use")).to_be_visible()
    assert page.url != first
    page.get_by_test_id("stSidebar").get_by_role("button", name="Undo", exact=True).click()
    expect(in_main(page)).to_contain_text("numbered.csv has 90 rows of 2 features in 2 classes")
    expect(page).to_have_url(first)


def test_a_file_that_cannot_be_read_leaves_everything_as_it_was(visit, server):
    page = visit(f"{server}/data?data=iris")
    expect(in_main(page)).to_contain_text("Iris has 150 rows")
    give_file(page, "table.xlsx", b"PK\x03\x04 a spreadsheet")
    expect(page.get_by_role("alert")).to_have_text(re.compile("save the table as CSV and upload that"))
    expect(in_main(page)).to_contain_text("Iris has 150 rows")
    expect(page.get_by_test_id("stPlotlyChart")).to_have_count(2)


@LOOKS
def test_nothing_is_wider_than_the_window(visit, server, dark, width):
    page = visit(f"{server}/data?data=glass&axes=1,3", dark=dark, width=width)
    expect(page.locator(".js-plotly-plot")).to_have_count(2)
    fits(page, dark, width, page.locator(".js-plotly-plot"), 250)
