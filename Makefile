# Two commands for everyone: `make site` and `make test`. Both need only
# Python 3.11 or newer and make; what else they need goes into .venv.
#
#   make PYTHON=python3.12 …   use that interpreter for a new .venv

BIN := .venv/bin
KB := $(BIN)/kb
INSTALL := -m pip install --quiet --disable-pip-version-check

# What is locked, each file by its hash, and then ours with nothing of its own to fetch.
HASHED := $(INSTALL) --require-hashes --requirement
OURS := $(INSTALL) --no-deps --no-build-isolation --editable .

# We know that MkDocs ends and what comes next; twelve lines a build don't help.
export NO_MKDOCS_2_WARNING := 1

# Tests share nothing, so each core takes some; what is timed is timed in the slow stages.
SIDE_BY_SIDE := --numprocesses auto --maxprocesses 4 --dist worksteal

.PHONY: site test lint faults fuzz test-compile dist reproduce audit lock clean help
.DELETE_ON_ERROR:

help:
	@echo "make site   check the knowledge base, measure a first workload, build the site"
	@echo "make test   everything that a change must pass, but for the slow tests"
	@echo "make lint   format, types and import order only"
	@echo "make faults kill commands wherever they touch the disk, three times as often as CI"
	@echo "make fuzz   search for inputs that kb can't answer, for half an hour"
	@echo "make dist   build a release: the wheel, and what it stands on (CycloneDX)"
	@echo "make reproduce  build the same commit in another folder, and compare the bytes"
	@echo "make audit  ask for known vulnerabilities of the locked packages"
	@echo "make lock   write constraints.txt and requirements/ anew (needs Python 3.11)"
	@echo "make clean  remove what was built; .venv stays"

# The measurement goes into build/ because it says how fast *this* machine is;
# evidence that a decision cites is committed by hand. On a busy machine the
# record can miss a gate (exit 1): it is then kept and shown with the reason, and
# the site is built all the same. Only a run that did not happen (2) stops it.
site: .venv/.site
	$(KB) check
	$(KB) measure run matmul-512-f32 --out build/evidence || test $$? -eq 1
	$(BIN)/mkdocs build --strict --site-dir build/site
	@echo "The site is in build/site. To read it:"
	@echo "  $(BIN)/python -m http.server --bind 127.0.0.1 --directory build/site 8000"

test: lint
	$(BIN)/python -m pytest -m "not slow" $(SIDE_BY_SIDE)
	$(KB) check
	$(KB) schema --check

lint: .venv/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

faults: .venv/.dev
	KB_FAULTS=3 $(BIN)/python -m pytest tests/faults

# The search that is guided by coverage has wheels for some Pythons only; without them
# the rest of the search runs.
fuzz: .venv/.dev
	$(BIN)/python $(HASHED) requirements/fuzz.txt || echo "atheris can't be installed here"
	KB_FUZZ=20 $(BIN)/python -m pytest tests/fuzz

# Compilers for hardware that is not here weigh a gigabyte and change which
# devices JAX looks for, so they get an environment of their own.
test-compile: .cache/aot/.ready
	KB_REQUIRE_AOT=1 .cache/aot/bin/python -m pytest tests/compile \
	  'tests/faults/test_kills.py::test_nothing_is_lost_wherever_it_dies[compile]'

# Equal sources give equal bytes: the moment in the wheel is that of the last commit.
dist: .venv/.dev
	rm -rf dist
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) \
	  $(BIN)/python -m build --wheel --no-isolation --outdir dist
	$(BIN)/python tools/sbom > dist/sbom.cdx.json

reproduce: dist
	again=$$(mktemp -d) && mkdir $$again/source && \
	git archive HEAD | tar --extract --directory $$again/source && \
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) \
	  $(BIN)/python -m build --wheel --no-isolation --outdir $$again/dist $$again/source && \
	cmp dist/*.whl $$again/dist/*.whl && rm -rf $$again

audit: .venv/.site
	$(BIN)/python tools/audit

lock:
	tools/lock

clean:
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

# The empty files below say "installed"; they are older than a changed
# pyproject.toml, so a second run costs nothing and a changed one is caught up.
.venv/.site: pyproject.toml requirements/site.txt
	tools/venv .venv
	@echo "Installing what the site needs; the first time takes a minute or two"
	$(BIN)/python $(HASHED) requirements/site.txt
	$(BIN)/python $(OURS)
	@touch $@

# On top of .site, so that `make -j site test` never runs two pips at once.
.venv/.dev: .venv/.site requirements/dev.txt
	@echo "Installing what the tests need"
	$(BIN)/python $(HASHED) requirements/dev.txt
	@touch $@

.cache/aot/.ready: pyproject.toml requirements/aot.txt
	tools/venv .cache/aot
	@echo "Installing the compilers for TPU and CUDA; the first time takes some minutes"
	.cache/aot/bin/python $(HASHED) requirements/aot.txt
	.cache/aot/bin/python $(OURS)
	@touch $@
