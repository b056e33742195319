// Package datadir is what the bindings that keep files have in common: a directory that one process holds at a time, the
// format it is written in, and file operations that survive a power cut.
//
// A held directory has two files of this package:
//
//	nova.lock     locked (flock) by the process that holds the directory; its text names that process
//	nova.format   "<kind> <version>", written once, when the directory is first used
//
// What it does not decide: what else the directory holds.
//
// Invariants:
//   - a directory has one holder, and a holder that died, in whatever way, is none
//   - a directory of another kind or of a newer version is refused untouched
//   - what a function of durable.go made is on disk, name and all, when it returns
//
// Read lock.go first.
package datadir
