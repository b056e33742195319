// Package grpcpeer carries calls to a star over gRPC: Server serves a peer.Star on a listener, Network reaches stars by
// address and answers with a peer.Star whose calls go there. The messages are package nova.v1 (novav1, generated).
//
// It decides how a call travels and what a failure to travel means; what a call does is the star's alone.
//
// Invariants:
//   - an *peer.Error arrives as it was returned, but for Err, which does not travel
//   - a call that failed without an answer is Unavailable only if its request surely never left this process, otherwise
//     Indeterminate
//   - a session that ends for any reason, its client's death included, is closed at the star, once
//   - what one client can make a star hold is bounded: by maxUnanswered batches and the star's own window for a session,
//     by one reply for a reader, by MaxMessageBytes for a message
//
// Both sides are safe for use by many goroutines; a Session as its contract says, by one sender and one receiver. Neither
// side knows of the baton: package runtime wraps a Star for that.
//
// Design: product.md ("API"). Read append.go (a session at the server) and session.go (at the client) first.
package grpcpeer
