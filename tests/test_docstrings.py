"""What the public names say of themselves: every parameter and every attribute, with its type."""

import ast
import inspect
import re
import warnings
from itertools import pairwise

import pytest
from sklearn.base import BaseEstimator
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning

import ecocviz
from ecocviz import (
    ContinuousCodeClassifier,
    DDAGClassifier,
    ECOCClassifier,
    ECOCClassifierCV,
    JointECOCClassifier,
    KernelMachine,
    SingleBinaryClassifier,
    SupportPatternClassifier,
)

FITTED = [
    KernelMachine(),
    ECOCClassifier(),
    ECOCClassifierCV(2, 2, cv=2, nested=True),
    JointECOCClassifier(),
    JointECOCClassifier(kernel="linear"),
    SingleBinaryClassifier(),
    SingleBinaryClassifier("ecoc"),
    SupportPatternClassifier(),
    SupportPatternClassifier("linear"),
    ContinuousCodeClassifier(),
    ContinuousCodeClassifier(interleave="joint"),
    DDAGClassifier(),
]
ESTIMATORS = list(dict.fromkeys(type(model) for model in FITTED))
INSIDE = {"evidence", "gathered", "take"}
"""What the lab asks estimators for, beside what their users do."""
ENTRY = re.compile(r"(?P<names>\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: : (?P<kind>\S.*))?")


def entries(documented, title):
    """The entries of a section of a numpy docstring: name -> type, and whether something is said of it."""
    lines = (inspect.getdoc(documented) or "").splitlines()
    heads = [n for n in range(len(lines) - 1) if re.fullmatch(r"-{3,}", lines[n + 1])]
    found = {}
    for start, end in pairwise([*heads, len(lines)]):
        if lines[start] != title:
            continue
        names = []
        for line in filter(str.strip, lines[start + 2 : end]):
            if line.startswith(" "):
                found |= dict.fromkeys(names, (found[names[0]][0], True))
                continue
            entry = ENTRY.fullmatch(line)
            assert entry, f"{documented}: {line!r} is no entry of {title}"
            names = entry["names"].split(", ")
            found |= dict.fromkeys(names, (entry["kind"], False))
    return found


def check_parameters(documented, function):
    """Every parameter has its entry in its place, with a type, the default it has, and a description."""
    known = dict(inspect.signature(function).parameters)
    known.pop("self", None)
    said = entries(documented, "Parameters")
    marks = {inspect.Parameter.VAR_KEYWORD: "**", inspect.Parameter.VAR_POSITIONAL: "*"}
    assert list(said) == [marks.get(param.kind, "") + name for name, param in known.items()]
    for (name, (kind, described)), param in zip(said.items(), known.values(), strict=True):
        assert kind, f"{name} has no type"
        assert described, f"nothing is said of {name}"
        if param.default is param.empty:
            assert "default" not in kind and "optional" not in kind, name
        elif isinstance(param.default, str | int | float | None):
            default = kind.partition("default=")[2]
            assert default == "e" or ast.literal_eval(default) == param.default, name
        else:
            assert kind.endswith(", optional"), name


def methods(kind):
    """The public methods that are ours."""
    for name, found in inspect.getmembers(kind):
        ours = (getattr(found, "__module__", None) or "").startswith("ecocviz")
        if (
            callable(found)
            and ours
            and not name.startswith("_")
            and name not in INSIDE | set(dir(BaseEstimator))
        ):
            yield name


@pytest.mark.parametrize("name", ecocviz.__all__)
def test_every_public_name_shows_how_it_is_used(name):
    documented = inspect.getdoc(getattr(ecocviz, name))
    assert "Examples\n--------\n" in documented and ">>> " in documented


@pytest.mark.parametrize("kind", [*ESTIMATORS, ecocviz.Telling], ids=lambda kind: kind.__name__)
def test_every_parameter_of_a_class_is_documented(kind):
    check_parameters(kind, kind.__init__)


@pytest.mark.parametrize("name", ["build_code", "code_report"])
def test_every_parameter_of_a_function_is_documented(name):
    check_parameters(getattr(ecocviz, name), getattr(ecocviz, name))


METHODS = [(kind, name) for kind in ESTIMATORS for name in methods(kind)]


@pytest.mark.parametrize(("kind", "name"), METHODS, ids=[f"{kind.__name__}.{name}" for kind, name in METHODS])
def test_every_parameter_of_a_method_is_documented(kind, name):
    check_parameters(getattr(kind, name), getattr(kind, name))


@pytest.fixture(scope="module")
def shown():
    """For every public estimator, the attributes that its fits have given it."""
    X, y = (part[::5] for part in load_iris(return_X_y=True, as_frame=True))
    found = {}
    for model in FITTED:
        two = y < 2 if isinstance(model, KernelMachine) else y < 3
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(X[two], y[two])
        names = {name for name in {*vars(model), *dir(type(model))} if re.fullmatch(r"[^_].*[^_]_", name)}
        found.setdefault(type(model), set()).update(name for name in names if hasattr(model, name))
    return found


@pytest.mark.parametrize("kind", ESTIMATORS, ids=lambda kind: kind.__name__)
def test_every_fitted_attribute_is_documented(kind, shown):
    said = entries(kind, "Attributes")
    assert set(said) == shown[kind]
    assert [name for name, (kind, described) in said.items() if not (kind and described)] == []
    assert [name for name, (kind, _) in said.items() if kind.startswith("(") or kind == "array"] == []


@pytest.mark.parametrize("kind", ESTIMATORS, ids=lambda kind: kind.__name__)
def test_no_foreign_documentation_is_claimed(kind):
    model = kind()
    assert model._get_doc_link() == ""
    shown = model._repr_html_()
    assert f"{kind.__name__}" in shown and "href=" not in shown
