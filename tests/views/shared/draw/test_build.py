"""What every figure is built from."""

from ecocviz.views.shared.draw.build import thinned


def test_many_points_are_thinned_and_the_picked_one_is_kept():
    drawn = thinned(100_000, keep=54_321)
    assert drawn.size <= 4_001 and 54_321 in drawn and drawn[0] == 0 and drawn[-1] == 99_999
