// Package runtime runs the core in the real world: a task is a goroutine, the baton of a process is a mutex.
//
// Runtime implements run.Runtime. Its waiting calls give the baton up for as long as they wait. So do those of every
// binding that the core is given, through the wrappers of this package: Spaces, Metastore, Naming, Blob, Disk and Network
// release the baton before the binding's call and take it again before they return. Bindings know nothing of it.
//
// The way in is the other way round. Do runs a function as a task on the caller's own goroutine; Serve wraps the core's
// peer.Star so that each call of an outsider enters that way. The core dials other stars, and itself, through Network,
// whose calls release its baton first: the two wrappers cancel out and nothing is held twice.
//
// What it does not decide: anything about streams. It keeps nothing per stream: a signal that nobody waits for is one
// word, and a task that waits is a goroutine and a channel.
//
// Invariants:
//   - between two waits a task is the only one of its process that runs
//   - a task that panics keeps the baton while Config.Crash ends the process: nothing that ran after a broken rule has an
//     effect
//   - Stop returns only when no task is left, or says which are
//
// The baton is a sync.Mutex: a call that nobody waits behind costs 25 ns more, a switch between two tasks 0.7 us,
// and a task that has waited a millisecond for it goes first.
//
// Design: architecture.md ("How core code runs: tasks and the baton"). Read runtime.go first, then baton.go.
package runtime
