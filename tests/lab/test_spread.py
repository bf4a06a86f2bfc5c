"""Errors over seeds: by the definition, in whatever order they come."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.lab.spread import over_seeds, range_text

FOUND = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 50).map(lambda n: n / 50)), max_size=12)


@given(FOUND)
def test_every_setting_has_the_mean_and_deviation_of_its_errors(found):
    spreads = over_seeds(found)
    assert [each.place for each in spreads] == list(dict.fromkeys(place for place, _ in found))
    for each in spreads:
        errors = np.array([error for place, error in found if place == each.place])
        assert each.mean == pytest.approx(errors.mean())
        said = each.told(3)
        assert said.startswith(f"{100 * errors.mean():.3f} % ")
        if errors.size > 1:
            assert said.endswith(
                f"over {errors.size} seeds (standard deviation {100 * errors.std(ddof=1):.3f} %)"
            )


@given(st.lists(st.integers(0, 50).map(lambda n: n / 50), min_size=1, max_size=8))
def test_a_range_begins_at_the_least_and_ends_at_the_most(errors):
    low, high = 100 * min(errors), 100 * max(errors)
    assert range_text(errors) == (f"{low:.1f} %" if low == high else f"from {low:.1f} % to {high:.1f} %")
