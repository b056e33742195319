// Package directory keeps the rows of the naming service: buckets, and the descriptors that give a stream its id.
//
// It decides what a name may be, that a name is taken once (the must-not-exist create is the uniqueness gate), and what a
// tombstone leaves behind. It does not delete streams: that goes through their leadership (core/leadership).
//
// Invariants: a stream id is never reused; a descriptor that replaces a tombstone remembers the ids before it; the reverse
// lookup by id is swapped atomically with the descriptor.
//
// Design: the metadata page ("Naming"), refs.md ("Deleting"). Read descriptor.go first.
package directory
