# Each target makes .venv and installs what it needs; Python 3.11, git and make are enough to start.
PYTHON ?= python3
BIN := .venv/bin
# One more than cores, of which two are meant here: a test that waits for a process leaves its core to another.
PYTEST_WORKERS ?= 3
# The tests decide as a person does, also when an agent runs them.
APART := $(BIN)/python -m tests.support.apart

PIP_INSTALL := PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip install -qq --editable

.PHONY: demo demo-hub test test-agents check shape bench clean
.DELETE_ON_ERROR:
# Two pips in one environment would trip over each other.
.NOTPARALLEL:

demo: .venv/installed
	@blueline="$(CURDIR)/$(BIN)/blueline" && cd "$$(mktemp -d)" && "$$blueline" demo && cd blueline-demo && \
	if [ -t 0 ] && [ -t 1 ]; then echo && "$$blueline" ui || [ $$? -eq 130 ]; \
	else echo "in a browser:  cd $$PWD && $$blueline ui"; fi

demo-hub: .venv/installed-dev postgresql
	@$(APART) $(BIN)/python -m tools.demo_hub || [ $$? -eq 130 ]

# The browser's tests by themselves: its driver keeps an event loop running in the process, where no other can run.
test: .venv/installed-agents .agents/formatters/installed .agents/openid/installed chromium npm tmux zsh fish postgresql
	$(APART) $(BIN)/python -m pytest -n $(PYTEST_WORKERS)
	$(APART) $(BIN)/python -m pytest -n $(PYTEST_WORKERS) --browser tests/browser

# The agents that npm installs, more than a gigabyte of them.
test-agents: .venv/installed-agents .agents/installed .agents/acp/installed chromium
	$(APART) $(BIN)/python -m tests.support.alone $(BIN)/python -m pytest -n $(PYTEST_WORKERS) --agents --browser \
	  tests/agents tests/chat/npm tests/browser/agents

# Kills, power cuts (for which somebody has to be root) and a crowd: about an hour, or FOR=5 for five minutes.
.PHONY: test-faults
test-faults: .venv/installed-dev
	$(APART) $(BIN)/python -m tests.faults $(if $(FOR),--for $(FOR)) $(ARGUMENTS)

# Faults put into the weave, the journal's frames and the gate's answer, one at a time. Of weave it takes hours.
.PHONY: mutants
mutants: .mutants/installed
	$(APART) .mutants/venv/bin/python -m tools.mutants $(ARGUMENTS)

# An environment of its own: this mutmut asks pytest for something that the newest has no more.
.mutants/installed: pyproject.toml | .venv/installed-dev
	$(PYTHON) -m venv .mutants/venv
	PIP_DISABLE_PIP_VERSION_CHECK=1 .mutants/venv/bin/python -m pip install -qq --editable . \
	  mutmut==3.3.1 pytest==9.0.3 pytest-timeout==2.4.0 hypothesis==6.170.15
	@touch $@

check: .venv/installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tools.contract --check

# The code base in figures, beside those of the start; `make shape ARGUMENTS=--all` says what each is made of.
shape: .venv/installed-dev
	@$(BIN)/python -m tools.shape $(ARGUMENTS)

# jq is for the hook's rival, which is a bash script.
bench: .venv/installed-dev jq chromium .difit/installed
	$(BIN)/python -m benchmarks

# What is shown of real changes, beside git: the sources of two releases of ten packages, 6 MB.
.PHONY: bench-releases
bench-releases: .venv/installed-dev
	$(BIN)/python -m benchmarks.releases

# A project that grows for a year, up to a million edits: an hour or more, and up to 6 GB of disk meanwhile.
# `make bench-year EDITS=100000` goes as far as that.
EDITS = 1000000
.PHONY: bench-year
bench-year: .venv/installed-dev
	$(APART) $(BIN)/python -m benchmarks.year $(EDITS)

# VS Code beside the workbench, for which it has to be there: 600 MB. It decides, as a person does.
.PHONY: bench-editors
bench-editors: .venv/installed-dev chromium .agents/editors/installed
	$(APART) $(BIN)/python -m benchmarks.editors

