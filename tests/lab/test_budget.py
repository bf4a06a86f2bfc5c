"""What is kept and what may be computed follow what memory there is."""

import pytest

from ecocviz.engine.memory import memory_limit
from ecocviz.lab.budget import MACHINES, SHARE, TWO_AT_ONCE, VIEWS, Budget, budget, read_bytes


def test_the_budget_is_what_was_set_or_a_share_of_what_there_is():
    assert budget({"ECOCVIZ_MEMORY": "2G"}).total == 2 << 30
    assert budget({}).total == int(SHARE * memory_limit())


@pytest.mark.parametrize("text", ["much", "-1", "1.5G", "4T", "", "9" * 16])
def test_an_unreadable_budget_is_one_sentence(text):
    with pytest.raises(ValueError, match="ECOCVIZ_MEMORY is a number of bytes such as 4G or 512M, not"):
        read_bytes(text)


def test_little_is_kept_where_memory_is_scarce():
    small, large = Budget(1 << 30), Budget(16 << 30)
    assert large.keep(MACHINES) == MACHINES and large.keep(VIEWS) == VIEWS
    assert small.keep(MACHINES) == (1 << 30) // 8 and small.keep(VIEWS) < small.keep(MACHINES)
    # All that is kept and all that is computed stay within the budget.
    assert small.computing + small.keep(MACHINES) + small.keep(VIEWS) < small.total


def test_large_computations_run_one_by_one_where_memory_is_scarce(monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    assert Budget(TWO_AT_ONCE - 1).n_large == 1 and Budget(TWO_AT_ONCE).n_large == 4
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    assert Budget(TWO_AT_ONCE).n_large == 2


def test_no_more_is_given_out_than_is_free(monkeypatch):
    monkeypatch.setattr("ecocviz.lab.budget.available_memory", lambda: 1000)
    assert Budget(16 << 30).room() == 800
    monkeypatch.setattr("ecocviz.lab.budget.available_memory", lambda: 1 << 40)
    assert Budget(1000).room() == Budget(1000).computing == 600
