"""The scripts in examples/ run, and print what the library says."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine

from ecocviz import ECOCClassifierCV, KernelMachine
from ecocviz.engine.analysis.ranks import compare_pairs, rank_methods
from examples.compare_codes import DECODERS, main, report


def write(path, data):
    rows = [",".join([*(f"f{n}" for n in range(data.data.shape[1])), "class"])]
    rows += [",".join([*map(str, x), f"kind {y}"]) for x, y in zip(data.data, data.target, strict=True)]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return str(path)


def test_codes_are_compared_on_files_of_ones_own(tmp_path, capsys):
    files = [write(tmp_path / "flowers.csv", load_iris()), write(tmp_path / "bottles.csv", load_wine())]
    main([*files, "--codes", "one-vs-all", "one-vs-one", "--rows", "60"])
    printed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in printed[:3]] == ["one-vs-all", "flowers.csv", "bottles.csv"]
    # The first number again, by hand.
    rows = np.sort(np.random.default_rng(0).permutation(150)[:60])
    X, y = load_iris().data[rows], load_iris().target[rows]
    search = ECOCClassifierCV(
        Cs=[0.1, 1.0, 10.0],
        decodings=DECODERS,
        machine=KernelMachine("linear"),
        cv=3,
        nested=True,
        random_state=0,
    ).fit((X - X.mean(axis=0)) / X.std(axis=0), y)
    assert printed[1].split()[1] == f"{100 * (1 - search.nested_score_):.1f}%"


def test_the_report_holds_ranks_and_tests():
    errors = np.random.default_rng(0).random((9, 3))
    errors[:, 2] = errors[:, 0] + 0.2
    text = report(errors, [f"set {n}" for n in range(9)], ["a", "b", "c"])
    found = rank_methods(errors)
    assert [f"{rank:.2f}" for rank in found.ranks] == text.splitlines()[10].split()[2:]
    assert f"less than {found.critical_difference:.2f} cannot" in text
    assert all("  " + ", ".join("abc"[code] for code in group) in text for group in found.cliques)
    for pair in compare_pairs(errors, [(1, 0), (2, 0)]):
        assert f"{pair.wins}-{pair.ties}-{pair.losses}   p = {pair.wilcoxon_holm:.3f}" in text


@pytest.mark.parametrize(("n_sets", "n_codes"), [(1, 3), (4, 1)])
def test_too_little_to_rank_is_said(n_sets, n_codes):
    text = report(np.full((n_sets, n_codes), 0.25), ["x"] * n_sets, ["code"] * n_codes)
    assert text.endswith("Ranks and tests need two sets and two codes, or more.")
    assert text.count("25.0%") == n_sets * n_codes
