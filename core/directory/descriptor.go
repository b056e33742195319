package directory

import (
	"context"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"strings"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/io/run"
)

// Descriptor is a stream as its address row says.
type Descriptor struct {
	Name    peer.StreamName
	ID      keys.StreamID
	Version meta.Version
	Value   *records.Stream
}

// Resolve reads the descriptor of a stream. peer.NotFound: no such row, or a tombstone, on a fresh read. What a plain read
// finds may have been deleted since; the writer row tells.
func Resolve(ctx context.Context, naming meta.Naming, name peer.StreamName) (Descriptor, error) {
	for _, view := range []meta.Naming{naming, naming.Fresh()} {
		d, found, err := Read(ctx, view, name)
		if err != nil || found && !d.Value.GetTombstone() {
			return d, err
		}
	}
	return Descriptor{Name: name}, StreamNotFound(name)
}

// StreamNotFound is the refusal for a stream that does not exist.
func StreamNotFound(name peer.StreamName) *peer.Error {
	return &peer.Error{
		Code: peer.NotFound, What: "stream " + name.String(), Reason: "it does not exist",
		Try: "nova stream create " + name.String(),
	}
}

// Read reads the descriptor's row, a tombstone too.
func Read(ctx context.Context, naming meta.Naming, name peer.StreamName) (d Descriptor, found bool, err error) {
	d = Descriptor{Name: name, Value: &records.Stream{}}
	if err := check(name); err != nil {
		return d, false, err
	}
	rec, err := naming.Get(ctx, keys.StreamRow(name.Bucket, name.Key))
	if errors.Is(err, meta.ErrNotFound) {
		return d, false, nil
	}
	if err != nil {
		return d, false, err
	}
	if err := records.Decode(rec.Key, rec.Value, d.Value); err != nil {
		return d, false, err
	}
	d.ID, d.Version = keys.StreamID(d.Value.GetId()), rec.Version
	return d, true, nil
}

// Put writes a descriptor with its reverse lookup; a tombstone has none.
func Put(ctx context.Context, naming meta.Naming, value *records.Stream, expect meta.Expect) (meta.Version, error) {
	var index []meta.Index
	if !value.GetTombstone() {
		index = []meta.Index{{Name: keys.IndexStreamID, Key: value.GetId()}}
	}
	return naming.PutIndexed(ctx, keys.StreamRow(value.GetBucket(), value.GetKey()), records.Encode(value), expect, index)
}

func check(name peer.StreamName) error {
	if err := keys.CheckBucket(name.Bucket); err != nil {
		return invalid(err)
	}
	if err := keys.CheckStreamKey(name.Key); err != nil {
		return invalid(err)
	}
	return nil
}

func invalid(err error) *peer.Error {
	return &peer.Error{Code: peer.Invalid, Reason: err.Error(), Try: "give another name"}
}

func newStreamID(r run.Runtime) string {
	chance := r.Rand()
	var raw [16]byte
	binary.BigEndian.PutUint64(raw[:8], chance.Uint64())
	binary.BigEndian.PutUint64(raw[8:], chance.Uint64())
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(raw[:]))
}
