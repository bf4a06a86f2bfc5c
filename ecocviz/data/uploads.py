"""Files that users brought, kept by content in the data folder so that a link can refer to them.

Each upload is a folder named by the digest of everything in it: the files' bytes, their names and
the chosen label. The name in a link is checked to be a digest before it touches a path.
"""

import functools
import hashlib
import json
import os
import re
import shutil
import tempfile
from pathlib import Path, PurePath

from ecocviz.data.home import home
from ecocviz.data.limits import current_limits
from ecocviz.data.readers import read_table
from ecocviz.data.types import Dataset, Table
from ecocviz.engine.params import TextParam, shorten

DIGEST_LENGTH = 32
_DIGEST = re.compile(rf"[0-9a-f]{{{DIGEST_LENGTH}}}")


def _folder() -> Path:
    return home() / "uploads"


def _plain(filename: str) -> str:
    """Return the last part of a file name, without any path in front of it."""
    return shorten(PurePath(filename.replace("\\", "/")).name, 120)


def _digest(about: object, files: list[bytes]) -> str:
    hashed = hashlib.sha256(json.dumps(about, sort_keys=True).encode())
    for content in files:
        hashed.update(hashlib.sha256(content).digest())
    return hashed.hexdigest()[:DIGEST_LENGTH]


def keep(
    content: bytes,
    filename: str,
    label: str | None = None,
    test: bytes | None = None,
    test_filename: str = "",
) -> str:
    """Keep a readable file and return its digest; raise the reader's sentence for any other.

    The parameters are those of `read_table`. When all kept files together exceed the limit, those
    that were not used for longest are removed.
    """
    read_table(content, filename, label, test, test_filename)
    about = {"filename": _plain(filename), "label": label, "test_filename": _plain(test_filename)}
    files = [content] if test is None else [content, test]
    digest = _digest(about, files)
    place = _folder() / digest
    if not place.is_dir():
        _folder().mkdir(parents=True, exist_ok=True)
        # Written aside and renamed: another process sees a whole upload or none.
        aside = Path(tempfile.mkdtemp(prefix="new-", dir=_folder()))
        (aside / "about.json").write_text(json.dumps(about), encoding="utf-8")
        for name, part in zip(("train", "test"), files, strict=False):
            (aside / name).write_bytes(part)
        try:
            aside.rename(place)
        except OSError:
            shutil.rmtree(aside, ignore_errors=True)
            if not place.is_dir():
                raise
    os.utime(place)
    _make_room(spare=digest)
    return digest


def load(*, digest: str) -> Table:
    """Read a kept file again."""
    if not digest:
        raise ValueError("No file has been uploaded yet; choose one on the Data page, or another data set.")
    place = _folder() / digest
    unknown = ValueError(
        "This link refers to an uploaded file that is not on this computer; upload it again."
    )
    if not _DIGEST.fullmatch(digest) or not place.is_dir():
        raise unknown
    try:
        os.utime(place)
        stats = [file.stat() for file in sorted(place.iterdir())]
        return _read(place, tuple((stat.st_mtime_ns, stat.st_size) for stat in stats))
    except OSError:
        raise unknown from None


@functools.lru_cache(maxsize=4)
def _read(place: Path, stamps: tuple[tuple[int, int], ...]) -> Table:
    """Read and check a kept upload; the files' times and sizes make sure that a change is noticed."""
    del stamps
    files = [(place / name).read_bytes() for name in ("train", "test") if (place / name).is_file()]
    damaged = ValueError("The kept copy of this uploaded file is damaged; upload it again.")
    try:
        about = json.loads((place / "about.json").read_text(encoding="utf-8"))
    except ValueError:
        raise damaged from None
    if _digest(about, files) != place.name:
        raise damaged
    test = files[1] if len(files) > 1 else None
    return read_table(files[0], about["filename"], about["label"], test, about["test_filename"])


def _size(place: Path) -> int:
    return sum(file.stat().st_size for file in place.iterdir())


def _make_room(spare: str) -> None:
    """Remove the uploads not used for longest until the rest is within the limit."""
    places = [place for place in _folder().iterdir() if _DIGEST.fullmatch(place.name)]
    places.sort(key=lambda place: (place.name != spare, -place.stat().st_mtime))
    total = 0
    for place in places:
        total += _size(place)
        if total > current_limits().folder_bytes and place.name != spare:
            shutil.rmtree(place, ignore_errors=True)


UPLOAD = Dataset(
    key="upload",
    title="Your own file",
    summary="A CSV, TSV, ARFF or Parquet file of yours; it stays on this computer.",
    group="Yours",
    load=load,
    params=(
        TextParam(
            name="digest",
            label="Uploaded file",
            default="",
            alphabet="0123456789abcdef",
            max_length=DIGEST_LENGTH,
        ),
    ),
    licence="Yours",
    needs="upload",
    order=90,
)
