import asyncio
import gzip
from pathlib import Path

import pytest
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import FileResponse, Response
from streamlit import file_util

from ecocviz.views.shared.app.components.joining import source
from ecocviz.views.shared.app.first_paint import FirstPaint

PAGE = (b"accept", b"text/html,application/xhtml+xml")
GZIP = (b"accept-encoding", b"gzip, deflate, br")
RESERVED = 'div:not([data-testid="stSidebar"] ~ div) { margin-left: 18.75rem;'


def ask(app, *headers, method="GET", query=b""):
    """Return status, headers and body of an answer, through what compresses behind it."""
    scope = {"type": "http", "method": method, "path": "/", "query_string": query, "headers": list(headers)}
    messages = []

    async def receive():
        await asyncio.Event().wait()  # nothing more comes, and nobody leaves

    async def send(message):
        messages.append(message)

    asyncio.run(FirstPaint(GZipMiddleware(app))(scope, receive, send))
    start, *rest = messages
    told = start["headers"]
    assert len({name for name, _ in told}) == len(told)
    return start["status"], dict(told), b"".join(message.get("body", b"") for message in rest)


@pytest.fixture
def index():
    """Streamlit's own page."""
    return FileResponse(Path(file_util.get_static_dir(), "index.html"))


@pytest.mark.parametrize("encoding", [(), (GZIP,)], ids=["plain", "gzip"])
def test_streamlits_page_comes_with_our_title_and_our_sheet(index, encoding):
    status, headers, body = ask(index, PAGE, *encoding)
    assert status == 200
    assert headers[b"content-length"] == str(len(body)).encode()
    assert (headers.get(b"content-encoding") == b"gzip") is bool(encoding)
    assert not {b"etag", b"last-modified", b"accept-ranges"} & headers.keys()
    page = (gzip.decompress(body) if encoding else body).decode()
    assert "<title>ecocviz</title>" in page and "<title>Streamlit</title>" not in page
    sheet = page.index(source("frame.css"))
    assert page.index("</head>") < sheet < page.index('<div id="root">')
    assert RESERVED in page


def test_a_presented_page_keeps_no_room_for_a_sidebar(index):
    _, _, body = ask(index, PAGE, query=b"data=iris&present=1")
    assert source("frame.css").encode() in body and RESERVED.encode() not in body


def test_an_old_copy_of_the_page_is_never_taken_for_the_new_one(index):
    known = ask(FileResponse(index.path), (b"accept", b"*/*"))[1][b"etag"]
    assert ask(index, PAGE, (b"if-none-match", known))[0] == 200


def test_everything_else_passes_as_it_is():
    json = Response(b"{}", media_type="application/json")
    assert ask(json, PAGE)[2] == b"{}"
    fragment = Response(b"<p>no end", media_type="text/html")
    assert ask(fragment, PAGE)[2] == b"<p>no end"
    missing = Response(b"<body></body>", 404, media_type="text/html")
    assert ask(missing, PAGE)[::2] == (404, b"<body></body>")
    plain = Response(b"<body></body>", media_type="text/html")
    assert ask(plain, (b"accept", b"*/*"))[2] == b"<body></body>"
