// Package leadership decides who sequences a stream at this star: the open gate, leases, producer handles, idle time-outs,
// departures and limbo, certifying, the linearizable tail, and deletion.
//
// It does not write slots (core/chain) nor refs (core/absorb), and it does not resolve reads (core/reads). It asks them.
//
// Invariants:
//   - every leadership bumps the stream epoch in the writer row by CAS before it sequences anything, and sequences only
//     into the chain epoch that row names
//   - before it sequences, everything acknowledged earlier is covered by refs: the gate judges the very writer row that
//     the CAS replaces, by evidence
//   - the tail is read fresh, after the CAS
//   - open, certify, Finish and delete of one stream are single-flight at a star
//   - from the first attempt to stamp the clean-release mark, a leadership acknowledges, answers and admits nothing more
//   - no answer reveals anything undecided: what tells a tail waits for the barrier
//
// The lease is advisory: nothing above rests on it.
//
// Design: leadership.md. Read manager.go, then open.go, approach.go, gate.go, claim.go in that order.
package leadership
