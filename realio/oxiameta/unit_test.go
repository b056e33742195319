package oxiameta

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/protoadapt"
	"pgregory.net/rapid"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// Routes are those of the servers.
func TestRoute(t *testing.T) {
	for key, want := range map[string]uint32{
		"": 953390274, "a": 513166879, "key-1": 1795303929, "é": 1827736755, strings.Repeat("a", 1025): 4220363242,
	} {
		if got := route(key); got != want {
			t.Errorf("%q goes to %d, want %d", key, got, want)
		}
	}
}

// secondaryKeys are texts of characters that matter to the escape.
func secondaryKeys() *rapid.Generator[string] {
	return rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]rune("\x00\x01\x02\x03-./0a~é\U0010ffff")), 0, 6), func(r []rune) string { return string(r) })
}

// Escaped secondary keys sort as they did, with the server's end of a secondary key, start the same way where they did, and
// have neither slash nor the server's end.
func TestEscape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := secondaryKeys().Draw(t, "a"), secondaryKeys().Draw(t, "b")
		x, y := escape(a), escape(b)
		if back, ok := unescape(x); !ok || back != a {
			t.Fatalf("%q came back as %q", a, back)
		}
		if strings.ContainsAny(x, "/\x00\x01") {
			t.Fatalf("%q is escaped as %q", a, x)
		}
		const end = "\x01"
		if strings.Compare(a, b) != strings.Compare(x+end, y+end) {
			t.Fatalf("%q and %q change places as %q and %q", a, b, x, y)
		}
		if strings.HasPrefix(a, b) != strings.HasPrefix(x, y) {
			t.Fatalf("%q starts with %q, or does not; %q with %q the reverse", a, b, x, y)
		}
		start, stop := indexBounds(b, "")
		if !strings.ContainsRune(a, '\U0010ffff') && strings.HasPrefix(a, b) != (start <= x+end && x+end < stop) {
			t.Fatalf("%q is in the bounds of %q, or not, wrongly", a, b)
		}
		if start, _ := indexBounds("", b); b != "" && (a > b) != (x+end >= start) {
			t.Fatalf("%q is above %q, or not, wrongly", a, b)
		}
	})
	for _, text := range []string{".", "a.", ".x", "\x02", "\x02\x05"} {
		if got, ok := unescape(text); ok {
			t.Errorf("%q is the escape of %q", text, got)
		}
	}
}

// Everything that starts with a prefix lies below what is past it, and nothing else above the prefix does.
func TestPast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		runes := rapid.SliceOfN(rapid.SampledFrom([]rune("ab/\ud7ff\ue000\U0010fffe\U0010ffff")), 0, 4)
		prefix, key := string(runes.Draw(t, "prefix")), string(runes.Draw(t, "key"))
		end := past(prefix)
		inside := key >= prefix && (end == "" || key < end)
		if strings.HasPrefix(key, prefix) != inside {
			t.Fatalf("past %q is %q; %q is inside: %v", prefix, end, key, inside)
		}
	})
}

func TestClassify(t *testing.T) {
	info := func(code codes.Code, domain, reason string, facts map[string]string) error {
		return withDetail(code, &errdetails.ErrorInfo{Domain: domain, Reason: reason, Metadata: facts})
	}
	for _, c := range []struct {
		name   string
		err    error
		kind   kind
		leader string
	}{
		{"end of stream", io.EOF, again, ""},
		{"no status", errors.New("connection reset"), again, ""},
		{"leader closed", status.Error(codes.Canceled, "context canceled"), again, ""},
		{"transport", status.Error(codes.Unavailable, ""), again, ""},
		{"not the leader", info(codes.Aborted, "oxia.io", "NODE_IS_NOT_LEADER", nil), again, ""},
		{"hint", info(codes.Aborted, "oxia.io", "NODE_IS_NOT_LEADER", map[string]string{"leader": "b:1", "shard": "7"}), again, "b:1"},
		{"hint without a shard", info(codes.Aborted, "oxia.io", "NODE_IS_NOT_LEADER", map[string]string{"leader": "b:1"}), again, ""},
		{"somebody else's detail", info(codes.NotFound, "elsewhere", "SESSION_NOT_FOUND", nil), refused, ""},
		{"session", info(codes.NotFound, "oxia.io", "SESSION_NOT_FOUND", nil), sessionGone, ""},
		{"election", info(codes.FailedPrecondition, "oxia.io", "INVALID_TERM", nil), again, ""},
		{"namespace", info(codes.NotFound, "oxia.io", "NAMESPACE_NOT_FOUND", nil), refused, ""},
		{"old: not the leader", withDetail(106, &oxiav1.LeaderHint{Shard: 7, LeaderAddress: "c:2"}), again, "c:2"},
		{"old: session", status.Error(108, ""), sessionGone, ""},
		{"old: namespace", status.Error(110, ""), refused, ""},
		{"failed inside", status.Error(codes.Unknown, "segment is full"), undefined, ""},
		{"token", status.Error(codes.Unauthenticated, ""), refused, ""},
		{"authority", status.Error(codes.PermissionDenied, ""), refused, ""},
		{"too large", status.Error(codes.ResourceExhausted, ""), refused, ""},
	} {
		if f := classify(c.err); f.kind != c.kind || f.leader != c.leader || c.leader != "" && f.shard != 7 {
			t.Errorf("%s: got %+v, want kind %d and leader %q", c.name, f, c.kind, c.leader)
		}
	}
	if !noNamespace(status.Error(110, "")) || !noNamespace(info(codes.NotFound, "oxia.io", "NAMESPACE_NOT_FOUND", nil)) || noNamespace(io.EOF) {
		t.Error("a missing namespace is not told from other errors")
	}
}

