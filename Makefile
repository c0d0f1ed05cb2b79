# SPDX-License-Identifier: Apache-2.0
# What people and CI run; the build itself is CMake's (CMakePresets.json). Nothing is done twice: packages are looked
# up before they are installed, stamps stand for what pip and cmake configured, ninja rebuilds what changed.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.NOTPARALLEL:
.DEFAULT_GOAL := help

venv := .venv/bin/python
pip := $(venv) -m pip --disable-pip-version-check --quiet install
# Python finds the package of the release build; nothing is copied, nothing is compiled twice.
python := PYTHONPATH=$(CURDIR)/build/release/python $(venv)
pytest := $(python) -m pytest -p no:cacheprovider
ctest := ctest --output-on-failure --no-tests=error --parallel $(shell nproc) --preset
cli := build/release/cli/quadrance
landsat := examples/data/landsat-satellite.csv
sources = $(shell git ls-files --cached --others --exclude-standard '*.cc' '*.h')
# Comments a few columns too wide; a line goes away with the next change of its file.
not_laid_out := src/backends/power_of_two.h src/metrics/places.h
# Objects of build/release serve `pip install .`, whose paths below the build folder are the same.
export CCACHE_BASEDIR := $(CURDIR)

.PHONY: help
help:  ## what there is to make
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' Makefile | expand -t 20

.PHONY: deps
deps: core-packages  ## install the system packages only

.PHONY: demo
demo: release .venv/peers.stamp  ## the distance matrix of the shipped data, timed beside other libraries
	@mkdir -p demo-output
	TIMEFORMAT='in     %R s: read, computed, written'; time \
	    $(cli) dist $(landsat) -o demo-output/landsat.npy --dtype float32 --overwrite --explain
	@if [ -e bench/peers/demo.py ]; then $(python) bench/peers/demo.py $(landsat); fi

.PHONY: test
test: release .venv/tests.stamp  ## the core tests
	cmake --build --preset release
	$(ctest) release
	$(pytest) tests/python

.PHONY: test-all
test-all: all-packages style test text demo readme wheel dev asan tsan fuzz neon  ## everything CI runs
	@echo "All of test-all passed."

# --- what test-all adds -------------------------------------------------------------------------------------------

# NVRTC (from pip) compiles for a GPU without having one, PoCL runs OpenCL on the CPU.
.PHONY: text
text: release .venv/text.stamp | all-packages  ## compile every metric's text for CUDA, run it as OpenCL
	cmake --build --preset release --target print_text
	$(pytest) tests/expression

# Every version of clang-format lays out some lines in its own way: it is asked only where it is Debian 12's.
.PHONY: style
style: .venv/lint.stamp  ## layout of the sources, and ruff
	$(venv) -m ruff check --no-cache python tests bench
	@if [[ $$(clang-format --version 2>&1) == *"version 14."* ]]; then \
	    clang-format --dry-run -Werror $(filter-out $(not_laid_out),$(sources)); \
	else echo "The layout of C++ is not checked: there is no clang-format 14 (packages.txt)."; fi

.PHONY: readme
readme: release  ## run the commands and programs that README.md shows
	$(python) tests/readme/readme_test.py README.md

.PHONY: wheel
wheel: build/wheel/venv.stamp  ## install the Python package by pip and test what only an installed one has
	rm -f build/wheel/*.whl
	$(venv) -m pip --disable-pip-version-check --quiet wheel . --no-deps --no-build-isolation \
	    --config-settings=build-dir=build/python --wheel-dir build/wheel
	build/wheel/venv/bin/python -m pip --disable-pip-version-check --quiet install --no-deps --force-reinstall \
	    build/wheel/*.whl
	build/wheel/venv/bin/python -m pytest -p no:cacheprovider tests/python/test_package.py

.PHONY: dev
dev: build/dev/configured.stamp  ## compile everything with warnings as errors (asan runs the tests, assertions on)
	cmake --build --preset dev

# Under a sanitizer four metrics stand for all in the longest tests: one sum, two sums, prepared rows, words of bits.
long_for := (EveryPattern|EveryEdgeOfATile|EveryBatch|SameBits|ChangeBits|DoesNotGrow|MatchTheOracle)

.PHONY: asan
asan: build/asan/configured.stamp  ## the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	cmake --build --preset asan
	UBSAN_OPTIONS=print_stacktrace=1 $(ctest) asan --exclude-regex '$(long_for)/(a|bh|ca|ch|ci|co[^s]|je|[dghiklmnprsty])'

# ThreadSanitizer does not support threads made in a child of a program that has threads, so not the tests of fork.
.PHONY: tsan
tsan: build/tsan/configured.stamp  ## the tests of pool and tiles under ThreadSanitizer
	cmake --build --preset tsan --target quadrance_tests
	$(unrandomised) $(ctest) tsan --tests-regex '^(Pool|Pairwise[A-Z]|Pairwise/Contract.Threads.*/(euclidean|cosine))' \
	    --exclude-regex Fork

