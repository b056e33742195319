package oxiatest

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// Gets by secondary key as real servers answered them.
func TestIndexLookups(t *testing.T) {
	s := newState(order{})
	for _, r := range [][2]string{{"p1", "010"}, {"p2", "020"}, {"p3", "020"}, {"p4", "030"}, {"p5", "050"}, {"deep", "p/q"}} {
		s.put(&oxiav1.PutRequest{Key: r[0], SecondaryIndexes: []*oxiav1.SecondaryIndex{{IndexName: "x", SecondaryKey: r[1]}}}, nil)
	}
	const (
		equal   = oxiav1.KeyComparisonType_KEY_COMPARISON_TYPE_EQUAL
		floor   = oxiav1.KeyComparisonType_KEY_COMPARISON_TYPE_FLOOR
		lower   = oxiav1.KeyComparisonType_KEY_COMPARISON_TYPE_LOWER
		ceiling = oxiav1.KeyComparisonType_KEY_COMPARISON_TYPE_CEILING
		higher  = oxiav1.KeyComparisonType_KEY_COMPARISON_TYPE_HIGHER
	)
	for _, c := range []struct {
		how  oxiav1.KeyComparisonType
		key  string
		want string // record key; empty is none
	}{
		{equal, "020", "p2"}, {equal, "025", ""},
		{floor, "020", "p2"}, {floor, "025", "p3"}, {floor, "060", "p5"}, {floor, "005", ""}, {floor, "m/n", ""},
		{lower, "020", "p1"}, {lower, "025", "p3"},
		{ceiling, "015", "p2"}, {ceiling, "025", "p4"}, {ceiling, "051", ""},
		{higher, "020", "p4"}, {higher, "050", ""},
	} {
		got := s.lookup(&oxiav1.GetRequest{Key: c.key, ComparisonType: c.how, SecondaryIndexName: proto.String("x")})
		if got.GetKey() != c.want {
			t.Errorf("%v %s: found %q, want %q", c.how, c.key, got.GetKey(), c.want)
		}
	}
	s.put(&oxiav1.PutRequest{Key: "p2"}, nil)
	if got := s.lookup(&oxiav1.GetRequest{Key: "020", SecondaryIndexName: proto.String("x")}); got.GetKey() != "p3" {
		t.Errorf("a put without indexes leaves its entries: found %q", got.GetKey())
	}
}

// Ranges as real servers answered them.
func TestSpans(t *testing.T) {
	keys := []string{"a", "b", "a/", "a/b", "a/c", "b/a", "a/b/c"}
	for _, c := range []struct {
		natural    bool
		start, end string
		want       int
	}{
		{false, "a/", "a//", 3}, {false, "a", "b", 1}, {false, "a/", "a0", 0}, {false, "", "\U0010ffff", 2}, {false, "", "", 7},
		{true, "a/", "a0", 4}, {true, "a/", "a//", 1}, {true, "b", "a", 0},
	} {
		s := newState(order{c.natural})
		for _, key := range keys {
			s.put(&oxiav1.PutRequest{Key: key}, nil)
		}
		if got := len(s.span(c.start, c.end, nil)); got != c.want {
			t.Errorf("natural %v: [%q, %q) holds %d keys, want %d", c.natural, c.start, c.end, got, c.want)
		}
	}
}
