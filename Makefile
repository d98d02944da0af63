# The two commands of the README (`make app`, `make test`) do all set-up themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# One worker more than cores: a test in a browser mostly waits. Files keep the order in which they were collected.
WORKERS ?= 3
SIDE_BY_SIDE := -n $(WORKERS) --dist loadfile --no-loadscope-reorder
# Each worker has a core of its own; threads of the linear algebra would only take the other's.
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
# Compiled modules are kept, also where the environment asks for none: every page, command and worker starts on them.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: app test soak check bench screenshots world season seeds browser clean help

help:
	@echo "make app     start the page on the bundled World Cup and Premier League season"
	@echo "make test    run every test at small counts, browser included"
	@echo "make soak    run the long counts"
	@echo "make check   ruff, mypy, the order of rooms and dead code"
	@echo "make bench   measure what is fast and what is not"
	@echo "make screenshots   draw every page again, light and dark, wide and narrow"
	@echo "make world   rebuild the bundled World Cup from FACTS=<folder of fact tables>"
	@echo "make seeds   find the bundled worlds' first squads and boards again, after a change of beliefs or search"
	@echo "make season  rebuild the bundled Premier League season from FACTS=<folder of seasons>"

$(VENV)/.app: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --constraint constraints.txt --upgrade pip setuptools
	$(PIP) install --constraint constraints.txt --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.app
	$(PIP) install --constraint constraints.txt --editable ".[dev]"
	@touch $@

app: $(VENV)/.app
	$(BIN)/streamlit run app.py

# Debian's Chromium for the browser tests: installed when we may, skipped with a reason when we may not.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  (apt-get update -qq && apt-get install -y -qq chromium) >/dev/null 2>&1 || echo "No Chromium: browser tests will be skipped."; \
	else echo "No Chromium: browser tests will be skipped. Get it with: sudo apt-get install chromium"; fi

# Workers that begin together would each compile the same modules.
test: $(VENV)/.dev browser
	@$(BIN)/python -m compileall -q data engine models ui tests/cases tests/tools
	$(ONE_THREAD) $(BIN)/python -m pytest $(SIDE_BY_SIDE) -m "not soak"

soak: $(VENV)/.dev browser
	$(ONE_THREAD) THETAXI_SOAK=1 $(BIN)/python -m pytest --timeout 3600 -m alone && alone=0 || alone=1; \
	$(ONE_THREAD) THETAXI_SOAK=1 $(BIN)/python -m pytest $(SIDE_BY_SIDE) --timeout 3600 -m "not alone" && \
	exit $$alone

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/vulture

bench: $(VENV)/.dev
	$(BIN)/python -m tests.benches.all

screenshots: $(VENV)/.dev browser
	$(BIN)/python -m tests.tools.screenshots

world: $(VENV)/.app
	@test -n "$(FACTS)" || { echo "Say which folder of fact tables to read: make world FACTS=<folder>"; exit 1; }
	new=$$(mktemp -d) && $(BIN)/thetaxi import-world $(FACTS) $$new/wc2026 --title "FIFA World Cup 2026" && \
	rm -rf data/worlds/wc2026 && mv $$new/wc2026 data/worlds/

seeds: $(VENV)/.app
	$(BIN)/thetaxi solve-seeds --out engine/rules/solved_squads.csv
	$(BIN)/thetaxi breed-boards --out engine/board/bred_boards.json

# The folder holds one folder per season, and the odds of all of them beside these.
SEASON := 2025-26
EARLIER := 2022-23 2023-24 2024-25
season: $(VENV)/.app
	@test -n "$(FACTS)" || { echo "Say which folder of seasons to read: make season FACTS=<folder>"; exit 1; }
	new=$$(mktemp -d) && $(BIN)/thetaxi import-fpl $(FACTS)/$(SEASON) $$new/fpl$(SEASON) --rulebook fpl2025 \
	  --title "Fantasy Premier League 2025/26" --history $(EARLIER:%=$(FACTS)/%) --odds $(FACTS)/football_data.csv.gz --managers $(FACTS)/field && \
	rm -rf data/worlds/fpl$(SEASON) && mv $$new/fpl$(SEASON) data/worlds/

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache
