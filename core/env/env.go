// Package env is what every part of a star is given at construction: its runtime, its metastore, who it is.
//
// Design: architecture.md; style: one environment struct.
package env

import (
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/io/run"
)

// Env is the environment of one process life of a star.
type Env struct {
	Run  run.Runtime
	Meta meta.Spaces
	Star keys.StarID
	Boot keys.BootID
	Bugs planted.Set // empty but in the simulator's mutation checks
}
