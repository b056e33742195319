// Package script is what happened in a run as data: the acts of chance, that is the strikes of faults and the operations of
// clients, each with a name, a number and a time, and which choices of the scheduler were left to chance.
//
// It decides how acts are named, written and selected. It does not decide what an act does; that is drawn from the seed by
// whoever performs it, from a random stream of the act's own. So a run that is given a script performs the acts in it, at
// their times, and no others: leaving one out leaves the others as they are.
//
// Invariants:
//   - an act is named by its line and its number in it, and by Sub where it belongs to another act; no two have one name
//   - a nil *Script leaves everything to chance; a Script without acts lets nothing happen
//
// Design: simulation.md ("Commands", "Histories"). Read script.go first, then ranges.go; sim/acts.go performs it.
package script
