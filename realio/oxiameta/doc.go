// Package oxiameta is the metastore on Oxia: a client of its public protocol (package oxiav1) that implements meta.Metastore
// on namespaces with hierarchical key order and meta.Naming on one with natural order.
//
// Each namespace is a space: shards that share the ring of hashes, followed live through the assignments stream (space.go,
// follow.go). A shard knows who leads it and when to ask again after failures; all calls share that, so that a shard in
// trouble is not stormed (shard.go). Writes of a shard go through its writer, batched, a window of batches ahead of the
// answers (writer.go, stream.go, batch.go). What becomes of writes whose answers got lost is decided in recover.go. Reads go
// to the leader; fresh ones to a server that has acknowledged a write since they began (read.go). Ephemeral rows hang on one
// logical session (session.go).
//
// Invariants:
//   - no request is sent that would harm a server: batches and values are capped, ranges to delete have both bounds, index
//     scans stay at one depth (secondary keys travel escaped), sequence puts cannot be expressed
//   - a write that is answered has happened once; one whose answer got lost is sent again only where twice is as good as
//     once, or where the record shows that it did not happen
//   - writes of one shard keep their order, over failures too
//   - an answer of a floor read is looked at: servers search all records of a shard
//   - a caller that gives up leaves nothing behind that others wait for
//   - nothing runs after Close
//
// What it rests on: a server that takes a new write stream and acknowledges a write on it has decided all that earlier
// streams brought into its log. And versions of a key never repeat: shards of real Oxia break that when they split, which is
// why an unanswered change is never sent again across a split, and why such shards should not be split.
//
// Design: the metadata page; architecture.md ("The three implementations of the metastore"); leadership.md ("What the
// metastore really promises"). Read client.go first, then writer.go.
package oxiameta
