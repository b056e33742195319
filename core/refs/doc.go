// Package refs reads and writes the ref rows of a stream: the metastore rows that say where its records live.
//
// It decides nothing about when a row is made; that is absorb's. It knows the keys and indexes of a row, how to find the
// last one, the one at a seq and the one before, and it keeps a row's by-ts entry with every write of the row (a put
// without indexes would drop it).
//
// Invariants: the end of the last row is the stream's refs tail; tails only grow; a row is created with "must not exist"
// at exactly the tail, so all committers of a stream meet at one key.
//
// Design: refs.md ("Absorb", "Readers"). Read rows.go first.
package refs
