# Two commands on a fresh machine: `make demo` and `make test`. Only python3 (3.11 or later) and make are needed.
PYTHON ?= python3
VENV := .venv
WORKERS := 2
BIN := $(VENV)/bin
SPARK := .venv-spark

.PHONY: demo test test-all test-slow test-neighbours test-spark test-pure sanitize wheel mutants fuzz coverage check lint bench bench-scale docs format clean

demo: $(VENV)/.run-ready ## the whole flow on a simulated collection
	@$(BIN)/gainsayer demo

test: $(VENV)/.dev-ready ## the test suite without what is slow: about five minutes
	@$(BIN)/python -m pytest -q -n $(WORKERS) --dist loadfile --no-loadscope-reorder --ignore tests/slow -m 'not slow'

test-all: test test-slow ## the same, then what is slow

test-slow: $(VENV)/.dev-ready ## simulations in full, a browser, processes that are killed, PostgreSQL, wheels
	@GAINSAYER_SLOW=1 $(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal -m slow tests \
	  --ignore tests/slow/neighbours --ignore tests/slow/spark

test-neighbours: $(VENV)/.dev-ready ## the tests that use PyTerrier, Hugging Face datasets, MLflow and Jupyter themselves
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[neighbours]'
	@$(BIN)/python -m pytest -q tests/slow/neighbours

test-spark: $(SPARK)/.ready ## the tests that start Spark, in an environment of its own: it wants an older pandas; needs Java
	@$(SPARK)/bin/python -m pytest -q -n0 -m spark tests/slow/spark

test-pure: $(VENV)/.dev-ready ## the tests of reading and ranking once more, without the compiled reader
	@GAINSAYER_PURE=1 $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadfile tests/formats tests/engines \
	  tests/scoring/test_ranking.py tests/scoring/test_mappings.py tests/scoring/test_pool.py tests/scoring/test_duplicates.py \
	  tests/properties/test_runs.py tests/properties/test_readers.py

sanitize: $(VENV)/.dev-ready ## the same tests with the compiled reader under address and undefined-behaviour checks
	@$(BIN)/python tests/sanitizers/run.py

wheel: | $(VENV)/bin/python ## dist/: a wheel with the compiled reader (needs a C compiler), and a pure one
	@GAINSAYER_COMPILED=1 $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps -w dist .
	@GAINSAYER_PURE=1 $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps -w dist .
	@ls dist/*.whl

fuzz: $(VENV)/.dev-ready ## new mutated inputs for every reader: make fuzz N=50000, or SECONDS=3600
	@$(BIN)/python tests/fuzz/fuzz.py $(if $(N),--inputs $(N)) $(if $(SECONDS),--seconds $(SECONDS)) $(if $(SEED),--seed $(SEED))

check: lint test ## everything: format, lint, types, imports, tests, doctests

lint: $(VENV)/.dev-ready
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache

mutants: $(VENV)/.dev-ready ## would the tests notice? breaks the code on purpose, about an hour (EACH=15 per room, SEED=0)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[mutants]'
	@$(BIN)/python -m tests.mutants.run --each $(or $(EACH),15) --seed $(or $(SEED),0)

coverage: $(VENV)/.dev-ready ## how often intervals hold the truth, as docs/explanation/coverage.md shows it: takes hours
	@$(BIN)/python -m tests.slow.statistics.coverage $(if $(REPEATS),--repeats $(REPEATS)) --workers $(WORKERS)

docs: $(VENV)/.run-ready ## the documentation as a site in site/, which fetches nothing from elsewhere
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[docs]'
	@$(BIN)/python docs/generate.py
	@$(BIN)/zensical build --strict
	@echo "The site is in site/. To read and search it: $(BIN)/python -m http.server --directory site"

bench: $(VENV)/.dev-ready ## side-by-side timings against the peers
	@$(BIN)/python -m benchmarks

bench-scale: $(VENV)/.dev-ready ## 50 million run rows by each engine: CPU, memory, growth (TOPICS=5000 for a tenth, FOLDER=... keeps the data)
	@$(BIN)/python -m benchmarks.scale $(if $(TOPICS),--topics $(TOPICS)) $(if $(FOLDER),--folder $(FOLDER))

format: $(VENV)/.dev-ready
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) $(SPARK) demo site

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or later is needed; name one with: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)

KERNEL := hatch_build.py src/gainsayer/reading/_kernel.c

$(VENV)/.run-ready: pyproject.toml constraints.txt $(KERNEL) | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[web]'
	@touch $@

$(VENV)/.dev-ready: pyproject.toml constraints.txt $(KERNEL) | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@ $(VENV)/.run-ready

$(SPARK)/.ready: pyproject.toml constraints.txt $(KERNEL)
	$(PYTHON) -m venv $(SPARK)
	@grep -v '^pandas==' constraints.txt > $(SPARK)/constraints.txt
	$(SPARK)/bin/python -m pip install --quiet --disable-pip-version-check -c $(SPARK)/constraints.txt \
	  -e '.[spark]' pytest pytest-xdist hypothesis
	@touch $@
