package format

import (
	"fmt"
	"math"

	"github.com/novastream/nova/core/keys"
)

// Window is one stream's run of batches on its way into a flight.
type Window struct {
	Stream                keys.StreamID
	StreamEpoch           keys.StreamEpoch
	First                 keys.Seq
	Count                 uint32 // records, all batches together
	FirstStamp, LastStamp int64  // microseconds since 1970
	Raw                   []byte // the batches, as AppendBatch made them
}

// Entry describes one stored window: what the footer says of it.
type Entry struct {
	Stream                keys.StreamID
	StreamEpoch           keys.StreamEpoch
	First                 keys.Seq
	Count                 uint32
	FirstStamp, LastStamp int64
	Offset, Length        uint64 // of the stored bytes within the object
	Codec                 Codec
	CRC                   uint32 // CRC32C of the stored bytes
}

// End is the seq after the window's last record.
func (e Entry) End() keys.Seq { return e.First + keys.Seq(e.Count) }

// EncodeFlight makes the object of a flight and the entries of its footer, in the order of the windows. A flight without
// windows is legal. The only errors are *EncodeError: one window that cannot be encoded spoils its flight, so callers
// take it out first.
func EncodeFlight(h Header, windows []Window) ([]byte, []Entry, error) {
	if fault := h.fault(); fault != "" {
		return nil, nil, &EncodeError{Reason: fault}
	}
	for _, w := range windows {
		if err := w.check(); err != nil {
			return nil, nil, err
		}
	}
	bound := flightBound(windows)
	if bound > MaxObjectBytes {
		return nil, nil, &EncodeError{Reason: fmt.Sprintf("it may take %d bytes; at most %d are allowed", bound, MaxObjectBytes)}
	}
	object := appendHeader(make([]byte, 0, bound), KindFlight, h)
	entries := make([]Entry, len(windows))
	for i, w := range windows {
		object, entries[i] = appendWindow(object, w)
	}
	footer := len(object)
	object = appendFooter(object, entries)
	return seal(object, KindFlight, h.Key(), footer), entries, nil
}

// flightBound is room enough for the object at every moment of its making.
func flightBound(windows []Window) int {
	bound, slack := HeaderSize+footerCountSize+TrailerSize, 0
	for _, w := range windows {
		bound += len(w.Raw) + entrySize(w.Stream)
		slack = max(slack, compressBound(len(w.Raw))-len(w.Raw))
	}
	return bound + slack
}

// check refuses what no decoder would take back.
func (w Window) check() error {
	refuse := func(format string, args ...any) error {
		return &EncodeError{Stream: w.Stream, Reason: fmt.Sprintf(format, args...)}
	}
	switch {
	case len(w.Stream) == 0 || len(w.Stream) > maxStreamID:
		return refuse("the stream id is %d bytes long; 1 to %d are allowed", len(w.Stream), maxStreamID)
	case w.Count == 0:
		return refuse("it holds no record")
	case uint64(w.First) > math.MaxUint64-uint64(w.Count):
		return refuse("seq %d and %d records overflow", w.First, w.Count)
	case w.LastStamp < w.FirstStamp:
		return refuse("its last stamp %d is before its first %d", w.LastStamp, w.FirstStamp)
	case len(w.Raw) > MaxWindowBytes:
		return refuse("it is %d bytes long; at most %d are allowed", len(w.Raw), MaxWindowBytes)
	}
	count, err := countRecords("", w.Raw)
	if err != nil {
		return refuse("its batches: %v", err)
	}
	if count != uint64(w.Count) {
		return refuse("its batches hold %d records, the window says %d", count, w.Count)
	}
	return nil
}
