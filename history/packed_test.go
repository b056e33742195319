package history

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// TestPackedIsWhatWasRecorded: a Packed gives back every field of every event, as a Log does.
func TestPackedIsWhatWasRecorded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Uint64()
		hashes := func() []Hash {
			return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Hash { return Hash(number.Draw(t, "hash")) }), 0, 3).Draw(t, "hashes")
		}
		log, packed := &Log{}, &Packed{}
		for i := range rapid.IntRange(0, 20).Draw(t, "operations") {
			client, op, kind := Client(number.Draw(t, "client")), OpID(i+1), Kind(rapid.IntRange(1, 4).Draw(t, "kind"))
			at, stream := rapid.Int64().Draw(t, "at"), rapid.StringN(1, 3, -1).Draw(t, "stream")
			in := Invoke{At: at, Client: client, Op: op, Kind: kind, Stream: stream, Hashes: hashes(), Token: Token(number.Draw(t, "token")), From: Seq(number.Draw(t, "from"))}
			if in.Linearizable = rapid.Bool().Draw(t, "linearizable"); in.Linearizable {
				match := Seq(number.Draw(t, "match"))
				in.Match = &match
			}
			out := Complete{
				At: at, Client: client, Op: op, Kind: kind, Outcome: Outcome(rapid.IntRange(1, 3).Draw(t, "outcome")), Code: rapid.SampledFrom([]string{"", Fenced}).Draw(t, "code"),
				First: Seq(number.Draw(t, "first")), Next: Seq(number.Draw(t, "next")), Hashes: hashes(), AtTail: rapid.Bool().Draw(t, "tail"),
				Tail: Seq(number.Draw(t, "tail")), Token: Token(number.Draw(t, "token")),
			}
			final := Final{At: at, Stream: stream, First: Seq(number.Draw(t, "first")), Hashes: hashes()}
			for _, to := range []Recorder{log, packed} {
				to.Invoke(in)
				to.Complete(out)
				to.Final(final)
			}
		}
		var got []Event
		for e := range packed.unpacked() {
			got = append(got, e)
		}
		if packed.Len() != log.Len() || !reflect.DeepEqual(got, log.events) {
			t.Fatalf("got %v\nwant %v", got, log.events)
		}
	})
}

// TestPackedIsJudgedAsALog: the same rules, the same verdict, the same line of what is wrong.
func TestPackedIsJudgedAsALog(t *testing.T) {
	for _, twice := range []bool{false, true} {
		log, packed := &Log{}, &Packed{}
		for _, to := range []Recorder{log, packed} {
			to.Invoke(Invoke{Client: 1, Op: 1, Kind: Append, Stream: "s", Hashes: []Hash{7}})
			to.Complete(Complete{Client: 1, Op: 1, Kind: Append, Outcome: OK, Next: 1})
			if twice {
				to.Complete(Complete{Client: 1, Op: 1, Kind: Append, Outcome: OK, Next: 1})
			}
			to.Final(Final{Stream: "s"})
		}
		of, errOf := Check(log, DefaultConfig())
		got, err := Check(packed, DefaultConfig())
		if !reflect.DeepEqual(got, of) || !reflect.DeepEqual(err, errOf) || (err != nil) != twice {
			t.Errorf("got %v, %v; a log gives %v, %v", got, err, of, errOf)
		}
	}
}
