# Two commands for a new machine: `make demo` and `make test`. `make` lists the rest.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
FUZZ_SECONDS ?= 60
LOCK := uv pip compile pyproject.toml requirements/build.in --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-header --no-annotate --quiet

.PHONY: help demo test test-wheel check lint types imports docs golden bench bench-observer bench-recall soak fuzz lock clean

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 18

$(VENV)/run.stamp: requirements/run.txt pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "setting up (versions and hashes from requirements/run.txt) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/run.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/dev.stamp: requirements/dev.txt pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "setting up (versions and hashes from requirements/dev.txt) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

demo: $(VENV)/run.stamp ## set up and run the main job in a throw-away home
	@$(BIN)/python docs/tutorial/demo/run.py

test: $(VENV)/dev.stamp ## set up and pass the suite
	$(BIN)/python -m pytest -n 2 --dist loadfile

test-wheel: $(VENV)/dev.stamp ## the suite against the built wheel, without the sources
	$(BIN)/python tests/wheel.py

check: $(VENV)/dev.stamp lint types imports ## style, types, layers

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check agent_memory graph_schema hook_templates tests bench docs

types: $(VENV)/dev.stamp
	$(BIN)/mypy

imports: $(VENV)/dev.stamp
	$(BIN)/lint-imports

docs: $(VENV)/dev.stamp ## write the generated reference pages
	$(BIN)/python docs/reference/generate.py

golden: $(VENV)/dev.stamp ## rewrite golden files; look at the diff
	UPDATE_GOLDEN=1 $(BIN)/python -m pytest -n 2 tests -k golden

bench: $(VENV)/dev.stamp ## speed and size beside baselines, in one run
	$(BIN)/python -m bench

bench-observer: $(VENV)/dev.stamp ## what the observer finds, beside baselines
	$(BIN)/python -m bench.observer

bench-recall: $(VENV)/dev.stamp ## what recall finds, beside baselines: make bench-recall DATA=folder MODEL=folder
	@$(BIN)/python -c "import bm25s, rank_bm25, tantivy, whoosh" 2>/dev/null \
		|| $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/bench.txt
	$(BIN)/python -m bench.recall $(if $(DATA),--data $(DATA)) $(if $(MODEL),--model $(MODEL))

soak: $(VENV)/dev.stamp ## long random tests
	$(BIN)/python -m pytest -n 2 -m soak --timeout 3600

fuzz: $(VENV)/dev.stamp ## look for inputs that break a reader: make fuzz FUZZ_SECONDS=600
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/fuzz.txt
	@failed=; for target in transcript redactor journal markdown payload exported configuration words; do \
		echo "$$target, $(FUZZ_SECONDS) s …"; \
		$(BIN)/python tests/fuzz/run_fuzz.py $$target $(FUZZ_SECONDS) 2>&1 | tail -n 8; \
		ls tests/fuzz/inputs/$$target | grep -q -e ^crash -e ^timeout -e ^oom && failed="$$failed $$target"; \
	done; test -z "$$failed" || { echo "inputs in tests/fuzz/inputs break:$$failed"; exit 1; }

lock: ## write the lock files again
	$(LOCK) -o requirements/run.txt
	$(LOCK) --extra dev --extra ladybug -o requirements/dev.txt
	for name in fuzz bench neighbours; do uv pip compile requirements/$$name.in --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-header --no-annotate --quiet -o requirements/$$name.txt || exit 1; done

clean: ## remove what make made
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .hypothesis
