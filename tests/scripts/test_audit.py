"""The audit of what is installed: it never says that all is well when it knows nothing."""

from scripts.audit import Audit, read

REPORT = {
    "dependencies": [
        {"name": "good", "version": "1.0", "vulns": []},
        {
            "name": "weak",
            "version": "2.0",
            "vulns": [
                {"id": "CVE-1", "fix_versions": ["2.1", "3.0"], "aliases": [], "description": ""},
                {"id": "CVE-2", "fix_versions": [], "aliases": [], "description": ""},
            ],
        },
        {"name": "unknown", "skip_reason": "Dependency not found"},
    ],
    "fixes": [],
}


def test_what_is_weak_is_named_and_fails():
    found = read(REPORT)
    assert found.status == 1
    assert found.words().splitlines() == [
        "2 packages looked up, 2 weaknesses known; of 1 others nothing is known.",
        "weak 2.0: CVE-1, mended in 2.1, 3.0",
        "weak 2.0: CVE-2, mended in no version yet",
    ]


def test_nothing_weak_passes():
    found = read({"dependencies": REPORT["dependencies"][:1]})
    assert found.status == 0
    assert found.words() == "1 packages looked up, 0 weaknesses known."


def test_where_nothing_could_be_looked_up_nothing_is_claimed():
    found = read({"dependencies": REPORT["dependencies"][2:]})
    assert found == Audit(0, 1, ())
    assert "cannot be reached" in found.words()
