"""Headers: what every answer says, what is said to other sites, which scripts of Streamlit are known."""

import asyncio

import pytest
from asgi_tools import answered, ask, scope_of
from streamlit import config

from ecocviz.serving.handed import EMBED
from ecocviz.serving.hosts import ALLOWED
from ecocviz.views.shared.app.headers import Guards, digest


def saying(*headers):
    async def app(scope, _receive, send):
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
            return
        await send({"type": "http.response.start", "status": 200, "headers": list(headers)})
        await send({"type": "http.response.body", "body": b"inside"})

    return app


PAGE = (b"content-type", b"text/html; charset=utf-8")


def guards(app, environ=None):
    """A server that is known by the names of these tests."""
    names = {ALLOWED: "class.example", **(environ or {})}
    return Guards(app, names)


def told(headers, environ=None, **asked):
    return answered(guards(saying(*headers), environ), scope_of(**asked))[1]


def directives(text):
    return dict(part.strip().partition(" ")[::2] for part in text.decode().split(";"))


def test_a_page_may_contact_no_host_but_its_own():
    found = told([PAGE], host="class.example:8501")
    parts = directives(found[b"content-security-policy"])
    assert parts["default-src"] == "'self'"
    assert parts["connect-src"] == "'self' ws://class.example:8501 wss://class.example:8501"
    assert (parts["object-src"], parts["frame-ancestors"], parts["form-action"]) == (
        "'none'",
        "'self'",
        "'self'",
    )
    for name, value in parts.items():
        hosts = [
            word for word in value.split() if not word.startswith("'") and word not in {"data:", "blob:"}
        ]
        assert [word for word in hosts if "class.example:8501" not in word] == [], name
    assert "'unsafe-inline'" not in parts["script-src"]
    assert digest("\n      window.prerenderReady = false\n    ") in parts["script-src"]
    assert found[b"referrer-policy"] == b"no-referrer"
    assert found[b"cross-origin-opener-policy"] == b"same-origin"
    assert b"camera=()" in found[b"permissions-policy"]


@pytest.mark.parametrize("host", ["a;script-src *", "a b", "a\r\nx: y", "", "é", "a/b", "[::1", "b.example"])
def test_a_host_that_is_not_ours_is_refused_and_not_written_down(host):
    app, origin = guards(saying(PAGE)), f"http://{host}"
    status, headers, text = answered(app, scope_of(host=host))
    assert (status, "inside" in text, headers[b"x-content-type-options"]) == (421, False, b"nosniff")
    assert answered(app, scope_of("/_stcore/health", host=host))[2] == "inside"  # balancers ask without one
    refused = ask(app, scope_of(kind="websocket", host=host, origin=origin))
    assert refused == [{"type": "websocket.close", "code": 1008}]
    assert b"[::1]:8501" in told([PAGE], host="[::1]:8501")[b"content-security-policy"]


def test_files_and_answers_have_the_short_form():
    found = told([(b"content-type", b"text/javascript")])
    assert found == {
        b"content-type": b"text/javascript",
        b"x-content-type-options": b"nosniff",
        b"referrer-policy": b"no-referrer",
        b"cross-origin-resource-policy": b"same-origin",
    }
    assert b"content-security-policy" in told([(b"content-type", b"image/svg+xml")])


def test_what_an_answer_says_itself_stands():
    own = [PAGE, (b"content-security-policy", b"default-src 'none'"), (b"referrer-policy", b"same-origin")]
    found = told(own)
    assert found[b"content-security-policy"] == b"default-src 'none'"
    assert found[b"referrer-policy"] == b"same-origin"


def test_sites_that_may_show_the_app_are_named():
    found = told([PAGE], {EMBED: "https://course.example  https://other.example"})
    parts = directives(found[b"content-security-policy"])
    assert parts["frame-ancestors"] == "'self' https://course.example https://other.example"


UNUSED = ("/_stcore/metrics", "/auth/login", "/auth/logout", "/oauth2callback", "/_stcore/agent/openapi.json")


@pytest.mark.parametrize("path", UNUSED)
def test_what_streamlit_answers_and_nobody_here_asks_is_not_there(path):
    assert answered(guards(saying(PAGE)), scope_of(path))[0] == 404


def test_a_websocket_ends_with_the_first_text():
    heard = []
    sent = [{"type": "websocket.receive", "bytes": b"a"}, {"type": "websocket.receive", "text": "b"}]

    async def app(_scope, receive, send):
        await receive()
        heard.extend([await receive(), await receive()])
        await send({"type": "websocket.send", "bytes": b"too late"})

    async def receive():
        return sent.pop(0)

    told = []

    async def send(message):
        told.append(message)

    sent.insert(0, {"type": "websocket.connect"})
    asyncio.run(guards(app)(scope_of(kind="websocket"), receive, send))
    assert heard == [
        {"type": "websocket.receive", "bytes": b"a"},
        {"type": "websocket.disconnect", "code": 1003},
    ]
    assert told == [{"type": "websocket.close", "code": 1003}]


# Other sites -----------------------------------------------------------------------------------------

WIDE = [
    (b"access-control-allow-origin", b"*"),
    (b"access-control-allow-credentials", b"true"),
    (b"access-control-allow-headers", b"X-Xsrftoken"),
]


@pytest.fixture
def listed():
    config.set_option("server.corsAllowedOrigins", ["https://friend.example"])
    yield "https://friend.example"
    config.set_option("server.corsAllowedOrigins", [])


@pytest.mark.parametrize("origin", [None, "http://class.example", "http://elsewhere.example", "null"])
def test_no_site_is_let_read_what_is_answered(origin):
    assert not [name for name in told(WIDE, origin=origin) if name.startswith(b"access-control")]


def test_a_site_that_the_operator_has_allowed_is(listed):
    assert told(WIDE, origin=listed)[b"access-control-allow-origin"] == b"*"
    assert b"access-control-allow-origin" not in told(WIDE, origin="http://elsewhere.example")


@pytest.mark.parametrize(
    "origin", [None, "http://class.example", "https://class.example", "HTTP://CLASS.example"]
)
def test_pages_of_this_host_may_connect(origin):
    assert ask(guards(saying()), scope_of(kind="websocket", origin=origin)) == [{"type": "websocket.accept"}]


@pytest.mark.parametrize(
    "origin",
    [
        "http://localhost:3000",
        "http://127.0.0.1",
        "http://0.0.0.0",
        "http://elsewhere.example",
        "http://class.example:81",
        "http://class.example.elsewhere.example",
        "http://elsewhere.example/class.example",
        "null",
        "class.example",
        "http://",
        "http://[",
    ],
)
def test_pages_of_other_hosts_may_not(origin, listed):
    refused = ask(guards(saying()), scope_of(kind="websocket", origin=origin))
    assert refused == [{"type": "websocket.close", "code": 1008}]
    friend = scope_of(kind="websocket", origin=listed)
    assert ask(guards(saying()), friend) == [{"type": "websocket.accept"}]


def test_the_begin_of_the_server_passes():
    begun = []

    async def app(scope, _receive, _send):
        begun.append(scope["type"])

    assert ask(guards(app), {"type": "lifespan"}) == []
    assert begun == ["lifespan"]
