// Package host runs stars in this process: it binds the core to the local disk, to object stores and to gRPC.
//
// A Site is what the stars of one process share: the embedded metastore and the object stores. A Star is the core's star
// on a runtime, an identity and a listener of its own.
//
// The data directory:
//
//	meta/        the embedded metastore
//	objects/     the regional store, where no --objects names another
//	stars/<n>/   the identity of the n-th star of the process
//
// It decides how a star starts, stops and, for demonstrations, dies; nothing about streams.
//
// Invariants:
//   - one process has a data directory, or none
//   - a star is stopped in an order that lets its clients find the next one: it finishes its streams while it still
//     answers, then its server, its tasks, its session and its identity go
//
// Design: product.md ("The star's flags"). Read site.go first, then star.go.
package host
