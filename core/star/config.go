package star

import (
	"errors"
	"fmt"
	"time"

	"github.com/novastream/nova/core/leadership"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/io/blob"
	"github.com/novastream/nova/io/disk"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/io/run"
)

// Zone is one zonal store of the Express class.
type Zone struct {
	Name string
	Blob blob.Store
}

// Config is what a star is made of. The contracts come from a binding; the core sees nothing else of the world.
type Config struct {
	Run   run.Runtime
	Meta  meta.Spaces
	Disk  disk.Disk
	Peers peer.Network

	Objects blob.Store // the regional store of the Standard class
	Express []Zone     // none, 1, 3 or 5

	Addr     string // advertised
	Location string
	Version  string

	SessionTimeout time.Duration // of the metastore's sessions
	AbsorbFanout   int           // rows that one absorb commits at once
	Limits         leadership.Limits
	Bugs           planted.Set // empty but in the simulator's mutation checks
}

// Validate says what is missing or does not fit.
func (c Config) Validate() error {
	switch n := len(c.Express); {
	case c.Run == nil, c.Meta.Records == nil, c.Meta.Ephemeral == nil, c.Meta.Naming == nil, c.Disk == nil, c.Peers == nil, c.Objects == nil:
		return errors.New("star: a contract has no binding")
	case n != 0 && n != 1 && n != 3 && n != 5:
		return fmt.Errorf("star: %d express zones; give none, 1, 3 or 5", n)
	case c.Addr == "":
		return errors.New("star: no address to advertise")
	case c.SessionTimeout <= 0:
		return errors.New("star: the session time-out must be above 0")
	case c.AbsorbFanout <= 0:
		return errors.New("star: the absorb fan-out must be above 0")
	}
	return nil
}
