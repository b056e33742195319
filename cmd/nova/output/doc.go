// Package output prints what commands have to say: data on stdout in the format asked for, everything else on stderr.
//
// It decides how values look as a table, JSON, JSON lines, YAML or raw bytes, and when colour is used. What is said is the
// command's.
//
// Invariants:
//   - a table and colour appear on a terminal only, unless a table is asked for by name
//   - what a table shows can not drive the terminal: control characters are written as escapes
//   - JSON, JSON lines and YAML carry the same fields under the same names
//
// Design: product.md ("First five minutes"). Read printer.go first.
package output
