package oxiameta

import (
	"cmp"
	"slices"
	"strings"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// compareHits orders hits by secondary key, then by record.
func compareHits(a, b meta.IndexHit) int {
	return cmp.Or(strings.Compare(a.Secondary, b.Secondary), strings.Compare(a.Record.Key, b.Record.Key))
}

// mergeHits makes hits of what the shards answered to one scan of an index, each in the order of the index.
func mergeHits(parts [][]*oxiav1.GetResponse, index, prefix, after string, limit int) []meta.IndexHit {
	var all []meta.IndexHit
	for _, part := range parts {
		all = append(all, hits(part, index, prefix, after)...)
	}
	slices.SortStableFunc(all, compareHits)
	return all[:min(limit, len(all))]
}

// hits names the secondary keys of records as a scan of an index gave them. Its answer does not; the marks of the records
// do. A record with several keys in the range comes once for each, in their order. One that was changed while the scan ran
// may bear keys that do not lead to it any more; it is left out where none does.
func hits(records []*oxiav1.GetResponse, index, prefix, after string) (all []meta.IndexHit) {
	keys := map[string][]string{} // by record, those that are still to come
	for _, r := range records {
		if !found(r) {
			continue // removed while the scan ran
		}
		left, seen := keys[r.GetKey()]
		if !seen {
			for _, secondary := range secondaries(r.GetVersion().GetClientIdentity(), index) {
				if strings.HasPrefix(secondary, prefix) && (after == "" || secondary > after) {
					left = append(left, secondary)
				}
			}
			slices.Sort(left)
		}
		if len(left) > 0 {
			all = append(all, meta.IndexHit{Secondary: left[0], Record: record(r.GetKey(), r)})
			left = left[1:]
		}
		keys[r.GetKey()] = left
	}
	return all
}
