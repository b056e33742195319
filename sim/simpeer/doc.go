// Package simpeer carries calls between the stars and clients of the simulated world.
//
// Peers is the directory of who listens where; Network is one process's peer.Network. A carried call is a task of the
// target's process; its request, its answer and each message of a session take their time on the network. A call or
// session is one conn, which breaks for either side when a message is lost, the other side dies, or it is reset.
//
// Invariants:
//   - a call that failed without an answer is Unavailable only if its request surely never left, otherwise Indeterminate
//   - messages of a session arrive in the order they were sent, each direction by itself
//   - what a star answers arrives as it was answered, but for Err, which does not travel
//   - a session that ends for any reason, its client's death included, is closed at the star, once
//   - Send waits while a window of bytes is under way or untaken
//
// Design: architecture.md, io/peer. The real binding is realio/grpcpeer. Read peers.go first, then conn.go.
package simpeer
