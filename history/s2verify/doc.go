// Package s2verify reads and writes histories in the JSON lines of s2-verification, an independent checker of streams, so
// that it can judge histories of Nova, and the checker of Nova histories that were collected for it.
//
// It decides what an event of one format is in the other, and says what it had to leave out. It judges nothing.
//
// # What is in one format and not in the other
//
//   - A file holds one stream, from its start on, and no times. Line numbers stand for times.
//   - A read starts at seq 0 and answers with the tail and one hash folded over all records. Writing folds it over the final
//     contents; reading puts the contents together from the appends whose place is known and the folds, and gives each read its
//     records.
//   - There are no ordinary reads: they are left out. So are reads that did not reach the tail.
//   - Opens are written as checks of the tail. Tokens are left out in both directions: one format orders them, the other
//     compares them. What is left out can only hide a violation, never make one.
//   - Each client has one operation at a time: a client with several at once is written as several.
//   - The final contents are written as one last read. An append of unknown outcome that stands in them is written as one that
//     succeeded and ended last: the last read says as much, and nobody has to search for its place.
//
// Design: simulation.md ("Histories"). Read wire.go first, then write.go and read.go; docs/histories.md tells users.
package s2verify
