// Package records holds the values of the metastore: generated protobuf messages, and beside them, one file a message, the
// mutators through which the core changes them. A mutator changes only the fields it is about; fields that this version
// does not know go through a read-modify-write untouched.
//
// Design: architecture.md ("Values"), the metadata page.
package records
