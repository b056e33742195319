// Package run is the contract of a process's life: its tasks, its clocks, its signals and its chance.
//
// The baton. Each process has one baton. A task holds it while it runs and gives it up only inside a call of the io
// contracts that waits. Between two waits a task has the state of its process to itself: the core needs no lock, and
// the places where another task can come in between are exactly the io calls. Package sim implements the baton with
// coroutines on one deterministic scheduler, package realio/runtime with a mutex.
//
// Invariants:
//   - a task never blocks on anything but io calls
//   - deadlines, timers and contexts run on the monotonic clock of the runtime that made them
//   - a task of a killed process never has another effect; what it defers must not call io
//
// Design: architecture.md ("How core code runs: tasks and the baton"). Read runtime.go first.
package run
