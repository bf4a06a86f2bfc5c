import asyncio
import gzip

import pytest
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from ecocviz.views.shared.app import files
from ecocviz.views.shared.app.files import FOREVER, KeptFiles

SCRIPT = b"const one = 1;\n" * 500
COMPONENT = "/_stcore/bidi-components/ecocviz.region_view/region_view-0123456789ab.js"
HOST = (b"host", b"here:8501")
GZIP = (b"accept-encoding", b"gzip, deflate, br")


class Behind:
    """The app behind: counts what it is asked, and answers with one body for ever."""

    def __init__(self, body=SCRIPT, status=200, **headers):
        self.asked = []
        self.answer = Response(body, status, {"cache-control": FOREVER.decode(), "etag": '"1"', **headers})

    async def __call__(self, scope, receive, send):
        self.asked.append(Request(scope))
        await self.answer(scope, receive, send)


def ask(kept, path="/static/js/a.js", *headers, method="GET", query=b"", leaves=False):
    """Ask for a path as uvicorn does; return the status, the headers and the body."""
    messages = []
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": query,
        "headers": [HOST, *headers],
    }

    async def receive():
        return {"type": "http.disconnect" if leaves else "http.request"}

    async def send(message):
        messages.append(message)

    asyncio.run(kept(scope, receive, send))
    start, *rest = messages
    return start["status"], dict(start["headers"]), b"".join(message["body"] for message in rest)


def test_a_file_is_read_once_and_sent_compressed_to_all():
    behind = Behind()
    kept = KeptFiles(behind)
    first, again = ask(kept, "/static/js/a.js", GZIP), ask(kept, "/static/js/a.js", GZIP)
    assert first == again and len(behind.asked) == 1
    status, headers, body = first
    assert status == 200 and gzip.decompress(body) == SCRIPT
    assert headers[b"content-encoding"] == b"gzip" and headers[b"vary"] == b"Accept-Encoding"
    assert headers[b"content-length"] == str(len(body)).encode() and len(body) < len(SCRIPT) / 10
    assert headers[b"etag"] == b'W/"1"' and headers[b"cache-control"] == FOREVER
    assert "accept-encoding" not in behind.asked[0].headers


def test_who_leaves_before_the_answer_leaves_no_torn_file_to_the_others():
    """A browser that goes to another page gives up what it has asked for; the answer then ends early."""

    async def pieces():
        for piece in (SCRIPT[:100], SCRIPT[100:]):
            yield piece
            await asyncio.sleep(0)

    async def app(scope, receive, send):
        headers = {"cache-control": FOREVER.decode()}
        await StreamingResponse(pieces(), headers=headers)(scope, receive, send)

    async def hand_on(request, call_next):
        return await call_next(request)

    kept = KeptFiles(BaseHTTPMiddleware(app, hand_on))
    ask(kept, "/static/js/a.js", GZIP, leaves=True)
    assert gzip.decompress(ask(kept, "/static/js/a.js", GZIP)[2]) == SCRIPT


@pytest.mark.parametrize("torn", [SCRIPT[:-1], b""])
def test_what_is_shorter_than_it_says_is_not_kept(torn):
    asked = []

    async def behind(scope, _receive, send):
        asked.append(scope["path"])
        headers = [(b"content-length", str(len(SCRIPT)).encode()), (b"cache-control", FOREVER)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": torn})

    kept = KeptFiles(behind)
    for _ in range(2):
        ask(kept, "/static/js/a.js", GZIP)
    assert len(asked) == 2


def test_what_does_not_get_shorter_is_sent_as_it_is():
    _, headers, body = ask(KeptFiles(Behind(b"\x07\x91\xfe")), "/static/media/a.woff2", GZIP)
    assert body == b"\x07\x91\xfe" and b"content-encoding" not in headers and headers[b"etag"] == b'"1"'


def test_a_component_may_be_kept_for_good_because_its_name_says_what_is_in_it():
    behind = Behind(**{"cache-control": "public"})
    kept = KeptFiles(behind)
    assert ask(kept, COMPONENT, GZIP)[1][b"cache-control"] == FOREVER
    ask(kept, COMPONENT, GZIP)
    assert len(behind.asked) == 1


@pytest.mark.parametrize(
    ("path", "headers", "how"),
    [
        ("/static/js/a.js", [], {}),
        ("/static/js/a.js", [GZIP, (b"range", b"bytes=0-9")], {}),
        ("/static/js/a.js", [GZIP, (b"if-none-match", b'"1"')], {}),
        ("/static/js/a.js", [GZIP, (b"origin", b"http://elsewhere")], {}),
        ("/static/js/a.js", [GZIP], {"method": "HEAD"}),
        ("/static/js/a.js", [GZIP], {"query": b"x=1"}),
        ("/static/./js/a.js", [GZIP], {}),
        ("/static//js/a.js", [GZIP], {}),
        ("/_stcore/health", [GZIP], {}),
        ("/_stcore/bidi-components/other.one/one-0123456789ab.js", [GZIP], {}),
        ("/", [GZIP], {}),
    ],
)
def test_other_requests_are_the_apps_to_answer(path, headers, how):
    behind = Behind()
    kept = KeptFiles(behind)
    for _ in range(2):
        status, _, body = ask(kept, path, *headers, **how)
        assert status == 200 and body == SCRIPT
    assert [len(one.headers) for one in behind.asked] == [1 + len(headers)] * 2


def test_scripts_and_fonts_of_the_same_site_say_where_they_come_from_and_are_kept():
    behind = Behind()
    kept = KeptFiles(behind)
    for _ in range(2):
        ask(kept, "/static/js/a.js", GZIP, (b"origin", b"http://here:8501"))
    assert len(behind.asked) == 1


@pytest.mark.parametrize(
    "behind",
    [Behind(status=404), Behind(**{"cache-control": "no-cache"}), Behind(**{"set-cookie": "a=1"})],
)
def test_what_may_change_is_not_kept(behind):
    kept = KeptFiles(behind)
    for _ in range(2):
        assert ask(kept, "/static/js/a.js", GZIP)[2] == SCRIPT
    assert len(behind.asked) == 2


def test_there_is_an_end_to_what_is_kept(monkeypatch):
    behind = Behind()
    kept = KeptFiles(behind)
    ask(kept, "/static/js/a.js", GZIP)
    monkeypatch.setattr(files, "MAX_BYTES", 100)
    for _ in range(2):
        assert gzip.decompress(ask(kept, "/static/js/b.js", GZIP)[2]) == SCRIPT
    assert len(behind.asked) == 3
    ask(kept, "/static/js/a.js", GZIP)
    assert len(behind.asked) == 3


def test_websockets_go_through():
    heard = []

    async def behind(scope, _receive, _send):
        heard.append(scope["type"])

    asyncio.run(KeptFiles(behind)({"type": "websocket", "path": "/static/a.js"}, None, None))
    assert heard == ["websocket"]
