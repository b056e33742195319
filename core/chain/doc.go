// Package chain makes bytes durable: it writes a star's flights into the slots of its chain epochs, ends epochs, and finds
// out where an epoch of anybody ended.
//
// It decides when a flight is sealed, when a slot is durable, when a batch may be acknowledged, whose an epoch is, and
// where its cut lies. It does not decide what refs name (package absorb) nor who leads a stream (package leadership).
//
// Invariants:
//   - a batch is Durable only when its slot and every earlier slot of the epoch are durable, or lie below the published cut
//   - a batch is NotAppended only when it was never sealed, or its slot lies at or beyond the published cut
//   - slot i is sealed only when slot i-W is in the durable prefix
//   - an epoch is ended by its owner (by boot id) or by a fence, and has one cut: the first that was published holds
//   - a fencer decides from validated objects of enough stores, never from a guess
//   - a slot position where the writer may still write is never empty again: the poison at the cut stays
//
// Design: chains.md. Read writer.go first, then slot.go and close.go; for the fencer fence.go and judge.go.
package chain
