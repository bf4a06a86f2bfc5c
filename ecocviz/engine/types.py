"""Array aliases shared by the whole engine. Imports nothing of ecocviz.

A code matrix has one row (codeword) per class and one column (dichotomy) per binary machine. An
entry +1 or -1 is the side on which the machine must put the class; 0 means that the machine was
never shown the class.
"""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

FloatArray: TypeAlias = npt.NDArray[np.float64]
Float32Array: TypeAlias = npt.NDArray[np.float32]
IntArray: TypeAlias = npt.NDArray[np.int64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]

Points: TypeAlias = Any
"""(n_samples, n_features), dense or sparse; a data frame or a list where the machine itself reads those."""

CodeMatrix: TypeAlias = npt.NDArray[np.int8]
"""(n_classes, n_bits), entries in {-1, 0, +1}."""
AnyCode: TypeAlias = npt.NDArray[np.int8] | npt.NDArray[np.float64]
"""(n_classes, n_bits): a code matrix, or a continuous code with float entries."""
Bits: TypeAlias = npt.NDArray[np.int8]
"""(n_samples, n_bits), hard outputs in {-1, 0, +1}; 0 only where a score is exactly 0."""
Scores: TypeAlias = npt.NDArray[np.float64]
"""(n_samples, n_bits), real outputs of the machines."""
Costs: TypeAlias = npt.NDArray[np.float64]
"""(n_samples, n_classes), smaller is better, always."""
