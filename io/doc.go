// Package io holds nothing itself; its subpackages are the contracts through which the core sees the world.
//
//   - run: tasks, time, signals, randomness, named steps
//   - meta: the metastore (versioned keys, compare-and-set, sessions) and the naming service
//   - blob: one object store
//   - peer: calls between stars and clients
//   - disk: the few bytes of identity a star keeps
//   - iotest: one conformance suite per contract
//
// Design: architecture.md ("One core, two worlds").
package io
