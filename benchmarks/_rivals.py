"""Solvers of others to measure against, in an environment of their own.

python benchmarks/_rivals.py    makes .venv/rivals, or completes it (a minute; liquidSVM is compiled by g++)

What does not install on this machine is named with the reason and left out of the tables; nothing of
ecocviz needs any of it. `make bench` runs this first.
"""

import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
FOLDER = Path(os.environ.get("ECOCVIZ_RIVALS", ROOT / ".venv" / "rivals"))
PYTHON = FOLDER / "bin" / "python"
PACKAGES = {
    "liquidSVM": "1.0.1",
    "thundersvm-cpu": "0.3.3",
    "scikit-learn-intelex": "2026.2.0",
    "snapml": "1.17.2",
}
"""What is installed, in the version that results.json was measured with."""
BASE = ("numpy", "scipy", "scikit-learn", "threadpoolctl", "setuptools<81", "wheel")
"""What they need; setuptools so old that it still has the module that liquidSVM was written with."""
WHY = FOLDER / "not_installed.json"
MINUTES = 10


def make() -> dict[str, str]:
    """Install each rival that can be had; the reason for each that cannot."""
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", str(FOLDER)], check=True)
    _pip(["-c", str(ROOT / "constraints.txt"), *BASE])
    missing = {}
    for package, wanted in PACKAGES.items():
        # liquidSVM is compiled from its source, with the setuptools above.
        how = ["--no-build-isolation"] if package == "liquidSVM" else []
        failed = _pip([*how, f"{package}=={wanted}"])
        if failed:
            missing[package] = failed
    WHY.write_text(json.dumps(missing))
    installed.cache_clear()
    return missing


def _pip(arguments: list[str]) -> str:
    """Install, and return the last thing that was said where that failed."""
    command = [str(PYTHON), "-m", "pip", "install", "-q", "--disable-pip-version-check", *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60 * MINUTES)
    except subprocess.TimeoutExpired:
        return f"it took more than {MINUTES} minutes to install"
    said = [line for line in done.stderr.splitlines() if line.lower().startswith("error")]
    return (said or ["pip failed"])[-1] if done.returncode else ""


@cache
def installed() -> dict[str, str]:
    """Return the version of each rival that is there."""
    if not PYTHON.exists():
        return {}
    asked = (
        "import json; from importlib.metadata import distributions; "
        "print(json.dumps({d.metadata['Name']: d.version for d in distributions()}))"
    )
    done = subprocess.run([str(PYTHON), "-c", asked], capture_output=True, text=True, check=True)
    versions = json.loads(done.stdout)
    return {package: versions[package] for package in PACKAGES if package in versions}


def why_not(package: str) -> str:
    """Return the sentence that stands where a rival is not measured, "" where it is installed."""
    if package in installed():
        return ""
    reasons = json.loads(WHY.read_text()) if WHY.exists() else {}
    reason = reasons.get(package, "`python benchmarks/_rivals.py` has not been run")
    return f"{package} is not installed here ({reason}) and was not measured."


def rival(program: str, threads: int = 1, **arrays: object) -> dict[str, object]:
    """Run `_rival_<program>.py` in the rivals' environment on arrays by name; the JSON of its last line."""
    limits = {f"{name}_NUM_THREADS": str(threads) for name in ("OMP", "OPENBLAS", "MKL")}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "problem.npz"
        np.savez(file, **arrays)
        command = [str(PYTHON), str(ROOT / "benchmarks" / f"_rival_{program}.py"), str(file)]
        done = subprocess.run(
            command, stdout=subprocess.PIPE, text=True, check=True, cwd=folder, env={**os.environ, **limits}
        )
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    for name, reason in make().items():
        print(f"{name} could not be installed: {reason}")
    print("Rivals:", ", ".join(f"{name} {version}" for name, version in installed().items()) or "none")
