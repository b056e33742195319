// Package timeline explains runs: it keeps the events of a trace with their causes, finds those that led to a violation, and
// draws everything on one page.
//
// It decides what is shown and how. It does not decide what is right (sim/checks, history), and it changes nothing in a run: a
// Collector is a sim.Tracer.
//
//   - Slice (slice.go) walks the causes of a violation backwards: what is stored in what it is about, who wrote that, what woke or
//     called the writer, and what had happened to its process.
//   - FromTrace and FromHistory (build.go, history.go) make a Page: lanes with rows of items, faults as bands, slots by their fate.
//   - Page.Write (page.go) puts it into one HTML file that asks nothing of any network.
//
// Invariants:
//   - the page and the slice are functions of the events alone, byte for byte
//   - no text of a run is markup in the page: it is data, and the page's program writes it as text
//   - what is left out is told
//
// Design: simulation.md ("Commands"), docs/novasim.md. Read event.go first, then slice.go, build.go.
package timeline
