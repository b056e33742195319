package oxiameta

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// metastore is a hierarchical space.
type metastore struct{ view }

var _ meta.Metastore = metastore{}

// Within is the view that routes by a locality.
func (m metastore) Within(locality string) meta.Metastore {
	m.locality = &locality
	return m
}

// Fresh is the view whose reads are linearizable.
func (m metastore) Fresh() meta.Metastore {
	m.fresh = true
	return m
}

// PutEphemeral writes one record bound to the client's session.
func (m metastore) PutEphemeral(ctx context.Context, key string, value []byte, e meta.Expect) (meta.Version, error) {
	put, err := m.newPut(key, value, e, nil)
	if err != nil {
		return 0, err
	}
	ctx, cancel := m.timeout(ctx)
	defer cancel()
	o := m.space.client.session.put(ctx, m.view, put)
	return o.version, opError("put ephemeral", key, o.err)
}

// FloorGet reads the child of prefix with the greatest key at or below prefix/probe. The server looks through all records
// of the shard; the children of a prefix lie together, so that what it finds is one of them or there is none.
func (m metastore) FloorGet(ctx context.Context, prefix, probe string) (meta.Record, error) {
	if err := checkChild(prefix, probe); err != nil {
		return meta.Record{}, err
	}
	key := prefix + "/" + probe
	get := &oxiav1.GetRequest{Key: key, IncludeValue: true, ComparisonType: oxiav1.KeyComparisonType_KEY_COMPARISON_TYPE_FLOOR}
	answers, err := readRange(ctx, m.view, oneGet(get))
	if err != nil {
		return meta.Record{}, opError("floor get", key, err)
	}
	var best *oxiav1.GetResponse
	for _, answer := range answers {
		if found(answer) && isChild(answer.GetKey(), prefix) && (best == nil || answer.GetKey() > best.GetKey()) {
			best = answer
		}
	}
	if best == nil {
		return meta.Record{}, notFound(key)
	}
	return record(best.GetKey(), best), nil
}

func isChild(key, prefix string) bool {
	name, under := strings.CutPrefix(key, prefix+"/")
	return under && name != "" && !strings.Contains(name, "/")
}

// Scan reads up to limit children of prefix, ascending.
func (m metastore) Scan(ctx context.Context, prefix, after string, limit int) ([]meta.Record, error) {
	if err := errors.Join(checkKey(prefix), checkLimit(limit)); err != nil {
		return nil, err
	}
	start, end := childBounds(prefix)
	if after != "" {
		if err := checkChild(prefix, after); err != nil {
			return nil, err
		}
		start = follows(prefix + "/" + after)
	}
	return m.scan(ctx, start, end, limit)
}

// DeleteChildren removes the children of prefix.
func (m metastore) DeleteChildren(ctx context.Context, prefix string) error {
	if err := checkKey(prefix); err != nil {
		return err
	}
	start, end := childBounds(prefix)
	return opError("delete children of", prefix, m.deleteSpan(ctx, start, end))
}

// DeleteRange removes the children of prefix with from <= name < to.
func (m metastore) DeleteRange(ctx context.Context, prefix, from, to string) error {
	if err := errors.Join(checkChild(prefix, from), checkChild(prefix, to)); err != nil {
		return err
	}
	if from >= to {
		return nil
	}
	return opError("delete range of", prefix, m.deleteSpan(ctx, prefix+"/"+from, prefix+"/"+to))
}

// FloorIndex finds the record with the greatest secondary key at or below probe that starts with prefix.
func (m metastore) FloorIndex(ctx context.Context, index, prefix, probe string) (meta.IndexHit, error) {
	if err := errors.Join(checkIndexName(index), checkText(prefix, probe)); err != nil {
		return meta.IndexHit{}, err
	}
	at, ok := indexFloor(prefix, probe)
	if !ok {
		return meta.IndexHit{}, notFound(probe)
	}
	answers, err := readRange(ctx, m.view, oneGet(&oxiav1.GetRequest{
		Key: at, IncludeValue: true, SecondaryIndexName: proto.String(index),
		ComparisonType: oxiav1.KeyComparisonType_KEY_COMPARISON_TYPE_FLOOR,
	}))
	if err != nil {
		return meta.IndexHit{}, opError("floor of index "+index+" at", probe, err)
	}
	var best meta.IndexHit
	some := false
	for _, answer := range answers {
		secondary, known := unescape(answer.GetSecondaryIndexKey())
		if !found(answer) || !known || !strings.HasPrefix(secondary, prefix) {
			continue
		}
		if hit := (meta.IndexHit{Secondary: secondary, Record: record(answer.GetKey(), answer)}); !some || compareHits(hit, best) > 0 {
			best, some = hit, true
		}
	}
	if !some {
		return meta.IndexHit{}, notFound(probe)
	}
	return best, nil
}

// ScanIndex finds up to limit records by ascending secondary key.
func (m metastore) ScanIndex(ctx context.Context, index, prefix, after string, limit int) ([]meta.IndexHit, error) {
	if err := errors.Join(checkIndexName(index), checkText(prefix, after), checkLimit(limit)); err != nil {
		return nil, err
	}
	if after > prefix && !strings.HasPrefix(after, prefix) {
		return nil, nil
	}
	start, end := indexBounds(prefix, after)
	parts, err := readRange(ctx, m.view, span(start, end, &index, limit))
	if err != nil {
		return nil, opError("scan of index", index, err)
	}
	return mergeHits(parts, index, prefix, after, limit), nil
}

// GetByIndex finds the record of the lowest key with a secondary key.
func (v view) GetByIndex(ctx context.Context, index, secondary string) (meta.Record, error) {
	if err := errors.Join(checkIndexName(index), checkText(secondary)); err != nil {
		return meta.Record{}, err
	}
	if secondary == "" {
		return meta.Record{}, fmt.Errorf("%w: no record has an empty secondary key", meta.ErrNotFound)
	}
	answers, err := readRange(ctx, v, oneGet(&oxiav1.GetRequest{
		Key: escape(secondary), IncludeValue: true, SecondaryIndexName: proto.String(index),
	}))
	if err != nil {
		return meta.Record{}, opError("get by index "+index, secondary, err)
	}
	var best *oxiav1.GetResponse
	for _, answer := range answers {
		// The server names the secondary key: older ones could stray into another index.
		if found(answer) && answer.GetSecondaryIndexKey() == escape(secondary) && (best == nil || answer.GetKey() < best.GetKey()) {
			best = answer
		}
	}
	if best == nil {
		return meta.Record{}, notFound(secondary)
	}
	return record(best.GetKey(), best), nil
}
