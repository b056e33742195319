// Package fleet is what a star knows of all stars: its own registration, a snapshot of the registry, who should lead a
// vacant stream, and who counts as dead.
//
// It decides placement (placement.go, pure) and death (liveness.go). It does not decide safety: a star that is taken for
// dead wrongly meets poison and reopens, and two stars that resolve different designates meet at the lease.
//
// Invariants:
//   - placement is a function of a snapshot and a stream id, the same at every star
//   - only fresh reads, by the judge's own monotonic clock, make a star dead
//   - a row of this star that another process life holds is taken over once, at registration, and never taken back
//
// Design: leadership.md ("Placement, saturation, rebalance", "What the metastore really promises"), the leadership page
// ("The fleet surface", "Placing a new leadership"). Read placement.go first, then registry.go.
package fleet
