package records_test

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/core/records"
)

// TestChainMutatorsKeepUnknownFields rewrites rows of a newer star, their nested heads included.
func TestChainMutatorsKeepUnknownFields(t *testing.T) {
	mutations := map[string]func(*records.ChainEpoch){
		"Fence":   func(e *records.ChainEpoch) { e.Fence() },
		"Publish": func(e *records.ChainEpoch) { e.Publish(3) },
		"Close":   func(e *records.ChainEpoch) { e.Close(3) },
		"Advance": func(e *records.ChainEpoch) { e.Advance(3) },
		"Settle":  func(e *records.ChainEpoch) { e.Settle() },
	}
	for name, mutate := range mutations {
		t.Run(name, func(t *testing.T) {
			epoch := &records.ChainEpoch{}
			epoch.ProtoReflect().SetUnknown(future)
			mutate(epoch)
			again := &records.ChainEpoch{}
			if err := records.Decode("row", records.Encode(epoch), again); err != nil {
				t.Fatal(err)
			}
			if string(again.ProtoReflect().GetUnknown()) != string(future) || !proto.Equal(again, epoch) {
				t.Fatal("the rewritten row lost something")
			}
		})
	}
	t.Run("Mint", func(t *testing.T) {
		chain := &records.Chain{Heads: []*records.Head{{Class: records.Class_CLASS_EXPRESS, Epoch: 1}}}
		chain.ProtoReflect().SetUnknown(future)
		chain.Heads[0].ProtoReflect().SetUnknown(future)
		chain.Mint(records.Class_CLASS_EXPRESS, "boot")
		again := &records.Chain{}
		if err := records.Decode("row", records.Encode(chain), again); err != nil {
			t.Fatal(err)
		}
		if string(again.Heads[0].ProtoReflect().GetUnknown()) != string(future) || string(again.ProtoReflect().GetUnknown()) != string(future) {
			t.Fatal("a field from the future is gone")
		}
	})
}

// TestMint numbers epochs over all classes, and keeps one head for each class.
func TestMint(t *testing.T) {
	chain := &records.Chain{}
	for i, class := range []records.Class{records.Class_CLASS_STANDARD, records.Class_CLASS_EXPRESS, records.Class_CLASS_STANDARD} {
		if got := chain.Mint(class, "b"); got != uint64(i+1) {
			t.Fatalf("mint %d gave epoch %d", i, got)
		}
	}
	if s, e := chain.Head(records.Class_CLASS_STANDARD).Epoch, chain.Head(records.Class_CLASS_EXPRESS).Epoch; s != 3 || e != 2 {
		t.Fatalf("heads are %d and %d", s, e)
	}
}

// TestEpochCursorsNeverFall moves the checkpoint up only.
func TestEpochCursorsNeverFall(t *testing.T) {
	epoch := &records.ChainEpoch{}
	epoch.Advance(5)
	epoch.Advance(2)
	if epoch.Checkpoint != 5 {
		t.Fatalf("the checkpoint fell to %d", epoch.Checkpoint)
	}
}
