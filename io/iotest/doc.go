// Package iotest holds one conformance suite per contract of io. A binding that passes its suite may take the place of
// any other, in the real world and in the simulated one.
//
// A suite is a list of cases: Meta, Blob, Peer, Runtime, Disk. A case runs on a task of the runtime in its harness, with the
// baton held, and on a world of its own: a fresh store for every case. What runs at once runs on tasks of that runtime,
// so that coroutines serve as well as goroutines:
//
//	for _, c := range iotest.Blob() {
//		t.Run(c.Name, func(t *testing.T) {
//			... a runtime, a store; then on a task:
//			c.Run(iotest.BlobHarness{Harness: iotest.Harness{T: t, Ctx: ctx, Run: r}, Store: store})
//		})
//	}
//
// What it does not decide: faults. A suite runs on a binding whose world answers; outcomes that may be unknown are the
// matter of the binding's own tests and of the simulator.
//
// Invariants:
//   - a suite asks for nothing that the contract does not promise: reads it judges go through the Fresh view, and where
//     the contract leaves two answers open, both pass
//   - a case that fails ends by itself, on whatever task it failed; it never stops the process
//
// Design: architecture.md ("The three implementations of the metastore"). Read harness.go first.
package iotest
