// Package demo tells a story: a fleet of three stars, a text appended line by line and read back equal, the star that leads
// its stream killed in the middle of a second copy, and every line still there once and in order.
//
// It decides what the story does and says; the fleet is package host's, and the client package cluster's.
//
// What is real: three stars with their own runtimes, identities, sessions and gRPC servers, calls over TCP, files written
// and synced. What is not: they share one process and its embedded metastore, so the kill is that of a star in the process:
// its connections break, it has no further effect, and its session runs out after the time-out, unannounced. The end-to-end
// tests of cmd/nova kill real processes.
//
// Design: product.md ("First five minutes"). Read story.go.
package demo
