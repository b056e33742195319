// Package record writes down what clients ask of real streams and are told, as a history that novasim check judges. An
// application has its clients recorded by wrapping the peer.Star that it talks to:
//
//	recorder, err := record.New(file, "orders, production")
//	one := recorder.Client(fleet) // for each client of the application; a peer.Star like the fleet
//	...
//	err = recorder.Finish(ctx, fleet) // once nothing is under way: reads every stream back
//
// It decides what of an answer is certain, and so failed, and what nobody knows. It does not judge.
//
// Invariants:
//   - an operation is recorded before it leaves, and its end after the answer has come; one recorder serves all clients of a file
//   - what comes from a wrapped star is what the star gave: an error of the file shows in Finish alone
//   - a client is also one reader that must never see a stream go back; an application gives each of its readers one
//
// Design: simulation.md ("Histories"). Read recorder.go first, then client.go and session.go.
package record
