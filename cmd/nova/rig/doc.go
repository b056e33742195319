// Package rig is the network between processes under test: ways that close, fall silent, lose answers or get slow when a
// test says so.
//
// A Link is one way of TCP to one target. A Relay stands before the servers of an Oxia for one client: Oxia's servers tell
// their clients by which address to reach each of them, and the relay names ways of its own in their place, so that no
// client goes around its links.
//
// What it does not decide: when what fails, and what has to hold then; that is the tests'.
//
// Invariants:
//   - a link changes no byte; what was on its way when it fell silent arrives when it is open again
//   - a relay changes addresses of servers in assignments and hints, and nothing else
//
// Read link.go first, then relay.go.
package rig
