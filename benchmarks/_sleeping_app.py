"""The app, with trainings that only sleep: what the server's processor does then is waiting.

    python benchmarks/_sleeping_app.py app.py --server.port 8501

A scenario trains for as many seconds as its seed says, unless its gamma is QUICK_GAMMA.
"""

import time

from ecocviz.engine.progress import Progress
from ecocviz.lab.run import train
from ecocviz.lab.scenario import Scenario
from ecocviz.lab.trained import Trained
from ecocviz.views.shared.app import cache, serve

QUICK_GAMMA = 0.5
STEP_SECONDS = 0.2


def sleep_and_train(scenario: Scenario, progress: Progress) -> Trained:
    """Sleep with the progress of many machines, then train."""
    seconds = 0.0 if scenario.machine.values.get("gamma") == QUICK_GAMMA else float(scenario.seed)
    steps = round(seconds / STEP_SECONDS)
    for step in range(steps):
        progress.note(f"training machine {step + 1} of {steps}")
        progress.at(step / steps)
        time.sleep(STEP_SECONDS)
    return train(scenario, progress)


if __name__ == "__main__":
    cache.train = sleep_and_train
    serve.main()