# The hub beside its database alone: a million records. It decides, as a person does.
.PHONY: bench-hub
bench-hub: .venv/installed-dev postgresql
	$(APART) $(BIN)/python -m benchmarks.hub $(ARGUMENTS)

clean:
	rm -rf .venv .agents .difit .mutants .releases .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis build dist
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
	$(PIP_INSTALL) '.[dev,agents,formatters]'
	@touch $@ .venv/installed .venv/installed-dev

# The packages of the lock file, and none of their scripts. Not `npm ci`: it fails when a registry lacks an optional
# package for some other machine. A Node too old for them is joined by a newer one, which npm has as a package. One
# agent unpacks itself when it is first started.
NODE_AT_LEAST := 20
NPM := npm --prefix .agents --no-audit --no-fund --no-update-notifier --loglevel error
.agents/installed: tests/agents/npm/package.json tests/agents/npm/package-lock.json | npm
	mkdir -p .agents
	cp $^ .agents
	$(NPM) install --ignore-scripts
	node -e 'process.exit(parseInt(process.versions.node) < $(NODE_AT_LEAST) ? 1 : 0)' || \
	  $(NPM) install --no-save --ignore-scripts "node-$$(node -p 'process.platform + "-" + process.arch')@24.21.0"
	HOME="$(CURDIR)/.agents" XDG_CACHE_HOME="$(CURDIR)/.agents/cache" COPILOT_OFFLINE=true \
	  .agents/node_modules/@github/copilot-*/copilot --version >/dev/null
	@touch $@

# The agent of the chat's tests, without the binary that Claude Code's wheel carries already.
.agents/acp/installed: tests/chat/npm/package.json tests/chat/npm/package-lock.json | npm
	mkdir -p .agents/acp
	cp $^ .agents/acp
	npm --prefix .agents/acp --no-audit --no-fund --no-update-notifier --loglevel error install --ignore-scripts --omit=optional
	@touch $@

# The one formatter of tests/formatters that npm has; the others are packages of Python.
.agents/formatters/installed: tests/formatters/npm/package.json tests/formatters/npm/package-lock.json | npm
	mkdir -p .agents/formatters
	cp $^ .agents/formatters
	npm --prefix .agents/formatters --no-audit --no-fund --no-update-notifier --loglevel error install --ignore-scripts
	@touch $@

# The provider of OpenID Connect that people sign in with at the hub of tests/surfaces/hub: 3 MB.
.agents/openid/installed: tests/surfaces/hub/npm/package.json tests/surfaces/hub/npm/package-lock.json | npm
	mkdir -p .agents/openid
	cp $^ .agents/openid
	npm --prefix .agents/openid --no-audit --no-fund --no-update-notifier --loglevel error install --ignore-scripts
	@touch $@

# GitHub's own description of its API, and a server that checks requests against it: 460 MB, most of it the first.
.PHONY: test-forge
test-forge: .venv/installed-agents .agents/forge/installed
	$(APART) $(BIN)/python -m pytest --forge tests/forge

.agents/forge/installed: tests/forge/npm/package.json tests/forge/npm/package-lock.json | npm
	mkdir -p .agents/forge
	cp $^ .agents/forge
	npm --prefix .agents/forge --no-audit --no-fund --no-update-notifier --loglevel error install --ignore-scripts
	@touch $@

# Real editors, with the configurations of docs/editors.md and the plugins. VS Code is driven in a browser, so by
# itself, as the browser's tests are.
.PHONY: test-editors
test-editors: .venv/installed-dev nvim emacs tmux chromium .agents/editors/installed .agents/newer/installed
	$(APART) $(BIN)/python -m pytest --editors --ignore tests/editors/vscode tests/editors
	$(APART) $(BIN)/python -m pytest --editors tests/editors/vscode

