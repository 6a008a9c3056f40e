# Marg for Python. `make` alone prints what there is.
# Needs Python 3.11 or newer, make, and a package index that pip knows. Every path is relative, so a checkout may lie
# in a folder whose name has spaces.

PYTHON ?= python3
MARG_CORPORA ?= ../shared/corpora
SHIPPED_CORPORA := corpora/marg_corpora/data

BIN := .venv/bin
READY := .venv/.ready
DEV_READY := .venv/.ready-dev
WHEEL_BIN := .venv-wheel/bin
PIP_INSTALL := -m pip install --quiet --disable-pip-version-check -c constraints.txt

# A caller's own import path must reach neither environment: the wheel's tests would not test the wheel. And where no
# bytecode is kept, each of the many processes that the tests start compiles all of Marg anew.
unexport PYTHONPATH PYTHONHOME PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup replay score test checks wheel format bench clean

help: ## Print this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

setup: $(DEV_READY) ## Create .venv with Marg, all extras and pytest (PYTHON=python3.12 names the Python; first make clean)

replay: $(READY) ## Replay the example domain with the mock model: no key, no network
	@$(BIN)/marg replay scenarios

score: $(READY) ## Score the readers on the shipped corpora and on those in MARG_CORPORA
	@$(BIN)/marg score $(SHIPPED_CORPORA)
	@if [ -d "$(MARG_CORPORA)" ]; then $(BIN)/marg score "$(MARG_CORPORA)"; \
	else echo "Skipped the public corpora: no folder $(MARG_CORPORA). Name one: make score MARG_CORPORA=FOLDER"; fi

test: $(DEV_READY) ## Check format, lint, types and layers, run the tests, then those marked wheel on the built wheel
	@$(MAKE) --no-print-directory -j 2 checks wheel
	$(call phase,tests,$(BIN)/pytest tests -n 2 -m "not browser")
	$(call phase,browser tests,$(BIN)/pytest $(call marked,browser))
	$(call phase,wheel tests,$(WHEEL_BIN)/pytest $(call marked,wheel) -n 2)

# Both are one process at a time, so they run beside each other.
checks: $(DEV_READY)
	$(call phase,format,$(BIN)/ruff format --check .)
	$(call phase,lint,$(BIN)/ruff check .)
	$(call phase,types,$(BIN)/mypy)
	$(call phase,layers,$(BIN)/lint-imports)

wheel: $(DEV_READY)
	$(call phase,wheel build,rm -rf dist && $(BIN)/python -m build --wheel --no-isolation)
	$(call phase,wheel install,.ci/install_wheel)

format: $(DEV_READY) ## Format the code and apply the linter's safe fixes
	@$(BIN)/ruff check --fix --exit-zero --quiet .
	@$(BIN)/ruff format .

bench: $(DEV_READY) ## Measure start-up, the replay, the reader, the cutter, the core, its exploration, the scenarios and the wire
	@$(BIN)/python -m benchmarks.startup
	@$(BIN)/python -m benchmarks.reading
	@$(BIN)/python -m benchmarks.cutter
	@$(BIN)/python -m benchmarks.runtime
	@$(BIN)/python -m benchmarks.explore
	@$(BIN)/python -m benchmarks.mutants
	@$(BIN)/python -m benchmarks.transport_matrix

clean: ## Remove the virtual environments, the built wheel and every cache
	rm -rf .venv .venv-wheel dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): pyproject.toml constraints.txt
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	echo "Marg needs Python 3.11 or newer; $(PYTHON) is `"$(PYTHON)" --version 2>&1`." >&2; \
	echo "Name a newer one: make setup PYTHON=python3.12" >&2; exit 1; }
	@echo "Setting up .venv with Marg (once, and again when pyproject.toml or constraints.txt change)"
	@"$(PYTHON)" -m venv .venv
	@$(BIN)/python $(PIP_INSTALL) -e ".[mcp]"
	@touch $(READY)

# What the checks need on top comes apart, for a first replay should not wait for it.
$(DEV_READY): $(READY)
	@echo "Adding what the checks and the tests need"
	@$(BIN)/python $(PIP_INSTALL) -e ".[dev,all]"
	@touch $(DEV_READY)

# $(call marked,NAME): the tests with a mark, and only the files that hold one: to collect all of them takes far longer.
marked = $$(grep -rl --include='test_*.py' 'pytest\.mark\.$(1)' tests) -m $(1)

# $(call phase,NAME,COMMAND): one phase of `make test`; it prints its name and its exit code, and stops make on a failure.
define phase
@printf '\n== %s\n' '$(1)'; $(2); code=$$?; printf '== %s: exit %s\n' '$(1)' $$code; exit $$code
endef
