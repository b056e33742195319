package client

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/novastream/nova/history"
	"github.com/novastream/nova/io/peer"
)

// asked is a recorder whose client asked for the tails of streams with these keys.
func asked(t *testing.T, star peer.Star, keys ...string) (*Recorder, func() string) {
	t.Helper()
	r, out := newRecorder(t)
	for _, key := range keys {
		if _, err := r.Client(star).Tail(t.Context(), peer.StreamName{Bucket: "logs", Key: key}); err != nil {
			t.Fatal(err)
		}
	}
	return r, func() string { return strings.Join(lines(t, out), "\n") }
}

// TestFinishGoesOn where a call before it stopped, in the middle of a stream too, and reads nothing once all is read.
func TestFinishGoesOn(t *testing.T) {
	star := &script{records: make([]peer.Record, 3), least: true, reads: 3}
	for i := range star.records {
		star.records[i] = peer.Record{Seq: uint64(i), Body: []byte{byte(i)}}
	}
	r, text := asked(t, star, "a", "b")
	if err := r.Finish(t.Context(), star); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("it was cut short by %v", err)
	}
	if got := strings.Count(text(), `"final"`); got != 0 {
		t.Errorf("%d finals are written before it was cut short: they would be taken for whole", got)
	}
	star.reads = 0
	for range 2 {
		if err := r.Finish(t.Context(), star); err != nil {
			t.Error(err)
		}
		if got := strings.Count(text(), `"final"`); got != 2 {
			t.Errorf("%d finals, want 2 in\n%s", got, text())
		}
	}
}

// TestFinishTriesEveryStream: one that is gone and one that nobody answers for are named, and the others are read.
func TestFinishTriesEveryStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		star := &script{records: []peer.Record{{Body: []byte("x")}}}
		r, text := asked(t, star, "a", "b", "c", "d")
		star.gone, star.dark = "a", "b"
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		err := r.Finish(ctx, star)
		if !errors.Is(err, context.DeadlineExceeded) || !peer.Is(err, peer.NotFound) {
			t.Errorf("it ended with %v", err)
		}
		for _, want := range []string{"read back stream logs/a: ", "read back stream logs/b: "} {
			if err == nil || strings.Count(err.Error(), want) != 1 || strings.Contains(err.Error(), "logs/c") {
				t.Errorf("%q once is not what it says: %v", want, err)
			}
		}
		if got := text(); !strings.Contains(got, `"final":"logs/c"`) || !strings.Contains(got, `"final":"logs/d"`) {
			t.Errorf("the others were not read:\n%s", got)
		}
	})
}

// TestFlush hands what was recorded to the file, without a Finish.
func TestFlush(t *testing.T) {
	r, text := asked(t, &script{}, "a")
	if err := r.Flush(); err != nil {
		t.Fatal(err)
	}
	if got := text(); !strings.Contains(got, `"complete":"tail"`) {
		t.Errorf("the file has %q", got)
	}
}

// full is a file on a full disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestFinishOfAFullDisk says so, and reads nothing back.
func TestFinishOfAFullDisk(t *testing.T) {
	r, err := NewRecorder(full{}, "a test")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = r.Client(&script{}).Tail(t.Context(), stream)
	for range 2 {
		if err := r.Finish(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "no space left") {
			t.Errorf("it ended with %v", err)
		}
	}
}

// TestFinishThatIsCutShort in the middle of a stream leaves it undecided: what was read of it is not taken for all there is.
func TestFinishThatIsCutShort(t *testing.T) {
	star := &script{acks: []peer.Ack{{First: 0, Next: 3}}, least: true, reads: 3}
	batch := peer.Batch{}
	for i := range 3 {
		star.records = append(star.records, peer.Record{Seq: uint64(i), Body: []byte{byte(i)}})
		batch.Records = append(batch.Records, peer.Record{Body: []byte{byte(i)}})
	}
	r, out := newRecorder(t)
	s, err := r.Client(star).OpenSession(t.Context(), peer.OpenRequest{Stream: stream})
	if err != nil {
		t.Fatal(err)
	}
	_ = s.Send(t.Context(), batch)
	if _, err := s.Recv(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := r.Finish(t.Context(), star); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("it was cut short by %v", err)
	}
	if got := judged(t, out); got.Verdict() != history.NotDecided {
		t.Errorf("%s: %s", got.Verdict(), got)
	}
	star.reads = 0
	if err := r.Finish(t.Context(), star); err != nil {
		t.Error(err)
	}
	if got := judged(t, out); got.Verdict() != history.Passed {
		t.Errorf("%s: %s", got.Verdict(), got)
	}
}

