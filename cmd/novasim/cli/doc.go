// Package cli is the command line of novasim: one file a command.
//
// It decides what is run, how often, and how the outcome is told: as text or as JSON, with an exit code and, after a
// failure, the command that repeats it. It decides nothing about what happens in a world; that is sim/scenario.
//
// Invariants:
//   - what is written to stdout is a function of the command line and of the version of the code: no time of the wall clock
//     and no order of threads is in it, but for the table of bugs; everything else goes to stderr
//   - worlds of one swarm share nothing, and their results are told in the order of their seeds
//   - a run of which anything was not decided does not exit with 0
//
// Design: simulation.md ("Commands"), docs/novasim.md. Read run.go first, then the command of interest.
package cli
