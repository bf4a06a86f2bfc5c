"""Files that users brought, kept by content in the data folder so that a link can refer to them.

Each upload is a folder named by the digest of everything in it: the files' bytes, their names, the
chosen label and the columns left out. The name in a link is checked to be a digest before it touches
a path.
"""

import functools
import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import TypeVar

from ecocviz.data.home import home
from ecocviz.data.limits import current_limits
from ecocviz.data.readers import read_table
from ecocviz.data.types import Dataset, Table
from ecocviz.engine.params import TextParam, shorten

DIGEST_LENGTH = 32
_DIGEST = re.compile(rf"[0-9a-f]{{{DIGEST_LENGTH}}}")
Stamps = tuple[tuple[int, int], ...]
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadedFiles:
    """What a user brought and chose: the parameters of `read_table`."""

    content: bytes = field(repr=False)
    filename: str
    label: str | None = None
    test: bytes | None = field(default=None, repr=False)
    test_filename: str = ""
    left_out: Collection[str] = ()

    @property
    def about(self) -> dict[str, object]:
        """What is kept beside the bytes."""
        said = {
            "filename": _plain(self.filename),
            "label": self.label,
            "test_filename": _plain(self.test_filename),
        }
        # Uploads kept before columns could be left out do not say that none are; their digests stand.
        return said | ({"left_out": sorted(set(self.left_out))} if self.left_out else {})

    @property
    def files(self) -> list[bytes]:
        """The bytes of one file or two."""
        return [self.content] if self.test is None else [self.content, self.test]

    @property
    def digest(self) -> str:
        """The name under which it is kept, or would be."""
        return _digest(self.about, self.files)

    def read(self) -> Table:
        """Read it; raise the reader's sentence if that is impossible."""
        return read_table(
            self.content, self.filename, self.label, self.test, self.test_filename, self.left_out
        )


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
    left_out: Collection[str] = (),
) -> str:
    """Keep a readable file and return its digest; raise the reader's sentence for any other.

    The parameters are those of `read_table`. When all kept files together exceed the limit, those
    that were not used for longest are removed.
    """
    upload = UploadedFiles(
        content=content,
        filename=filename,
        label=label,
        test=test,
        test_filename=test_filename,
        left_out=left_out,
    )
    upload.read()
    digest = upload.digest
    place = _folder() / digest
    # Twice, should another process remove it in between as one not used for long.
    for _ in range(2):
        if not place.is_dir():
            _write(upload, place)
        with suppress(FileNotFoundError):
            os.utime(place)
            break
    _make_room(spare=digest)
    return digest


def _write(upload: UploadedFiles, place: Path) -> None:
    """Write an upload aside and rename it: another process sees a whole upload or none."""
    _folder().mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix="new-", dir=_folder()))
    (aside / "about.json").write_text(json.dumps(upload.about), encoding="utf-8")
    for name, part in zip(("train", "test"), upload.files, strict=False):
        (aside / name).write_bytes(part)
    try:
        aside.rename(place)
    except OSError:
        shutil.rmtree(aside, ignore_errors=True)
        if not place.is_dir():
            raise


def load(*, digest: str) -> Table:
    """Read a kept file again."""
    return _kept(digest, _read)


def reopen(*, digest: str) -> UploadedFiles:
    """Return a kept file as it was brought; raise the sentence of `load` if that is impossible."""
    return _kept(digest, _open)


def _kept(digest: str, read: Callable[[Path, Stamps], T]) -> T:
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
        return read(place, tuple((stat.st_mtime_ns, stat.st_size) for stat in stats))
    except OSError:
        raise unknown from None


@functools.lru_cache(maxsize=4)
def _read(place: Path, stamps: Stamps) -> Table:
    """Read a kept upload; the files' times and sizes make sure that a change is noticed."""
    return _open(place, stamps).read()


@functools.lru_cache(maxsize=1)
def _open(place: Path, stamps: Stamps) -> UploadedFiles:
    """Take up a kept upload and check it."""
    del stamps
    files = [(place / name).read_bytes() for name in ("train", "test") if (place / name).is_file()]
    damaged = ValueError("The kept copy of this uploaded file is damaged; upload it again.")
    try:
        about = json.loads((place / "about.json").read_text(encoding="utf-8"))
    except ValueError:
        raise damaged from None
    if _digest(about, files) != place.name:
        raise damaged
    return UploadedFiles(content=files[0], test=files[1] if len(files) > 1 else None, **about)


def _make_room(spare: str) -> None:
    """Remove the uploads not used for longest until the rest is within the limit.

    Other processes do the same in the same folder: what is gone meanwhile is not counted, and an upload is
    renamed before its files are removed, so that nobody finds a part of it.
    """
    found = []
    for place in _folder().iterdir():
        if _DIGEST.fullmatch(place.name):
            with suppress(OSError):
                used, size = place.stat().st_mtime, sum(file.stat().st_size for file in place.iterdir())
                found.append((place.name != spare, -used, size, place))
    total = 0
    for other, _, size, place in sorted(found):
        total += size
        if total > current_limits().folder_bytes and other:
            aside = Path(tempfile.mkdtemp(prefix="old-", dir=_folder()))
            with suppress(OSError):
                place.rename(aside / place.name)
            shutil.rmtree(aside, ignore_errors=True)


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
