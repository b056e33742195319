// Package fleets builds whole fleets of the unchanged core in one simulated world: stars, clients, a metastore, the regional
// and the zonal stores, and the network between them.
//
// It decides how a fleet is put together and how its stars are started, crashed, stopped and restarted. It decides nothing
// about faults, workloads or checks.
//
// Design: simulation.md ("The world"). Read fleet.go first.
package fleets
