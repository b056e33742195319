// Package blob is the contract of one object store: whole objects under keys, created at most once.
//
// Invariants a binding keeps:
//   - an object is visible whole or not at all
//   - of any number of concurrent PutIfAbsent calls for one key at most one answers Created
//   - what was created is durable before Created is answered
//   - listing runs in bytewise key order and shows every object whose write was answered before it began
//
// Design: architecture.md; chains.md ("Writing"). Read store.go first.
package blob