# VS Code, served to a browser, with the Node that it needs: 600 MB. What it consists of are packages with folders
# of packages of their own.
CODE_SERVER := .agents/editors/node_modules/code-server/lib/vscode
.agents/editors/installed: tests/editors/vscode/npm/package.json tests/editors/vscode/npm/package-lock.json | npm
	mkdir -p .agents/editors
	cp $^ .agents/editors
	for folder in .agents/editors $(CODE_SERVER) $(CODE_SERVER)/extensions; do \
	  npm --prefix $$folder --no-audit --no-fund --no-update-notifier --loglevel error install --ignore-scripts --omit=dev || exit 1; \
	done
	@touch $@

# Neovim and Helix of the next Debian: the distribution's Neovim is older than what the plugin asks for, and it has
# no Helix.
.agents/newer/installed: tests/editors/newer.sh
	tests/editors/newer.sh .agents/newer trixie
	@touch $@

# What only the distribution has: root gets it from there, anybody else is told. (Chromium has two names.)
FROM_DISTRIBUTION := npm chromium tmux zsh fish jq postgresql nvim emacs
.PHONY: $(FROM_DISTRIBUTION)
npm: PACKAGES := nodejs npm
nvim: PACKAGES := neovim
emacs: PACKAGES := emacs-nox elpa-eglot
# The one without windows takes half the time (tests/support/chromium.py), but not every distribution has it.
HEADLESS := chromium-headless-shell
chromium: FOUND := command -v $(HEADLESS) >/dev/null || \
  { command -v chromium >/dev/null && ! { [ "$$(id -u)" = 0 ] && apt-cache show $(HEADLESS) >/dev/null 2>&1; }; }
chromium: PACKAGES := $$(apt-cache show $(HEADLESS) >/dev/null 2>&1 && echo $(HEADLESS) || echo chromium)
# Debian has its programs beside the PATH, a folder for each version.
postgresql: FOUND := ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || command -v postgres >/dev/null
$(FROM_DISTRIBUTION):
	@$(or $(FOUND),command -v $@ >/dev/null) || command -v $@-browser >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get -qq update && apt-get -qq install --yes --no-install-recommends $(or $(PACKAGES),$@) >/dev/null || \
	    command -v $@ >/dev/null; \
	  else echo "$@ is needed: please install it with your package manager" >&2; exit 1; fi; }

.PHONY: test-browser
test-browser: .venv/installed-agents chromium
	$(APART) $(BIN)/python -m pytest -n $(PYTEST_WORKERS) --browser tests/browser

# The pictures in the README.
.PHONY: screenshots
screenshots: .venv/installed-dev chromium
	$(BIN)/python -m tests.support.pictures docs/pictures

.PHONY: screenshots-editors
screenshots-editors: .venv/installed-dev chromium .agents/editors/installed
	$(APART) $(BIN)/python -m tests.editors.vscode.pictures docs/pictures

# The page itself: built files are committed, so that installing needs no Node.
.PHONY: frontend frontend-check
frontend: | npm
	cd frontend && npm install --ignore-scripts --no-audit --no-fund --loglevel error && npm run --silent build

frontend-check: frontend
	$(PYTHON) -m tools.contract --check
	cd frontend && npm run --silent check
	@test -z "$$(git status --porcelain -- blueline/surfaces/web/_static)" || { \
	  git status --short -- blueline/surfaces/web/_static; \
	  echo "the page in the package is not the one that its sources make: commit what make frontend built" >&2; exit 1; }

# What `init --editor` installs: built files are committed, as the page is.
.PHONY: editors editors-check
editors: .venv/installed | npm
	cd editors/vscode && npm install --ignore-scripts --no-audit --no-fund --loglevel error && npm run --silent build
	$(BIN)/python -m tools.editor_packages

editors-check: .venv/installed | npm
	cd editors/vscode && npm install --ignore-scripts --no-audit --no-fund --loglevel error && \
	  npm run --silent check && npm run --silent build
	$(BIN)/python -m tools.editor_packages --check

# The workbench's rival in the benchmarks.
.difit/installed: | npm
	npm --prefix .difit --no-audit --no-fund --no-update-notifier --loglevel error install --ignore-scripts --no-save difit@2.2.7
	@touch $@
