# Each target sets up what it needs. `make bench` and `make test` are all that a newcomer has to know.

RELEASE := .build/release

# How long `make fuzz` takes.
FUZZ_TIME ?= 8h

# Where `make install` puts things: PREFIX/bin and PREFIX/share, below DESTDIR for packagers.
PREFIX ?= /usr/local
DESTDIR ?=

# Whether Swift's libraries are linked into the installed program, so that it runs without a toolchain: where the
# toolchain has them. STATIC= turns it off.
SWIFT_LIBRARIES = $(dir $(realpath $(shell command -v swift)))../lib
STATIC ?= $(if $(wildcard $(SWIFT_LIBRARIES)/swift_static/linux),--static-swift-stdlib -Xswiftc -no-toolchain-stdlib-rpath)
RELEASE_BUILD := .build-release
PACKED := $(RELEASE_BUILD)/packed

.PHONY: command release install pack deb bench test test-deep externals build vectors fuzz fuzz-coverage fuzz-check mutants prove lint format check-docs docs setup setup-deep clean help

bench: command  ## check every answer, then measure; under two minutes after the build
	$(RELEASE)/assay bench run

test: setup  ## everything that must hold before a change is merged: lint, one build, the first ring of tests, half a minute of fuzzing
	Scripts/test first

test-deep: setup-deep  ## what takes long: all tests, under the sanitizers too and without the lanes; constant time; the C on arm64; the examples
	ASSAY_MUTATIONS=$${ASSAY_MUTATIONS:-200000} Scripts/test deep

externals: build  ## every external decryptor that can be set up here, every frame and every loader
	Externals/test-externals --assay $(RELEASE)/assay
	Externals/test-frames --assay $(RELEASE)/assay
	Externals/test-loaders --assay $(RELEASE)/assay

command: setup  ## the command alone, and the allocation counter that measurements load
	@echo 'Building the command: two to eight minutes from nothing, by processor.'
	@Scripts/build --product assay
	@Scripts/build --product AllocationCounter

build: setup  ## the release binary, the allocation counter and the tests: the one build that everything shares
	@Scripts/build --build-tests

release:  ## the program as it is installed, in .build-release: with its commit, without Swift's libraries beside it
	@Scripts/setup
	ASSAY_BUILD_COMMIT=$$(git --git-dir=.git describe --always --dirty --abbrev=40 --exclude='*' 2>/dev/null) \
	  Scripts/build --product assay --scratch-path $(RELEASE_BUILD) $(STATIC)

install:  ## the program, its manual and completions, into $(DESTDIR)$(PREFIX); builds it unless `make release` did
	@[ -x $(RELEASE_BUILD)/release/assay ] || $(MAKE) release
	Scripts/install-files $(RELEASE_BUILD)/release/assay '$(DESTDIR)$(PREFIX)'

pack: release  ## the archives of the release, its bill of materials and its formula, in .build-release/packed (Docs/Releases.md)
	rm -rf $(PACKED)
	Scripts/pack --sources $(PACKED)
	Scripts/pack $(RELEASE_BUILD)/release/assay $(PACKED)

deb: release  ## the same, and Debian packages of the program and of Examples/server
	@Scripts/setup packages
	cd Examples/server && swift build -c release --product token-server --scratch-path ../../$(RELEASE_BUILD)/server $(STATIC)
	rm -rf $(PACKED)
	Scripts/pack --sources $(PACKED)
	Scripts/pack $(RELEASE_BUILD)/release/assay $(PACKED) $(RELEASE_BUILD)/server/release/token-server

vectors: build  ## regenerate the corpus from the minter's cases
	$(RELEASE)/assay corpus generate

fuzz: build  ## the overnight command: the loop over whole tokens, eight hours unless FUZZ_TIME says otherwise
	$(RELEASE)/assay fuzz run --duration $(FUZZ_TIME) --dir fuzz-run

fuzz-coverage: setup  ## the same, guided by code coverage as well, in a build of its own (Docs/Fuzzing.md)
	Fuzz/coverage/build
	.build-coverage/release/assay fuzz run --duration $(FUZZ_TIME) --dir fuzz-run

fuzz-check: setup  ## build the libFuzzer programs as OSS-Fuzz does, and run each as their check does
	Fuzz/oss-fuzz/check

mutants: command  ## every one-step mutant of the engines over the vectors: for a night; resumes
	Scripts/mutants build && Scripts/mutants run

prove:  ## prove the lanes' field and point arithmetic from its C, and that each mutant of it is refused; writes Proofs/proved
	Proofs/mutants
	Proofs/prove --record

lint: setup  ## style, layers, forbidden constructs; builds nothing
	Scripts/lint

format:  ## rewrite the Swift sources in the project's style
	swift format --in-place --recursive Package.swift Sources Benchmarks Tests Examples

check-docs: build  ## run the commands that README.md and Docs show
	Scripts/check-docs $(RELEASE)/assay

docs: build  ## build the DocC archives of the library products into .build/documentation; a warning is an error
	Scripts/docs

setup-deep:  ## the same, and what some tests are skipped without (openssl, SoftHSM, valgrind)
	@Scripts/setup deep

setup:  ## install what is missing (Debian, Ubuntu), or say how
	@Scripts/setup

clean:  ## remove all build products
	rm -rf .build .build-*

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*##/\1:/p' Makefile
