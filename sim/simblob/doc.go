// Package simblob is the object store of the simulated world: in memory, with latency and every way in which a real one
// disappoints.
//
// A Store is one store at one endpoint of the network; Client is one process's blob.Store for it. Data is copied once, when
// it is put, and never changed; readers share it.
//
// What it never does by default: change or lose an object that was answered as created. FlipBits and Damage do, as faults
// that checksums must catch.
//
// Invariants:
//   - an effect happens at one instant between request and answer, so objects are whole or absent, and one creator of a
//     key wins
//   - a late create lands as a create: where an object is by then, it does nothing
//
// Design: architecture.md, chains.md ("Writing"), simulation.md ("Faults"). Read store.go first, then client.go.
package simblob
