"""ecocviz: see how a multiclass problem is solved with binary classifiers.

The public estimators and functions are loaded when they are first used, so that importing the
package costs nothing and starting the app needs no numerics.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ecocviz.engine.analysis.assignment import assign_codewords
    from ecocviz.engine.analysis.codes import code_report
    from ecocviz.engine.catalogue import build_code
    from ecocviz.engine.machines.kernel_machine import KernelMachine
    from ecocviz.engine.progress import Progress, Telling
    from ecocviz.engine.reductions.continuous import ContinuousCodeClassifier
    from ecocviz.engine.reductions.ddag import DDAGClassifier
    from ecocviz.engine.reductions.ecoc import ECOCClassifier
    from ecocviz.engine.reductions.joint import JointECOCClassifier
    from ecocviz.engine.reductions.single_binary import SingleBinaryClassifier
    from ecocviz.engine.reductions.support_pattern import SupportPatternClassifier
    from ecocviz.engine.tuning.estimator import ECOCClassifierCV

__version__ = "0.1.0"

__all__ = [
    "ContinuousCodeClassifier",
    "DDAGClassifier",
    "ECOCClassifier",
    "ECOCClassifierCV",
    "JointECOCClassifier",
    "KernelMachine",
    "Progress",
    "SingleBinaryClassifier",
    "SupportPatternClassifier",
    "Telling",
    "assign_codewords",
    "build_code",
    "code_report",
]

_HOMES = {
    "ContinuousCodeClassifier": "ecocviz.engine.reductions.continuous",
    "DDAGClassifier": "ecocviz.engine.reductions.ddag",
    "ECOCClassifier": "ecocviz.engine.reductions.ecoc",
    "ECOCClassifierCV": "ecocviz.engine.tuning.estimator",
    "JointECOCClassifier": "ecocviz.engine.reductions.joint",
    "KernelMachine": "ecocviz.engine.machines.kernel_machine",
    "Progress": "ecocviz.engine.progress",
    "SingleBinaryClassifier": "ecocviz.engine.reductions.single_binary",
    "SupportPatternClassifier": "ecocviz.engine.reductions.support_pattern",
    "Telling": "ecocviz.engine.progress",
    "assign_codewords": "ecocviz.engine.analysis.assignment",
    "build_code": "ecocviz.engine.catalogue",
    "code_report": "ecocviz.engine.analysis.codes",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a public name may be anything
    """Load a public name from its module and keep it (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module 'ecocviz' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
