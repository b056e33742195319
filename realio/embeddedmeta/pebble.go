package embeddedmeta

import (
	"fmt"
	"log/slog"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Memory is a product number: an idle metastore keeps little. The cache fills as rows are read. It holds those of some ten
// thousand busy streams: where it does not, each absorb reads most of its rows from disk, and takes three times as long.
const (
	cacheBytes    = 32 << 20
	memTableBytes = 4 << 20
	openFiles     = 256
)

// options are what pebble is opened with.
func (s *Store) options(fs vfs.FS) *pebble.Options {
	quiet := logger{s.log, s.fail}
	opts := &pebble.Options{
		FS:                          stopFS{fs, s.fail},
		CacheSize:                   cacheBytes,
		MemTableSize:                memTableBytes,
		MemTableStopWritesThreshold: 4,
		MaxOpenFiles:                openFiles,
		FormatMajorVersion:          pebble.FormatValueSeparation,
		Logger:                      quiet,
		EventListener: &pebble.EventListener{
			BackgroundError: quiet.backgroundError,
			DataCorruption:  func(info pebble.DataCorruptionInfo) { s.fail(fmt.Errorf("corrupt data: %s", info)) },
		},
	}
	for i := range opts.Levels {
		opts.Levels[i].FilterPolicy = bloom.FilterPolicy(10)
	}
	return opts
}

// logger is what pebble tells of itself. It calls Fatalf and the background error event where it has lost hold of its own
// state or would try again at once and forever: the store fails, and the goroutine does not go on.
type logger struct {
	log  *slog.Logger
	fail func(error)
}

var _ pebble.Logger = logger{}

func (logger) Infof(string, ...any) {}

func (l logger) Errorf(format string, args ...any) {
	l.log.Warn("metastore", "pebble", fmt.Sprintf(format, args...))
}

func (l logger) Fatalf(format string, args ...any) { l.backgroundError(fmt.Errorf(format, args...)) }

func (l logger) backgroundError(err error) {
	l.fail(err)
	select {}
}
