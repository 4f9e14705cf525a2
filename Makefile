# One-word commands. `make run` and `make test` set everything up by themselves.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PORT ?= 8501
PYTEST := $(BIN)/python -m pytest
export JEVAL_TEST_DATA ?= $(wildcard ../shared/data)

.PHONY: run test test-fast test-long bench check shots clean

run: $(VENV)/installed
	$(BIN)/jeval console --port $(PORT)

test: $(VENV)/installed-test browser
	$(BIN)/ruff check . && $(BIN)/mypy
	$(PYTEST) -n 2 -m "not long"

test-fast: $(VENV)/installed-test
	$(PYTEST) -n 2 -q -m "not slow and not browser and not long"

test-long: $(VENV)/installed-test browser
	$(PYTEST) -m long

bench: $(VENV)/installed-test browser
	$(BIN)/python -m tests.bench

shots: $(VENV)/installed-test browser
	$(BIN)/python -m tests.shots

check: $(VENV)/installed-test
	$(BIN)/ruff check . && $(BIN)/mypy

.PHONY: browser
browser: $(VENV)/installed-test
	$(BIN)/python -m tests.browser

# The stamps make a second run start at once; they are redone when the dependencies change.
$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "jeval console needs Python 3.11 or newer: make PYTHON=python3.12 run")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(VENV)/bin/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	-$(BIN)/jeval weights --install
	touch $@

$(VENV)/installed-test: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	touch $@

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache
