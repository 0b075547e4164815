# Needs Python 3.11+ and make, nothing else: the compiler and the solvers come as Python wheels.
#
#   make demo      set up .venv, generate tests for an example, show what was found
#   make test      linter, strict types, tests: minutes
#   make quick     the same with one case of every quick test: for the daily loop
#   make thorough  everything, all seeds, for both processors: for the night
#   make lint      linter and types only
#   make format    rewrite sources in the project's format
#   make browser   the report in a real browser (Debian's chromium, installed if it can be)
#   make site      the docs as a site, in build/site; a link that leads nowhere is an error
#   make bench     the engine's figures on this machine
#   make wheel     build dist/clew-*.whl and the source distribution, dist/clew-*.tar.gz
#   make clean     remove everything the other targets made

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
JOBS   ?= 2
PYTEST := $(BIN)/python -m pytest -n $(JOBS) --dist worksteal -q

# Interpreters that tests start, and workers, share bytecode; some machines forbid it to others.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help setup demo test quick thorough lint format browser site bench wheel clean

help:
	@sed -n 's/^#   //p' Makefile

# The stamp makes later runs start at once; a changed pyproject.toml installs again.
# --only-binary: a dependency without a wheel for this machine must be a clear message of pip, not a compile attempt.
$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo "Clew needs Python 3.11 or newer; name one with: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@echo "Setting up $(VENV) (once; downloads the compiler and the solvers)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary :all: --editable '.[dev]'
	@touch $@

setup: $(STAMP)

# The example has a bug on purpose, so exit code 1 (bug found) is the good outcome of the demo.
demo: $(STAMP)
	@echo "$$ clew test examples/withdraw.c"
	@$(BIN)/clew test examples/withdraw.c; status=$$?; test $$status -eq 1 \
	    || { echo "demo: expected exit code 1 (bug found), got $$status" >&2; exit 1; }

test: lint
	@$(PYTEST)

quick: lint
	@CLEW_TESTS_DEPTH=quick $(PYTEST) tests/unit tests/laws tests/cases tests/repo tests/programs/test_programs.py

# Tests that compare with native runs have the host's target anyway: once is enough for them.
thorough: lint site
	@CLEW_TESTS_DEPTH=thorough CLEW_TESTS_TARGET=x86_64 $(PYTEST)
	@CLEW_TESTS_DEPTH=thorough CLEW_TESTS_TARGET=aarch64 $(PYTEST) --ignore tests/oracle --ignore tests/repo --ignore tests/laws

lint: $(STAMP)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet . || { echo "format differs: run 'make format'" >&2; exit 1; }
	@$(BIN)/mypy --strict src benchmarks tests/support

format: $(STAMP)
	@$(BIN)/ruff check --quiet --fix . || true
	@$(BIN)/ruff format .

# Skipped, with a message, where there is no browser and none can be installed.
browser: $(STAMP)
	@command -v chromium >/dev/null && command -v chromedriver >/dev/null \
	    || { apt-get update --quiet=2 && apt-get install --quiet=2 --yes --no-install-recommends chromium chromium-driver; } \
	    || echo "browser: chromium cannot be installed here (needs Debian's packages and root)" >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary :all: --editable '.[browser]' \
	    || echo "browser: Selenium cannot be installed here" >&2
	@$(BIN)/python -m pytest -q -rs tests/browser || test $$? -eq 5

site: $(STAMP)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary :all: --editable '.[site]'
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict --config-file mkdocs.yml

bench: $(STAMP)
	@$(BIN)/clew bench engine

# An environment of its own: who wants the wheel need not set up .venv.
wheel:
	@$(PYTHON) -m venv build/wheel
	@build/wheel/bin/python -m pip install --quiet --disable-pip-version-check 'hatchling>=1.24'
	@build/wheel/bin/python -m hatchling build -d dist

clean:
	rm -rf $(VENV) build dist clew-out .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
