# Each of these commands installs what it needs:
#   make demo    the window on the sample corpus, with a worked example
#   make test    the tests of every change, without a screen; TESTS=tests/engine runs only these, WORKERS=0 in one process
#   make test-all  these and the long ones, at full length: what a release has to pass (hours)
#   make test-core  the tests of everything but the window, in a Python without Qt
#   make core-wheel  a wheel of the library and the command line without Qt, in build/core
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# Build tools are programs in the virtual environment, which is searched first.
WITH_TOOLS := PATH="$(abspath $(BIN)):$$PATH"
PIP := $(WITH_TOOLS) $(BIN)/python -m pip --quiet --disable-pip-version-check
# The time of all files in what is made: that of the last commit, so that the same sources give the same files. Only for
# these: where the variable is set, Python compiles modules so that each import reads their sources.
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 1767225600)
DATED := SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH)
SOURCES := $(shell find _fastsa explorer resources -type f ! -name '*.pyc' 2>/dev/null) meson.build meson.options pyproject.toml README.md LICENSE

.PHONY: bundle deb smoke sdist demo test test-all test-core coverage fuzz check test-engine bench install screenshots contact-sheet messages man notebook reference site wheel core-wheel test-core-wheel clean

demo: install
	$(BIN)/corpus-explorer demo

# Everything that asks an index only through the seam to storage runs over documents in Python lists, too; what is
# written about its answers, in `make test-all` only.
OVER_LISTS := tests/search tests/trace tests/agreement tests/documents tests/api
WRITTEN_OVER_LISTS := tests/overlap tests/export
# Processes that share the files of tests, each file in one process; with 0, all run in one. One more than two cores
# have: the tests of windows wait for events a third of their time.
WORKERS ?= 3
ONE_FILE = $(and $(filter 1,$(words $(TESTS))),$(findstring .py,$(TESTS)))
# Each process reads all files of tests. Unless they are kept compiled, that takes a process half a minute each time.
test test-all test-core coverage: export PYTHONDONTWRITEBYTECODE :=
SHARED_OUT = $(if $(ONE_FILE),,-n $(WORKERS) --dist loadfile --no-loadscope-reorder)
test: install
ifeq ($(TESTS),)
	$(BIN)/pytest $(SHARED_OUT) -m "not nightly" --backend=lists -r fE $(OVER_LISTS)
endif
	QT_QPA_PLATFORM=offscreen $(BIN)/pytest $(SHARED_OUT) -m "not nightly" --durations=25 $(TESTS)

# With tests marked "nightly", 300 examples of each property in place of 20, and what takes a length at its full length.
NIGHTLY := --hypothesis-profile=nightly
test-all: install
ifeq ($(TESTS),)
	$(BIN)/pytest $(SHARED_OUT) $(NIGHTLY) --backend=lists -r fE $(OVER_LISTS) $(WRITTEN_OVER_LISTS)
endif
	QT_QPA_PLATFORM=offscreen $(BIN)/pytest $(SHARED_OUT) $(NIGHTLY) --durations=50 $(TESTS)

# The first folder on the path makes a Python without Qt of this one, and of every Python that a test starts.
test-core: install
	PYTHONPATH="$(abspath tests/support/noqt)" $(BIN)/pytest -p no:pytest-qt -W ignore::pytest.PytestConfigWarning \
	    --ignore=tests/gui -m "not qt and not nightly" $(TESTS)

# Lines of everything but window and command line that its tests reach; not part of .ci/run, which it would double.
LEAST_COVERED ?= 95
coverage: install
	$(BIN)/pytest --ignore=tests/gui --ignore=tests/cli --ignore=tests/benchmarks -m "not qt" \
	    --cov --cov-report=term --cov-fail-under=$(LEAST_COVERED) $(TESTS)

# Coverage-guided, SECONDS_EACH per target (Linux, Python 3.11 to 3.13); findings are written to build/.
SECONDS_EACH ?= 300
fuzz: install
	$(PIP) install atheris
	for target in query opener; do mkdir -p build/fuzz/$$target && $(BIN)/python tests/fuzz/$$target.py build/fuzz/$$target \
	    tests/fuzz/corpus/$$target -max_len=400 -max_total_time=$(SECONDS_EACH) -artifact_prefix=build/fuzz/ || exit 1; done

check: install
	$(BIN)/ruff check explorer tests packaging
	$(BIN)/ruff format --check explorer tests packaging
	$(BIN)/mypy
	$(BIN)/basedpyright --pythonpath $(BIN)/python
	$(WITH_TOOLS) $(BIN)/cython-lint _fastsa
	$(BIN)/lint-imports
	$(BIN)/python packaging/measures.py --check
	$(BIN)/python packaging/english.py

ENGINE_TESTS ?= tests/engine tests/backends/test_shards.py tests/files/test_mapped.py tests/checking/test_verify.py tests/backends/test_text_preceding.py tests/search
# The engine's tests with bounds checks and AddressSanitizer compiled in (gcc, Linux).
test-engine: install
	$(PIP) install --no-deps --no-build-isolation --target build/checks/site --upgrade \
	    --config-settings=build-dir=build/checks/build --config-settings=setup-args=-Dengine_checks=true --config-settings=setup-args=-Db_sanitize=address \
	    --config-settings=setup-args=-Db_lundef=false .
	PYTHONPATH="$(abspath build/checks/site)" LD_PRELOAD="$$(gcc -print-file-name=libasan.so)" \
	    ASAN_OPTIONS=detect_leaks=0 QT_QPA_PLATFORM=offscreen $(BIN)/pytest $(ENGINE_TESTS)

