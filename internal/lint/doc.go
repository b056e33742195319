// Package lint holds Nova to its architecture: who may import whom, and what deterministic code must not touch.
//
// It decides from the import table (table.go) and the list of bans (bans.go). It does not look at style; golangci-lint
// does that. A test runs it over the whole module, so that `go test ./...` refuses what breaks a rule; another plants
// each violation and sees it caught.
//
// Invariants:
//   - every package of the module belongs to one row of the table
//   - every ban is planted once in testdata, or a test fails
//   - an exception is a comment that names the rule and the reason, where the row allows exceptions at all, and goes
//     when nothing needs it any more
//
// Design: docs/architecture.md. Read table.go first.
package lint
