# Every target sets up what it needs. `make help` lists them.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
CONTRACT ?= contract/contract.yaml
# The OpenAPI file for which the site offers an overlay; only the example has one here.
OPENAPI ?= $(if $(filter contract/contract.yaml,$(CONTRACT)),contract/openapi/acme.yml)
# The site is built by MkDocs with Material, whose notice on its own end of life is no news at every build.
export NO_MKDOCS_2_WARNING := 1

.DEFAULT_GOAL := help
BENCHES := $(patsubst tests/benchmarks/bench_%.py,bench-%,$(sort $(wildcard tests/benchmarks/bench_*.py)))
.PHONY: help setup docs serve manual table bench $(BENCHES) test check format golden results switches wheel clean

help: ## what there is to make
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /|/' | awk -F'|' '{printf "  make %-8s %s\n", $$1, $$2}'

$(VENV)/.ready: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Idempact needs Python 3.11 or newer, this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

setup: $(VENV)/.ready ## the virtual environment with all that the other targets need

docs: setup ## the integrators' site, from the contract into build/site
	$(BIN)/idempact build $(CONTRACT) --out build/docs $(if $(OPENAPI),--openapi $(OPENAPI))
	$(BIN)/idempact lint --strict build/docs
	$(BIN)/mkdocs build --strict --quiet --config-file build/mkdocs.yml
	@echo "build/site/index.html"

serve: docs ## the site on http://127.0.0.1:8000
	$(BIN)/mkdocs serve --config-file build/mkdocs.yml

manual: setup ## Idempact's own manual, into build/manual/site
	$(BIN)/idempact manual --out build/manual/docs
	$(BIN)/idempact lint --strict build/manual/docs
	$(BIN)/mkdocs build --strict --quiet --config-file build/manual/mkdocs.yml
	@echo "build/manual/site/index.html"

test: setup ## all tests
	$(BIN)/python -m pytest -q

check: setup ## lint, types, layers, contracts, our own prose
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/idempact check --quiet contract/contract.yaml contract/minimal.yaml contract/vendors/*.yaml
	$(BIN)/idempact export contract-schema --out contract/contract.schema.json --check
	$(BIN)/idempact lint --strict --contract contract/contract.yaml README.md CONTRIBUTING.md CHANGELOG.md contract site_src

bench: $(BENCHES) ## the budgets of speed and memory, as ratios of one run (make -k bench runs all)

$(BENCHES): bench-%: setup
	$(BIN)/python tests/benchmarks/bench_$*.py

table: setup ## what an injection does to each file of ../shared/specs, as a table
	$(BIN)/python tests/openapi/table.py

format: setup ## format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

results: setup ## run every retry loop against the vectors, and write what came of it (LOOPS=go: those that match)
	RESULTS=write $(BIN)/python -m pytest -q tests/snippets/test_results.py $(if $(LOOPS),-k "$(LOOPS)")

switches: setup ## run the retry switches of common libraries against the vectors, and write their figures
	RESULTS=write $(BIN)/python -m pytest -q -x tests/switches

golden: setup ## rewrite the goldens of the tests; read the diff before you commit it
	GOLDEN=write $(BIN)/python -m pytest -q tests

wheel: setup ## the wheel, into dist
	$(BIN)/python -m build --outdir dist

clean: ## remove what was made
	rm -rf build dist
