// Package simmeta is the metastore of the simulated world: in memory, linearizable, versioned, with sessions on virtual
// time, and with every way in which the real one disappoints.
//
// A Store is the service; Spaces is one client process's view of it, with a session of its own. A call takes a request leg,
// work at the service with the effect at one instant in between, and an answer leg. Each locality hashes to a shard; ranges
// and indexes see the records of that shard; without a locality a call routes by its key and a range asks every shard.
//
// What it decides: the order of writes, versions, when a session ends. What it never does by default: lose an acknowledged
// write. RollBack does, as a fault that the checkers must catch.
//
// Invariants:
//   - versions of a key never repeat: each shard counts its writes
//   - a Fresh read and every write see the newest state; a plain read, under the fault StaleReads, an earlier one
//   - rows of a session go at its end, at one instant, unless the fault Outlive holds them
//
// Design: architecture.md ("The three implementations of the metastore"), leadership.md, simulation.md ("Faults"). Read
// store.go first, then view.go.
package simmeta
