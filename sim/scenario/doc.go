// Package scenario runs one simulated fleet from start to verdict: it builds the world, lets clients work while faults
// fire, heals everything, applies all checks, and reports.
//
// It decides what a named scenario is made of and in which order a run goes. It does not decide what clients ask
// (sim/workload), what goes wrong (sim/faults), or what is right (sim/checks, history).
//
// Invariants:
//   - a Report is a pure function of the Options, but for Wall
//   - a run that checked nothing, or could not bring a check to its end, says so: it never passes
//
// Design: simulation.md ("Checks", "Commands"). Read options.go first, then run.go.
package scenario
