// Package fileblob is an object store in a directory. It implements blob.Store. Several processes may use one directory.
//
// An object is one file, whole from the moment it has its name. A create writes and syncs a file without a name, links it,
// which fails where the name is taken, and syncs the directory before it answers Created. What a crash leaves is an object
// or nothing; files without a name go with their process. A put writes a file under ,tmp and renames it.
//
// An object can be read before the directory that names it is on disk, and a power cut in between would take back what the
// reader acted on. Readers therefore sync the directory themselves, once, where an object is young and not known to be on
// disk: see settle.go.
//
// The directory, in the words of key.go:
//
//	,format          "object store 1"
//	,tmp/            files being put, and a lock file for each process that puts
//	a/b/c@           the object a/b/c
//
// What it does not decide: how much fits. A full disk makes writes unavailable, with the directory named, and leaves
// nothing behind. Directories stay when their last object goes: another process may be about to create in them.
//
// Invariants: those of package blob; keys cannot leave the directory.
//
// Design: architecture.md ("The three implementations of the metastore", stores). Read store.go first, then write.go.
package fileblob
