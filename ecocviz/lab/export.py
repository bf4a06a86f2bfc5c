"""A scenario as a Python script that gives the same numbers as the app."""

import base64
import hashlib
import zlib

import ecocviz
from ecocviz.data.catalogue import DATASETS
from ecocviz.data.uploads import UPLOAD, reopen
from ecocviz.lab.scenario import Scenario

_SCRIPT = '''"""An ecocviz experiment: {title}.

Run it with Python where ecocviz {version} is installed; it prints what the app shows.{needs}
"""

{imports}from ecocviz.lab.run import run
from ecocviz.lab.scenario import make_scenario

scenario = {scenario}
{table}
result = run(scenario{given})

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

_NEEDS = "\nIt needs the data set of OpenML on this computer: `ecocviz fetch` and its number bring it."
_LOST = """
raise SystemExit("The file of this scenario is not kept where this script was written; upload it there.")
"""
_INSIDE = """
# The file, packed.
{variable} = zlib.decompress(
    base64.b85decode(
        \"\"\"
{packed}
\"\"\".replace("\\n", "")
    )
)
"""
_BESIDE = """
# Too large to stand here: put the file beside this script.
{variable} = (Path(__file__).parent / {name!r}).read_bytes()
if hashlib.sha256({variable}).hexdigest() != {digest!r}:
    raise SystemExit({name!r} + " is another file than the one that this script was written for.")
"""
MOST_PACKED = 200_000
"""Characters of a file that are written into a script."""
_LINE = 96


def python_script(scenario: Scenario) -> str:
    """Write the script; data of one's own stand in it, or are known again by their digest.

    Examples
    --------
    >>> from ecocviz.lab.scenario import make_scenario
    >>> print(python_script(make_scenario()).splitlines()[0])
    \"\"\"An ecocviz experiment: data blobs, coding one-vs-all, decoding likelihood.
    """
    # No name of a file: this stands in a string that is run.
    title = f"data {scenario.data.key}, coding {scenario.coding.key}, decoding {scenario.decoding.key}"
    imports, table = _own_data(scenario) if scenario.data.key == UPLOAD.key else ("", "")
    return _SCRIPT.format(
        title=title,
        version=ecocviz.__version__,
        needs=_NEEDS if DATASETS[scenario.data.key].needs == "network" else "",
        imports=imports,
        scenario=scenario.to_python(),
        table=table,
        given=", table=table" if table else "",
        rejecting=_REJECTING if scenario.decider != scenario.decoding else "",
    )


def _own_data(scenario: Scenario) -> tuple[str, str]:
    """Return what a script imports for data of one's own, and how it gets them as `table`."""
    try:
        files = reopen(digest=str(scenario.data.values["digest"]))
    except ValueError:
        return "", _LOST
    parts = [("content", files.filename, files.content)]
    parts += [] if files.test is None else [("test", files.test_filename, files.test)]
    written = [_written(*part) for part in parts]
    modules = {name for name in ("base64", "hashlib", "zlib") if any(f"{name}." in text for text in written)}
    imports = "".join(f"import {name}\n" for name in sorted(modules))
    imports += "from pathlib import Path\n" if "hashlib" in modules else ""
    more = "" if files.test is None else f"test=test, test_filename={files.test_filename!r}, "
    table = (
        f"table = read_table(\n    content, {files.filename!r}, {files.label!r}, {more}"
        f"left_out={tuple(files.left_out)!r}\n)\n"
    )
    return f"{imports}\nfrom ecocviz.data.readers import read_table\n", "".join((*written, table))


def _written(variable: str, name: str, content: bytes) -> str:
    """Write how a script gets the bytes of a file."""
    packed = base64.b85encode(zlib.compress(content, 9)).decode() if len(content) < 10 * MOST_PACKED else ""
    if not 0 < len(packed) <= MOST_PACKED:
        return _BESIDE.format(variable=variable, name=name, digest=hashlib.sha256(content).hexdigest())
    lines = "\n".join(packed[k : k + _LINE] for k in range(0, len(packed), _LINE))
    return _INSIDE.format(variable=variable, packed=lines)
