"""The door: who passes, what others see, where a right code leads. The desk is real, without its socket."""

import asyncio
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from asgi_tools import answered, ask, scope_of

from ecocviz.serving import door as doors
from ecocviz.serving.crowd import Crowd
from ecocviz.serving.desk import Desk
from ecocviz.serving.door import Door
from ecocviz.serving.door_page import LOOK, door_page, door_policy
from ecocviz.serving.handed import Handed
from ecocviz.serving.limiter import Limiter, Rate
from ecocviz.serving.passes import COOKIE, MARK, Passes
from ecocviz.serving.turns import Turns

CODE = "swordfish é 42"
TYPED = b"code=swordfish+%C3%A9+42"


async def inside(scope, _receive, send):
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
    elif scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"inside"})


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path / "desk", lambda: CODE)


@pytest.fixture
def door(desk, monkeypatch):
    async def ask_desk(_path, asked):
        desk._turns = Turns(0.0, 40)  # each request here has an event loop of its own
        return await desk.answer(asked)

    monkeypatch.setattr(doors, "ask", ask_desk)
    return Door(inside, replace(desk.handed, word=""))  # no front: whoever asks speaks for themselves


def good(desk):
    return f"{COOKIE}={Passes(desk.handed.key).make()}"


# Who passes ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["/", "/bits", "/static/js/index.js", "/_stcore/host-config", "/media/a.png"]
)
@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"])
def test_nothing_passes_without_a_pass(door, desk, path, method):
    for cookie in ("", f"{COOKIE}=", f"{COOKIE}=1.2", f"other={good(desk).partition('=')[2]}"):
        status, headers, text = answered(door, scope_of(path, method=method, cookie=cookie))
        assert status == 401
        assert "inside" not in text
        assert headers[b"cache-control"] == b"no-store"


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_health_and_the_begin_of_the_server_pass(door, method):
    assert answered(door, scope_of("/_stcore/health", method=method))[2] == "inside"
    assert ask(door, {"type": "lifespan"}) == []


@pytest.mark.parametrize(
    "path", ["/_stcore/health/", "/x/_stcore/health", "//_stcore/health", "/_stcore/health2"]
)
def test_what_only_looks_like_health_does_not(door, path):
    assert answered(door, scope_of(path))[0] == 401
    assert answered(door, scope_of("/_stcore/health", method="PUT"))[0] == 401


def test_a_pass_passes(door, desk):
    assert answered(door, scope_of("/bits", cookie=f"a=1; {good(desk)}; b=2"))[2] == "inside"
    two = f"{COOKIE}=old; {good(desk)}"  # one of another path has the same name
    assert answered(door, scope_of("/bits", cookie=two))[2] == "inside"
    socket = scope_of("/_stcore/stream", kind="websocket", cookie=good(desk))
    assert ask(door, socket) == [{"type": "websocket.accept"}]


def test_a_websocket_without_a_pass_is_refused_before_it_is_one(door):
    for cookie in ("", f"{COOKIE}=1.2"):
        socket = scope_of("/_stcore/stream", kind="websocket", cookie=cookie)
        assert ask(door, socket) == [{"type": "websocket.close", "code": 1008}]


def test_another_code_makes_old_passes_void(desk, tmp_path):
    codes = ["first code", "other code"]
    renewed = Desk(tmp_path / "desk", lambda: codes[0])
    old = good(renewed)
    assert answered(Door(inside, renewed.handed), scope_of("/", cookie=old))[2] == "inside"
    del codes[0]
    renewed.renew()
    assert answered(Door(inside, renewed.handed), scope_of("/", cookie=old))[0] == 401
    assert answered(Door(inside, desk.handed), scope_of("/", cookie=old))[0] == 401


def test_a_process_that_was_not_replaced_yet_follows_the_new_code(tmp_path, monkeypatch):
    codes = ["first code", "other code"]
    desk = Desk(tmp_path / "desk", lambda: codes[0])
    monkeypatch.setattr(doors, "FOLLOW_SECONDS", 0.0)

    async def ask_desk(_path, asked):
        return await desk.answer(asked)

    monkeypatch.setattr(doors, "ask", ask_desk)
    running, old = Door(inside, desk.handed), good(desk)
    assert answered(running, scope_of("/", cookie=old))[2] == "inside"
    del codes[0]
    desk.renew()
    assert answered(running, scope_of("/", cookie=old))[0] == 401
    assert answered(running, scope_of("/", cookie=good(desk)))[2] == "inside"


