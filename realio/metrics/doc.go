// Package metrics counts what a process asks of its metastore and its stores, for Prometheus.
//
// A Meter wraps the contracts of io: each call through a wrapper is timed, counted by its outcome, and counted while it is
// under way. What the wrappers cannot see, because it happens inside a binding, the bindings count themselves: retries, and how
// far the Oxia client's window is used. A scrape reads those counts.
//
// What it does not decide: what is served to whom, and the numbers of the star itself; the host registers a collector for
// those.
//
// Invariants:
//   - a wrapper changes nothing: values, errors and views are those of what it wraps
//   - labels are few: names of namespaces, shards, classes, zones, calls and outcomes; never a stream or a key
//   - a scrape asks no server
//
// Design: operations.md ("Metrics"). Read meter.go first.
package metrics
