package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/novastream/nova/client"
	"github.com/novastream/nova/io/peer"
)

// benchHistory is the history of a bench under way. It is written in place: a bench that is killed leaves what it has.
type benchHistory struct {
	path     string
	file     *os.File
	inStdout bool // stdout is the same file
	recorder *client.Recorder
}

// begin begins the history, or is nil where none is wanted.
func (a *app) begin(ctx context.Context, again <-chan struct{}, b *benching) (*benchHistory, error) {
	if b.file == "" {
		return nil, nil
	}
	opening, cancel := a.answer(ctx)
	defer cancel()
	file, err := openOutput(opening, b.file)
	if err != nil {
		return nil, err
	}
	left := func() (context.Context, context.CancelFunc) { return afterwards(ctx, again) }
	recorder, err := client.NewRecorder(&benchOutput{file, b.patience, left}, "nova bench "+b.bucket)
	return &benchHistory{b.file, file, a.isStdout(file), recorder}, err
}

// client is a star as one client of the history.
func (h *benchHistory) client(star peer.Star) peer.Star {
	if h == nil {
		return star
	}
	return h.recorder.Client(star)
}

// flush writes what was recorded so far. The error stays: nothing more can be written.
func (h *benchHistory) flush() error {
	if h == nil {
		return nil
	}
	return h.recorder.Flush()
}

// finish reads the streams back into the history and closes its file.
func (a *app) finish(ctx context.Context, h *benchHistory, star peer.Star) error {
	if h == nil {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	asked := &watched{Star: star, app: a}
	if a.timeout > 0 {
		asked.idle = time.AfterFunc(2*a.timeout, cancel)
		defer asked.idle.Stop()
	}
	err := errors.Join(h.recorder.Finish(ctx, asked), h.file.Close())
	if err == nil {
		return nil
	}
	a.say("the history in %s is not whole:\n%v", h.path, err)
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return &taskError{doing: "write the history", try: "--record with a file that can be written to, other than " + h.path, err: err}
	}
	try := "nova health, and the load once more with another --record; " + h.path + " has what was recorded until now, and novasim check leaves a stream undecided that was not read back"
	return &taskError{doing: "read all streams back", try: try, err: err}
}

// watched is a star that is to answer each Fetch within --timeout, and one of them within twice that: else idle fires.
type watched struct {
	peer.Star
	app  *app
	idle *time.Timer // nil: without end
}

// Fetch reads records.
func (w *watched) Fetch(ctx context.Context, q peer.FetchRequest) (peer.FetchReply, error) {
	one, cancel := w.app.answer(ctx)
	defer cancel()
	reply, err := w.Star.Fetch(one, q)
	if w.idle != nil && !isTimeout(err) && ctx.Err() == nil {
		w.idle.Reset(2 * w.app.timeout)
	}
	return reply, err
}