def test_a_door_without_a_key_is_none():
    with pytest.raises(ValueError, match="needs the key"):
        Door(inside, Handed())


# Codes -----------------------------------------------------------------------------------------------


def test_a_right_code_leads_to_the_address_that_was_asked_for(door):
    link = scope_of("/bits", method="POST", query=b"v=1&data=iris&axes=0%2C1", origin="http://class.example")
    status, headers, _ = answered(door, link, TYPED[:7], TYPED[7:])
    assert status == 303
    assert headers[b"location"] == b"/bits?v=1&data=iris&axes=0%2C1"
    cookie = headers[b"set-cookie"].decode()
    assert "; Path=/; Max-Age=57600; HttpOnly; SameSite=Lax" in cookie
    assert "Secure" not in cookie
    name = cookie.partition(";")[0]
    assert answered(door, scope_of("/bits", cookie=name))[2] == "inside"


def test_over_https_the_pass_is_never_sent_in_the_clear(door):
    asked = scope_of("/", method="POST") | {"scheme": "https"}
    assert answered(door, asked, TYPED)[1][b"set-cookie"].endswith(b"; Secure")


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("//elsewhere.example/x", b"/elsewhere.example/x"),
        ("/\\elsewhere.example", b"/elsewhere.example"),
        ("\\\\elsewhere.example", b"/elsewhere.example"),
        ("https://elsewhere.example/", b"/https://elsewhere.example/"),
        ("///\\/elsewhere.example", b"/elsewhere.example"),
        ("/a\r\nset-cookie: x=1", b"/"),
        ("/a b", b"/"),
        ("", b"/"),
    ],
)
def test_no_address_leads_to_another_site(door, path, place):
    status, headers, _ = answered(door, scope_of(path, method="POST"), TYPED)
    assert (status, headers[b"location"]) == (303, place)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"code=",
        b"code=wrong+code",
        b"code=swordfish",
        b"other=swordfish+%C3%A9+42",
        b"\xff\xfe\x00",
        b"&".join(b"code%d=1" % k for k in range(50)),
        b"code=" + b"a" * 100_000,
        b"code=%00%ff",
        b"code=%ED%A0%80",
    ],
)
def test_a_wrong_code_is_one_sentence(door, desk, body):
    status, headers, text = answered(door, scope_of("/bits", method="POST"), body)
    assert status == 401
    assert doors.WRONG in text
    assert COOKIE.encode() not in headers[b"set-cookie"]
    assert desk.refused == 1


def test_a_form_that_another_site_sends_is_not_judged(door, desk):
    for origin in ("http://elsewhere.example", "null", "http://class.example.elsewhere.example", "http://"):
        assert answered(door, scope_of("/", method="POST", origin=origin), b"code=wrong")[0] == 403
    assert desk.refused == 0


def test_a_form_that_is_sent_twice_leads_to_its_address_too(door, desk):
    status, headers, _ = answered(door, scope_of("/bits", method="POST", cookie=good(desk)), b"code=wrong")
    assert (status, headers[b"location"]) == (303, b"/bits")


def test_uploads_are_no_forms(door):
    assert answered(door, scope_of("/_stcore/upload_file/a/b", method="POST"), TYPED)[0] == 401


