package fleets

import (
	"bytes"
	"context"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/sim"
)

// foreign is the field of a record that the next version writes and this one does not know, as it stands in the record's bytes: field
// 9999, a string of 19 bytes.
const foreign = "\xfa\xf0\x04\x13of the next version"

// Foreign says whether a row holds the field that only the next version knows. Whoever writes the row must keep it.
func Foreign(value []byte) bool { return bytes.Contains(value, []byte(foreign)) }

// with is a value with the field.
func with(value []byte) []byte {
	if Foreign(value) {
		return value
	}
	return append(bytes.Clone(value), foreign...)
}

// spaces is the metastore as a process of the star reaches it.
func (s *Star) spaces(p *sim.Process) meta.Spaces {
	all := s.fleet.Meta.Spaces(p)
	if s.Newer {
		all.Records, all.Work, all.Ephemeral = newer{all.Records}, newer{all.Work}, newer{all.Ephemeral}
		all.Naming = newerNaming{all.Naming}
	}
	return all
}

// newer is the metastore of a process of the next version: every record that it writes has a field more.
type newer struct{ meta.Metastore }

// Within is the view in a locality.
func (n newer) Within(locality string) meta.Metastore { return newer{n.Metastore.Within(locality)} }

// Fresh is the view whose reads are linearizable.
func (n newer) Fresh() meta.Metastore { return newer{n.Metastore.Fresh()} }

// Put writes one record.
func (n newer) Put(ctx context.Context, key string, value []byte, expect meta.Expect) (meta.Version, error) {
	return n.Metastore.Put(ctx, key, with(value), expect)
}

// PutIndexed writes one record with its secondary keys.
func (n newer) PutIndexed(ctx context.Context, key string, value []byte, expect meta.Expect, indexes []meta.Index) (meta.Version, error) {
	return n.Metastore.PutIndexed(ctx, key, with(value), expect, indexes)
}

// PutEphemeral writes one record bound to the session.
func (n newer) PutEphemeral(ctx context.Context, key string, value []byte, expect meta.Expect) (meta.Version, error) {
	return n.Metastore.PutEphemeral(ctx, key, with(value), expect)
}

// newerNaming is the naming service of such a process.
type newerNaming struct{ meta.Naming }

// Fresh is the view whose reads are linearizable.
func (n newerNaming) Fresh() meta.Naming { return newerNaming{n.Naming.Fresh()} }

// Put writes one record.
func (n newerNaming) Put(ctx context.Context, key string, value []byte, expect meta.Expect) (meta.Version, error) {
	return n.Naming.Put(ctx, key, with(value), expect)
}

// PutIndexed writes one record with its secondary keys.
func (n newerNaming) PutIndexed(ctx context.Context, key string, value []byte, expect meta.Expect, indexes []meta.Index) (meta.Version, error) {
	return n.Naming.PutIndexed(ctx, key, with(value), expect, indexes)
}
