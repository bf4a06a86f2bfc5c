"""Values come out of a parcel as they went in, by memory or by file, and nothing is left behind."""

import os
import subprocess
import sys
import threading
from collections import namedtuple
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as nps

from ecocviz.lab import parcels
from ecocviz.lab.parcels import Depot, ParcelError, clear, pack, unpack

DTYPES = st.sampled_from(["f8", "f4", "i8", "i1", "?", "c16", "U3", "M8[s]", ">f8", "V5"])
SHAPES = nps.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5)


@st.composite
def arrays(draw):
    """Arrays in any order and with any steps, some of which must not be written to."""
    dtype, shape = np.dtype(draw(DTYPES)), draw(SHAPES)
    raw = np.random.default_rng(draw(st.integers(0, 99))).bytes(int(np.prod(shape)) * dtype.itemsize)
    plain = (np.frombuffer(raw, "u1") % 90 * (dtype.kind != "U")).astype("u1").view(dtype).reshape(shape)
    how = draw(st.sampled_from(["C", "F", "stepped", "turned", "locked", "objects"]))
    if how == "F":
        return np.asfortranarray(plain)
    if how == "stepped" and plain.ndim:
        return np.repeat(plain, 2, axis=-1)[..., ::2]
    if how == "turned" and plain.ndim:
        return plain[::-1]
    if how == "objects":
        return np.array([plain, None, "text"], dtype=object)
    array = plain.copy()
    array.flags.writeable = how != "locked"
    return array


VALUES = st.recursive(
    st.none() | st.integers() | st.text(max_size=5) | st.binary(max_size=5) | arrays(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@pytest.fixture(scope="module")
def depot(tmp_path_factory):
    one = Depot([tmp_path_factory.mktemp("memory"), tmp_path_factory.mktemp("disk")])
    yield one
    one.close()


def assert_same(found, value):
    assert type(found) is type(value)
    if isinstance(value, np.ndarray):
        assert (found.dtype, found.shape) == (value.dtype, value.shape)
        assert found.flags.aligned
        if value.dtype == object:
            for one, other in zip(found, value, strict=True):
                assert_same(one, other)
        else:
            assert found.tobytes() == value.tobytes()
    elif isinstance(value, dict):
        assert list(found) == list(value)
        for key, item in value.items():
            assert_same(found[key], item)
    elif isinstance(value, list):
        for one, other in zip(found, value, strict=True):
            assert_same(one, other)
    else:
        assert found == value


@pytest.mark.parametrize("inline, mapped", [(10**9, 10**9), (0, 10**9), (0, 0)])
@given(value=VALUES)
def test_what_goes_in_comes_out(depot, value, inline, mapped):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parcels, "INLINE_BYTES", inline)
        patch.setattr(parcels, "MAPPED_BYTES", mapped)
        places = depot.places()
        parcel = pack(value, places)
        assert bool(parcel.file) == (inline == 0)
        assert_same(unpack(parcel), value)
        assert parcel.n_bytes > 0
        assert not any(place.exists() and list(place.iterdir()) for place in places)
        clear(places)


@pytest.mark.parametrize("size", [100, 20_000, 1_000_000])
def test_arrays_can_be_written_to_unless_they_could_not_be_before(depot, size):
    value = {"free": np.arange(float(size)), "fortran": np.asfortranarray(np.ones((size // 10, 10)))}
    locked = np.arange(size)
    locked.flags.writeable = False
    found = unpack(pack([value, locked], depot.places()))
    found[0]["free"][3] = -1.0
    assert found[0]["free"][3] == -1.0 and value["free"][3] == 3.0
    assert found[0]["fortran"].flags.f_contiguous and found[0]["fortran"].flags.writeable
    assert not found[1].flags.writeable
    assert all(array.flags.aligned for array in (*found[0].values(), found[1]))


def test_a_table_comes_out(depot):
    table = pd.DataFrame({"x": np.arange(50_000.0), "name": ["a", "b"] * 25_000})
    pd.testing.assert_frame_equal(unpack(pack(table, depot.places())), table)


@pytest.mark.parametrize(
    "value",
    [
        lambda: None,
        [threading.Lock()],
        SimpleNamespace(file=sys.stdout),
        namedtuple("Local", "x")(1),  # noqa: PYI024 - a class that has no name in a module is the point
    ],
)
def test_what_cannot_be_pickled_is_refused_by_name(depot, value):
    with pytest.raises(ParcelError, match=f"A {type(value).__name__} cannot be sent to another process: "):
        pack(value, depot.places())


def test_where_shared_memory_is_too_small_the_disk_is_used(tmp_path, monkeypatch):
    for name in ("memory", "disk"):
        (tmp_path / name).mkdir()
    depot = Depot([tmp_path / "memory", tmp_path / "disk"])
    value = np.arange(100_000.0)
    assert "memory" in pack(value, depot.places()).file
    monkeypatch.setattr(parcels.shutil, "disk_usage", lambda _place: SimpleNamespace(free=64 << 20))
    assert "memory" in pack(value, depot.places()).file
    monkeypatch.setattr(parcels.shutil, "disk_usage", lambda _place: SimpleNamespace(free=1 << 20))
    there = pack(value, depot.places())
    assert "disk" in there.file
    np.testing.assert_array_equal(unpack(there), value)
    monkeypatch.undo()

    def full(_descriptor, *_how):
        monkeypatch.undo()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(parcels, "open", full, raising=False)
    assert "disk" in pack(value, depot.places()).file
    depot.close()
    assert not list((tmp_path / "memory").iterdir()) and not list((tmp_path / "disk").iterdir())


def test_without_shared_memory_there_is_one_place(tmp_path):
    depot = Depot([tmp_path / "absent", tmp_path])
    assert len(depot.places()) == 1
    depot.close()


@pytest.mark.skipif(os.name != "posix", reason="folders are locked on POSIX")
def test_what_killed_servers_leave_is_removed_and_nothing_else(tmp_path):
    code = (
        "import os, signal, sys, pathlib, numpy as np; from ecocviz.lab.parcels import Depot, pack\n"
        "print(pack(np.zeros(100_000), Depot([pathlib.Path(sys.argv[1])]).places()).file, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == -9 and Path(done.stdout.strip()).exists(), done.stderr
    living = Depot([tmp_path])
    assert not Path(done.stdout.strip()).exists()
    kept = pack(np.zeros(100_000), living.places()).file
    just_made = tmp_path / "ecocviz-parcels-1-just-made"
    just_made.mkdir()
    (tmp_path / "ecocviz-of-somebody").mkdir()
    Depot([tmp_path]).close()
    assert Path(kept).exists() and just_made.is_dir() and (tmp_path / "ecocviz-of-somebody").is_dir()
    os.utime(just_made, (0, 0))
    Depot([tmp_path]).close()
    assert Path(kept).exists() and not just_made.exists()
    living.close()
    assert [place.name for place in tmp_path.iterdir()] == ["ecocviz-of-somebody"]