def test_too_many_wrong_codes_have_to_wait_and_nobody_else(door, desk):
    desk._of_addresses = Limiter(Rate(3, 50.0))
    wrong, right = (b"code=wrong", TYPED)
    for _ in range(20):  # right ones are not counted
        assert answered(door, scope_of("/", method="POST"), right)[0] == 303
    for _ in range(2):
        assert answered(door, scope_of("/", method="POST"), wrong)[0] == 401
    status, headers, text = answered(door, scope_of("/", method="POST"), wrong)
    assert status == 429
    assert headers[b"retry-after"] == b"50"
    assert (
        "That is not the access code. Too many wrong codes came from here; the next one is heard in 50 s."
        in text
    )
    status, _, text = answered(door, scope_of("/", method="POST"), right)
    assert status == 429
    assert "the access code. Too many" not in text and "the next one is heard in" in text
    other = scope_of("/", method="POST") | {"client": ("192.0.2.8", 1)}
    assert answered(door, other, right)[0] == 303
    assert desk.refused == 4
    made_up = scope_of("/", method="POST", cookie=f"{MARK}=made.up")
    status, headers, _ = answered(door, made_up, right)
    mark = headers[b"set-cookie"].decode().partition(";")[0]  # who was shown the page has tries
    assert (status, mark.partition("=")[0]) == (429, MARK)
    status, headers, _ = answered(door, scope_of("/", method="POST", cookie=mark), wrong)
    assert (status, headers.get(b"set-cookie")) == (401, None)
    assert answered(door, scope_of("/", method="POST", cookie=mark), right)[0] == 303


def test_a_desk_that_does_not_answer_is_one_sentence(tmp_path):
    alone = Door(inside, Handed(str(tmp_path / "none"), b"key"))
    status, _, text = answered(alone, scope_of("/", method="POST"), TYPED)
    assert status == 503
    assert doors.DEAF in text


# The page --------------------------------------------------------------------------------------------


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.style = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        if self.tags and self.tags[-1][0] == "style":
            self.style += data


def test_the_page_loads_and_runs_nothing(door):
    status, headers, text = answered(door, scope_of("/bits", query=b"v=1&data=%22%3E%3Cscript%3E"))
    page = Page(text)
    assert status == 401
    assert {"script", "img", "link", "iframe"} & {tag for tag, _ in page.tags} == set()
    assert not any(name in attributes for _, attributes in page.tags for name in ("src", "href", "action"))
    assert "data=" not in text
    assert headers[b"content-security-policy"] == door_policy("'self'")
    assert page.style.strip() == LOOK.strip()
    assert f"<style>{LOOK}</style>" in text
    assert headers[b"referrer-policy"] == b"same-origin"  # else the form would say no origin


def test_a_site_that_may_show_the_app_may_show_the_page(desk):
    open_door = Door(inside, desk.handed, {"ECOCVIZ_EMBED": "https://course.example"})
    policy = answered(open_door, scope_of("/"))[1][b"content-security-policy"]
    assert b"frame-ancestors 'self' https://course.example;" in policy


def test_a_sentence_is_escaped_and_told_to_who_listens():
    page = door_page("<b>no</b>")
    assert "&lt;b&gt;no" in page
    assert 'aria-describedby="problem"' in page and 'role="alert"' in page
    assert "problem" not in Page(door_page("")).tags[-2][1]


# The crowd -------------------------------------------------------------------------------------------


def test_websockets_of_one_address_are_counted():
    async def play():
        leave = asyncio.Event()

        async def hold(_scope, _receive, send):
            await send({"type": "websocket.accept"})
            await leave.wait()

        crowd, scope = Crowd(hold, Handed(), most=2, new=Rate(3, 1_000.0)), scope_of(kind="websocket")

        def comes(address):
            sent, told = [], asyncio.Event()

            async def send(message):
                sent.append(message)
                told.set()

            async def receive():
                return {"type": "websocket.connect"}

            task = asyncio.create_task(crowd(scope | {"client": (address, 1)}, receive, send))
            return task, told, sent

        async def outcome(visitor):
            await visitor[1].wait()
            return visitor[2][0]["type"].removeprefix("websocket.")

        first, second = comes("192.0.2.7"), comes("192.0.2.7")
        assert [await outcome(first), await outcome(second)] == ["accept", "accept"]
        assert await outcome(comes("192.0.2.7")) == "close"  # two are open
        assert await outcome(comes("192.0.2.8")) == "accept"
        leave.set()
        await asyncio.gather(first[0], second[0])
        assert await outcome(comes("192.0.2.7")) == "accept"
        assert await outcome(comes("192.0.2.7")) == "close"  # three have been opened
        assert crowd._open.keys() <= {"192.0.2.7", "192.0.2.8"}

    asyncio.run(play())


def test_requests_are_not_counted():
    assert ask(Crowd(inside, Handed(), most=0), scope_of())[1]["body"] == b"inside"
