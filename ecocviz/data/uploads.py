"""Files that users brought, kept in the data folder so that a link can refer to them.

Each is a folder (`upload_store.py`) named by the digest of everything in it: the files' bytes, their names,
the chosen label and the columns left out. On a shared server that would let anybody who knows a file find
out whether it is there, so its name is 128 random bits, and the digest lies beside the content. The name in
a link is checked before it touches a path.

A session has a share of the room (`upload_shares.py`), and what has not been used for long is removed.
"""

import functools
import hashlib
import json
import secrets
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import TypeVar

from ecocviz.data import upload_store as store
from ecocviz.data.home import close_to_others, why_not_written
from ecocviz.data.limits import current_limits, raising
from ecocviz.data.policy import ALONE, STRANGERS, Policy, current_policy
from ecocviz.data.readers import read_table
from ecocviz.data.types import Dataset, Table
from ecocviz.data.upload_presence import PRESENCE, owner_of
from ecocviz.data.upload_shares import given_up
from ecocviz.data.upload_store import ABOUT, CONTENTS, DIGEST, NAME_LENGTH, Kept, Stamps
from ecocviz.data.upload_words import size, until
from ecocviz.engine.params import TextParam, shorten

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


@dataclass(frozen=True, slots=True)
class Brought:
    """An upload that was kept.

    Attributes
    ----------
    name
        What a link calls it.
    gone
        Names of the session's earlier files that gave it room.
    """

    name: str
    gone: tuple[str, ...] = ()


def _plain(filename: str) -> str:
    """Return the last part of a file name, without any path in front of it."""
    return shorten(PurePath(filename.replace("\\", "/")).name, 120)


def _digest(about: object, files: list[bytes]) -> str:
    hashed = hashlib.sha256(json.dumps(about, sort_keys=True).encode())
    for content in files:
        hashed.update(hashlib.sha256(content).digest())
    return hashed.hexdigest()[:NAME_LENGTH]


# Keeping ---------------------------------------------------------------------------------------------


def keep(
    content: bytes,
    filename: str,
    label: str | None = None,
    test: bytes | None = None,
    test_filename: str = "",
    left_out: Collection[str] = (),
    *,
    session: str = "",
) -> str:
    """Keep a readable file and return its name in links: `bring`, with the parameters of `read_table`."""
    upload = UploadedFiles(
        content=content,
        filename=filename,
        label=label,
        test=test,
        test_filename=test_filename,
        left_out=left_out,
    )
    return bring(upload, session).name


def check(upload: UploadedFiles) -> None:
    """Raise the reader's sentence if files cannot be read."""
    upload.read()


