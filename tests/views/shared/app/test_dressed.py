"""The style sheet stands in Streamlit's own page, at every address, and in nothing else."""

from pathlib import Path

import pytest
from asgi_tools import answered, scope_of
from streamlit import file_util

from ecocviz.views.shared.app.components.joining import source
from ecocviz.views.shared.app.dressed import LARGEST, Dressed

INDEX = Path(file_util.get_static_dir(), "index.html").read_bytes()
PAGE = [(b"content-type", b"text/html; charset=utf-8"), (b"etag", b'"x"'), (b"cache-control", b"no-cache")]


def saying(*bodies, headers=PAGE, status=200, asked=None):
    async def app(scope, _receive, send):
        if asked is not None:
            asked.extend(scope["headers"])
        length = (b"content-length", str(sum(map(len, bodies))).encode())
        await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
        for k, body in enumerate(bodies):
            await send({"type": "http.response.body", "body": body, "more_body": k < len(bodies) - 1})

    return Dressed(app)


@pytest.mark.parametrize("path", ["/", "/decoders"])
def test_the_page_has_the_style_behind_all_that_streamlit_adds(path):
    half = len(INDEX) // 2
    status, headers, text = answered(saying(INDEX[:half], INDEX[half:]), scope_of(path))
    assert status == 200
    assert text.index('<div id="root">') < text.index(source("frame.css")) < text.index("</body>")
    assert source("first.css") in text
    assert int(headers[b"content-length"]) == len(text.encode())
    assert b"etag" not in headers and headers[b"cache-control"] == b"no-cache"


def test_the_page_is_asked_for_whole_and_unpacked():
    asked = []
    scope = scope_of(accept_encoding="gzip", if_none_match='"x"', range="bytes=0-9")
    answered(saying(INDEX, asked=asked), scope)
    assert dict(asked) == {b"host": b"class.example", b"accept": b"text/html"}


@pytest.mark.parametrize(
    ("told", "scope"),
    [
        ({"headers": [(b"content-type", b"text/javascript")]}, scope_of()),
        ({"status": 404}, scope_of()),
        ({}, scope_of(method="POST")),
        ({}, scope_of(accept="*/*", accept_encoding="gzip")),
    ],
)
def test_everything_else_is_passed_on_as_it_is(told, scope):
    assert answered(saying(INDEX, **told), scope)[2].encode() == INDEX


def test_a_page_without_an_end_or_too_large_is_passed_on_as_it_is():
    assert answered(saying(b"<p>no end"), scope_of())[2] == "<p>no end"
    large = b"<body>" + b" " * LARGEST + b"</body>"
    assert answered(saying(large), scope_of())[2].encode() == large
