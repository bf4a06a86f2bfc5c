"""Journeys through the Playground in Chromium."""

import re

from e2e_tools import LOOKS, canvas_digest, change_code, fits, ran, repainted, settle, view_data
from playwright.sync_api import TimeoutError, expect  # noqa: A004 - Playwright's own name for it
from waiting import until


def choose(page, group, label, option):
    """Unfold a group of the sidebar and choose an option of one of its lists."""
    box = page.locator(f".st-key-group-{group}").get_by_role("combobox", name=re.compile(label))
    if not box.count():
        page.locator(f".st-key-group-{group} summary").click()
        expect(box).to_be_visible()
        settle(page)
    wanted = page.get_by_role("option", name=option, exact=True)

    def chosen():
        box.click()
        try:
            wanted.click(timeout=5_000)
        except TimeoutError:  # a list that opens while the page is redrawn may close again
            page.keyboard.press("Escape")
            return False
        return True

    until(chosen)
    expect(box).to_have_value(option)
    settle(page)


def test_a_first_visit_changes_data_and_code_and_shares_the_screen(visit, server):
    page = visit(f"{server}/?v=1")
    settle(page)
    first = canvas_digest(page)
    choose(page, "Data", "Data", "Spirals")
    spirals = repainted(page, first)
    choose(page, "Code", "Code", "One-vs-one")
    repainted(page, spirals)
    before = page.locator(".in h3").inner_text()
    page.locator("canvas.over").click(position={"x": 300, "y": 260})
    expect(page.locator(".in h3")).not_to_have_text(before)
    page.get_by_role("button", name="Share").click()
    link = page.get_by_test_id("stPopoverBody").locator("code").inner_text()
    assert "coding=one-vs-one" in link and "data=spirals" in link
    assert page.get_by_alt_text("QR code of the link").is_visible()
    title = page.locator(".in h3").inner_text()

    again = visit(link)
    settle(again)
    until(lambda: canvas_digest(again) == canvas_digest(page))
    assert again.locator(".in h3").inner_text() == title
    assert again.locator(".cg tbody").inner_text() == page.locator(".cg tbody").inner_text()


SLOW = """{
  const unpacked = Response.prototype.arrayBuffer;
  Response.prototype.arrayBuffer = async function () {
    await new Promise((done) => setTimeout(done, 400));
    return unpacked.call(this);
  };
}"""
"""A browser that unpacks messages as slowly as one on a busy machine."""


def test_regions_that_are_still_unpacked_are_not_taken_for_those_of_before(visit, server):
    page = visit(f"{server}/?v=1")
    page.add_init_script(SLOW)
    page.goto(f"{server}/?v=1&coding=one-vs-one&machine.gamma=0.7")
    settle(page)
    change_code(page)
    settle(page)
    shown = canvas_digest(page)
    page.reload()
    settle(page)
    assert canvas_digest(page) == shown


FAR_AWAY = """{
  const own = WebSocket.prototype.addEventListener;
  WebSocket.prototype.addEventListener = function (kind, hear, how) {
    own.call(this, kind, kind === 'message' ? (event) => setTimeout(hear, 600, event) : hear, how);
  };
}"""
"""A browser that hears late: what it says of its address is of before the last change."""


def test_choices_that_follow_each_other_on_a_slow_network_all_stay_and_going_back_takes_one(visit, server):
    page = visit(f"{server}/?v=1")
    page.add_init_script(FAR_AWAY)
    page.reload()
    settle(page)
    page.get_by_role("slider", name="Kernel width γ").first.press("ArrowRight")
    page.wait_for_timeout(400)  # it is taken, and the browser has not heard so
    page.get_by_role("slider", name="Penalty C").first.press("ArrowRight")
    page.wait_for_url(re.compile("machine.gamma=10.0&machine.C=2.0"))
    page.go_back()
    expect(page.get_by_test_id("stSidebar")).to_contain_text("γ 10 · C 1")
    expect(page).to_have_url(re.compile(r"machine.gamma=10.0(?!.*machine.C)"))


def test_doubtful_points_are_left_undecided_in_picture_and_words(visit, server):
    page = visit(f"{server}/?v=1&decoding=hamming&coding=dense-random")
    settle(page)
    decided = canvas_digest(page)
    expect(page.locator(".rv .marks")).not_to_contain_text("not decided")
    choose(page, "Decoder", "Doubtful points", "Rejects by syndrome")
    repainted(page, decided)
    expect(page.locator(".rv .marks")).to_contain_text("not decided")
    expect(page.locator(".eco-words").filter(has_text="left undecided")).to_be_visible()
    assert "rejecting=syndrome" in page.url
    # The bits are played of a decoder with such a rule, too.
    page.get_by_role("button", name="Play bits").click()
    expect(page.locator(".played")).to_contain_text(re.compile("error .* %"))