def bring(
    upload: UploadedFiles, session: str = "", checked: Callable[[UploadedFiles], None] = check
) -> Brought:
    """Keep readable files; raise one sentence, and leave everything as it was, where that is impossible.

    Parameters
    ----------
    upload
        The files and what was chosen for them.
    session
        Who brings them; "" is nobody, as in a notebook.
    checked
        As `check`, perhaps in another process.
    """
    checked(upload)
    policy, digest, owner = current_policy(), upload.digest, owner_of(session)
    name = secrets.token_hex(NAME_LENGTH // 2) if policy.shared else digest
    parts = {ABOUT: json.dumps(upload.about).encode(), **dict(zip(CONTENTS, upload.files, strict=False))}
    if policy.shared:
        parts[DIGEST] = digest.encode()
    tidy()
    _given_up(name, sum(map(len, parts.values())), owner, policy)  # refused before anything changes
    try:
        store.put(name, parts, owner, _is_whole)
    except OSError as error:
        raise ValueError(_not_kept(error, policy)) from error
    PRESENCE.brings(session, name)
    return Brought(name, _make_room(name, owner, policy))


def _given_up(name: str, n_bytes: int, owner: str, policy: Policy) -> list[tuple[str, Kept]]:
    """Return who gives up what for an upload, there or to come; raise a sentence if it has no room."""
    at, found = store.now(), store.scan()
    if all(kept.name != name for kept in found):
        found.append(Kept(name, at, (("", 0, n_bytes),), {owner: at} if owner else {}))
    room = current_limits().folder_bytes
    given = given_up(found, owner, name, share=policy.upload_bytes, room=room, at=at)
    if given is None:
        most = min(policy.upload_bytes, room) if owner else room
        raise ValueError(
            f"These data take {size(n_bytes)}, but there is room for {size(most)} only; upload fewer rows"
            f"{raising(most)}."
            if n_bytes > most
            else f"Other uploads leave no room for {size(n_bytes)} now; "
            "upload fewer rows, or try again later."
        )
    return given


def _make_room(name: str, owner: str, policy: Policy) -> tuple[str, ...]:
    """Let go what a new upload displaces; return the names of its own session's files among it."""
    gone = []
    with suppress(ValueError):  # somebody has brought much at the same moment; what is there stays
        for holder, kept in _given_up(name, 0, owner, policy):
            if holder == owner:
                gone.append(name_of(kept.name) or "a file")
            store.disown(kept, holder)
    return tuple(gone)


def _not_kept(error: OSError, policy: Policy) -> str:
    """Say why files could not be kept, and what to do."""
    failed = "they could not be written to the data folder", "try again"
    why, way_out = why_not_written(error, shared=policy.shared) or failed
    return f"These data cannot be kept, because {why}; {way_out} (your earlier data are unchanged)."


# Finding ---------------------------------------------------------------------------------------------


def load(*, digest: str) -> Table:
    """Read a kept file again; `digest` is its name, which is one in most cases."""
    return _kept(digest, _read)


def reopen(*, digest: str) -> UploadedFiles:
    """Return a kept file as it was brought; raise the sentence of `load` if that is impossible."""
    return _kept(digest, _open)


_NAMED: dict[str, str] = {}


def know_as(upload: UploadedFiles) -> None:
    """Have files that are used here without being kept called by their name."""
    _NAMED[upload.digest] = upload.filename


def name_of(name: str) -> str:
    """Return what a user calls a kept file, "" where it is not there."""
    if name in _NAMED:
        return _NAMED[name]
    with suppress(OSError, ValueError, KeyError, TypeError):
        if store.NAME.fullmatch(name):
            return shorten(str(json.loads((store.place_of(name) / ABOUT).read_bytes())["filename"]), 40)
    return ""


def is_kept_as(name: str, upload: UploadedFiles) -> bool:
    """Say whether an upload of this name is there, whole, and has just these files and choices."""
    with suppress(OSError, ValueError):
        place = store.place_of(name)
        kept = store.look(place)
        return _promised(place, secret=kept.secret) == upload.digest and bool(_open(place, kept.stamps))
    return False


def _kept(name: str, read: Callable[[Path, Stamps], T]) -> T:
    if not name:
        raise ValueError("No file has been uploaded yet; choose one on the Data page, or another data set.")
    policy = current_policy()
    unknown = ValueError(
        "This link refers to an uploaded file that is not on this computer, or is no longer kept "
        f"({until(policy)}); upload it again."
    )
    if not store.NAME.fullmatch(name):
        raise unknown
    place = store.place_of(name)
    try:
        kept = store.look(place)
        if policy.shared and not kept.secret:
            raise unknown
        found = read(place, kept.stamps)
    except (FileNotFoundError, NotADirectoryError):
        raise unknown from None
    except OSError as error:
        raise ValueError(
            f"The kept copy of this uploaded file cannot be read just now ({error.strerror}); "
            "try again, or upload it again."
        ) from error
    store.touch(place)
    return found


@functools.lru_cache(maxsize=4)
def _read(place: Path, stamps: Stamps) -> Table:
    """Read a kept upload; the files' times and sizes make sure that a change is noticed."""
    return _open(place, stamps).read()


@functools.lru_cache(maxsize=1)
def _open(place: Path, stamps: Stamps) -> UploadedFiles:
    """Take up a kept upload and check it."""
    names = [name for name, _, _ in stamps]
    damaged = ValueError("The kept copy of this uploaded file is damaged; upload it again.")
    files = [(place / name).read_bytes() for name in CONTENTS if name in names]
    try:
        about = json.loads((place / ABOUT).read_bytes())
        promised = _promised(place, secret=DIGEST in names)
    except ValueError:
        raise damaged from None
    if _digest(about, files) != promised:
        raise damaged
    return UploadedFiles(content=files[0], test=files[1] if len(files) > 1 else None, **about)


def _promised(place: Path, *, secret: bool) -> str:
    """Return the digest that an upload must have."""
    return (place / DIGEST).read_text(encoding="ascii") if secret else place.name


def _is_whole(place: Path) -> bool:
    """Say whether an upload can be taken up; raise OSError where that cannot be told."""
    try:
        _open(place, store.look(place).stamps)
    except (ValueError, FileNotFoundError):
        return False
    return True


# How long --------------------------------------------------------------------------------------------


def tidy() -> None:
    """Remove what has expired or was left behind, where the clock can be trusted; it is cheap.

    After a start nothing is removed at the first look: by the second one other servers have told of
    their sessions.
    """
    jumped = PRESENCE.clock_jumped()
    if jumped is None:
        return
    if jumped:
        store.touch_all()
    else:
        policy = current_policy()
        store.sweep(lambda kept, at: at - kept.used > _seconds(kept, policy))


def tend(gone: Callable[[str], bool]) -> None:
    """Note which sessions are there, then `tidy`, in a folder that is closed; call it every `BEAT_SECONDS`.

    Parameters
    ----------
    gone
        Says whether the session of a name has ended.
    """
    close_to_others(store.folder())  # an older version left it open
    PRESENCE.beat(gone)
    tidy()


def _seconds(kept: Kept, policy: Policy) -> float:
    """Return for how long an upload stays: as was promised where it was brought."""
    if kept.secret == policy.shared:
        return policy.upload_seconds
    return (STRANGERS if kept.secret else ALONE).upload_seconds


UPLOAD = Dataset(
    key="upload",
    title="Your own data",
    summary="Your own CSV, TSV, ARFF or Parquet file, or points that you drew.",
    group="Yours",
    load=load,
    params=(
        TextParam(
            name="digest",
            label="Uploaded file",
            default="",
            alphabet="0123456789abcdef",
            max_length=NAME_LENGTH,
        ),
    ),
    licence="Yours",
    needs="upload",
    order=90,
)
