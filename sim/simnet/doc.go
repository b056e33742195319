// Package simnet is the simulated network and the shape of every call over it.
//
// Network decides for each message from one endpoint to another how long it takes or that it is lost. Endpoints are names:
// those of processes, and those of services such as "meta" and "standard". Exchange is one request and its answer between a
// process and a service: it carries the fates of effects (crash points) and the ways in which a call goes wrong.
//
// Invariants:
//   - a write that was executed and not answered is unknown to its caller, never refused
//   - a request under way lands whether or not its sender lives
//
// Design: simulation.md ("Faults", network). Read network.go first, then exchange.go.
package simnet
