// Package reads finds the records of a stream: from ref rows and the slots they name, and from the leader's tail window.
//
// It decides which row covers a seq, which store's copy of a slot serves, where a read ends, and whom to ask instead. It
// never reveals anything that is not acknowledged, and never claims a tail that is not confirmed.
//
// Invariants:
//   - a reader whose floor row does not cover its seq, or names a slot that is gone, looks at the row before, until one
//     covers; without an answer it starts over once with fresh reads; only then is it loss, and loud
//   - beyond the refs a star that does not lead redirects to the lease holder, and answers for a vacant stream only from a
//     fresh last row
//   - a store whose copy of a slot is poison is skipped: that is legal below the cut
//
// Design: refs.md ("Readers"), leadership.md ("Reads of the tail"). Read fetch.go first.
package reads