func withDetail(code codes.Code, detail protoadapt.MessageV1) error {
	s, err := status.New(code, "").WithDetails(detail)
	if err != nil {
		panic(err)
	}
	return s.Err()
}

func TestJudge(t *testing.T) {
	const mark = "me 7"
	put := func(expect *int64) *write {
		return &write{put: &oxiav1.PutRequest{Key: "k", ExpectedVersionId: expect, ClientIdentity: proto.String(mark)}}
	}
	del := func(expect *int64) *write {
		return &write{del: &oxiav1.DeleteRequest{Key: "k", ExpectedVersionId: expect}}
	}
	at := func(version int64, mark string) *oxiav1.GetResponse {
		return &oxiav1.GetResponse{Version: &oxiav1.Version{VersionId: version, ClientIdentity: &mark}}
	}
	none := &oxiav1.GetResponse{Status: oxiav1.Status_STATUS_KEY_NOT_FOUND}
	five, create := proto.Int64(5), proto.Int64(mustNotExist)
	for _, c := range []struct {
		name   string
		write  *write
		record *oxiav1.GetResponse
		want   string // done, again or unknown
	}{
		{"put, there", put(nil), at(9, mark), "done"},
		{"put, not there", put(nil), at(9, "other"), "again"},
		{"put, nothing there", put(nil), none, "again"},
		{"create, there", put(create), at(9, mark), "done"},
		{"create, nothing there", put(create), none, "unknown"},
		{"create, another's there", put(create), at(9, "other"), "unknown"},
		{"change, there", put(five), at(9, mark), "done"},
		{"change, not there", put(five), at(5, "other"), "again"},
		{"change, another's there", put(five), at(9, "other"), "unknown"},
		{"change, nothing there", put(five), none, "unknown"},
		{"change over a split", &write{put: put(five).put, crossed: true}, at(5, "other"), "unknown"},
		{"change over a split, there", &write{put: put(five).put, crossed: true}, at(9, mark), "done"},
		{"delete of anything", del(nil), nil, "again"},
		{"delete, still there", del(five), at(5, "other"), "again"},
		{"delete, nothing there", del(five), none, "unknown"},
		{"delete, another's there", del(five), at(9, "other"), "unknown"},
		{"range", &write{span: &oxiav1.DeleteRangeRequest{}}, nil, "again"},
	} {
		o, settled := c.write.judge(c.record)
		got := "again"
		switch {
		case settled && errors.Is(o.err, meta.ErrUnknown):
			got = "unknown"
		case settled && o.err == nil && o.version == 9:
			got = "done"
		case settled:
			got = "something else"
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// Records of an index scan get their secondary keys from their marks.
func TestHits(t *testing.T) {
	rec := func(key, mark string) *oxiav1.GetResponse {
		return &oxiav1.GetResponse{Key: &key, Version: &oxiav1.Version{ClientIdentity: &mark}}
	}
	both := `me 1 [["x","s2"],["y","s1"],["x","s9"]]`
	got := hits([]*oxiav1.GetResponse{
		rec("a", `me 2 [["x","s1"]]`), rec("b", both), rec("gone", `me 3`),
		{Status: oxiav1.Status_STATUS_KEY_NOT_FOUND, Key: proto.String("removed")},
		rec("moved", `me 4 [["x","t"]]`), rec("b", both), rec("b", both),
	}, "x", "s", "")
	var pairs []string
	for _, hit := range got {
		pairs = append(pairs, hit.Secondary+" "+hit.Record.Key)
	}
	if want := []string{"s1 a", "s2 b", "s9 b"}; !slices.Equal(pairs, want) {
		t.Errorf("got %q, want %q", pairs, want)
	}
}

// Answers that do not fit their request are not taken for answers.
func TestAnswersMustFit(t *testing.T) {
	x := newWrite(&write{put: &oxiav1.PutRequest{Key: "k"}})
	b, _ := fill([]*write{x}, 1<<20)
	for _, resp := range []*oxiav1.WriteResponse{
		{}, {Puts: make([]*oxiav1.PutResponse, 2)}, {Puts: make([]*oxiav1.PutResponse, 1), Deletes: make([]*oxiav1.DeleteResponse, 1)},
	} {
		if err := b.answer(resp, nil); !errors.Is(err, errAnswer) {
			t.Errorf("%v: %v", resp, err)
		}
	}
	if err := b.answer(&oxiav1.WriteResponse{Puts: []*oxiav1.PutResponse{{Status: 99}}}, nil); err != nil {
		t.Fatal(err)
	}
	if o := <-x.done; !errors.Is(o.err, meta.ErrUnknown) {
		t.Errorf("a status from the future: %v", o.err)
	}
}
