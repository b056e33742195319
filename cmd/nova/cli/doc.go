// Package cli is Nova's command line: one file a command, each a thin layer over the calls of package peer.
//
// It decides what commands, flags and arguments there are, what is printed, and what a failure is called: errors say what
// happened, to what and why, end with one line of what to try, and map to the exit codes of exit.go.
//
// Invariants:
//   - a flag beats its NOVA_ environment variable
//   - nothing but data goes to stdout
//   - no state outside of app: a test runs any number of command lines in one process
//
// Design: product.md ("First five minutes", "The star's flags"). Read root.go first, then stream_create.go as an example.
package cli
