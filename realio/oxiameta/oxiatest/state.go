package oxiatest

import (
	"net/url"
	"strings"
	"time"

	"github.com/RaduBerinde/btreemap"

	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

const degree = 8

// row is one record. Rows are never changed, only replaced.
type row struct {
	key       string
	value     []byte
	version   *oxiav1.Version
	partition *string
	indexes   []*oxiav1.SecondaryIndex
}

// routed is the string that decides on the row's shard.
func (r *row) routed() string {
	if r.partition != nil {
		return *r.partition
	}
	return r.key
}

func (r *row) session() (int64, bool) {
	if r.version.SessionId == nil {
		return 0, false
	}
	return *r.version.SessionId, true
}

// rowTree maps places to rows.
type rowTree = btreemap.BTreeMap[string, *row]

// state is what a shard knows: its records by place, and its index entries by the place of secondary and record key.
type state struct {
	order   order
	rows    *rowTree
	indexes map[string]*rowTree
	version int64 // the next to give
}

func newTree() *rowTree { return btreemap.New[string, *row](degree, strings.Compare) }

func newState(o order) *state {
	return &state{order: o, rows: newTree(), indexes: map[string]*rowTree{}}
}

// clone is the state as it is now.
func (s *state) clone() *state {
	c := &state{order: s.order, rows: s.rows.Clone(), indexes: map[string]*rowTree{}, version: s.version}
	for name, tree := range s.indexes {
		c.indexes[name] = tree.Clone()
	}
	return c
}

func (s *state) get(key string) *row {
	_, r, _ := s.rows.Get(s.order.place(key))
	return r
}

// entry is the place of an index entry. 0x01 ends the secondary key; the escaped record key has no slash.
func (s *state) entry(secondary, key string) string {
	return s.order.place(secondary + "\x01" + url.PathEscape(key))
}

func (s *state) insert(r *row) {
	s.remove(r.key)
	s.rows.ReplaceOrInsert(s.order.place(r.key), r)
	for _, x := range r.indexes {
		tree := s.indexes[x.GetIndexName()]
		if tree == nil {
			tree = newTree()
			s.indexes[x.GetIndexName()] = tree
		}
		tree.ReplaceOrInsert(s.entry(x.GetSecondaryKey(), r.key), r)
	}
}

func (s *state) remove(key string) {
	_, r, found := s.rows.Delete(s.order.place(key))
	if !found {
		return
	}
	for _, x := range r.indexes {
		s.indexes[x.GetIndexName()].Delete(s.entry(x.GetSecondaryKey(), key))
	}
}

// put checks and replaces one record.
func (s *state) put(req *oxiav1.PutRequest, sessions map[int64]*session) *oxiav1.PutResponse {
	old := s.get(req.GetKey())
	if !expected(old, req.ExpectedVersionId) {
		return &oxiav1.PutResponse{Status: oxiav1.Status_STATUS_UNEXPECTED_VERSION_ID}
	}
	if req.SessionId != nil && sessions[req.GetSessionId()] == nil {
		return &oxiav1.PutResponse{Status: oxiav1.Status_STATUS_SESSION_DOES_NOT_EXIST}
	}
	now := uint64(time.Now().UnixMilli())
	version := &oxiav1.Version{
		VersionId: s.version, CreatedTimestamp: now, ModifiedTimestamp: now,
		SessionId: req.SessionId, ClientIdentity: req.ClientIdentity,
	}
	s.version++
	if old != nil {
		version.CreatedTimestamp = old.version.GetCreatedTimestamp()
		version.ModificationsCount = old.version.GetModificationsCount() + 1
	}
	s.insert(&row{
		key: req.GetKey(), value: req.GetValue(), version: version,
		partition: req.PartitionKey, indexes: req.GetSecondaryIndexes(),
	})
	return &oxiav1.PutResponse{Version: version}
}

func expected(r *row, version *int64) bool {
	switch {
	case version == nil:
		return true
	case *version == -1:
		return r == nil
	default:
		return r != nil && r.version.GetVersionId() == *version
	}
}

func (s *state) delete(req *oxiav1.DeleteRequest) *oxiav1.DeleteResponse {
	r := s.get(req.GetKey())
	concrete := req.ExpectedVersionId != nil && req.GetExpectedVersionId() != -1
	switch {
	case r == nil && !concrete:
		return &oxiav1.DeleteResponse{Status: oxiav1.Status_STATUS_KEY_NOT_FOUND}
	case !expected(r, req.ExpectedVersionId):
		return &oxiav1.DeleteResponse{Status: oxiav1.Status_STATUS_UNEXPECTED_VERSION_ID}
	}
	s.remove(req.GetKey())
	return &oxiav1.DeleteResponse{}
}

func (s *state) deleteRange(req *oxiav1.DeleteRangeRequest) {
	low, high := s.order.place(req.GetStartInclusive()), s.order.place(req.GetEndExclusive())
	if low >= high {
		return
	}
	var keys []string
	for _, r := range s.rows.Ascend(btreemap.GE(low), btreemap.LT(high)) {
		keys = append(keys, r.key)
	}
	for _, key := range keys {
		s.remove(key)
	}
}

// apply applies a whole request.
func (s *state) apply(req *oxiav1.WriteRequest, sessions map[int64]*session) *oxiav1.WriteResponse {
	resp := &oxiav1.WriteResponse{}
	for _, put := range req.GetPuts() {
		resp.Puts = append(resp.Puts, s.put(put, sessions))
	}
	for _, del := range req.GetDeletes() {
		resp.Deletes = append(resp.Deletes, s.delete(del))
	}
	for _, del := range req.GetDeleteRanges() {
		s.deleteRange(del)
		resp.DeleteRanges = append(resp.DeleteRanges, &oxiav1.DeleteRangeResponse{})
	}
	return resp
}

// endSession removes what is bound to a session.
func (s *state) endSession(id int64) {
	var keys []string
	for _, r := range s.rows.Ascend(btreemap.Min[string](), btreemap.Max[string]()) {
		if bound, ok := r.session(); ok && bound == id {
			keys = append(keys, r.key)
		}
	}
	for _, key := range keys {
		s.remove(key)
	}
}

// half is the part of the state whose rows hash into a range.
func (s *state) half(low, high uint32) *state {
	h := newState(s.order)
	h.version = s.version
	for _, r := range s.rows.Ascend(btreemap.Min[string](), btreemap.Max[string]()) {
		if at := hash(r.routed()); low <= at && at <= high {
			h.insert(r)
		}
	}
	return h
}
