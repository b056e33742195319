// Package meta is the contract of the metastore: small versioned values under keys, changed only by compare-and-set.
//
// Two services, two types on purpose. Metastore is the hierarchical keyspace, where "/" is structure and a scan yields
// direct children. Naming is the natural-sorted keyspace, where keys are opaque and run in bytewise order. Pointing one
// contract at the other truncates ranges silently, so the compiler keeps them apart.
//
// What it promises (leadership.md, "What the metastore really promises"):
//   - writes are linearizable per key; a key's versions never repeat, delete and re-create included
//   - plain reads are possibly stale: some earlier state of the shard. Reads of a Fresh view are linearizable
//   - no multi-key transaction; within one locality ranges are consistent and ordered
//   - every write may end as ErrUnknown: it did or did not happen, or still may
//
// Design: the metadata page; architecture.md. Read metastore.go first.
package meta
