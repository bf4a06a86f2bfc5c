"""Tune with liquidSVM: a program for the rivals' environment, which knows nothing of ecocviz."""

import json
import sys
import sysconfig
import time
import types

import numpy as np


def liquid_svm():
    """Import liquidSVM, which asks for names that Python, setuptools and numpy no longer have."""
    told = sysconfig.get_config_var
    sysconfig.get_config_var = lambda name: told("EXT_SUFFIX" if name == "SO" else name)
    sys.modules.setdefault("pkg_resources", types.ModuleType("pkg_resources"))
    for alias, kind in (("float", float), ("int", int), ("bool", bool)):
        if alias not in vars(np):
            setattr(np, alias, kind)
    import liquidSVM

    return liquidSVM


def main(file: str) -> None:
    """Tune one-vs-all hinge machines on the grid; CPU seconds, and the error on the test rows.

    Its kernel is exp(-|x - t|^2 / width^2). It chooses for each class by itself, and lets the machines
    of the folds vote, which is what it does when it is not told otherwise.
    """
    library, data = liquid_svm(), np.load(file)
    settings = {
        "threads": 1,
        "folds": int(data["folds"]),
        "gammas": (1 / np.sqrt(data["gammas"])).tolist(),
        "c_values": data["Cs"].tolist(),
        "mcType": "OvA_hinge",
    }
    library.mcSVM(data["X"][:200], data["y"][:200].astype(float), **settings)  # what a first call loads
    began = time.process_time()
    model = library.mcSVM(data["X"], data["y"].astype(float), **settings)
    cpu = time.process_time() - began
    predicted = model.predict(data["X_test"])
    print(json.dumps({"cpu": cpu, "error": float((predicted != data["y_test"]).mean())}))


if __name__ == "__main__":
    main(sys.argv[1])
