package oxiatest

import (
	"strings"

	"github.com/RaduBerinde/btreemap"

	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// lookup answers one get.
func (s *state) lookup(req *oxiav1.GetRequest) *oxiav1.GetResponse {
	if req.SecondaryIndexName != nil {
		return s.lookupIndex(req)
	}
	var r *row
	at := s.order.place(req.GetKey())
	switch req.GetComparisonType() {
	case oxiav1.KeyComparisonType_KEY_COMPARISON_TYPE_EQUAL:
		r = s.get(req.GetKey())
	case oxiav1.KeyComparisonType_KEY_COMPARISON_TYPE_FLOOR:
		r = last(s.rows, btreemap.LE(at))
	case oxiav1.KeyComparisonType_KEY_COMPARISON_TYPE_LOWER:
		r = last(s.rows, btreemap.LT(at))
	case oxiav1.KeyComparisonType_KEY_COMPARISON_TYPE_CEILING:
		r = first(s.rows, btreemap.GE(at))
	case oxiav1.KeyComparisonType_KEY_COMPARISON_TYPE_HIGHER:
		r = first(s.rows, btreemap.GT(at))
	}
	if r == nil {
		return &oxiav1.GetResponse{Status: oxiav1.Status_STATUS_KEY_NOT_FOUND}
	}
	resp := r.found(req.GetIncludeValue())
	if req.GetComparisonType() != oxiav1.KeyComparisonType_KEY_COMPARISON_TYPE_EQUAL {
		resp.Key = &r.key
	}
	return resp
}

// found is a row as an answer. An empty value is absent.
func (r *row) found(withValue bool) *oxiav1.GetResponse {
	resp := &oxiav1.GetResponse{Version: r.version}
	if withValue && len(r.value) > 0 {
		resp.Value = r.value
	}
	return resp
}

func first(tree *rowTree, from btreemap.LowerBound[string]) *row {
	for _, r := range tree.Ascend(from, btreemap.Max[string]()) {
		return r
	}
	return nil
}

func last(tree *rowTree, to btreemap.UpperBound[string]) *row {
	for _, r := range tree.Descend(to, btreemap.Min[string]()) {
		return r
	}
	return nil
}

// lookupIndex answers one get by secondary key: a key that is there gives its first record; from above, the last record of
// the nearest lower key. Comparisons do not cross the depth of the key asked for.
func (s *state) lookupIndex(req *oxiav1.GetRequest) *oxiav1.GetResponse {
	tree := s.indexes[req.GetSecondaryIndexName()]
	if tree == nil {
		return &oxiav1.GetResponse{Status: oxiav1.Status_STATUS_KEY_NOT_FOUND}
	}
	low, high := s.order.place(req.GetKey()+"\x01"), s.order.place(req.GetKey()+"\x02")
	var place string
	var r *row
	equal := func() {
		for p, found := range tree.Ascend(btreemap.GE(low), btreemap.LT(high)) {
			place, r = p, found
			return
		}
	}
	below := func() {
		for p, found := range tree.Descend(btreemap.LT(low), btreemap.Min[string]()) {
			place, r = p, found
			return
		}
	}
	above := func() {
		for p, found := range tree.Ascend(btreemap.GE(high), btreemap.Max[string]()) {
			place, r = p, found
			return
		}
	}
	var steps []func()
	switch req.GetComparisonType() {
	case oxiav1.KeyComparisonType_KEY_COMPARISON_TYPE_EQUAL:
		steps = []func(){equal}
	case oxiav1.KeyComparisonType_KEY_COMPARISON_TYPE_FLOOR:
		steps = []func(){equal, below}
	case oxiav1.KeyComparisonType_KEY_COMPARISON_TYPE_LOWER:
		steps = []func(){below}
	case oxiav1.KeyComparisonType_KEY_COMPARISON_TYPE_CEILING:
		steps = []func(){equal, above}
	case oxiav1.KeyComparisonType_KEY_COMPARISON_TYPE_HIGHER:
		steps = []func(){above}
	}
	for _, step := range steps {
		if step(); r != nil {
			break
		}
	}
	if r == nil || !s.order.natural && place[:2] != low[:2] {
		return &oxiav1.GetResponse{Status: oxiav1.Status_STATUS_KEY_NOT_FOUND}
	}
	secondary := s.secondaryAt(r, req.GetSecondaryIndexName(), place)
	resp := r.found(req.GetIncludeValue())
	resp.Key, resp.SecondaryIndexKey = &r.key, &secondary
	return resp
}

func (s *state) secondaryAt(r *row, index, place string) string {
	for _, x := range r.indexes {
		if x.GetIndexName() == index && s.entry(x.GetSecondaryKey(), r.key) == place {
			return x.GetSecondaryKey()
		}
	}
	panic("oxiatest: an index entry leads to a record without it")
}

// span lists the rows of a range of record keys, or of secondary keys. Without an index an empty bound is none.
func (s *state) span(start, end string, index *string) []*row {
	tree, low, high := s.rows, btreemap.Min[string](), btreemap.Max[string]()
	if start != "" {
		low = btreemap.GE(s.order.place(start))
	}
	if end != "" || index != nil {
		high = btreemap.LT(s.order.place(end))
	}
	if index != nil {
		tree = s.indexes[*index]
	}
	if tree == nil || end != "" && s.order.place(start) >= s.order.place(end) || index != nil && end == "" {
		return nil
	}
	var rows []*row
	for _, r := range tree.Ascend(low, high) {
		rows = append(rows, r)
	}
	return rows
}

// internal says whether a key is one of the server's own.
func internal(key string) bool { return strings.HasPrefix(key, "__oxia/") }
