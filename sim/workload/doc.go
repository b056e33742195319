// Package workload is what simulated clients ask of a fleet: appends of every kind, reads of every kind, takeovers, idle
// gaps, deadlines and crashes, all of it recorded as a history.
//
// A Workload is a set of clients, each a process with its own core/client. A client lives, may crash, and is started again
// as a new life. In a life a producer task goes from spell to spell (a spell is one way of using one stream for a while),
// a reader task follows and probes streams, every second client holds producers open that wake up when their leader is
// fenced, and the first one also asks for what needs an answer of a certain code.
//
// Where a Workload is given a Tape, its clients ask what a recorded history has instead, at its times.
//
// It decides what is asked and when, from random streams of its own, so that faults and schedules shift nothing here. It
// decides nothing about what goes wrong or what is right; answers of the wrong code it tells (Wrong).
//
// Invariants:
//   - every operation on a stream is recorded before it leaves, and completed with what is known: what is not known is unknown
//   - each record has contents of its own, but for empty ones, which never come first in a batch
//   - what is asked of one stream stays within what the porcupine check can decide
//
// Design: simulation.md ("Checks"). Read workload.go first, then life.go, journal.go, and the ways in spells.go, pipeline.go,
// torrent.go and standing.go.
package workload
