# A fresh machine needs make and Python 3.11 or newer; everything else goes into .venv.

# python3.11 where it runs, else python3; or yours: make PYTHON=/path/to/python
PYTHON ?= $(firstword $(foreach name,python3.11 python3,$(shell $(name) -c '' 2>/dev/null && echo $(name))))
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
DIGITS := examples/digits

# Echo a command as a reader would type it, then run it.
show = @printf '\n$$ %s\n' '$(strip $(1))' && $(strip $(1))

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help demo test wheel bench calibrate clean

help: ## list what make can do
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: .venv/.installed ## compare the systems of the examples
	$(call show, $(BIN)/deadheat compare $(DIGITS)/discriminant_analysis.csv $(DIGITS)/logistic_regression.csv --reference $(DIGITS)/reference.csv)
	$(call show, $(BIN)/deadheat compare examples/gap500/gap500.csv)
	@printf "\nThe same in the browser: $(BIN)/deadheat serve\n"

test: .venv/.installed-test ## lint, types, floors, then the suite
	$(call show, $(BIN)/ruff check .)
	$(call show, $(BIN)/ruff format --check .)
	$(call show, $(BIN)/mypy)
	$(call show, $(BIN)/lint-imports)
	$(call show, $(BIN)/pytest -n 2 -m "not slow")

wheel: .venv/.installed-wheel ## build the archive and the wheel, and try them with and without a compiler
	$(call show, $(BIN)/python .ci/wheel.py)

bench: .venv/.installed-bench ## time and memory beside scipy, arch, sacrebleu and others, in one run
	$(call show, $(BIN)/python benchmarks/run.py)
	$(call show, $(BIN)/python benchmarks/kernel.py)
	$(call show, $(BIN)/python benchmarks/texts.py)
	$(call show, $(BIN)/python benchmarks/replays.py)
	$(call show, $(BIN)/python benchmarks/logs.py)

calibrate: .venv/.installed-test ## coverage and error rates by simulation (slow)
	$(call show, $(BIN)/pytest -n 2 -m slow -rP)

clean: ## remove .venv, caches and build products
	rm -rf .venv .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist src/*.egg-info
	find src tests examples benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

# Stamps: made only after their command succeeded, so that a failed set-up is tried again.
.venv/.made:
	@test -n "$(PYTHON)" || { echo 'Found no python3.11 and no python3 that runs. Install Python 3.11 or newer, or name one: make PYTHON=/path/to/python' >&2; exit 2; }
	@"$(PYTHON)" -c 'import sys; v = sys.version.split()[0]; sys.exit(sys.version_info < (3, 11) and f"$(PYTHON) is Python {v}; deadheat needs 3.11 or newer. Name another: make PYTHON=/path/to/python")'
	"$(PYTHON)" -m venv .venv
	@touch $@

.venv/.installed: .venv/.made pyproject.toml src/deadheat/_version.py src/deadheat/resampling/_kernel.c
	$(PIP) --editable .
	@touch $@

.venv/.installed-test: .venv/.made pyproject.toml src/deadheat/_version.py src/deadheat/resampling/_kernel.c
	$(PIP) --editable '.[test]'
	@touch $@ .venv/.installed

.venv/.installed-wheel: .venv/.made pyproject.toml
	$(PIP) 'build>=1.2'
	@touch $@

.venv/.installed-bench: .venv/.made pyproject.toml src/deadheat/_version.py src/deadheat/resampling/_kernel.c
	$(PIP) --editable '.[bench]'
	@touch $@ .venv/.installed
