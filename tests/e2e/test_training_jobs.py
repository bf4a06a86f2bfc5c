"""Journeys through long trainings, and from page to page in the middle of an event."""

import re
from contextlib import contextmanager
from urllib.parse import urlsplit

import psutil
import pytest
from e2e_tools import canvas_digest, painted_again, ran, settle
from playwright.sync_api import expect
from waiting import until

FOLDS = "coding=one-vs-one&split=k-fold"
LONG = f"data=letter&{FOLDS}&split.n_folds=20"
"""Not over before what is to happen in the middle of it, however slow all else is."""
TRAINING = re.compile(r"training machine \d+ of 325|training, ")
"""What the line says of it; of single machines too shortly to be seen each time."""
STOPPED = re.compile(r"^Stopped at \d+ %; the previous setting is still shown")


def shown(page, place):
    return page.locator(f".st-key-{place}-shown")


def undo(page):
    page.get_by_test_id("stSidebar").get_by_role("button", name="Undo", exact=True).click()


def choose_data(page, title):
    box = page.locator(".st-key-group-Data").get_by_role("combobox", name=re.compile("Data"))
    if not box.count():
        page.locator(".st-key-group-Data summary").click()
        expect(box).to_be_visible()
        settle(page)
    box.fill(title)  # the long list holds only what is seen of it
    page.get_by_role("option", name=title, exact=True).click()


def go(page, title):
    page.get_by_test_id("stTopNavLink").filter(has_text=re.compile(f"^{title}$")).click()


def test_a_long_training_is_cancelled_and_undo_brings_the_picture_back(visit, server):
    page = visit(f"{server}/?{FOLDS}")
    settle(page)
    before = canvas_digest(page)
    choose_data(page, "Letters")
    expect(page.get_by_text(TRAINING)).to_be_visible()
    expect(shown(page, "playground")).to_have_css("opacity", "0.4")
    assert canvas_digest(page) == before
    # The page answers meanwhile: a group of the sidebar unfolds.
    page.locator(".st-key-group-Machine summary").click()
    expect(page.locator(".st-key-group-Machine").get_by_role("combobox").first).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text(STOPPED)).to_be_visible()
    expect(page.get_by_role("button", name="Run again")).to_be_visible()
    expect(shown(page, "playground")).to_have_css("opacity", "0.4")
    undo(page)
    expect(page.get_by_text(STOPPED)).to_have_count(0)
    expect(shown(page, "playground")).to_have_css("opacity", "1")
    settle(page)
    painted_again(page, before)


def test_another_page_joins_the_training_that_runs(visit, server):
    page = visit(f"{server}/relations?{LONG}&seed=3")
    progress = page.get_by_text(TRAINING)
    expect(progress).to_be_visible()
    expect(page.get_by_test_id("stPlotlyChart")).to_have_count(0)
    go(page, "Bits")
    expect(page).to_have_url(re.compile("/bits"))
    expect(progress).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text(re.compile(r"^Stopped at \d+ %; there is no result yet"))).to_be_visible()


def line(page):
    """What the line says, "" once there is none."""
    # Asked for at once: between two questions the line may go.
    return " ".join(page.get_by_test_id("stProgress").all_inner_texts())


def test_the_line_of_a_training_moves_and_its_picture_comes_by_itself(visit, server):
    page = visit(f"{server}/?data=letter&{FOLDS}&split.n_folds=2")
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    told = set()

    def over():
        told.add(line(page))
        return not page.get_by_role("button", name="Cancel").count()

    until(over, 180)
    settle(page)
    assert len(told - {""}) >= 3


HIDE = """(visibility) => {
  Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}"""
"""A browser without a screen calls every tab visible."""


def test_a_hidden_tab_asks_nothing_and_catches_up_when_it_is_seen(visit, server):
    page = visit(f"{server}/?v=1")
    wire = Wire(page)
    settle(page)
    page.goto(f"{server}/?{LONG}&seed=4")
    expect(page.get_by_text(TRAINING)).to_be_visible()
    page.evaluate(HIDE, "hidden")
    page.wait_for_timeout(1_000)  # what was on its way
    ran(page)
    before, asked = line(page), len(wire.asked)
    page.wait_for_timeout(5_000)
    assert len(wire.asked) == asked and line(page) == before
    page.evaluate(HIDE, "visible")
    until(lambda: line(page) != before)
    assert len(wire.asked) > asked
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text(re.compile(r"^Stopped at \d+ %; there is no result yet"))).to_be_visible()


