// Package client is the cluster client: it finds the star that serves a stream, remembers it, and carries appends, reads and
// administration there.
//
// It decides which star to ask, what may be sent again, and, for a producer that asked for exactly-once, what became of a
// batch whose outcome was lost. It decides nothing about a stream.
//
// Invariants:
//   - a holder learned by a redirect is remembered for its stream, and forgotten on any other failure from it
//   - a batch is sent again by itself only when the earlier sending is known not to be part of the stream
//   - an outcome that is not known is told as such, never guessed
//
// Design: the leadership page ("Placing a new leadership"), leadership.md ("Conditional and exactly-once appends").
// Read client.go first, then producer.go.
package client
