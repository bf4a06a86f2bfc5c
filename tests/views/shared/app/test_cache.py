"""Caches are in one place, bounded, keyed by text, and their keys tell scenarios apart."""

import ast
import inspect

import numpy as np

from ecocviz.lab.keeper import Keeper
from ecocviz.lab.scenario import choose, make_scenario
from ecocviz.views.shared.app import cache


def decorated(tree):
    for node in ast.walk(tree):
        for decorator in getattr(node, "decorator_list", []):
            if "cache_" in ast.unparse(decorator) and not ast.unparse(decorator).startswith("lru_cache"):
                yield node, decorator


def test_caches_are_in_one_file(root):
    users = {
        file.name
        for folder in ("ecocviz", "pages")
        for file in (root / folder).rglob("*.py")
        if "st.cache_" in file.read_text(encoding="utf-8")
    }
    assert users == {"cache.py"}


def test_every_cache_is_bounded_and_holds_one_thing():
    found = list(decorated(ast.parse(inspect.getsource(cache))))
    assert len(found) >= 6
    for function, decorator in found:
        assert isinstance(decorator, ast.Call), function.name
        # What may grow is inside: pools and keepers, which are bounded themselves.
        assert not function.args.args, function.name


def test_what_views_remember_is_computed_once_for_each_key():
    made = []

    def make():
        made.append(1)
        return np.zeros(3)

    first = cache.remember("test", ("a", 1), make)
    assert cache.remember("test", ("a", 1), make) is first and made == [1]
    cache.remember("test", ("a", 2), make)
    cache.remember("other", ("a", 1), make)
    assert made == [1, 1, 1]


def test_keys_tell_scenarios_apart_but_not_decoders():
    first = make_scenario()
    assert cache.text_key(first) == cache.text_key(first.chosen("decoding", "hamming"))
    changed = [
        first.chosen("machine", None, bias=0.5),
        first.chosen("coding", "one-vs-one"),
        first.chosen("split", None, test_share=0.4),
        make_scenario(seed=1),
    ]
    assert len({cache.text_key(scenario) for scenario in [first, *changed]}) == 5


def test_keys_tell_decoders_and_their_order_apart():
    hamming, linear = choose("decoding", "hamming"), choose("decoding", "linear")
    keys = {
        cache.choices_key(choices)
        for choices in [(hamming,), (linear,), (hamming, linear), (linear, hamming)]
    }
    assert len(keys) == 4


def test_of_what_changes_all_the_time_only_the_newest_is_kept():
    cache.forget()
    made = []

    def look(key, stamp):
        return cache.remember_newest("list", key, stamp, lambda: made.append(stamp) or np.zeros(1_000))

    for stamp in range(50):
        look("mine", stamp)
        look("mine", stamp)
    look("yours", 49)
    assert made == [*range(50), 49]
    assert 2 * 8_000 <= cache.remembered_bytes() < 3 * 8_000  # the newest of each
    cache.forget()


def test_what_is_kept_for_good_gives_no_room_to_others(monkeypatch):
    small = Keeper[object](10_000)
    monkeypatch.setattr(cache, "_remembered", lambda: small)
    made = []
    for k in range(20):
        cache.remember("facts", "all", lambda: made.append(1) or np.zeros(500), for_good=True)
        cache.remember("picture", k, lambda: np.zeros(1_000))
    assert made == [1] and cache.known("picture", 0) is None
