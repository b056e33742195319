// Package bench measures a real star on this machine against what its parts can do alone, in the same run, so that a number
// means the same on a fast machine and a slow one. Everything goes through the client, gRPC, the embedded metastore and the
// filesystem store; acknowledged means fsynced.
//
// What a star asks of its metastore and its store under a steady load does not depend on the machine's speed; it is read from
// the star's own metrics (steady_test.go).
//
// Run it with make bench. Each benchmark reports a ratio to its baseline, or the goal, beside the absolute numbers.
package bench
