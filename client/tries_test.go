package client

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	core "github.com/novastream/nova/core/client"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/realio/runtime"
)

// opening is a star of one stream that answers each request of an open with the next error, and in the end with the last.
type opening struct {
	peer.Star
	mode    peer.Mode
	answers []error
}

func (o *opening) Dial(string) peer.Star { return o }

func (o *opening) DescribeStream(context.Context, peer.StreamName) (peer.StreamInfo, error) {
	return peer.StreamInfo{Stream: peer.Stream{Mode: o.mode}}, nil
}

func (o *opening) OpenSession(context.Context, peer.OpenRequest) (peer.Session, error) {
	err := o.answers[0]
	if len(o.answers) > 1 {
		o.answers = o.answers[1:]
	}
	return &scripted{&script{}}, err
}

// TestOpensThatAreRepeated failed only where every request of them is known to have failed. The caller gets the last answer.
func TestOpensThatAreRepeated(t *testing.T) {
	away, lost := &peer.Error{Code: peer.Unavailable}, &peer.Error{Code: peer.Indeterminate}
	fenced := &peer.Error{Code: peer.Fenced, Token: 9}
	for _, c := range []struct {
		name    string
		mode    peer.Mode
		answers []error
		want    string
	}{
		{"refused at once", peer.ModeFenced, []error{fenced}, `"failed","client":1,"op":1,"code":"fenced","token":9`},
		{"refused after a definite failure", peer.ModeFenced, []error{away, fenced}, `"failed","client":1,"op":1,"code":"fenced","token":9`},
		{"refused after a lost answer", peer.ModeFenced, []error{lost, fenced}, `"unknown","client":1,"op":1,"code":"fenced"`},
		{"given up after definite failures", peer.ModeFenced, []error{away}, `"failed","client":1,"op":1,"code":"unavailable"`},
		{"given up after a lost answer", peer.ModeFenced, []error{lost, away}, `"unknown","client":1,"op":1,"code":"unavailable"`},
		{"opened, and not again for its session", peer.ModeAny, []error{nil, away}, `"unknown","client":1,"op":1,"code":"unavailable"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			star := &opening{mode: c.mode, answers: c.answers}
			run := runtime.New(runtime.Config{})
			inside := tried{run.Network(star)}
			inner, err := core.New(core.Config{Run: run, Network: inside, Addrs: []string{"one"}})
			if err != nil {
				t.Fatal(err)
			}
			r, out := newRecorder(t)
			fleet := r.Client(run.Serve(member{inner, inside.Dial}))
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			_, err = fleet.OpenSession(ctx, peer.OpenRequest{Stream: stream})
			if last := c.answers[len(c.answers)-1]; !errors.Is(err, last) {
				t.Errorf("the caller was told %v, want %v", err, last)
			}
			if err := r.Flush(); err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(lines(t, out), "\n"); !strings.Contains(got, c.want) {
				t.Errorf("no %s in\n%s", c.want, got)
			}
			if err := run.Stop(time.Second); err != nil {
				t.Error(err)
			}
		})
	}
}
