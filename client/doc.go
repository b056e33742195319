// Package client is the Go client of Nova: a fleet that an application talks to over gRPC, as a peer.Star that any goroutine may
// use, and a recorder of what was asked and told.
//
//	fleet, err := client.Connect(client.Config{Addrs: []string{"nova-1:7780", "nova-2:7780"}})
//	session, err := fleet.OpenSession(ctx, peer.OpenRequest{Stream: peer.StreamName{Bucket: "logs", Key: "app"}})
//
// With Config.Recorder everything that is asked about records is written down, as a history that novasim check judges.
//
// It decides what a session is. On a Fenced stream, where there is no other writer, it is the core's producer with
// exactly-once: it goes on over lost connections and changes of the leader, and behind a Send that took nothing. On an Any
// stream it is one plain session at the leader, which ends with the leadership: a session that reopened by itself could leave
// a gap behind it. It does not decide what of an answer is certain; history/record does. It does not judge.
//
// # Goroutines
//
// Any goroutine may call a Fleet, a Recorder and its Recorded stars, several at once. The same holds of a session: many may Send and
// Recv at the same time, and Close ends what they wait for. One of them sends and one receives at a time, the others wait for
// their turn until their ctx ends; outcomes come in the order in which batches were sent, whoever asks. So a goroutine that is
// to have the outcomes of its own batches has a session of its own, and so has a reader that is to be judged as one a Recorded of
// its own. Finish is called when nothing else is under way: what is has an unknown outcome in the history.
//
// Invariants:
//   - a session's batches are recorded in the order in which they are sent, and their outcomes in the order in which they come
//   - a recorded operation is written before it leaves, and its end after the answer has come; one recorder serves all clients of a file
//   - what comes from a recorded star is what the star gave: an error of the file shows in Finish and Flush alone
//   - the contents of a stream are written when they are read back whole, once, however often Finish is called; nothing is
//     recorded of the stream behind them, and nothing at all once Finish has succeeded
//   - behind a Close, every call and session of a client ends, and says that it was closed, and nothing of how
//   - a client of a history is also one reader that must never see a stream go back
//
// Design: leadership.md ("Conditional and exactly-once appends"), simulation.md ("Histories"). Read fleet.go first, then
// recorder.go.
package client
