# Each target sets up what it needs. `make bench` and `make test` are all that a newcomer has to know.
# ASSAY_MUTATIONS in the environment sets how many mutated tokens the differential tests try.

SWIFT ?= swift
RELEASE := .build/release
DEEP_MUTATIONS ?= 2000

.PHONY: bench test test-deep build lint format check-docs setup clean

bench: build  ## build, check every answer, then measure; under two minutes after the build
	$(RELEASE)/assay bench run

test: setup lint  ## everything that must hold before a change is merged
	$(SWIFT) build -c release --build-tests
	$(SWIFT) test -c release --skip-build
	Scripts/check-docs $(RELEASE)/assay

test-deep: setup  ## the same tests under AddressSanitizer and ThreadSanitizer
	ASAN_OPTIONS=detect_leaks=0 ASSAY_MUTATIONS=$(DEEP_MUTATIONS) \
	  $(SWIFT) test --sanitize=address --scratch-path .build-asan
	ASSAY_MUTATIONS=$(DEEP_MUTATIONS) \
	  $(SWIFT) test --sanitize=thread --scratch-path .build-tsan

build: setup  ## the release binary and the allocation counter
	$(SWIFT) build -c release

lint: setup  ## style, layers, forbidden constructs, warnings as errors
	Scripts/lint

format:  ## rewrite the Swift sources in the project's style
	$(SWIFT) format --in-place --recursive Package.swift Sources Benchmarks Tests

check-docs: build  ## run the commands of README.md and Docs
	Scripts/check-docs $(RELEASE)/assay

setup:  ## install what is missing (Debian, Ubuntu) or say how
	@Scripts/setup

clean:
	rm -rf .build .build-*