def test_decoders_differences_and_confidence_are_local(visit, server):
    page = visit(f"{server}/?v=1")
    settle(page)
    shown = canvas_digest(page)
    page.get_by_role("radio", name="Hamming").click()
    expect(page.locator(".verdicts tr.now td").first).to_have_text("Hamming")
    expect(page.get_by_test_id("stSidebar").locator(".eco-chosen").last).to_have_text("Hamming")
    settle(page)
    hamming = repainted(page, shown)
    page.get_by_role("button", name="Differences").click()
    repainted(page, hamming)
    expect(page.locator(".note")).to_have_text(re.compile(r"disagree on \d+\.\d % of the plane"))


def test_hovering_tells_bits_and_winners(visit, server):
    page = visit(f"{server}/?v=1")
    settle(page)
    page.locator("canvas.over").hover(position={"x": 200, "y": 200})
    tip = page.locator(".rv .tip")
    tip.wait_for()
    assert len(tip.locator(".bits span").all()) == view_data(page)["nBits"]
    assert "Likelihood" in tip.inner_text()


def test_keys_move_the_pick_and_zoom_and_the_zoom_stays(visit, server):
    page = visit(f"{server}/?v=1")
    settle(page)
    title = page.locator(".in h3")
    before = title.inner_text()
    page.locator("canvas.over").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("(old) => document.eco('.in h3').textContent !== old", arg=before)
    everything = view_data(page)["view"]
    page.keyboard.press("+")
    page.wait_for_function("(old) => document.eco('.rv').dataset.view !== old", arg=everything)
    zoomed = view_data(page)["view"]
    choose(page, "Code", "Code", "One-vs-one")
    assert view_data(page)["view"] == zoomed


def test_pointing_at_a_column_shows_its_own_boundary(visit, server):
    page = visit(f"{server}/?v=1")
    settle(page)
    before = canvas_digest(page)
    page.locator(".cg thead th.col").nth(2).hover()
    expect(page.locator(".note")).to_have_text(re.compile("^Bit 3 alone"))
    repainted(page, before)
    page.locator(".cg h3").hover()
    expect(page.locator(".note")).to_have_text("")
    until(lambda: canvas_digest(page) == before)


def test_the_wheel_zooms_with_ctrl_and_else_scrolls(visit, server):
    page = visit(f"{server}/?v=1")
    settle(page)
    everything = view_data(page)["view"]
    canvas = page.locator("canvas.over")
    canvas.hover(position={"x": 300, "y": 200})
    canvas.focus()
    page.evaluate("addEventListener('wheel', () => { document.body.dataset.turned = true; })")
    page.mouse.wheel(0, -300)
    page.locator("body[data-turned]").wait_for(state="attached")  # the canvas has heard of it first
    ran(page)
    assert view_data(page)["view"] == everything
    page.keyboard.down("Control")
    page.mouse.wheel(0, -300)
    page.keyboard.up("Control")
    page.wait_for_function("(old) => document.eco('.rv').dataset.view !== old", arg=everything)
    page.get_by_role("button", name="Show everything").click()
    page.wait_for_function("(old) => document.eco('.rv').dataset.view === old", arg=everything)


def test_a_finger_picks_a_place(visit, server):
    page = visit(f"{server}/?v=1", touch=True)
    settle(page)
    page.locator("canvas.over").tap(position={"x": 80, "y": 470})
    expect(page.locator(".in h3")).to_have_text(re.compile(r"^Place \("))


def test_flipping_bits_until_the_class_changes(visit, server):
    page = visit(f"{server}/?coding=dense-random")
    settle(page)
    winner = page.locator(".verdicts tr.now td").nth(1).locator("span").first
    before = winner.inner_text()
    for k in range(7):
        page.get_by_role("button", name=f"flip bit {k + 1}", exact=True).click()
        expect(page.get_by_role("button", name=f"flipped bit {k + 1}", exact=True)).to_be_visible()
        settle(page)
        if winner.inner_text() != before:
            break
    assert winner.inner_text() != before
    page.get_by_role("button", name="Restore bits").click()
    expect(winner).to_have_text(before)


def test_keys_flip_bits_and_change_entries_and_stay_where_they_are(visit, server):
    page = visit(f"{server}/?data=blobs&data.n_classes=8&coding=one-vs-one&decoding=hamming&compare=hamming")
    settle(page)
    # Bits that neither the true class nor the winner asks for are folded, the others keep their numbers.
    rows, fold = page.locator(".bits tr[data-number]"), page.locator("[data-act=fold]")
    shown = rows.count()
    assert shown < 28
    expect(fold).to_have_text(f"Show {28 - shown} bits of other classes")
    fold.press("Enter")
    expect(rows).to_have_count(28)
    expect(fold).to_be_focused()
    # A bit that is right and asked for is wrong once it is flipped, and is marked so.
    row = page.locator(
        ".bits tr[data-number]:has(td.mark:empty):not(:has(td:nth-child(5) .cell:not(.p, .n)))"
    ).first
    number = row.get_attribute("data-number")
    button = page.locator(f'[data-flip="{number}"]')
    button.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    ran(page)
    expect(button).to_be_focused()
    expect(page.locator(f'tr[data-number="{number}"] .mark')).to_have_text("wrong")
    entry = page.locator('.cell[data-c="2"][data-b="0"]')
    entry.focus()
    page.keyboard.press("+")
    expect(page.get_by_test_id("stSidebar")).to_contain_text("Made by hand")
    settle(page)
    expect(entry).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator('.cell[data-c="2"][data-b="1"]')).to_be_focused()


