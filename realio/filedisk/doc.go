// Package filedisk keeps a star's identity in the files of its data directory. It implements disk.Disk, and it is what
// binds an identity to one process: the directory is locked for as long as the Disk is open.
//
// The directory:
//
//	nova.lock, nova.format   package datadir: who holds it; "star 1"
//	identity/<name>          one file for each name saved, replaced whole
//
// What it does not decide: what the files say, and what else the data directory holds beside them.
//
// Invariants: those of package datadir; a crash during Save leaves the old bytes or the new ones.
//
// Design: architecture.md; the page on retiring stars ("Identity is bound to the data directory"). Read disk.go first.
package filedisk
