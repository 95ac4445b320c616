# Thin: CMake does the building, tools/ the rest.  `make help` lists the targets.
PREFIX ?= /usr/local
BUILD := build/release
JOBS ?= $(shell nproc)

.PHONY: all help test test-sanitize test-peers test-full fuzz coverage demo bench install ops format lint clean
all: ## build the library and the command into build/release
	@tools/setup build
	@test -f $(BUILD)/build.ninja || cmake --preset release >/dev/null
	@cmake --build $(BUILD) --parallel $(JOBS)

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 16

test: ## build what users get and run every test
	@tools/test

test-sanitize: ## the tests with address, undefined and thread sanitizers
	@tools/test --sanitize

test-peers: ## compare with NumPy, PyTorch and safetensors, where they can be had
	@tools/test-peers

test-full: ## all of these, then lint, fuzz, more cases, seeds and ranks, valgrind
	@tools/test --full

fuzz: ## let libFuzzer try each parser for a minute
	@tools/fuzz

coverage: ## which lines and functions no test reaches
	@tools/coverage

demo: all ## run the program of the README on four ranks
	@tools/demo $(BUILD)

bench: ## run the benchmarks, against Open MPI where it can be had
	@tools/setup bench
	@cmake --preset release >/dev/null
	@cmake --build $(BUILD) --parallel $(JOBS)
	@$(BUILD)/bin/dtensor bench collectives
	@$(BUILD)/bin/dtensor bench memory
	@$(BUILD)/bin/dtensor bench layout
	@$(BUILD)/bin/dtensor bench random
	@$(BUILD)/bin/dtensor bench dispatch
	@$(BUILD)/bin/dtensor bench matmul
	@$(BUILD)/bin/dtensor bench ops

install: all ## install below PREFIX (DESTDIR is honoured)
	@cmake --install $(BUILD) --prefix $(PREFIX)
	@tools/tell-linker $(BUILD)/install_manifest.txt

ops: ## write the headers of operators and ops.md from the rows of src/ops
	@tools/setup build
	@test -f $(BUILD)/build.ninja || cmake --preset release >/dev/null
	@cmake --build $(BUILD) --parallel $(JOBS) --target ops

format: ## format the C files in place
	@tools/setup lint
	@tools/c-files | xargs clang-format-14 -i

lint: ## clang-tidy and shellcheck
	@tools/lint

clean: ## remove everything that was built
	@rm -rf build
