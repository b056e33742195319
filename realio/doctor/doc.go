// Package doctor finds out whether a metastore or an object store is fit for Nova, by using it as Nova does, and says in
// plain words what is wrong and what it is fit for all the same.
//
// It works over the contracts of io/meta and io/blob, so that it judges what stars will see and not what a vendor says.
// It writes only under keys of its own, with a random part, and takes them away at the end.
//
// What it decides: what a finding means for which use. What it does not: how to reach what it probes, and how findings are
// shown. A probe of some seconds proves a fault and never proves that there is none.
//
// Invariants:
//   - a check that cannot be made is never told as passed
//   - rows and objects that are not the doctor's are neither read nor written
//
// Design: product.md ("What a user touches"). Read report.go first, then store.go and metastore.go.
package doctor
