// Package oxiatest is an Oxia for tests: the client protocol over real gRPC, on listeners of this process, with its state
// in memory. It behaves as real servers were seen to behave where a client can tell, and does on demand what real ones do
// on bad days: leaders move, with and without a hint; a deposed leader goes on answering; shards split; answers get lost;
// streams are cancelled; sessions end; nodes die.
//
// Start starts a Cluster. Its methods are the switches. Hooks (OnWrite, OnApplied, OnRead) see single requests and decide
// what becomes of them.
//
// What it does not imitate is the harm that bad requests do to a real server: it refuses them and notes them. Harm lists
// them, and a test of a client ends with a look at it.
//
// Invariants:
//   - a shard applies one request at a time; its answers on one stream come in order
//   - the versions of a key never repeat, over splits too, unless Config.LossySplits asks for the defect of real servers
//
// Read cluster.go first, then shard.go.
package oxiatest
