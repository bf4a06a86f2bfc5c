"""How often something may happen, with a clock of the test's own; what stands for a client."""

import pytest

from ecocviz.serving import limiter
from ecocviz.serving.limiter import Limiter, Rate, network_of


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def test_a_stock_is_used_up_and_fills_again():
    clock = Clock()
    limits = Limiter(Rate(3, 10.0), clock=clock)
    for _ in range(3):
        assert limits.seconds("a") == 0.0
        limits.count("a")
    assert limits.seconds("a") == pytest.approx(10.0)
    assert limits.seconds("b") == 0.0
    clock.now += 4
    assert limits.seconds("a") == pytest.approx(6.0)
    clock.now += 6
    assert limits.seconds("a") == 0.0
    clock.now += 1_000  # no more than the stock comes back
    for _ in range(3):
        limits.count("a")
    assert limits.seconds("a") == pytest.approx(10.0)


def test_who_is_known_is_bounded(monkeypatch):
    monkeypatch.setattr(limiter, "MOST_KEPT", 10)
    limits = Limiter(Rate(1, 10.0), clock=Clock())
    for number in range(100):
        limits.count(str(number))
    assert len(limits._left) == 10
    assert limits.seconds("99") > 0


@pytest.mark.parametrize("text", ["", "nobody", "1.2.3", "1.2.3.4, 5.6.7.8", "::g"])
def test_what_is_no_address_stands_for_nobody(text):
    assert network_of(text) == ""
