# Each target makes .venv and installs what it needs; Python 3.11, git and make are enough to start.
PYTHON ?= python3
BIN := .venv/bin
PYTEST_WORKERS ?= 2

PIP_INSTALL := PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip install -qq --editable

.PHONY: demo test check bench clean
.DELETE_ON_ERROR:
# Two pips in one environment would trip over each other.
.NOTPARALLEL:

demo: .venv/installed
	blueline="$(CURDIR)/$(BIN)/blueline" && cd "$$(mktemp -d)" && "$$blueline" demo

test: .venv/installed-agents
	$(BIN)/python -m pytest -n $(PYTEST_WORKERS)

check: .venv/installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/installed jq
	$(BIN)/python -m benchmarks

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed: make PYTHON=/path/to/python3" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv

# A stamp per set of packages, so that a demo does not wait for the tools of a test.
.venv/installed: pyproject.toml | .venv/bin/python
	$(PIP_INSTALL) .
	@touch $@

.venv/installed-dev: pyproject.toml | .venv/bin/python
	$(PIP_INSTALL) '.[dev]'
	@touch $@ .venv/installed

.venv/installed-agents: pyproject.toml | .venv/bin/python
	$(PIP_INSTALL) '.[dev,agents]'
	@touch $@ .venv/installed .venv/installed-dev

# The hook's rival in the benchmarks is a bash script that needs jq.
.PHONY: jq
jq:
	@command -v jq >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get -qq update && apt-get -qq install --yes jq >/dev/null; \
	  else echo "make bench needs jq: please install it with your package manager" >&2; exit 1; fi; }
