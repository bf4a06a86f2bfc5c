"""Trained machines, and their keeper: no scenario is trained twice while it is remembered."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ecocviz.data.types import Fold, Prepared, Table
from ecocviz.engine import capabilities as can
from ecocviz.engine.multiclass import Multiclass
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.types import CodeMatrix, FloatArray, IntArray
from ecocviz.lab.keeper import Keeper
from ecocviz.lab.scenario import Scenario

MAX_BYTES = 500_000_000
"""Room for the kept machines of all pages and sessions."""


@dataclass(frozen=True, slots=True)
class Model:
    """One trained reduction and the data it was trained and is tested on."""

    prepared: Prepared
    estimator: Multiclass
    class_index: IntArray
    """(n_trained_classes,): the number, among all classes, of each class the estimator knows."""
    seconds: float = 0.0
    """That fitting took."""
    learned: dict[frozenset[str], float] = field(default_factory=dict)
    """What decoders need to know of training -> seconds that learning it took, the first time."""

    def points(self, part: str) -> tuple[FloatArray, IntArray, IntArray]:
        """Return points, classes and rows of a part, "train" or "test"."""
        prepared = self.prepared
        if part == "train":
            return prepared.X_train, prepared.y_train, prepared.train_rows
        return prepared.X_test, prepared.y_test, prepared.test_rows

    @property
    def in_parts(self) -> bool:
        """Whether its machines are trained on parts of a kernel matrix that is large."""
        return hasattr(getattr(self.estimator, "columns_", None), "memory_limit")

    @property
    def shown_part(self) -> str:
        """The part whose points pictures show: the test points, or the training points without any."""
        return "test" if self.prepared.y_test.size else "train"


@dataclass(frozen=True, slots=True)
class Trained:
    """What training gives, before any decoder is chosen.

    `shown` is the model on the screen; `models` are those that the test points are judged by: the
    shown one for a single split, one for each fold of a cross-validation.
    """

    scenario: Scenario
    table: Table
    classes: tuple[str, ...]
    code_matrix: CodeMatrix
    shown: Model
    models: tuple[Model, ...]
    notes: tuple[str, ...]
    seconds: float

    @property
    def judged_part(self) -> str:
        """Which points decoders are judged on, "test" or "train"."""
        prepared = [model.prepared for model in self.models]
        return part_of_folds([Fold(one.train_rows, one.test_rows) for one in prepared])

    def judges(self, part: str) -> tuple[Model, ...]:
        """Return the models that judge the points of a part."""
        return self.models if part == "test" else (self.shown,)


def part_of_folds(parts: Sequence[Fold]) -> str:
    """Return "test", or "train" where a split keeps no test points, or tests on those it trains on."""
    return "test" if any(not np.isin(part.test, part.train).all() for part in parts) else "train"


def release(estimator: Multiclass) -> None:
    """Give back the Gram matrix, which many kept results could not all hold; it is quickly made again."""
    if isinstance(estimator, can.Trained):
        estimator.columns_.release()


class TrainedKeeper:
    """The one keeper of trained scenarios: every page, sweep, curve and comparison asks it.

    Parameters
    ----------
    train
        Trains a scenario.
    key
        Names what training depends on.
    max_bytes
        Room for all machines that are kept.
    """

    def __init__(
        self,
        train: Callable[[Scenario, Progress], Trained],
        key: Callable[[Scenario], Scenario],
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self._train, self._key = train, key
        self._keeper: Keeper[Trained] = Keeper(max_bytes)

    def find(self, scenario: Scenario) -> Trained | None:
        """Return a scenario's machines if they are remembered; train nothing."""
        return self._keeper.find(self._key(scenario))

    def pin(self, scenario: Scenario) -> None:
        """Never forget a scenario's machines."""
        self._keeper.pin(self._key(scenario))

    def get(self, scenario: Scenario, progress: Progress = NO_PROGRESS) -> Trained:
        """Return a scenario's machines, trained now unless they are remembered."""
        return self._keeper.get(self._key(scenario), lambda step: self._train(scenario, step), progress)

    @property
    def n_bytes(self) -> int:
        """Size of what is kept."""
        return self._keeper.n_bytes

    def clear(self) -> None:
        """Forget everything."""
        self._keeper.clear()
