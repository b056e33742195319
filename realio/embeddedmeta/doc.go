// Package embeddedmeta is the metastore of an installation without an outside service: durable on the local disk, for one
// process and any number of stars in it. It implements meta.Metastore and meta.Naming on pebble.
//
// It is one shard: every locality lives on it, so Within and Fresh are the store itself, and each range is one consistent
// state of the whole.
//
// The way of a write. Callers hand their change to the committer, one goroutine that takes changes one by one: it reads
// the row, checks what the caller expects, gives the next version, and applies one pebble batch with the row, its index
// entries and its session binding. It does not wait for the disk: the syncer does, behind it, in the order of commits, and
// answers the caller. So any number of writes share one fsync of the log, and a write costs one fsync when alone.
//
// Why a crash loses nothing that anybody saw:
//   - the log keeps the order of commits, so what a crash leaves is the state after some commit, index entries included,
//     and never less than the last one that was answered
//   - a commit is visible to readers before it is on disk. Every answer, also a refusal, therefore waits for the newest
//     commit it shows: the versions of the rows in it, and the last commit that took a row or an index entry away (the
//     barrier), because absence carries no version. Usually both are on disk already and nothing waits
//   - ephemeral rows are not synced and need not be: they end with the process. A change that puts one over a durable row
//     is synced as a removal
//   - versions are commit numbers that start from a boot counter in the upper bits, synced before the first commit of each
//     opening: a version is never given twice, whatever a crash takes back
//
// When pebble cannot go on (a full disk, an I/O error in the log or in the background) the store fails for good: calls in
// flight are unknown, later ones unavailable, both naming the cause. It never exits the process, which pebble would, and
// keeps the directory locked (stopfs.go); the way back is a restart, which recovers from the log.
//
// What it does not decide: deadlines. Sessions end with Client.Close, Client.Expire or the process.
//
// The directory:
//
//	nova.lock, nova.format   package datadir: who holds it; "metastore 1"
//	db/                      pebble; key.go draws its keys, row.go its values
//
// Design: the metadata page; architecture.md ("The three implementations of the metastore"). Read store.go first, then
// committer.go.
package embeddedmeta
