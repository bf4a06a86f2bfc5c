"""The script that measures a checkout: what is counted, and how two are laid side by side."""

import json

import pytest

from scripts import house


@pytest.fixture
def old(tmp_path):
    files = {
        "ecocviz/cli.py": "1\n2\n",
        "ecocviz/engine/a.py": "1\n\n# three\n",
        "ecocviz/lab/b.py": "1\n",
        "ecocviz/ui/c.js": "1\n2\n3\n4\n",
        "ecocviz/ui/notes.md": "1\n",
        "ecocviz/ui/__pycache__/c.py": "1\n",
        "pages/d.py": "1\n",
        "app.py": "1\n",
        "tests/test_e.py": "1\n2\n3\n",
    }
    for name, text in files.items():
        path = tmp_path / "old" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "old"


def test_sizes(old):
    found = house.sizes(old)
    assert found["product"] == {"files": 6, "python files": 5, "lines": 12}
    assert found["ecocviz/engine"]["lines"] == 3
    assert found["top of the package"] == {"files": 1, "python files": 1, "lines": 2}
    assert found["app half"] == {"files": 4, "python files": 3, "lines": 7}
    assert found["tests"] == {"files": 1, "python files": 1, "lines": 3}
    assert "ecocviz/views" not in found


def test_the_rooms_of_this_checkout_are_the_whole_product(root):
    found = house.sizes(root)
    rooms = [*house.ROOMS, "top of the package"]
    for what in ("files", "lines"):
        assert sum(found[room][what] for room in rooms if room in found) == found["product"][what]


def test_two_side_by_side(old, tmp_path, capsys):
    facts = {
        "sizes": house.sizes(old),
        "hops": {
            "slider": {"product": 7, "app half": 5},
            "slider, remembered": {"product": 6, "app half": 5},
        },
        "trainings": {"total": 9, "distinct": 4},
    }
    before = tmp_path / "before.json"
    before.write_text(json.dumps(facts))
    (old / "ecocviz" / "lab").rename(old / "ecocviz" / "views")
    house.main(["--before", str(before), "--after", str(old), "--no-walks"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "|  | before | after |"
    assert "| ecocviz/lab: lines | 1 | - |" in lines and "| ecocviz/views: lines | - | 1 |" in lines
    assert "| app half: files (of them Python) | 4 (3) | 4 (3) |" in lines
    assert "| files run, slider: gamma -> new regions, remembered (of them app half) | 6 (5) | - |" in lines
    assert lines[-1] == "| trainings on a walk through all pages (of them distinct) | 9 (4) | - |"


def test_what_is_no_checkout_is_refused(tmp_path):
    with pytest.raises(SystemExit, match="is no checkout of this project"):
        house.main(["--checkout", str(tmp_path)])
