// Package faults is what goes wrong in a simulated fleet: one kind of fault a file, each with a name by which it is switched
// on, a counter that tells how often it struck, and an end.
//
// It decides what strikes whom, when and for how long. It does not decide how a lost message or a dead process behaves; that
// is the work of sim and its bindings. Each kind draws from a random stream of its own, so that switching one off shifts
// nothing in the others.
//
// Invariants:
//   - the faults but those Beyond stay within what the design promises to survive, so that every red run is a bug of the
//     product: no store loses an object, the metastore loses no record but those of ended sessions, at most one zone is dark at
//     a time, fewer than half of the stars (but always one) are down, held or cut off at a time, and no write lands later than
//     LatestWrite
//   - after Heal nothing strikes any more: every star is alive and awake, every link is whole
//
// Design: simulation.md ("Faults"). Read plan.go first, then kinds.go; to add a kind, write its file and add it to kinds.
package faults