def test_editing_the_matrix_changes_regions_and_is_undone(visit, server):
    page = visit(f"{server}/?v=1")
    settle(page)
    before = canvas_digest(page)
    page.get_by_role("button", name="Add column").click()
    page.get_by_test_id("stSidebar").get_by_text("Made by hand").wait_for()
    settle(page)
    repainted(page, before)
    assert page.locator(".cg thead th.col").count() == 5
    page.get_by_test_id("stSidebar").get_by_role("button", name="Undo", exact=True).click()
    page.get_by_test_id("stSidebar").get_by_text("One-vs-all").wait_for()
    settle(page)
    until(lambda: canvas_digest(page) == before)


PLAYED = """() => {
  document.ecoPlayed = [];
  const write = () => {
    const text = (document.eco('.played') || {}).textContent || '';
    if (text.includes('of 6 bits')) document.ecoPlayed.push(text);
  };
  new MutationObserver(write).observe(document.eco('.rv').getRootNode(), {
    childList: true, subtree: true, characterData: true, attributes: true,
  });
}"""


def test_playing_the_bits_grows_them_to_the_whole_code(visit, server):
    page = visit(f"{server}/?coding=one-vs-one")
    settle(page)
    page.evaluate(PLAYED)
    page.get_by_role("button", name="Play bits").click()
    expect(page.locator(".played")).to_have_text(
        re.compile(r"^6 of 6 bits: row distance [\d.]+, error .* %  ?\(\d+ of \d+\)$")
    )
    # A busy machine may paint few of them, but they were all written.
    lengths = [int(text[0]) for text in page.evaluate("document.ecoPlayed") if text]
    assert lengths == sorted(lengths) and set(range(2, 7)) <= set(lengths)
    page.locator(".player input").fill("4")  # the matrix and the inspector use as many
    expect(page.locator(".cg tbody tr").first.locator(".cell.unused")).to_have_count(2)
    expect(page.locator(".in .said")).to_have_text(re.compile("^With the first 4 bits of 6, "))


def test_a_phone_shows_every_column_and_every_button(visit, server):
    page = visit(f"{server}/?coding=dense-random", width=390)
    settle(page)
    matrix, costs = page.locator(".cg thead th.col").nth(6), page.locator(".cg thead th.cost")
    assert matrix.bounding_box()["x"] + matrix.bounding_box()["width"] <= costs.bounding_box()["x"] + 1
    for row in (0, 6):
        flip = page.locator(".bits .flip").nth(row).bounding_box()
        assert flip["x"] + flip["width"] <= 390


@LOOKS
def test_nothing_is_wider_than_the_window(visit, server, dark, width):
    page = visit(f"{server}/?v=1&data=glass&coding=one-vs-one", dark=dark, width=width)
    settle(page)
    expect(page.locator(".bits .flip")).to_have_count(15)
    assert page.locator(".in .scroll").first.evaluate("(all) => all.scrollHeight <= all.clientHeight")
    fits(page, dark, width, page.locator("canvas.base"), 300)
    box = page.locator("canvas.base").bounding_box()
    assert abs(box["width"] - box["height"]) < 40


def test_what_is_typed_into_the_sidebar_is_taken(visit, server):
    page = visit(f"{server}/?v=1")
    settle(page)
    page.locator(".st-key-group-Data summary").click()
    points, seed = (page.locator(f".st-key-{key} input") for key in ("w-data-blobs-n_samples", "seed"))
    expect(seed).to_be_visible()
    points.fill("120")
    points.press("Enter")
    expect(page).to_have_url(re.compile("data.n_samples=120"))
    seed.fill("123456")
    seed.press("Enter")
    expect(page).to_have_url(re.compile("seed=123456"))
    settle(page)
    expect(seed).to_have_value("123456")


def test_the_tip_of_a_point_says_what_the_inspector_says(visit, server):
    page = visit(f"{server}/?v=1&data=iris&coding=one-vs-one&plane=0,1")
    settle(page)
    over, tip, seen = page.locator("canvas.over"), page.locator(".rv .tip"), set()
    box = over.bounding_box()
    for k in range(400):
        if len(seen) > 11:
            break
        place = {"x": 60 + 23 * (k % 20), "y": 20 + 23 * (k // 20)}
        page.mouse.move(box["x"] + place["x"], box["y"] + place["y"])
        who = tip.locator(".cap")
        if not who.count():
            continue
        number = re.search(r"point (\d+)", who.inner_text()).group(1)
        said = tip.locator("tr.now td").last.inner_text().strip()
        over.click(position=place)
        expect(page.locator(".in h3")).to_have_text(
            re.compile(rf"Point {number}, .* decoded as {said}( by a tie)?$")
        )
        seen.add(number)
    assert len(seen) > 11