# From an empty corpus. To search on: build/fuzz/tests/fuzz/distances_fuzz FOLDER, which keeps what
# reaches new code there.
fuzz_runs := 20000
.PHONY: fuzz
fuzz: build/fuzz/configured.stamp  ## a short run of the fuzz targets
	cmake --build --preset fuzz
	build/fuzz/tests/fuzz/distances_fuzz -seed=1 -max_len=4096 -len_control=0 -runs=$(fuzz_runs) \
	    -print_final_stats=1 >build/fuzz/log 2>&1 || { tail -n 60 build/fuzz/log; exit 1; }
	tail -n 7 build/fuzz/log

# Emulated, tests take minutes for each metric: euclidean runs most of them, every other metric the edges of tiles.
.PHONY: neon
neon: build/neon/configured.stamp  ## the kernels' tests on 64-bit Arm, emulated
	cmake --build --preset neon --target quadrance_tests
	$(ctest) neon --tests-regex '^Movers|^Kernel|^Pairwise.*(/euclidean.*|Cases.*|EdgeOfATile/.*)neon' \
	    --exclude-regex '(EveryPattern|EveryBatch)/.*float64'

# GCC 12's ThreadSanitizer stops at start where the kernel spreads addresses more widely than it knows.
unrandomised := $(shell setarch -R true 2>/dev/null && echo setarch -R)

# --- for developers -----------------------------------------------------------------------------------------------

.PHONY: bench
bench: release  ## our own benchmarks: the machine's limits, then the distances
	cmake --build --preset release
	build/release/bench/bench_limit
	build/release/bench/bench_pairwise

.PHONY: format
format: lint-packages  ## write the sources as .clang-format says
	clang-format -i $(sources)

.PHONY: lint
lint: lint-packages build/dev/configured.stamp style  ## style, and clang-tidy
	clang-tidy --quiet -p build/dev $(filter src/% cli/%.cc,$(filter %.cc,$(sources)))

.PHONY: clean
clean:  ## remove what was built and installed here; system packages stay
	rm -rf build .venv demo-output

# --- packages, the virtual environment, configured build folders --------------------------------------------------

.PHONY: core-packages all-packages lint-packages
core-packages:
	@.ci/packages core
all-packages:
	@.ci/packages core all
lint-packages:
	@.ci/packages core lint

.PHONY: release
release: build/release/configured.stamp
	cmake --build --preset release --target quadrance_cli _core

.venv/build.stamp: pyproject.toml | core-packages
	python3 -m venv .venv
	$(pip) -r <($(venv) -c 'import tomllib; p = tomllib.load(open("pyproject.toml", "rb")); \
	    print(*p["build-system"]["requires"], *p["project"]["dependencies"], sep="\n")')
	touch $@

.venv/tests.stamp: tests/python/requirements.txt .venv/build.stamp
	$(pip) -r $<
	touch $@

.venv/peers.stamp: bench/peers/requirements.txt .venv/build.stamp
	$(pip) -r $<
	touch $@

.venv/lint.stamp: .venv/build.stamp
	$(pip) 'ruff~=0.17.6'
	touch $@

.venv/text.stamp: tests/expression/requirements.txt .venv/build.stamp
	$(pip) -r $<
	touch $@

# The installed package's own environment sees the test packages of .venv, but not the release build.
build/wheel/venv.stamp: .venv/tests.stamp
	$(venv) -m venv --clear build/wheel/venv
	$(venv) -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
	    > "$$(build/wheel/venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/tests.pth"
	touch $@

build/release/configured.stamp: CMakePresets.json .venv/build.stamp
	cmake --preset release -DQUADRANCE_PYTHON=ON -DPython_EXECUTABLE=$(CURDIR)/$(venv)
	touch $@

build/%/configured.stamp: CMakePresets.json | all-packages
	cmake --preset $*
	touch $@

build/neon/configured.stamp: build/neon-sysroot/unpacked.stamp cmake/aarch64-linux-gnu.cmake

# Debian's arm64 packages, fetched by an apt with folders of its own: dpkg and the system's lists stay as they are.
apt_arm64 := apt-get -q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User= \
    -o Acquire::Languages=none -o Debug::NoLocking=1 \
    -o Dir::State::Lists=$(CURDIR)/build/neon-sysroot/apt/lists -o Dir::Cache=$(CURDIR)/build/neon-sysroot/apt/cache
build/neon-sysroot/unpacked.stamp: | all-packages
	mkdir -p build/neon-sysroot/apt/{lists,cache/archives}/partial
	$(apt_arm64) update
	cd build/neon-sysroot/apt && $(apt_arm64) download libhwy1 libhwy-dev libgtest-dev
	for deb in build/neon-sysroot/apt/*.deb; do dpkg --extract $$deb build/neon-sysroot; done
	touch $@
