# Everything is run from here; `make` lists what there is.
# The environment in .venv is made on first use and again when pyproject.toml changes.

PYTHON ?= python3
BIN := .venv/bin
DEMO := .venv/installed-demo
TESTS := .venv/installed-test
ENV := .venv/installed
PEERS := .venv/installed-bench
PYODIDE := pyodide-314.0.7

.DEFAULT_GOAL := help
.PHONY: help demo test test-check test-long coverage lint types check bench bench-hard bench-peers bench-real bench-stream golden picture site dist lock clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(DEMO): pyproject.toml requirements-dev.txt
	@echo "Installing sereval in .venv, for a minute or two."
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint requirements-dev.txt --editable '.[plot]'
	@touch $@

$(TESTS): $(DEMO)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint requirements-dev.txt --editable '.[test]'
	@touch $@

$(ENV): $(DEMO)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint requirements-dev.txt --editable '.[dev]'
	@touch $(TESTS) $@

$(PEERS): $(DEMO)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint requirements-dev.txt --editable '.[bench]'
	@touch $@

demo: $(DEMO)  ## score two systems on the bundled recordings, on the reference's and a recogniser's words
	@$(BIN)/python data/demo.py

# Python for browsers, of the site's page that scores: without npm the site has no such page.
build/$(PYODIDE).tgz:
	@mkdir -p build
	@npm pack --silent --fetch-timeout=30000 --fetch-retries=1 --pack-destination=build $(subst -,@,$(PYODIDE)) >/dev/null \
		|| echo "No $(PYODIDE) from npm: the site will have no page that scores in the browser."

# Each worker takes up to half a GB and may start a browser.
WORKERS := --numprocesses auto --maxprocesses 8

test: $(TESTS)  ## run the tests that show that an installation works: about a minute
	@$(BIN)/python -m pytest --quiet $(WORKERS)

test-check: $(ENV) build/$(PYODIDE).tgz  ## run the tests with browsers, clusters, faults and fuzzing: some minutes
	$(BIN)/python -m pytest --quiet -m 'check and not long' $(WORKERS)

test-long: $(ENV)  ## run the proofs, and say what they proved
	$(BIN)/python -m pytest --quiet -m long $(WORKERS)

coverage: $(ENV)  ## which branches the tests take: 95 % at least
	$(BIN)/python -m pytest --quiet -m 'not long' $(WORKERS) --cov --cov-report=term

lint: $(ENV)  ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# One run of both lanes: what tests import is imported once.
check: lint build/$(PYODIDE).tgz  ## all that a change must pass, as the continuous integration runs it
	$(BIN)/python -m pytest --quiet -m 'not long' $(WORKERS)

golden: $(ENV)  ## write the expected outputs of all sessions anew, and the options in docs; review the difference
	$(BIN)/python tests/support/golden.py
	$(BIN)/python docs/make/reference.py

picture: $(ENV) demo  ## make the pictures of the README anew, from what the demo left
	$(BIN)/python data/picture.py

bench: $(ENV)  ## measure time and memory on a corpus of the paper's size
	$(BIN)/python bench/run.py
	$(BIN)/python bench/soduco.py
	$(BIN)/python bench/page.py

bench-hard: $(ENV)  ## time and memory of documents that a search may not get through
	$(BIN)/python bench/hard.py

bench-stream: $(ENV)  ## measure memory on 10 000 documents, in several forms on disk
	$(BIN)/python bench/stream.py

bench-real: $(ENV)  ## measure time and memory on real speech, if the shared corpora are here
	$(BIN)/python bench/real.py
	$(BIN)/python bench/aligned.py

bench-peers: $(PEERS)  ## the same beside nervaluate, seqeval, jiwer and meeteval, on flat data
	$(BIN)/python bench/peers.py

site: $(ENV) build/$(PYODIDE).tgz  ## build the documentation site into build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

dist:  ## build wheel and source archive; run its tests on installed wheels (PYTHONS="python3.11 …")
	bash .ci/dist

lock: $(ENV)  ## pin anew what tests and documentation are made with: requirements-dev.txt
	$(BIN)/uv pip compile --quiet --universal --upgrade --all-extras --python-version 3.11 \
		--no-header --no-annotate --no-emit-index-url pyproject.toml -o requirements-dev.txt

clean:  ## remove what was made
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
