// Package crashpoints enumerates the instants at which a process can die, and the ways in which an effect can go wrong, in
// stories that together cross every multi-record sequence of the core.
//
// A scenario is told once to learn the effects of the processes that it watches: metastore writes, store writes and deletes,
// messages. Then it is told again for every effect and every fate of sim.Fates, and on request for pairs: a second
// effect that goes wrong during the recovery from the first. After each telling the world heals and everything is judged.
//
// It decides which stories there are and what is enumerated in them. How an effect goes wrong is sim's, what is right
// is said by package stage and the checks behind it.
//
// Invariants:
//   - a telling is a pure function of the scenario, the seed and the hits
//   - an effect that does not come again where it came before is an error, never passed over
//
// Design: simulation.md ("Crash points, enumerated"). Read scenario.go first, then enumerate.go and stories.go.
package crashpoints
