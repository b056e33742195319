// Package keys builds and parses every key of Nova, in the metastore and in the stores, and nothing else does. It also
// holds the types of the numbers and names that keys are made of.
//
// Invariants: building and parsing are inverse; numbers are padded so that key order is number order; keys of one family
// have one depth, as hierarchical order wants.
//
// Design: the metadata page ("Key families"), chains.md ("A slot"), refs.md. Read types.go first.
package keys
