// Package star is a star's life: it boots, registers, serves and stops. It wires the parts of the core and offers them as
// peer.Star; it decides nothing about streams itself.
//
// Boot: identity from the disk (bound to the data directory), a fresh boot id, the installation's id, the marks of the
// stores; then the writers mint, the star registers and serves at once. Its earlier chain epochs are fenced, settled and
// swept behind; the gates of their streams wait for theirs.
//
// Stop: no new leadership; Finish on every stream; the chain epochs closed by their owner; the registration withdrawn.
// A star that is killed instead loses nothing acknowledged: the next opens fence and settle what it left.
//
// Design: architecture.md, chains.md ("Epochs"), leadership.md. Read boot.go first, then star.go.
package star
