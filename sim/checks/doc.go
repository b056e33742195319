// Package checks says what is right: invariants that an omniscient observer holds against every write, and what must hold
// once all faults are healed.
//
// An Observer is told every change of the metastore and of the stores at its instant, and every acknowledgement that a
// client got. It keeps a small model of the chains and refs and compares. The functions Live, Converged, Contents and
// Quiet judge a healed fleet; history judges what clients were told.
//
// It decides nothing about the run: it neither waits in hooks nor changes what it is told, so a run is the same with and
// without it.
//
// Each check has a name, and each violation is one plain sentence that names the stream, seqs, stars, epochs and slots. The
// number of looks of each check is counted, so that a check which never had anything to look at shows.
//
// Design: chains.md ("What follows from this"), leadership.md, refs.md, simulation.md ("Checks"). Read observer.go first, then
// epochs.go, slots.go, refs.go, acks.go; live.go for the healed fleet.
package checks
