package meta

import (
	"context"
	"time"
)

// Version identifies one write of one key. Versions of a key never repeat.
type Version int64

// Record is one key with its value, as read.
type Record struct {
	Key      string
	Value    []byte // the reader's own; bindings never share it
	Version  Version
	Created  time.Time // the server's stamps, on the server's clock
	Modified time.Time
}

// Expect names what a write expects of the record it replaces. The zero value is Absent.
type Expect struct {
	kind    expectKind
	version Version
}

type expectKind uint8

const (
	expectAbsent expectKind = iota
	expectVersion
	expectAny
)

// At expects the record to be at exactly this version.
func At(v Version) Expect { return Expect{kind: expectVersion, version: v} }

// Absent expects that the key does not exist: a safe create.
func Absent() Expect { return Expect{kind: expectAbsent} }

// Any expects nothing. Every call site says which single writer makes that right.
func Any() Expect { return Expect{kind: expectAny} }

// Holds says whether a record (found or not, at this version) is what the write expects.
func (e Expect) Holds(found bool, at Version) bool {
	switch e.kind {
	case expectVersion:
		return found && at == e.version
	case expectAbsent:
		return !found
	default:
		return true
	}
}

// Version is the expected version, and whether a concrete one is expected.
func (e Expect) Version() (Version, bool) { return e.version, e.kind == expectVersion }

// IsAbsent says whether the key must not exist.
func (e Expect) IsAbsent() bool { return e.kind == expectAbsent }

// Index is one secondary key of a record, under the name of its index. Index names contain no "/".
// All secondary keys of one index have the same number of "/".
type Index struct{ Name, Key string }

// IndexHit is a record found through an index, with the secondary key that led to it.
type IndexHit struct {
	Secondary string
	Record    Record
}

// Metastore is the hierarchical keyspace. Keys are non-empty UTF-8, path segments joined by "/", never starting or
// ending with "/". The children of a prefix P are the keys P/x with no further "/".
//
// Errors: those of errors.go, and the context's error for reads whose context ends (a write whose context ends is
// ErrUnknown). Values are at most 1 MiB.
type Metastore interface {
	// Within is the view in which every operation routes by the locality key: related records share one shard.
	// Range and index operations see the records of that shard; callers name prefixes inside their own locality.
	Within(locality string) Metastore
	// Fresh is the view whose reads are linearizable. Writes are the same in both.
	Fresh() Metastore

	// Get reads one record. ErrNotFound.
	Get(ctx context.Context, key string) (Record, error)
	// Put writes one record and drops any indexes it had. ErrConflict, ErrUnavailable, ErrUnknown.
	Put(ctx context.Context, key string, value []byte, expect Expect) (Version, error)
	// PutIndexed is Put with the record's secondary keys, written atomically with it and replacing the earlier ones.
	PutIndexed(ctx context.Context, key string, value []byte, expect Expect, indexes []Index) (Version, error)
	// PutEphemeral is Put bound to this client's session: the record goes when the session ends. ErrSessionExpired also.
	PutEphemeral(ctx context.Context, key string, value []byte, expect Expect) (Version, error)
	// Delete removes one record. Deleting an absent key with Any is ErrNotFound; with At it is ErrConflict.
	Delete(ctx context.Context, key string, expect Expect) error

	// FloorGet reads the child of prefix with the greatest key at or below prefix/probe. ErrNotFound.
	FloorGet(ctx context.Context, prefix, probe string) (Record, error)
	// Scan reads up to limit children of prefix with a key above prefix/after, ascending; after "" starts at the first.
	Scan(ctx context.Context, prefix, after string, limit int) ([]Record, error)
	// DeleteChildren removes the children of prefix, single-shard, in one step.
	DeleteChildren(ctx context.Context, prefix string) error
	// DeleteRange removes the children of prefix with from <= name < to; neither bound may be empty.
	DeleteRange(ctx context.Context, prefix, from, to string) error

	// FloorIndex finds the record with the greatest secondary key at or below probe that starts with prefix. ErrNotFound.
	FloorIndex(ctx context.Context, index, prefix, probe string) (IndexHit, error)
	// ScanIndex finds up to limit records by ascending secondary key, those that start with prefix and lie above after.
	ScanIndex(ctx context.Context, index, prefix, after string, limit int) ([]IndexHit, error)
	// GetByIndex finds the record with this secondary key; of several, the one with the lowest key. ErrNotFound.
	GetByIndex(ctx context.Context, index, secondary string) (Record, error)
}

// Naming is the natural-sorted keyspace: keys are non-empty UTF-8 without a zero byte, "/" is data, order is bytewise.
type Naming interface {
	// Fresh is the view whose reads are linearizable.
	Fresh() Naming
	// Get, Put, PutIndexed and Delete are as on Metastore.
	Get(ctx context.Context, key string) (Record, error)
	Put(ctx context.Context, key string, value []byte, expect Expect) (Version, error)
	PutIndexed(ctx context.Context, key string, value []byte, expect Expect, indexes []Index) (Version, error)
	Delete(ctx context.Context, key string, expect Expect) error
	// List reads up to limit records whose key starts with prefix and lies above after, in bytewise order.
	List(ctx context.Context, prefix, after string, limit int) ([]Record, error)
	// GetByIndex is as on Metastore.
	GetByIndex(ctx context.Context, index, secondary string) (Record, error)
}

// Spaces are the namespaces of the metadata page, as one star reaches them. All share one client and its session.
type Spaces struct {
	Records   Metastore // the durable system of record
	Work      Metastore // due-queues and intents, reconstructible
	Ephemeral Metastore // liveness, stats, leases
	Naming    Naming    // stream and bucket names
}
