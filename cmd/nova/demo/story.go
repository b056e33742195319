package demo

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/novastream/nova/client"
	"github.com/novastream/nova/cmd/nova/host"
	"github.com/novastream/nova/cmd/nova/output"
	"github.com/novastream/nova/core/leadership"
	"github.com/novastream/nova/io/peer"
)

//go:embed license.txt
var license []byte // the text of the story, where none is given

// sessionTimeout is how long a dead star stays unnoticed; in production three times as long.
const sessionTimeout = 5 * time.Second

const stars = 3

// Config is what a story needs.
type Config struct {
	Dir  string // empty, for the fleet's files
	Text []byte // to append; nil: Nova's own licence
	Name string // of the text
	Out  io.Writer
}

// story is one telling.
type story struct {
	cfg   Config
	began time.Time
	lines [][]byte
	site  *host.Site
	stars []*host.Star
	fleet *client.Fleet
	name  peer.StreamName
}

// Tell runs the story and fails at the first thing that is not as it should be.
func Tell(ctx context.Context, cfg Config) error {
	if cfg.Text == nil {
		cfg.Text, cfg.Name = license, "LICENSE"
	}
	s := &story{
		cfg: cfg, began: time.Now(), lines: bytes.Split(bytes.TrimSuffix(cfg.Text, []byte("\n")), []byte("\n")),
		name: peer.StreamName{Bucket: "library", Key: "text"},
	}
	err := s.tell(ctx)
	if cleared := s.clear(ctx); err == nil {
		err = cleared
	}
	return err
}

func (s *story) tell(ctx context.Context) error {
	for _, chapter := range []func(context.Context) error{
		s.startFleet, s.createStream, s.appendText, s.readBack, s.killLeader, s.readFromEveryStar,
	} {
		if err := chapter(ctx); err != nil {
			return err
		}
	}
	return nil
}

// say prints one line of the story with the time since it began.
func (s *story) say(format string, args ...any) {
	fmt.Fprintf(s.cfg.Out, "%7.3f s  %s\n", time.Since(s.began).Seconds(), fmt.Sprintf(format, args...))
}