// TestNothingIsRecordedAfterFinish: what is asked then, of an old stream or a new one, and what is answered then, is not.
func TestNothingIsRecordedAfterFinish(t *testing.T) {
	star := &taking{}
	r, out := newRecorder(t)
	client := r.Client(star)
	s, err := client.OpenSession(t.Context(), peer.OpenRequest{Stream: stream})
	if err != nil {
		t.Fatal(err)
	}
	one := func(body string) peer.Batch { return peer.Batch{Records: []peer.Record{{Body: []byte(body)}}} }
	if err := s.Send(t.Context(), one("under way")); err != nil {
		t.Fatal(err)
	}
	if err := r.Finish(t.Context(), star); err != nil {
		t.Fatal(err)
	}
	whole, counts := out.String(), r.Counts()
	_, err = s.Recv(t.Context())
	_, other := client.Fetch(t.Context(), peer.FetchRequest{Stream: peer.StreamName{Bucket: "logs", Key: "new"}})
	if err := errors.Join(err, other, s.Send(t.Context(), one("late")), s.Close(t.Context()), r.Flush(), r.Finish(t.Context(), star)); err != nil {
		t.Error(err)
	}
	if out.String() != whole || r.Counts() != counts {
		t.Errorf("recorded after Finish: %s", strings.TrimPrefix(out.String(), whole))
	}
	if got := judged(t, out); got.Verdict() != history.Passed {
		t.Errorf("%s: %s", got.Verdict(), got)
	}
}

// TestAStreamThatIsWhole is not recorded any more, while Finish still fails for another.
func TestAStreamThatIsWhole(t *testing.T) {
	star := &script{}
	r, text := asked(t, star, "a", "b")
	star.gone = "b"
	if err := r.Finish(t.Context(), star); !peer.Is(err, peer.NotFound) {
		t.Errorf("it ended with %v", err)
	}
	for _, key := range []string{"a", "b"} {
		if _, err := r.Client(star).Tail(t.Context(), peer.StreamName{Bucket: "logs", Key: key}); err != nil {
			t.Error(err)
		}
	}
	star.gone = ""
	if err := r.Finish(t.Context(), star); err != nil {
		t.Error(err)
	}
	if got := text(); strings.Count(got, `"invoke"`) != 3 || strings.Count(got, `"final"`) != 2 {
		t.Errorf("recorded\n%s", got)
	}
}

// busy is a star that appends a record, through a client of the history, while it answers the first read.
type busy struct {
	*taking
	once   sync.Once
	append func()
}

func (s *busy) Fetch(ctx context.Context, q peer.FetchRequest) (peer.FetchReply, error) {
	reply, err := s.taking.Fetch(ctx, q)
	s.once.Do(s.append)
	return reply, err
}

// TestFinishBesideAnAppend reads on: the end that it found lies before what was acknowledged meanwhile.
func TestFinishBesideAnAppend(t *testing.T) {
	star := &busy{taking: &taking{}}
	r, out := newRecorder(t)
	s, err := r.Client(star).OpenSession(t.Context(), peer.OpenRequest{Stream: stream})
	if err != nil {
		t.Fatal(err)
	}
	star.append = func() {
		_ = s.Send(t.Context(), peer.Batch{Records: []peer.Record{{Body: []byte("meanwhile")}}})
		_, err = s.Recv(t.Context())
	}
	if err := errors.Join(r.Finish(t.Context(), star), err); err != nil {
		t.Fatal(err)
	}
	if got := judged(t, out); got.Verdict() != history.Passed || got.Witness.Records != 1 {
		t.Errorf("%s: %s", got.Verdict(), got)
	}
}

// refusing is a star that answers for one stream with an error.
type refusing struct {
	*script
	err error
}

func (s *refusing) OpenSession(ctx context.Context, q peer.OpenRequest) (peer.Session, error) {
	if q.Stream == stream && s.err != nil {
		return nil, s.err
	}
	return s.script.OpenSession(ctx, q)
}

func (s *refusing) Fetch(ctx context.Context, q peer.FetchRequest) (peer.FetchReply, error) {
	if q.Stream == stream && s.err != nil {
		return peer.FetchReply{}, s.err
	}
	return s.script.Fetch(ctx, q)
}

// TestStreamsThatAreNotThere need no reading back where nobody was told of anything in them; else they stay undecided.
func TestStreamsThatAreNotThere(t *testing.T) {
	gone := &peer.Error{Code: peer.NotFound, What: "bucket none"}
	wrong, away := &peer.Error{Code: peer.Invalid, What: "stream"}, &peer.Error{Code: peer.Unavailable, What: "star"}
	for _, c := range []struct {
		name           string
		asked, reading error // what is said to who asks, and to who reads back
		want           history.Verdict
	}{
		{"no such bucket", gone, gone, history.Passed},
		{"no such name", wrong, wrong, history.Passed},
		{"nobody knows", context.DeadlineExceeded, gone, history.Passed},
		{"not read back", away, away, history.NotDecided},
		{"deleted since", nil, gone, history.NotDecided},
		{"deleted since it was another's", &peer.Error{Code: peer.Fenced, Token: 3}, gone, history.NotDecided},
	} {
		t.Run(c.name, func(t *testing.T) {
			star := &refusing{&script{}, c.asked}
			r, out := newRecorder(t)
			client := r.Client(star)
			_, _ = client.OpenSession(t.Context(), peer.OpenRequest{Stream: stream})
			_, _ = client.Fetch(t.Context(), peer.FetchRequest{Stream: stream, Linearizable: true})
			if _, err := client.Tail(t.Context(), peer.StreamName{Bucket: "logs", Key: "another"}); err != nil {
				t.Fatal(err)
			}
			star.err = c.reading
			if err := r.Finish(t.Context(), star); (err == nil) != (c.want == history.Passed) {
				t.Errorf("it ended with %v", err)
			}
			if got := judged(t, out); got.Verdict() != c.want {
				t.Errorf("%s: %s", got.Verdict(), got)
			}
		})
	}
}
