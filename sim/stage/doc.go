// Package stage sets a fleet up for one story that a test or a crash-point scenario tells, and judges how it ended.
//
// A Stage is a fleet in a world with an observer of all invariants; a Scribe is a client whose every operation is recorded.
// The story itself, what goes wrong in it and when, is its teller's. Judge has a healed fleet serve again, come to rest and
// give back all that it acknowledged, and has the whole history checked.
//
// Design: simulation.md ("Crash points, enumerated", "Checks"). Read stage.go first.
package stage
