"""Caches are in one place, bounded, keyed by text, and their keys tell scenarios apart."""

import ast
import inspect

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


def test_every_cache_is_bounded_and_hashes_no_records():
    found = list(decorated(ast.parse(inspect.getsource(cache))))
    assert len(found) >= 6
    for function, decorator in found:
        assert isinstance(decorator, ast.Call), function.name
        # Without arguments there is one entry.
        bounded = any(keyword.arg == "max_entries" for keyword in decorator.keywords)
        assert bounded or not function.args.args, function.name
        for argument in function.args.args:
            text = ast.unparse(argument.annotation)
            plain = set(
                text.replace("tuple", "").replace("[", " ").replace("]", " ").replace(",", " ").split()
            )
            assert argument.arg.startswith("_") or plain <= {"str", "int", "float", "bool", "None", "|"}, text


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
