// Package sim is the simulated world: one thread of execution, virtual time, and chance that comes from one seed. A whole
// run is a pure function of the code, the scenario and the seed.
//
// A World owns a scheduler and a set of Processes. A Process implements run.Runtime for unchanged core code; its tasks are
// coroutines, of which the scheduler resumes one at a time. Everything that is not core code (messages under way, answers
// of stores, session time-outs) is a plain callback in the timer queue, never a task.
//
// What it decides: who runs next, what time it is, what each process's clocks say, who is alive. What it does not decide:
// what a metastore, a store or a peer answers; that is the work of simmeta, simblob, simpeer and simdisk over simnet.
//
// Invariants:
//   - time moves only when no task is runnable
//   - a task of a dead process never has another effect: every io call it makes unwinds it again
//   - each purpose draws from its own random stream, derived from the seed by name, so that one more draw here shifts
//     nothing there
//   - every decision and effect is folded into one hash; equal runs have equal hashes on any machine and GOMAXPROCS
//   - World.Close leaves no coroutine behind
//
// Design: simulation.md ("The world"). Read world.go first, then scheduler.go and await.go; process.go is what core sees.
package sim
