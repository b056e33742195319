package checks

import (
	"context"
	"fmt"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
	"github.com/novastream/nova/sim/workload"
)

// Asker asks a healed fleet what must be answered now, and finds out where it is not.
type Asker struct {
	*Findings
	observer *Observer
	fleet    *fleets.Fleet
	world    *sim.World
	journal  *workload.Journal
	streams  []*workload.Stream

	process *sim.Process
	client  *client.Client
	tries   int // records appended so far
}

// NewAsker makes the client that asks about these streams.
func NewAsker(o *Observer, journal *workload.Journal, streams []*workload.Stream) *Asker {
	a := &Asker{Findings: o.Findings, observer: o, fleet: o.fleet, world: o.fleet.World, journal: journal, streams: streams}
	a.process, a.client = o.fleet.Client("asker")
	return a
}

// Bound is how long a healed fleet may take until every stream serves again: the rows of the dead outlive their session,
// their stats must have stood still for twice its time-out, the gate asks a star to certify, fences, settles; and callers
// back off in between.
func Bound(sessionTimeOut time.Duration) time.Duration {
	const (
		certify = 10 * time.Second // one certify call
		fence   = 2 * 15 * time.Second
		lagging = 30 * time.Second // copies and calls that the faults left under way
	)
	return 3*sessionTimeOut + certify + fence + lagging
}

// Live has every stream of a healed fleet accept an append and read it back, all at once, within the bound.
func (a *Asker) Live() error {
	return a.serves("live", "a healed fleet", Bound(a.fleet.SessionTimeOut()))
}

// LiveCore is Live while only a core of the fleet works. A client asks the stars that do not work as well, and each of them
// may keep it waiting more than once.
func (a *Asker) LiveCore(core string, broken int) error {
	const inVain = 15 * time.Second // for an open, an append and a read
	return a.serves("live-core", "a core that is enough: "+core, Bound(a.fleet.SessionTimeOut())+time.Duration(broken)*inVain)
}

func (a *Asker) serves(check, fleet string, bound time.Duration) error {
	streams := a.sample(mostLive)
	return a.each("live", bound+time.Minute, len(streams), func(ctx context.Context, i int) {
		ctx, cancel := a.process.WithTimeout(ctx, bound)
		defer cancel()
		a.looked(check)
		if why := a.live(ctx, streams[i]); why != "" {
			a.Add(check, "stream %s is not served within %v by %s: %s", streams[i].Name, bound, fleet, why)
		}
	})
}

// live appends a record to a stream and reads it back; why says what did not go. A client that comes to its rest may still
// fence it: then it opens again.
func (a *Asker) live(ctx context.Context, s *workload.Stream) (why string) {
	hand := a.journal.Hand()
	for {
		op := hand.Open(s, 0)
		p, err := a.client.OpenProducer(ctx, s.Name, client.ProducerOptions{Create: s.OnOpen, ExactlyOnce: s.Fenced()})
		if err != nil {
			op.Refused(err)
			return fmt.Sprintf("opening a producer ended with %v", err)
		}
		op.Opened(p.Opened())
		ack, err := a.append(ctx, hand, s, p)
		_ = p.Close(ctx) // where it does not arrive, the star finds out by itself
		if err == nil {
			return a.readBack(ctx, hand, s, ack.First)
		}
		if !peer.Is(err, peer.Fenced) {
			return fmt.Sprintf("the append ended with %v", err)
		}
	}
}

// readBack reads the record that was appended at a seq.
func (a *Asker) readBack(ctx context.Context, hand *workload.Hand, s *workload.Stream, seq uint64) (why string) {
	read := hand.Read(s, seq, true)
	reply, err := a.client.Fetch(ctx, peer.FetchRequest{Stream: s.Name, From: seq, Linearizable: true})
	if err != nil {
		read.Refused(err)
		return fmt.Sprintf("reading seq %d back ended with %v", seq, err)
	}
	read.Got(reply)
	if len(reply.Records) == 0 {
		return fmt.Sprintf("reading seq %d back found nothing", seq)
	}
	return ""
}

// append goes on until a record is acknowledged; a new record for each try whose outcome is not known.
func (a *Asker) append(ctx context.Context, hand *workload.Hand, s *workload.Stream, p *client.Producer) (peer.Ack, error) {
	for {
		a.tries++
		b := peer.Batch{Records: []peer.Record{{Body: fmt.Appendf(nil, "live %s %d", s.Name, a.tries)}}}
		op := hand.Append(s, b, p.Opened().Token)
		ack, err := p.Append(ctx, b)
		if err == nil {
			op.Acked(ack)
			return ack, nil
		}
		op.Refused(err)
		if ctx.Err() != nil || !peer.Is(err, peer.Indeterminate) {
			return ack, err
		}
		if err := a.process.Sleep(ctx, 100*time.Millisecond); err != nil {
			return ack, err
		}
	}
}
