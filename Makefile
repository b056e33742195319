SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# Tools are built from source into .bin and named by their version, so that a new version is built anew.
BIN := $(CURDIR)/.bin
GOLANGCI := $(BIN)/golangci-lint-2.15.0
BUF := $(BIN)/buf-1.75.0
VERSITYGW := $(BIN)/versitygw-1.8.0

# The race detector makes a simulated world about twenty times slower, and one world is one thread: it gets the packages in
# which threads meet. Those that start nova as a process would watch themselves alone, and stay out.
RACE ?= ./client/... ./realio/... $(patsubst %/,./%/...,$(wildcard cmd/nova/*/))

# How many tests of a package run at a time: those of whole processes wait more than they work.
PARALLEL ?= 8

SEED ?= 1
SEEDS ?= 1..3000
ROUNDS ?= 30

.PHONY: help
help: ## Say what each target does
	@grep -hE '^[a-z][a-z-]*:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-12s %s\n", $$1, $$2}'

.PHONY: test
test: ## Run all tests, the architecture's own among them
	go test -parallel $(PARALLEL) ./...

.PHONY: race
race: ## Run the tests of the real world under the race detector
	go test -race -parallel $(PARALLEL) $(RACE)

.PHONY: s3
s3: $(VERSITYGW) ## Test the S3 stores against a second server too; one that runs joins in by NOVA_TEST_S3=s3://...
	NOVA_VERSITYGW=$(VERSITYGW) go test ./realio/s3blob

.PHONY: fleet
fleet: ## Run rounds of random kills, pauses and cuts on a fleet of processes: make fleet ROUNDS=30; see CONTRIBUTING.md for real servers
	NOVA_FLEET_ROUNDS=$(ROUNDS) go test -count=1 -timeout 60m -run TestFleetRounds -v ./cmd/nova

.PHONY: demo
demo: ## Tell a story with a real fleet: append, read back, kill the leader, read back again
	go run ./cmd/nova demo

.PHONY: sim
sim: ## Run one simulated fleet under faults: make sim SEED=42
	go run ./cmd/novasim -seed $(SEED)

.PHONY: soak
soak: ## Run many of them, all crash points with a second failure behind each, and a fleet at scale: make soak SEEDS=1..10000
	go build -o $(BIN)/novasim ./cmd/novasim
	$(BIN)/novasim -seeds $(SEEDS) -keep-going
	$(BIN)/novasim crashpoints -pairs -keep-going
	$(BIN)/novasim -scenario sparse -stars 300 -streams 100000 -duration 10m

.PHONY: bugs
bugs: ## Plant each known bug from three first seeds and print how many seeds and how long it took to find it
	go run ./cmd/novasim bugs -duration 3m -trials 3

.PHONY: bench
bench: bench-sim ## Measure a real star against what its parts can do, and the simulator against time
	go test -run '^$$' -bench . -benchtime 1x -timeout 30m ./cmd/nova/bench
	go test -run '^$$' -bench Put ./realio/oxiameta

.PHONY: bench-sim
bench-sim: ## Measure how fast worlds run, beside the goals; on a busy machine the numbers by processor time are the ones
	go test -run '^$$' -bench Goals -benchtime 1x ./cmd/novasim/cli

.PHONY: lint
lint: $(GOLANGCI) ## Look for what the tests do not see: style, unchecked errors, dead code
	$(GOLANGCI) run --allow-parallel-runners
	NOVA_GOLANGCI=$(GOLANGCI) go test -tags golangci -run 'TestPlantedStyle' ./internal/lint

.PHONY: fmt
fmt: $(GOLANGCI) ## Format the code
	$(GOLANGCI) fmt

.PHONY: generate
generate: $(BUF) ## Generate code from the protobuf files
	$(BUF) lint
	$(BUF) generate

.PHONY: golden
golden: ## Write the golden files of the current format version anew; read their diff before you commit it
	go test ./core/format -run Golden -update

.PHONY: check
check: ## Run what CI runs
	.ci/run

.PHONY: clean
clean: ## Remove built tools and what runs left behind
	rm -rf .bin out nova-data

$(GOLANGCI):
	GOBIN=$(BIN) go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
	mv $(BIN)/golangci-lint $@

$(BUF):
	GOBIN=$(BIN) go install github.com/bufbuild/buf/cmd/buf@v1.75.0
	mv $(BIN)/buf $@

$(VERSITYGW):
	GOBIN=$(BIN) go install github.com/versity/versitygw/cmd/versitygw@v1.8.0
	mv $(BIN)/versitygw $@