func (s *story) startFleet(ctx context.Context) (err error) {
	s.say("starting a fleet of %d stars in this process, files in %s", stars, s.cfg.Dir)
	s.site, err = host.Open(ctx, host.Config{
		DataDir: s.cfg.Dir, Version: "demo", SessionTimeout: sessionTimeout, AbsorbFanout: 4096, Limits: leadership.DefaultLimits(),
		Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return err
	}
	for i := range stars {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		star, err := s.site.Start(ctx, strconv.Itoa(i+1), listener, "")
		if err != nil {
			return err
		}
		s.stars = append(s.stars, star)
		s.say("  %s serves at %s", star.ID(), star.Addr())
	}
	s.fleet, err = client.Connect(client.Config{Addrs: []string{s.stars[0].Addr(), s.stars[1].Addr(), s.stars[2].Addr()}})
	return err
}

func (s *story) createStream(ctx context.Context) error {
	if _, err := s.fleet.CreateBucket(ctx, peer.Bucket{Name: s.name.Bucket}); err != nil {
		return err
	}
	_, err := s.fleet.CreateStream(ctx, peer.CreateStreamRequest{Stream: s.name, Mode: peer.ModeFenced})
	s.say("created bucket %s and stream %s (fenced: one producer at a time)", s.name.Bucket, s.name)
	return err
}

func (s *story) appendText(ctx context.Context) error {
	took, err := s.append(ctx, nil)
	if err != nil {
		return err
	}
	s.say("appended %s line by line: %s, each durable on disk when acknowledged, %s in all",
		s.cfg.Name, output.Plural(uint64(len(s.lines)), "record"), output.Duration(took))
	return nil
}

// append appends the text, a record a line, many under way at once. halfway is called in the middle with the leader.
func (s *story) append(ctx context.Context, halfway func(leader string)) (took time.Duration, err error) {
	began := time.Now()
	session, err := s.fleet.OpenSession(ctx, peer.OpenRequest{Stream: s.name})
	if err != nil {
		return 0, err
	}
	acknowledged := make(chan error, 1)
	go func() { acknowledged <- s.acknowledge(ctx, session) }()
	for i, line := range s.lines {
		if i == len(s.lines)/2 && halfway != nil {
			halfway(session.Opened().Star)
		}
		if err := session.Send(ctx, peer.Batch{Records: []peer.Record{{Body: line}}}); err != nil {
			return 0, fmt.Errorf("send line %d: %w", i+1, err)
		}
	}
	if err := <-acknowledged; err != nil {
		return 0, err
	}
	return time.Since(began), session.Close(ctx)
}

// acknowledge waits for the acknowledgement of every line.
func (s *story) acknowledge(ctx context.Context, session peer.Session) error {
	for i := range s.lines {
		ack, err := session.Recv(ctx)
		if err == nil && ack.Err != nil {
			err = ack.Err
		}
		if err != nil {
			return fmt.Errorf("line %d was not acknowledged: %w", i+1, err)
		}
	}
	return nil
}

func (s *story) readBack(ctx context.Context) error {
	began := time.Now()
	got, err := read(ctx, s.fleet, s.name)
	if err != nil {
		return err
	}
	if err := s.compare(got, 1); err != nil {
		return err
	}
	s.say("read it back: %s, equal to the file byte for byte, %s", output.Plural(uint64(len(got)), "record"),
		output.Duration(time.Since(began)))
	return nil
}

// killLeader appends a second copy and kills the star that leads the stream in the middle of it.
func (s *story) killLeader(ctx context.Context) error {
	s.say("appending the text a second time")
	var killed time.Time
	_, err := s.append(ctx, func(leader string) {
		s.kill(leader)
		killed = time.Now()
		s.say("half of it sent, killed %s, which leads the stream: connections cut, nothing finished, nothing said", leader)
		s.say("  its session runs out in %s; the producer finds out what became of its lines, and goes on", sessionTimeout)
	})
	if err != nil {
		return err
	}
	s.say("the second copy is acknowledged to its last line, %s after the kill", output.Duration(time.Since(killed)))
	return nil
}

func (s *story) kill(id string) {
	for i, star := range s.stars {
		if star.ID() == id {
			star.Kill()
			s.stars = append(s.stars[:i], s.stars[i+1:]...)
			return
		}
	}
}

func (s *story) readFromEveryStar(ctx context.Context) error {
	for _, star := range s.stars {
		fleet, err := client.Connect(client.Config{Addrs: []string{star.Addr()}})
		if err != nil {
			return err
		}
		got, err := read(ctx, fleet, s.name)
		if err := errors.Join(err, fleet.Close()); err != nil {
			return err
		}
		if err := s.compare(got, 2); err != nil {
			return err
		}
		s.say("asked %s: %s, both copies equal to the file, no line lost, none twice", star.ID(),
			output.Plural(uint64(len(got)), "record"))
	}
	return nil
}

// compare wants the records to be copies of the text, one after the other.
func (s *story) compare(got [][]byte, copies int) error {
	want := strings.Repeat(string(bytes.Join(s.lines, []byte("\n")))+"\n", copies)
	if string(bytes.Join(got, []byte("\n")))+"\n" != want {
		return fmt.Errorf("what was read is not what was appended: %d records, want %d", len(got), copies*len(s.lines))
	}
	return nil
}

// read reads a whole stream, up to its confirmed tail.
func read(ctx context.Context, from peer.Data, name peer.StreamName) (bodies [][]byte, err error) {
	for next := uint64(0); ; {
		reply, err := from.Fetch(ctx, peer.FetchRequest{Stream: name, From: next, Linearizable: true})
		if err != nil {
			return nil, err
		}
		for _, r := range reply.Records {
			bodies = append(bodies, r.Body)
		}
		if next = reply.Next; reply.AtTail {
			return bodies, nil
		}
	}
}

// clear stops what is left of the fleet.
func (s *story) clear(ctx context.Context) (err error) {
	if s.fleet != nil {
		err = s.fleet.Close()
	}
	for _, star := range s.stars {
		err = errors.Join(err, star.Stop(ctx))
	}
	if s.site != nil {
		err = errors.Join(err, s.site.Close())
	}
	if err == nil {
		s.say("stopped the fleet; the end")
	}
	return err
}
