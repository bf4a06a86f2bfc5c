"""A scenario as a Python script that gives the same numbers as the app."""

import ecocviz
from ecocviz.data.catalogue import DATASETS
from ecocviz.lab.scenario import Scenario

_SCRIPT = '''"""An ecocviz experiment: {title}.

Run it with Python where ecocviz {version} is installed; it prints what the app shows.{needs}
"""

from ecocviz.lab.run import run
from ecocviz.lab.scenario import make_scenario

scenario = {scenario}

result = run(scenario)

model = result.trained.shown.estimator  # the trained scikit-learn estimator
data = result.trained.shown.prepared  # X_train, y_train, X_test, y_test, classes
code_matrix = result.trained.code_matrix  # (n_classes, n_bits)

print(f"training error {{result.train.n_wrong}} of {{result.train.rows.size}}")
print(f"test error {{result.test.n_wrong}} of {{result.test.rows.size}}")
{rejecting}'''

_REJECTING = """
for part, outcome in (("training", result.train), ("test", result.test)):
    decided = outcome.decided
    if decided is not None:
        left, others = decided.n_rejected, decided.n - decided.n_rejected
        print(f"{part}: {left:g} left undecided, {decided.n_wrong:g} of the other {others:g} wrong")
"""

_NEEDS = {
    "": "",
    "network": "\nIt needs the data set of OpenML on this computer: `ecocviz fetch` and its number bring it.",
    "upload": "\nIt needs the uploaded file, which is kept on the computer where the app ran.",
}


def python_script(scenario: Scenario) -> str:
    """Write the script.

    Examples
    --------
    >>> from ecocviz.lab.scenario import make_scenario
    >>> print(python_script(make_scenario()).splitlines()[0])
    \"\"\"An ecocviz experiment: data blobs, coding one-vs-all, decoding likelihood.
    """
    title = f"data {scenario.data.key}, coding {scenario.coding.key}, decoding {scenario.decoding.key}"
    return _SCRIPT.format(
        title=title,
        version=ecocviz.__version__,
        needs=_NEEDS[DATASETS[scenario.data.key].needs],
        scenario=scenario.to_python(),
        rejecting=_REJECTING if scenario.decider != scenario.decoding else "",
    )
