# ackclock: `make demo` shows it, `make test` checks it. `make help` lists the rest.
SHELL := /bin/bash
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
export PIP_DISABLE_PIP_VERSION_CHECK := 1

PYTHON ?= python3
BIN := .venv/bin
# What writes requirements.lock.
UV := 0.13.9
# The linker that makes wheels for old Linux distributions, too; elsewhere the platform's own will do.
ZIG := 0.17.1
WHEEL := $(if $(filter Linux,$(shell uname -s)),--zig --compatibility manylinux2014)
# Wheels are optimized for what benches/training.py runs if there is a llvm-profdata of rustc's own LLVM: rustup's
# component llvm-tools, or a package such as Debian's llvm-22.
LLVM := $(shell rustc -vV 2>/dev/null | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
PROFDATA := $(firstword $(wildcard $(shell rustc --print sysroot 2>/dev/null)/lib/rustlib/*/bin/llvm-profdata*) \
  $(shell command -v llvm-profdata-$(LLVM)) $(wildcard /usr/lib/llvm-$(LLVM)/bin/llvm-profdata))
PROFILE := $(if $(PROFDATA),target/profile/merged.profdata)
# The linter of prose. It is a Go program: without Go the lint says that it is missing.
VALE := github.com/vale-cli/vale/v3/cmd/vale@v3.21.0
PROSE := README.md CONTRIBUTING.md $(filter-out docs/_%,$(wildcard docs/*.md docs/*/*.md docs/*/*/*.md))
# Examples of workflows, checked as our own are.
WORKFLOWS := $(wildcard examples/*/*.yml)
# What the extension module is built from.
SOURCES := $(shell find crates -path '*/src/*' -type f) $(wildcard crates/*/Cargo.toml) Cargo.toml Cargo.lock pyproject.toml

.PHONY: help check-tools venv lock build release fast demo test lint test-rust test-python test-checked docs web wheel package validate kernel pages bench bench-peers bench-radio bench-variants bench-sweeps bench-gym bench-parallel fuzz fuzz-files clean

help: ## this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

check-tools:
	@command -v cargo >/dev/null && command -v rustc >/dev/null \
	  || { echo "ackclock needs Rust 1.88 or later: cargo and rustc are not on the PATH (install them with rustup)." >&2; exit 1; }
	@command -v $(PYTHON) >/dev/null \
	  || { echo "ackclock needs Python 3.11 or later: $(PYTHON) is not on the PATH (or: make PYTHON=/path/to/python3 ...)." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "ackclock needs Python 3.11 or later: $(PYTHON) is $$($(PYTHON) -V 2>&1). Try: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
	  || { echo "$(PYTHON) cannot make virtual environments: install its venv module (Debian: apt-get install python3-venv)." >&2; exit 1; }

venv: .venv/.installed ## the virtual environment with the pinned tools

.venv/.installed: requirements.lock .venv/.maturin
	@$(BIN)/python -m pip install --quiet -r requirements.lock
	@touch $@

# What compiles the package, so that the compiler can begin before the other tools are there.
.venv/.maturin: requirements.lock | check-tools
	@test -x $(BIN)/python || { echo "Making .venv ..."; $(PYTHON) -m venv .venv; }
	@sed -n '/^maturin==/,/[^\\]$$/p' requirements.lock >.venv/maturin.lock
	@$(BIN)/python -m pip install --quiet -r .venv/maturin.lock
	@touch $@

# A lock file of uv's own would name the package index that it was made from; this one fits any.
lock: venv ## writes requirements.lock anew from pyproject.toml; ARGS=--upgrade takes the newest versions
	@$(BIN)/python -m pip install --quiet uv==$(UV)
	@$(BIN)/uv pip compile --quiet --universal --fork-strategy fewest --generate-hashes --group tools --group docs --extra dask --extra gym --no-annotate \
	  --custom-compile-command "make lock" --output-file requirements.lock $(ARGS) pyproject.toml

build: .venv/.built ## the package with its extension module, into .venv

.venv/.built: $(SOURCES) .venv/.maturin
	@echo "Building ackclock (a few minutes the first time) ..."
	@log=$$(mktemp); trap "rm -f $$log" EXIT; \
	  $(BIN)/maturin develop --profile local --quiet --skip-install >$$log 2>&1 & compiler=$$!; \
	  $(MAKE) .venv/.installed || { kill $$compiler 2>/dev/null; exit 1; }; \
	  { wait $$compiler && $(BIN)/maturin develop --profile local --quiet >$$log 2>&1; } || { cat $$log; exit 1; }
	@rm -f .venv/.released
	@touch $@

release: .venv/.released ## the package as `pip install` builds it: to measure

.venv/.released: $(SOURCES) .venv/.installed
	@echo "Building ackclock as released (some minutes) ..."
	@log=$$(mktemp); $(BIN)/maturin develop --release --quiet >$$log 2>&1 || { cat $$log; rm $$log; exit 1; }; rm $$log
	@touch .venv/.built $@

fast: venv ## the package after a change in Rust, in seconds and at 0.8 of the speed: to try, not to measure
	@rm -f .venv/.built .venv/.released
	@$(BIN)/maturin develop --profile fast --quiet

demo: build ## the study "abadin" in quick form: a table, and where the plots are
	@$(BIN)/ackclock study abadin --quick --out results/abadin-quick

test: lint test-rust test-python ## everything that must hold before a commit

lint: venv ## spelling, prose, workflows of CI
	$(BIN)/typos
	@if ! [ -x $(BIN)/vale ] && command -v go >/dev/null; then GOBIN="$(CURDIR)/$(BIN)" go install $(VALE) 2>/dev/null || true; fi
	@if [ -x $(BIN)/vale ]; then $(BIN)/vale --output=line $(PROSE); else echo "vale could not be built (it needs Go): prose is not checked"; fi
	$(BIN)/zizmor --quiet --offline .github $(WORKFLOWS)
	@if command -v actionlint >/dev/null; then actionlint && actionlint $(WORKFLOWS); else echo "actionlint is not installed: workflows are checked by zizmor alone"; fi

test-rust: | check-tools
	cargo fmt --all --check
	cargo clippy --quiet --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --quiet --workspace --no-deps
	cargo test --quiet --workspace -- --include-ignored --skip renew_the_page

test-python: build
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --quiet --check .
	$(BIN)/mypy
	MYPYPATH=python $(BIN)/stubtest ackclock._core
	$(BIN)/pytest -n 2 -m "not slow"

CHECKED := target/checked/python

test-checked: venv | check-tools ## every example with overflow checks and debug assertions: equal results
	cargo build --quiet --profile checked -p ackclock-extension
	@rm -rf $(CHECKED) && mkdir -p $(CHECKED) && cp -r python/ackclock $(CHECKED)
	@cp target/checked/lib_core.so $(CHECKED)/ackclock/_core.abi3.so
	PYTHONPATH=$(CURDIR)/$(CHECKED) $(BIN)/pytest tests/python/test_identity.py

docs: build ## the documentation site, into docs/_build; every warning is an error
	@$(BIN)/python -m sphinx -W --keep-going --quiet docs docs/_build
	@echo "Open docs/_build/index.html"

web: | check-tools ## the laboratory in a browser: the core as WebAssembly and the page, for `ackclock lab`; ARGS=--if-possible where tools may be missing
	@$(PYTHON) packaging/web.py $(ARGS)

wheel: venv $(PROFILE) ## a wheel (on Linux for any distribution since 2014) and the sources, into dist
	@if [ "$$(uname -s)" = Linux ]; then $(BIN)/python -m pip install --quiet ziglang==$(ZIG); fi
	@PATH="$(CURDIR)/$(BIN):$$PATH" RUSTFLAGS="$(PROFILE:%=-Cprofile-use=$(CURDIR)/%)" \
	  maturin build --release --locked --compression-level 9 --target $(HOST) $(WHEEL) --out dist
	@$(BIN)/maturin sdist --out dist
	@if [ -n "$(PROFDATA)" ]; then echo "optimized by the profile of benches/training.py (merged by $(PROFDATA))"; \
	 else echo "built without a profile: runs take longer than with the wheels of a release (rustup component add llvm-tools, or apt-get install llvm-$(LLVM))"; fi
	@test -f python/ackclock/lab/lab.zip || echo "built without the laboratory in a browser: 'make web' before it puts it into the wheel"
	@ls dist

package: | check-tools ## the Rust crates that others may use, each compiled from its package, into target/packages
	@$(PYTHON) packaging/crates.py --verify target/packages

# zig does not link a build that records a profile: the machine's own linker does, in a build that is otherwise the same, since
# the names of functions depend on how cargo is called.
target/profile/merged.profdata: $(SOURCES) $(wildcard benches/*.py) | venv
	@rm -rf $(@D)/wheel $(@D)/site $(@D)/raw
	@if [ "$$(uname -s)" = Linux ]; then $(BIN)/python -m pip install --quiet ziglang==$(ZIG); fi
	@PATH="$(CURDIR)/$(BIN):$$PATH" RUSTFLAGS="-Cprofile-generate=$(CURDIR)/$(@D)/raw -Clinker=cc" \
	  maturin build --release --locked --target $(HOST) $(WHEEL:manylinux2014=linux) --target-dir $(@D)/build --out $(@D)/wheel
	@$(BIN)/python -m pip install --quiet --no-deps --target $(@D)/site $(@D)/wheel/*.whl
	@PYTHONPATH=$(@D)/site $(BIN)/python benches/training.py
	@$(PROFDATA) merge --output=$@ $(@D)/raw

validate: build ## against ns-2, closed forms and bookkeeping; writes docs/explanation/validation.md
	@$(BIN)/pytest -n 2 -m slow
	@$(BIN)/python -m validation

kernel: ## the reference kernel (Linux 6.12 as a program in virtual time), into the user's cache; minutes, from a package of Debian
	@python3 -m validation.linux.kernel

pages: build ## rewrites what programs write: pages of docs, golden traces, licences of third parties, pictures of README, outputs in tutorials and labs
	@cargo test --quiet -p ackclock-tcp -p ackclock-metrics -p ackclock-sim -p ackclock-wifi renew_the_page -- --ignored
	@$(BIN)/python -m ackclock.lint.pages docs/reference/rules
	@$(BIN)/python -m ackclock.cli.pages docs
	@$(BIN)/python packaging/guides.py
	@$(BIN)/python -m ackclock.conform.pages docs/reference/conform.md
	@$(BIN)/python -m ackclock.evaluate.pages docs/reference/evaluate.md
	@$(BIN)/python packaging/notices.py
	@$(BIN)/python docs/pictures.py
	@$(BIN)/python -m docs.outputs

bench: | check-tools ## the engine's event queues, side by side
	cargo bench --quiet -p ackclock-engine --bench event_queue

bench-peers: build ## ackclock beside ns-2 (installed with apt-get where missing)
	@$(BIN)/python benches/peers.py $(ARGS)

bench-radio: build ## radio networks beside ns-2 and ns-3 (installed with apt-get where missing)
	@$(BIN)/python benches/radio_peers.py $(ARGS)

bench-variants: release ## what a packet-hop costs with each congestion control
	@$(BIN)/python benches/variants.py $(ARGS)

bench-sweeps: release ## what a sweep costs beyond its simulations
	@$(BIN)/python benches/sweeps.py $(ARGS)

bench-parallel: release ## what one run on many cores would gain, on paper
	@$(BIN)/python benches/parallel.py

bench-gym: release ## steps per second of the environment of learning agents
	@$(BIN)/python benches/gym.py $(ARGS)

# Coverage as libFuzzer wants it, with a stable compiler; cargo-fuzz sets the same, and address checks with a nightly one.
COVERAGE := -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
  -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing
HOST = $(shell rustc -vV | sed -n 's/^host: //p')
SECONDS_EACH ?= 600
FUZZ_TARGETS ?= $(basename $(notdir $(wildcard fuzz/fuzz_targets/*.rs)))

fuzz: | check-tools ## random input for each parser, state machine and file read back, SECONDS_EACH=600 each; finds go to fuzz/found, which tests replay
	@cd fuzz && RUSTFLAGS="$(COVERAGE)" cargo build --quiet --release --locked --target $(HOST)
	@mkdir -p fuzz/work && grep -oE '"[a-z_0-9-]+"' python/ackclock/scenario.schema.json | sort -u >fuzz/work/words.dict
	@cd fuzz && for target in $(FUZZ_TARGETS); do \
	  mkdir -p work/$$target found/$$target && echo "== $$target" && target/$(HOST)/release/$$target work/$$target corpus/$$target \
	    $$(case $$target in scenario_toml|scenario_run) echo ../python/ackclock/scenarios;; esac) -dict=work/words.dict -artifact_prefix=found/$$target/ \
	    -max_total_time=$(SECONDS_EACH) -timeout=10 -report_slow_units=60 -rss_limit_mb=2048 -max_len=8192 -print_final_stats=1 2>&1 | tee work/$$target.log \
	    | grep -E "^SUMMARY|stat::number|Test unit written|panicked" ; \
	  grep -q "Test unit written" work/$$target.log && exit 1; rmdir --ignore-fail-on-non-empty found/$$target; done; true
	@$(MAKE) --no-print-directory fuzz-files

fuzz-files: build # what Python reads back: manifests, shards, stores and results, changed at random without feedback from coverage
	@$(BIN)/python -m tests.python.fuzz_files --seconds $(SECONDS_EACH)

clean: ## remove what was built: target, .venv, results
	@rm -rf target .venv results dist docs/_build docs/_gallery docs/jupyter_execute .pytest_cache .mypy_cache .ruff_cache
	@find python -name '*.so' -delete; find . -name __pycache__ -type d -prune -exec rm -rf {} +
