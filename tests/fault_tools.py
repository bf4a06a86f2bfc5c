"""What the tests with faults share: two forms, short and long; files; a look over the folder of uploads."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from ecocviz.data import upload_store as store
from ecocviz.data.uploads import reopen, tidy

CSV = b"a,b,class\n1,2,u\n3,4,v\n5,6,v\n"
TEST = b"a,b,class\n7,8,u\n"
OTHER = b"x,y,kind\n1,2,r\n3,4,s\n"


def pick(short, long):
    """Return the first in `make test`, the second in `scripts/faults.py`."""
    return long if os.environ.get("ECOCVIZ_FAULTS") == "long" else short


def may_mount():
    """Say whether a program may mount a disk of its own, which nobody else sees."""
    if shutil.which("unshare") is None:
        return False
    tried = ["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", tempfile.gettempdir()]
    return not subprocess.run(tried, check=False, capture_output=True).returncode


def told_by(program, *arguments, alone=False):
    """Run a program of the tests, alone with disks of its own; it ends well. Return what it prints."""
    tests = Path(__file__).parent
    command = [*(["unshare", "-rm"] if alone else []), sys.executable, tests / program, *arguments]
    places = {"PYTHONPATH": os.pathsep.join(map(str, (tests.parent, tests)))}
    how = {"env": os.environ | places, "capture_output": True, "text": True, "timeout": 600}
    done = subprocess.run(list(map(str, command)), check=False, **how)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def note(what, **figures):
    """Write down what was found, if a file for it is named."""
    path = os.environ.get("ECOCVIZ_FAULTS_FOUND")
    if path:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(json.dumps({"what": what, **figures}) + "\n")


def age(place, seconds):
    """Let an upload, or what was left behind, be so much older."""
    at = place.stat().st_mtime - seconds
    os.utime(place, (at, at))


def cleaned_up(folder):
    """See that what killed processes have left is removed once it is old, and that all else stays."""
    whole = {place for place in folder.iterdir() if store.NAME.fullmatch(place.name)}
    for place in set(folder.iterdir()) - whole:
        age(place, 2 * store.LEFTOVER_SECONDS)
    tidy()
    tidy()
    assert set(folder.iterdir()) == whole
    look_over(folder, leftovers=False)


def sweep_out(folder):
    """Remove at once what is removed later: the next fault finds the folder as the one before."""
    for place in folder.iterdir():
        if not store.NAME.fullmatch(place.name):
            shutil.rmtree(place)


def look_over(folder, *, leftovers):
    """See that all that can be found is whole, and that nothing else is there unless it may be."""
    for place in folder.iterdir():
        if store.NAME.fullmatch(place.name):
            reopen(digest=place.name)
        else:
            assert leftovers and place.name.startswith((store.NEW, store.OLD)), place
