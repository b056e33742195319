// Package shrink makes a failing run small: it looks for the fewest strikes of faults, operations of clients and choices of
// the scheduler with which the same check still fails.
//
// It decides what is left out next and when to stop. It does not decide what an act is (sim/script) or whether a run fails
// (sim/scenario). It takes the acts of the failing run as a script, and runs smaller and smaller ones.
//
// Invariants:
//   - what Shrink gives is a run that was run, and in which the check of the first violation of the original failed
//   - the same Options give the same result, unless More ends the search
//   - a step of the search keeps only what is smaller; the dice that no act owns may be thrown anew for it
//
// Design: simulation.md ("Commands"). Read shrink.go first, then passes.go and minimize.go.
package shrink
