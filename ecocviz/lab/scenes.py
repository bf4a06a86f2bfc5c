"""Scenes of a lecture: links in an order, each with a title, as one file or as one field of a link.

A scene's link is read like any other link when it is opened. What is read here is counted first: bytes,
scenes, letters of titles and links.
"""

import base64
import binascii
import json
import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import parse_qsl, urlencode, urlsplit

MAX_SCENES, MAX_TITLE, MAX_LINK = 60, 80, 30_000
MAX_BYTES = 200_000
"""Of a file, and of what a link's field expands to."""
MAX_PACKED = 24_000
"""Letters of the field of a link: the address holds it beside a scenario."""
MAX_FIELDS = 200
PAGE = re.compile(r"[a-z][a-z_]{0,39}")
NOT_SCENES = "This is not a list of scenes"


@dataclass(frozen=True, slots=True)
class Scene:
    """One screen of a lecture. Build it with `make_scene`.

    Attributes
    ----------
    title
        What it is called.
    page
        The page's own name in links.
    query
        The fields of its link.
    """

    title: str
    page: str
    query: str

    @property
    def fields(self) -> dict[str, str]:
        """The fields of its link."""
        return _fields(self.query)

    @property
    def link(self) -> str:
        """Its link, without the address of a server."""
        return f"{self.page}?{self.query}"


def make_scene(title: str, link: str) -> Scene:
    """Return a scene of a link; raise ValueError with a sentence for what is none.

    >>> make_scene(" Two  moons ", "http://10.0.0.7:8501/bits?v=1&data=moons")
    Scene(title='Two moons', page='bits', query='v=1&data=moons')
    """
    title = check_title(title)
    if len(link) > MAX_LINK:
        raise ValueError(f"The link of a scene has {len(link):,} characters; at most {MAX_LINK:,} are read.")
    try:
        parts = urlsplit(link)
        query = urlencode(_fields(parts.query))
    except ValueError:
        raise ValueError(
            f"{NOT_SCENES}: one of its links cannot be read; copy it from Share again."
        ) from None
    page = parts.path.strip("/")
    if not PAGE.fullmatch(page):
        raise ValueError(f"{NOT_SCENES}: one of its links names no page; copy it from Share again.")
    return Scene(title, page, query)


def check_title(title: str) -> str:
    """Return a title on one line, or raise ValueError with a sentence."""
    kept = " ".join(title.split())
    if not kept:
        raise ValueError("A scene needs a title.")
    if len(kept) > MAX_TITLE:
        raise ValueError(
            f"The title of a scene has at most {MAX_TITLE} characters; this one has {len(kept)}."
        )
    if any("\ud800" <= letter <= "\udfff" for letter in kept):
        raise ValueError("The title of a scene contains a broken character; write it again.")
    return kept


def to_json(scenes: Iterable[Scene], *, indent: int | None = 2) -> str:
    """Write the file."""
    listed = [{"title": scene.title, "link": scene.link} for scene in scenes]
    return json.dumps(
        {"ecocviz": "scenes", "scenes": listed}, ensure_ascii=False, indent=indent,
        separators=None if indent else (",", ":"),
    )  # fmt: skip


def from_json(data: bytes) -> tuple[Scene, ...]:
    """Read the file; raise ValueError with a sentence for anything else."""
    if len(data) > MAX_BYTES:
        raise ValueError(f"{NOT_SCENES}: it has {len(data):,} bytes, but at most {MAX_BYTES:,} are read.")
    try:
        content = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        raise ValueError(f"{NOT_SCENES}: choose a file that was saved with Save as file.") from None
    listed = content.get("scenes") if isinstance(content, dict) else None
    if not isinstance(listed, list):
        raise ValueError(f"{NOT_SCENES}: choose a file that was saved with Save as file.")  # noqa: TRY004 - as below
    if len(listed) > MAX_SCENES:
        raise ValueError(f"A list holds at most {MAX_SCENES} scenes; this one has {len(listed):,}.")
    return tuple(map(_read_scene, listed))


def _read_scene(one: object) -> Scene:
    title, link = (one.get("title"), one.get("link")) if isinstance(one, dict) else (None, None)
    if not isinstance(title, str) or not isinstance(link, str):
        raise ValueError(f"{NOT_SCENES}: each scene has a title and a link.")  # noqa: TRY004 - one kind of error for all
    return make_scene(title, link)


def pack(scenes: tuple[Scene, ...]) -> str:
    """Write the field of a link, "" for no scenes; raise ValueError with a sentence if that is too long."""
    if not scenes:
        return ""
    data = to_json(scenes, indent=None).encode()
    packed = base64.urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip("=")
    if len(scenes) > MAX_SCENES or len(data) > MAX_BYTES or len(packed) > MAX_PACKED:
        raise ValueError(
            f"The list of scenes is full: it takes {MAX_SCENES} scenes and {MAX_PACKED:,} characters of a "
            "link. "
            "Save it as a file and begin another."
        )
    return packed


@lru_cache(maxsize=64)
def unpack(packed: str) -> tuple[Scene, ...]:
    """Read the field of a link; raise ValueError with a sentence for anything else.

    It is expanded no further than a list of scenes may be long.
    """
    if not packed:
        return ()
    damaged = ValueError(
        "The list of scenes in this link is damaged; open its file, or ask for the link again."
    )
    if len(packed) > MAX_PACKED:
        raise damaged
    expanding = zlib.decompressobj()
    try:
        data = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        text = expanding.decompress(data, MAX_BYTES + 1)
    except (binascii.Error, zlib.error, ValueError):
        raise damaged from None
    if len(text) > MAX_BYTES or not expanding.eof or expanding.unused_data:
        raise damaged
    return from_json(text)


# Changing ------------------------------------------------------------------------------------------


def moved(n: int, k: int, by: int) -> list[int]:
    """Return the order of `n` scenes in which scene `k` stands so many places later, as far as there are.

    >>> moved(3, 0, 1), moved(3, 2, 9)
    ([1, 0, 2], [0, 1, 2])
    """
    order = [i for i in range(n) if i != k]
    order.insert(min(max(k + by, 0), n - 1), k)
    return order


def _fields(query: str) -> dict[str, str]:
    return dict(parse_qsl(query, keep_blank_values=True, max_num_fields=MAX_FIELDS))
