// Package absorb makes durable bytes findable: it commits the span refs of durable flights and moves the checkpoint of
// their chain epoch, flushes one stream when it is released, and settles epochs that ended.
//
// It decides which row covers which windows, when a window counts as covered, and when a checkpoint may move. It does not
// decide what is durable (package chain), what a row looks like (package refs), nor who leads a stream.
//
// Invariants:
//   - a row is created, with "must not exist", at exactly the refs tail, so all committers of a stream meet at one key
//   - a window is covered when a read made after the create saw the last row end at or past it; the create proves nothing
//   - the checkpoint, settled and what Flush returns rest on that read alone
//   - rows of one stream are committed in order, and never by two tasks of one absorber at once
//   - a window above the tail is a broken invariant: judged on fresh reads, loud, its stream stops and the others go on
//   - a committer deletes the row that it made redundantly, by the version that its create returned
//
// Design: refs.md ("Absorb"), chains.md ("Settling a fenced or closed epoch"). Read cover.go first, then absorber.go.
package absorb
