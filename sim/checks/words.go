package checks

import (
	"fmt"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/history"
	"github.com/novastream/nova/io/peer"
)

// naming is what stars and clients are called: a star by its place in the fleet and its id, a client of the history by the
// number it has there and the process it is.
type naming struct {
	places  map[keys.StarID]string // where a star id serves, or has served
	ids     map[string]keys.StarID // who served last at a place
	clients map[history.Client]string
}

func newNaming() *naming {
	return &naming{map[keys.StarID]string{}, map[string]keys.StarID{}, map[history.Client]string{}}
}

// serves learns that a star serves at a place.
func (n *naming) serves(place string, id keys.StarID) { n.places[id], n.ids[place] = place, id }

// star names a star by its id.
func (n *naming) star(id keys.StarID) string {
	if place := n.places[id]; place != "" {
		return fmt.Sprintf("%s (%s)", place, id)
	}
	return string(id)
}

// who names a process, with its star's id where it is one.
func (n *naming) who(process string) string {
	if id := n.ids[process]; id != "" {
		return fmt.Sprintf("%s (%s)", process, id)
	}
	return process
}

// Client is the process that a client of the history is; empty where it has asked nothing.
func (n *naming) Client(c history.Client) string { return n.clients[c] }

// client names a client of the history.
func (n *naming) client(c history.Client) string {
	if name := n.clients[c]; name != "" {
		return fmt.Sprintf("client %d (%s)", c, name)
	}
	return fmt.Sprintf("client %d", c)
}

// seqs names a run of seqs.
func seqs[T ~uint64](first, next T) string {
	switch {
	case next == first+1:
		return fmt.Sprintf("seq %d", first)
	case next <= first:
		return fmt.Sprintf("no seqs at %d", first)
	default:
		return fmt.Sprintf("seqs %d to %d", first, next-1)
	}
}

// maybe is a number that may be absent.
func maybe(n *uint64) string {
	if n == nil {
		return "none"
	}
	return fmt.Sprint(*n)
}

// about is what a violation is about, as keys and values for the trace: who explains the violation begins there.
func about(args []any) (kv []any) {
	for _, arg := range args {
		switch arg := arg.(type) {
		case *epoch:
			kv = append(kv, "epoch", arg.epochKey.path())
		case *stream:
			kv = append(kv, "stream", arg.String())
		case keys.Slot:
			kv = append(kv, "slot", arg)
		case ack:
			kv = append(kv, arg.about()...)
		case *ack:
			kv = append(kv, arg.about()...)
		case worded:
			kv = append(kv, "op", arg.path())
		case loose:
			if arg.epoch != nil {
				kv = append(kv, "epoch", arg.epoch.path(), "slot", arg.slot)
			}
		case peer.StreamName:
			kv = append(kv, "stream", arg.String())
		case saying:
			kv = append(kv, arg.kv...)
		case streamName:
			kv = append(kv, "stream", string(arg))
		}
	}
	return kv
}

// streamName is the name of a stream of which nothing else may be known.
type streamName string

// path names an epoch in one word.
func (k epochKey) path() string { return fmt.Sprintf("%s/%d", k.star, k.epoch) }

func inStores(n int) string {
	if n == 1 {
		return "1 store"
	}
	return fmt.Sprintf("%d stores", n)
}

// rowText is a ref row in short.
func rowText(row *records.RefRow) string {
	return fmt.Sprintf("%d entries up to seq %d, built by %s in chain epoch %d, clean mark %d, last stamp %dµs",
		len(row.GetSpans()), row.GetEnd(), row.GetBuilder(), row.GetEpoch(), row.GetCleanEpoch(), row.GetLastStampUs())
}
