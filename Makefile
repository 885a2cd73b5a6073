# `make report` and `make test` set up everything they need in .venv; the second time they only do their job.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
# Tests are compiled once, not by each process of each run, whatever the environment says.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: report test check fix baseline clean

report: $(READY)            ## run the bundled suites, write reports/latest
	$(BIN)/memeval run queries --out reports/latest

test: $(READY)              ## every test, the slow ones too, and the bundled suites
	$(BIN)/python -m pytest -n auto --dist worksteal

check: $(READY)             ## what to run before a commit: lint, format, types, fast tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest tests -n auto --dist worksteal -m "not slow"

fix: $(READY)               ## let ruff mend what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# pip is given no new version and no cache to fill: an unchanged pyproject.toml installs nothing again.
$(READY): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	touch $@

# blessed.md stays: it says why the baselines before were accepted.
baseline: $(READY)          ## accept today's figures: the committed evaluation and its report
	mkdir -p reports/baseline
	find reports/baseline -mindepth 1 ! -name blessed.md -delete
	$(BIN)/memeval run queries --out reports/baseline --depth 10 --no-page

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis
