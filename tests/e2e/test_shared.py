"""A server for strangers: who has no code sees nothing, who has it sees the app, and the log names nobody."""

import re
import socket
from contextlib import suppress

import pytest
from e2e_tools import settle
from playwright.sync_api import expect
from shared_tools import CODE, shared_server
from streamlit.proto.BackMsg_pb2 import BackMsg
from waiting import until
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.sync.client import connect

from ecocviz.serving.addresses import LOOPBACK

pytestmark = [pytest.mark.e2e, pytest.mark.thorough]
MARK = "MARKERofAVisitor"
NO_FRAGMENT = re.compile(r"ragment with id (\S+)")
LOOK = "(({ backgroundColor, color }) => [backgroundColor, color])(getComputedStyle(document.body))"
LINK = "/?v=1&coding=one-vs-one&machine.gamma=0.7"


@pytest.fixture(scope="module")
def shared(root, tmp_path_factory):
    """One process behind haproxy where it is installed."""
    with shared_server(root, tmp_path_factory.mktemp("shared")) as server:
        yield server


@pytest.fixture
def tab(browser, shared):
    """Open a browser of one's own: its page, what its console complained of, and whom else it asked."""
    opened, problems, others = [], [], []

    def heard(message):
        if message.type == "error" and not re.search(r"status of (401|404)", message.text):
            problems.append(message.text)

    def asked(request):
        if not request.url.startswith((shared.address, "data:", "blob:")):
            others.append(request.url)

    def go(link, **look):
        context = browser.new_context(viewport={"width": 1440, "height": 900}, **look)
        opened.append(context)
        page = context.new_page()
        page.on("console", heard)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("request", asked)
        page.goto(shared.address + link)
        return page

    yield go
    for context in opened:
        context.close()
    assert problems == []
    assert others == []


def enter(page, code=CODE):
    page.get_by_label("Access code").fill(code)
    page.get_by_role("button", name="Open").click()


# In a browser ----------------------------------------------------------------------------------------


def test_a_code_opens_the_link_that_was_followed(tab, shared):
    page, stranger = tab(LINK), tab("/bits")
    expect(page.get_by_role("heading", name="ecocviz")).to_be_visible()
    enter(page, "not the code")
    expect(page.get_by_role("alert")).to_have_text("That is not the access code.")
    enter(page)
    settle(page)
    assert page.evaluate("location.search").startswith(LINK[1:])
    expect(page.locator('[data-testid="stSidebar"]')).to_contain_text("One-vs-one")
    cookies = {cookie["name"]: cookie for cookie in page.context.cookies()}
    assert cookies["ecocviz_pass"]["httpOnly"] and cookies["ecocviz_pass"]["sameSite"] == "Lax"

    stranger.goto(shared.address + LINK)
    expect(stranger.get_by_label("Access code")).to_be_visible()
    with pytest.raises(InvalidStatus):
        shared.socket(cookie="")

    until(lambda: shared.status()["total"]["sessions"] >= 1 and shared.status()["total"]["runs"] >= 1)
    told = shared.status()["total"]
    assert 0 < told["p50_ms"] <= told["p95_ms"] < 60_000


@pytest.mark.parametrize("dark", [False, True])
def test_the_access_page_fits_a_narrow_screen(tab, dark):
    page = tab(LINK, color_scheme="dark" if dark else "light")
    page.set_viewport_size({"width": 320, "height": 480})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    back, text = page.evaluate(LOOK)
    assert (back, text) == (
        ("rgb(18, 22, 29)", "rgb(232, 236, 243)") if dark else ("rgb(255, 255, 255)", "rgb(28, 35, 48)")
    )
    expect(page.get_by_label("Access code")).to_be_focused()


def test_charts_of_many_points_are_drawn_and_saved_under_the_policy(tab):
    page = tab("/data?v=1&data.n_samples=2000")
    enter(page)
    page.locator(".js-plotly-plot .gl-canvas").first.wait_for(state="attached")
    expect(page.get_by_text("WebGL is not supported")).to_have_count(0)
    page.get_by_role("button", name="Save", exact=True).first.click()
    with page.expect_download() as picture:
        page.get_by_role("button", name="SVG, ").click()
    assert "<svg" in picture.value.path().read_text("utf-8")[:1000]
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as script:
        page.get_by_role("button", name="Python script").click()
    assert "ecocviz" in script.value.path().read_text("utf-8")


# What other sites are told ---------------------------------------------------------------------------

PATHS = [
    "/",
    "/_stcore/health",
    "/_stcore/host-config",
    "/_stcore/metrics",
    "/media/none.png",
    "/component/x",
]


@pytest.mark.parametrize("path", PATHS)
def test_no_other_site_may_read_an_answer(shared, path):
    for origin in ("http://elsewhere.example", "http://localhost:3000", "null", f"http://{LOOPBACK}:1"):
        _, headers, _ = shared.ask(path, Cookie=shared.passed(), Origin=origin)
        assert not [name for name in headers if name.lower().startswith("access-control")]
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


def test_a_page_around_the_app_may_send_it_nothing(shared):
    assert '"allowedOrigins":[]' in shared.ask("/_stcore/host-config", Cookie=shared.passed())[2]


def test_an_upload_needs_the_token_of_a_page(shared):
    for method in ("PUT", "DELETE", "OPTIONS"):
        status, headers, _ = shared.ask(
            "/_stcore/upload_file/a/b", method, Cookie=shared.passed(), Origin="http://localhost:8501"
        )
        assert status == (204 if method == "OPTIONS" else 403)
        assert headers["Access-Control-Allow-Origin"] is None


@pytest.mark.parametrize(
    "origin", ["http://localhost:3000", "http://0.0.0.0", "http://elsewhere.example", "null"]
)
def test_no_page_of_another_site_opens_a_websocket(shared, origin):
    with pytest.raises(InvalidStatus) as refused:
        shared.socket(shared.passed(), origin=origin)
    assert refused.value.response.status_code == 403
    with shared.socket(shared.passed(), origin=shared.address):
        pass


def test_a_name_that_was_made_to_mean_this_computer_opens_nothing(shared):
    """DNS rebinding: host and origin are the same foreign name."""
    cookie, host = shared.passed(), f"evil.example:{shared.port}"
    status, _, text = shared.ask("/", Cookie=cookie, Host=host)
    assert (status, "--allow-host evil.example" in text) == (421, True)
    with (
        socket.create_connection((LOOPBACK, shared.port)) as line,
        pytest.raises(InvalidStatus) as refused,
        connect(
            f"ws://{host}/_stcore/stream",
            sock=line,
            origin=f"http://{host}",
            additional_headers={"Cookie": cookie},
            proxy=None,
        ),
    ):
        pass
    assert refused.value.response.status_code == 403
    assert shared.ask("/_stcore/health", Host="")[0] == 200


def test_messages_of_browsers_are_bounded(shared):
    with shared.socket(shared.passed()) as line:
        line.send(bytes(4_100_000))
        assert heard_to_the_end(line) == 1009


def test_a_message_of_text_ends_the_connection_and_is_no_fault_of_the_server(shared):
    with shared.socket(shared.passed()) as line:
        line.send("hello")
        assert heard_to_the_end(line) == 1003
    assert "KeyError" not in shared.log.read_text()


@pytest.mark.parametrize(
    "path", ["/auth/login", "/auth/logout", "/oauth2callback?code=1", "/_stcore/agent/mcp"]
)
def test_what_nobody_uses_is_not_there(shared, path):
    assert shared.ask(path, Cookie=shared.passed())[0] == 404


def heard_to_the_end(line):
    """Read what comes until the server closes the connection; return its code."""
    with suppress(ConnectionClosedError):
        for _ in line:
            pass
    return line.close_code


# The log ---------------------------------------------------------------------------------------------


def provoke(server):
    """Let everything that can go wrong name a visitor."""
    cookie = server.passed()
    server.ask(f"/bits?v=1&{MARK}={MARK}", Cookie=cookie, Referer=f"http://{MARK}/")
    server.ask(f"/{MARK}/{MARK}?{MARK}", Cookie=f"{cookie}; {MARK}={MARK}")
    server.ask("/", "POST", f"code={MARK}", Accept="text/html")
    server.ask(f"/_stcore/upload_file/{MARK}/{MARK}", "PUT", MARK, Cookie=cookie)
    server.ask(f"/media/{MARK}", Cookie=cookie, **{"X-Forwarded-For": MARK})
    for line in (
        f"GET /{MARK} HTTP/7.7",
        f"{MARK}",
        f"GET /{MARK} HTTP/1.1\r\nHost: {MARK}\r\nContent-Length: {MARK}",
    ):
        with socket.create_connection((LOOPBACK, server.port)) as raw:
            raw.sendall(f"{line}\r\n\r\n".encode())
            raw.settimeout(5)
            raw.recv(1_000)
    with pytest.raises(InvalidStatus):
        server.socket(cookie, origin=f"http://{MARK}.example")
    for wrong in (b"\x5a\xff" + MARK.encode(), MARK):  # no message of a browser; text, which is none either
        with server.socket(cookie) as line:
            line.send(wrong)
            assert heard_to_the_end(line) is not None
    with server.socket(cookie) as line:
        message = BackMsg()
        message.rerun_script.query_string = f"v=1&data={MARK}&{MARK}=1"
        message.rerun_script.page_name = MARK
        line.send(message.SerializeToString())
        line.recv(timeout=20)
        message.rerun_script.fragment_id = MARK
        message.rerun_script.widget_states.widgets.add(id=MARK, json_value=MARK)
        line.send(message.SerializeToString())
        # A line that is closed sooner ends the session before the server looks for the fragment.
        until(lambda: NO_FRAGMENT.search(server.log.read_text(errors="replace")))


def of_errors(server):
    provoke(server)
    return until(lambda: "DecodeError" in (log := server.log.read_text(errors="replace")) and log)


def test_the_log_names_nobody(shared):
    assert_quiet(of_errors(shared))


def test_the_log_names_nobody_behind_the_front_of_python(root, tmp_path):
    with shared_server(root, tmp_path, "--workers=2", "--front=python") as server:
        log = of_errors(server)
    assert_quiet(log + server.log.read_text(errors="replace"))


def assert_quiet(log):
    assert MARK.lower() not in log.lower(), log
    assert "DecodeError" in log and "starlette_websocket.py" in log
    assert NO_FRAGMENT.search(log).group(1) == "…"
    assert "?" not in log, log
    assert "Traceback" not in log
    written = [
        line for line in log.splitlines() if "ecocviz is at" not in line and "operator's page" not in line
    ]
    assert not re.search(r"\d+\.\d+\.\d+\.\d+", "\n".join(written)), log
