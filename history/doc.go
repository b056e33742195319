// Package history records what clients of a fleet asked and were told, and judges whether a linearizable stream could
// have answered so. The same package serves the simulator, tests against a real fleet, and recordings of production.
//
// It decides, for each stream of a history, whether the answers are those of one sequence of records that only grows at
// its end. It does not decide anything about liveness, speed or the inside of a star, and it does not know how records
// are stored: only operations, their order in real time, and the contents read back at the end.
//
// # The parts
//
//   - Events (event.go): an operation is an Invoke and, unless the recorder or the client died, a Complete. A Final is a
//     part of a stream's contents, read back when all was quiet.
//   - Recorders: Log keeps events in memory, Packed does so in a fraction of it, Writer streams them as JSON lines; none
//     locks. Log, Packed and Stored give them back as a Source, validated: a Source never yields an event that breaks the
//     rules of rules.go.
//   - The witness check (witness.go): the final contents are the order; every answer must fit into it. It takes linear
//     time, whatever the number of clients, and under 100 bytes for each operation and 12 for each final record.
//   - The porcupine check (linear.go, model.go): a search that trusts no order. It is bounded in operations and steps; a
//     stream whose search ran out of either is undecided, which is never a pass.
//   - Origins (origins.go): where the fencing token of a refusal can have come from. Both checks ask it.
//
// # Real time
//
// The order of the events is the order of real time: an operation that completes on an earlier line than another is
// invoked on happened before it. Times are for people and for replays; nothing is decided from them.
//
// # Invariants
//
//   - Both checks are sound: a violation means that the history is not that of a linearizable stream, or that a record
//     or answer is outright wrong. No time-out, load or order of map keys changes a verdict, unless Config.Timeout is set.
//   - The witness check is complete for appends, conditional appends, tails and linearizable reads: what it passes is
//     linearizable, with the final contents as the order.
//   - A result that counts no operation is undecided.
//   - An append with unknown outcome may appear once or never; one that failed definitely never appears.
//
// The format of the lines is in docs/histories.md, and in wire.go and shapes.go. Read event.go first, then witness.go.
//
// Design: simulation.md ("Histories", "Checks").
package history
