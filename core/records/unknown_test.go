package records_test

import (
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/core/records"
)

// future is a field that no version of today knows.
var future = protowire.AppendString(protowire.AppendTag(nil, 9000, protowire.BytesType), "from a newer star")

// TestMutatorsKeepUnknownFields rewrites, with each mutator, a record that a newer star wrote.
func TestMutatorsKeepUnknownFields(t *testing.T) {
	cases := map[string]struct {
		message proto.Message
		mutate  func(proto.Message)
	}{
		"Writer.Take":    {&records.Writer{}, func(m proto.Message) { m.(*records.Writer).Take("s", records.Class_CLASS_STANDARD, 3) }},
		"Writer.Mark":    {&records.Writer{}, func(m proto.Message) { m.(*records.Writer).Mark(2) }},
		"Writer.Delete":  {&records.Writer{}, func(m proto.Message) { m.(*records.Writer).Delete() }},
		"RefRow.Mark":    {&records.RefRow{}, func(m proto.Message) { m.(*records.RefRow).Mark(2) }},
		"Producer.Raise": {&records.Producer{}, func(m proto.Message) { m.(*records.Producer).Raise(2, 3) }},
		"Stream.Bury":    {&records.Stream{}, func(m proto.Message) { m.(*records.Stream).Bury() }},
		"Stream.Replace": {&records.Stream{}, func(m proto.Message) {
			m.(*records.Stream).Replace("id", records.Mode_MODE_ANY, records.Class_CLASS_STANDARD, 1)
		}},
		"Lease.Attach": {&records.Lease{}, func(m proto.Message) { m.(*records.Lease).Attach("s", "b", 1) }},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if err := records.Decode("row", future, c.message); err != nil {
				t.Fatal(err)
			}
			c.mutate(c.message)
			again := c.message.ProtoReflect().New().Interface()
			if err := records.Decode("row", records.Encode(c.message), again); err != nil {
				t.Fatal(err)
			}
			if string(again.ProtoReflect().GetUnknown()) != string(future) {
				t.Fatal("the field from the future is gone")
			}
			if !proto.Equal(again, c.message) {
				t.Fatal("the rewritten record reads back different")
			}
		})
	}
}
