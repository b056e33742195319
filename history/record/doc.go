// Package record translates between the calls of io/peer and the events of a history: what is asked becomes an Invoke, what
// is answered a Complete. Every recorder of Nova goes through it, in the simulator, in the Go client and in tests, so that all
// of them mean the same by an outcome.
//
// It decides what of an answer is certain, and so failed, and what nobody knows; which errors tell of a tail or a token; and
// which hash stands for a record. It does not judge, keep or write events, and has no clock: those who record do.
//
// Invariants:
//   - an operation failed only where its error is definite: it did not happen and never will
//   - a refusal tells of the tail only where the caller named the seq, and of a token only where one can shut the caller out
//   - records that differ in their bodies, or in any header, have different hashes
//
// It stands beside the checker, which knows nothing of io: what is checked here is not trusted there.
//
// Design: simulation.md ("Histories"). Read answer.go first.
package record
