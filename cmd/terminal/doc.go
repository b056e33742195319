// Package terminal is what the two commands have in common towards whoever types: how far a command has come, and which word
// was probably meant.
//
// It decides how progress looks and when two words are near. What is said is the command's.
//
// Invariants:
//   - a line that redraws itself appears on a terminal only, and is gone in the end
//   - a word that is near to nothing has no nearest
//
// Design: product.md ("First five minutes"). Read progress.go first.
package terminal