# Both engines on the same queries; make bench BENCH="--corpus FOLDER" uses your own texts.
bench: install
	$(BIN)/python tests/benchmarks/engine.py --out docs/benchmarks/engine.md $(BENCH)

# Runs the real window and saves pictures of every screen in both themes.
screenshots: install
	QT_QPA_PLATFORM=offscreen $(BIN)/python packaging/screenshots.py build/screenshots
	QT_QPA_PLATFORM=offscreen $(BIN)/python packaging/guide_pictures.py resources/guide docs/images
	QT_QPA_PLATFORM=offscreen $(BIN)/python packaging/site_pictures.py docs docs/images

# Pictures of every view, pop-over and dialog in nine kinds of window or more, with contact sheets. INDEX: the index to show.
contact-sheet: install
	$(BIN)/python packaging/gallery.py build/gallery --index "$(INDEX)"

# Writes every sentence for translators to build/messages/; new sentences are merged into resources/locale/.
messages: install
	$(BIN)/python packaging/messages.py build/messages

# The manual pages of all commands, made from their parsers, in packaging/man; a wheel has them in share/man/man1.
man: install
	$(BIN)/python packaging/man_pages.py packaging/man

# Runs the notebook of the docs and stores what it shows; a test compares the two.
notebook: install
	$(BIN)/python packaging/notebook.py docs/notebook/tour.ipynb

# The reference of the library in build/reference, made from its docstrings; fails if one is missing or names nothing.
reference: install
	$(BIN)/python packaging/reference.py build/reference

# The documentation in build/site: the pages of docs/, all commands and the reference. Any warning is an error.
site: install
	$(BIN)/python packaging/site_pages.py build/site-source
	$(BIN)/python packaging/reference.py build/site-source/extra/api
	$(BIN)/sphinx-build -W --keep-going -q -b html -d build/site-trees build/site-source build/site

wheel: $(VENV)/.tools
	rm -f dist/corpus_explorer-*.whl
	$(DATED) $(PIP) wheel --no-deps --no-build-isolation --config-settings=build-dir=build/wheel --wheel-dir dist .

sdist: $(VENV)/.tools
	$(PIP) install build
	$(DATED) $(BIN)/python -m build --sdist --no-isolation --outdir dist .

# The program as a folder that needs no Python, and as an archive, in build/bundle; SIZES=--record records their sizes.
bundle: wheel
	$(PIP) install "zstandard>=0.22"
	$(BIN)/python packaging/bundle/make.py dist/corpus_explorer-*.whl build/bundle $(SIZES)

# A package for Debian and Ubuntu of the bundle, in build/bundle; packaging/linux/try_deb.sh installs and purges two of them,
# and packaging/linux/try_full_disk.sh does it on a disk that is too small.
deb: bundle
	$(DATED) $(BIN)/python packaging/linux/make_deb.py build/bundle/corpus-explorer build/bundle

# Real work with the bundle, or with another PROGRAM.
PROGRAM ?= build/bundle/corpus-explorer/corpus-explorer
smoke:
	$(PYTHON) packaging/smoke.py $(PROGRAM) --window $(SMOKE)

# The same packages without the window, and without Qt in the requirements, as the distribution corpus-explorer-core.
core-wheel: $(VENV)/.tools
	rm -rf build/core
	$(PIP) install "wheel>=0.40"
	$(PIP) wheel --no-deps --no-build-isolation --config-settings=build-dir=build/wheel --wheel-dir build/core/whole .
	$(BIN)/python packaging/core_wheel.py build/core/whole/corpus_explorer-*.whl build/core

# The tests of everything but the window, against that wheel, in a fresh environment without Qt.
test-core-wheel: core-wheel
	rm -rf build/core/env && $(PYTHON) -m venv build/core/env
	build/core/env/bin/python -m pip --quiet --disable-pip-version-check install "pip>=25.1"
	build/core/env/bin/python -m pip --quiet --disable-pip-version-check install --group test \
	    "$$(echo build/core/corpus_explorer_core-*.whl)[arrow]"
	build/core/env/bin/pytest -p no:pytest-qt -W ignore::pytest.PytestConfigWarning --ignore=tests/gui \
	    --ignore=tests/benchmarks -m "not qt and not nightly" $(TESTS)

install: $(VENV)/.installed

# pip reads the groups of pyproject.toml since 25.1.
$(VENV)/.tools: packaging/system-libraries.sh pyproject.toml
	packaging/system-libraries.sh build $(PYTHON)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install "pip>=25.1" "meson-python>=0.16" "meson>=1.4" ninja "cython>=3.1"
	touch $@

# The tests run against the installed package, as users have it; the engine is compiled in build/.
$(VENV)/.installed: $(VENV)/.tools $(SOURCES)
	$(PIP) install --no-build-isolation --config-settings=build-dir=build/install .
	packaging/system-libraries.sh qt $(BIN)/python
	touch $@

# What a target needs besides the program: a group of pyproject.toml.
test test-core test-engine fuzz messages: $(VENV)/.group-test
test-all coverage notebook: $(VENV)/.group-test-all
check: $(VENV)/.group-check
bench: $(VENV)/.group-bench
reference: $(VENV)/.group-docs
site: $(VENV)/.group-docs $(VENV)/.group-site
$(VENV)/.group-%: $(VENV)/.tools | $(VENV)/.installed
	$(PIP) install --group $*
	touch $@

clean:
	rm -rf build dist $(VENV)