class Wire:
    """The page's connection to its server, on which answers can be held up."""

    def __init__(self, page):
        self.asked, self.held, self.holds = [], [], False
        page.route_web_socket(re.compile("/_stcore/stream"), self.connect)
        page.reload()

    def connect(self, browser):
        server = browser.connect_to_server()

        def ask(message):
            self.asked.append(message)
            server.send(message)

        browser.on_message(ask)
        server.on_message(
            lambda message: self.held.append((browser, message)) if self.holds else browser.send(message)
        )

    def let_go(self):
        self.holds = False
        for browser, message in self.held:
            browser.send(message)


@pytest.mark.parametrize("answer_ms", [140, 400])
def test_a_page_that_is_chosen_in_the_middle_of_an_edit_is_not_left_blank(visit, server, answer_ms):
    page = visit(f"{server}/?v=1")
    wire = Wire(page)
    settle(page)
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    # The grid holds its news back for 250 ms: it comes to be sent while the page changes.
    page.get_by_role("button", name="Add column").click()
    page.clock.run_for(200)
    before, wire.holds = len(wire.asked), True
    go(page, "Bits")
    until(lambda: page.title() and len(wire.asked) > before and wire.held)
    page.clock.run_for(answer_ms)
    page.title()  # what was sent meanwhile is heard of here
    # News that reach the server now would ask for a page that is gone, and may leave the new one blank.
    assert len(wire.asked) == before + 1
    wire.let_go()
    page.clock.resume()
    expect(page).to_have_url(re.compile("/bits"))
    expect(page.get_by_test_id("stPlotlyChart")).to_have_count(4)
    page.clock.run_for(3_000)  # whatever is still held back goes out now
    ran(page)
    expect(page.get_by_test_id("stSidebar")).to_contain_text("Blobs")
    expect(page.get_by_test_id("stPlotlyChart")).to_have_count(4)


def workers_of(address):
    """The worker processes of the server at an address."""
    port = str(urlsplit(address).port)
    (server,) = (
        process
        for process in psutil.process_iter(["cmdline"])
        if "ecocviz.views.shared.app.serve" in (line := process.info["cmdline"] or []) and port in line
    )
    return [child for child in server.children(recursive=True) if "LokyProcess" in " ".join(child.cmdline())]


@contextmanager
def alone(visit, serving):
    """A server of one's own, and what opens its pages; these are closed while it is there."""
    opened = []
    with serving() as address:

        def go(query):
            opened.append(visit(f"{address}/?{query}"))
            return opened[-1]

        try:
            yield address, go
        finally:
            for page in opened:
                page.context.close()


def test_a_computation_whose_process_is_killed_ends_alone_and_with_a_sentence(visit, serving):
    with alone(visit, serving) as (address, go):
        page = go(LONG)
        training = page.get_by_text(TRAINING)
        expect(training).to_be_visible()
        killed = workers_of(address)
        assert killed
        for process in killed:
            process.kill()
        sentence = page.get_by_text("The system stopped the computation, as it does when")
        expect(sentence).to_be_visible()
        other = go("data=iris")  # the server is as it was
        settle(other)
        assert canvas_digest(other)
        page.reload()  # what failed is tried again by whoever comes to it, in another process
        expect(training).to_be_visible()
        expect(sentence).to_have_count(0)


def test_two_long_computations_of_others_come_first_and_that_is_said(visit, serving):
    with alone(visit, serving) as (_address, go):
        for seed in (1, 2):  # each in the line before the next comes
            expect(go(f"{LONG}&seed={seed}").get_by_text(TRAINING)).to_be_visible()
        page = go(f"{LONG}&seed=3")
        expect(page.get_by_text("waiting for 2 other computations")).to_be_visible()
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_role("button", name="Run again")).to_be_visible()
        small = go("data=iris")  # what is small waits for nobody
        settle(small)
        assert canvas_digest(small)


def test_the_sidebar_says_the_number_of_a_word_once_the_machines_are_there(visit, server):
    page = visit(f"{server}/bits?data=pendigits&coding=one-vs-all&seed=77")  # nobody else has trained it
    number = re.compile(r"C [\d.e-]+, from the mean kernel value")
    expect(page.get_by_test_id("stSidebar")).to_contain_text(number, timeout=90_000)
