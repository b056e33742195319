package keys_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/novastream/nova/core/keys"
)

// TestNumbersArePadded: key order is number order, and a number in a key is found again.
func TestNumbersArePadded(t *testing.T) {
	before := ""
	for _, n := range []uint64{0, 1, 9, 10, 99, 1 << 32, math.MaxInt64, math.MaxUint64} {
		name := keys.RefName(keys.Seq(n))
		if want := fmt.Sprintf("%020d", n); name != want {
			t.Errorf("%d is padded to %s, want %s", n, name, want)
		}
		if name <= before {
			t.Errorf("%s does not come after %s", name, before)
		}
		before = name
		if seq, err := keys.ParseRefRow(keys.RefRow("s", keys.Seq(n))); err != nil || uint64(seq) != n {
			t.Errorf("%d is read back as %d, %v", n, seq, err)
		}
		if epoch, err := keys.ParseEpochRow(keys.EpochRow("a1", keys.Epoch(n))); err != nil || uint64(epoch) != n {
			t.Errorf("epoch %d is read back as %d, %v", n, epoch, err)
		}
	}
}

func TestSlotObjects(t *testing.T) {
	key := keys.SlotObject("a-1", 7, 42)
	if want := "chains/a-1/00000000000000000007/00000000000000000042"; key != want {
		t.Fatalf("the key is %s, want %s", key, want)
	}
	if !strings.HasPrefix(key, keys.EpochObjects("a-1", 7)) || !strings.HasPrefix(key, keys.ChainObjects("a-1")) {
		t.Error("a slot does not lie below its epoch and its chain")
	}
	if star, epoch, slot, err := keys.ParseSlotObject(key); err != nil || star != "a-1" || epoch != 7 || slot != 42 {
		t.Errorf("it is read back as %s, %d, %d, %v", star, epoch, slot, err)
	}
	long := keys.StarID(strings.Repeat("s", 100)) // no star id, and no reason to lose a byte of it
	if star, _, _, err := keys.ParseSlotObject(keys.SlotObject(long, math.MaxUint64, math.MaxUint64)); err != nil || star != long {
		t.Errorf("the long one is read back as %s, %v", star, err)
	}
	for _, bad := range []string{
		"", "chains", "chains/a-1", "chains/a-1/00000000000000000007", "chains/a-1/7/00000000000000000042", "chains/a-1/00000000000000000007/42",
		key + "/", key + "/x", "other" + strings.TrimPrefix(key, "chains"), "/" + key,
	} {
		if _, _, _, err := keys.ParseSlotObject(bad); err == nil {
			t.Errorf("%q is taken for the key of a slot", bad)
		}
	}
}

func TestRefsPrefix(t *testing.T) {
	if id, ok := keys.ParseRefsPrefix(keys.RefsPrefix("s1")); !ok || id != "s1" {
		t.Errorf("it is read back as %s, %v", id, ok)
	}
	for _, bad := range []string{"", "streams/s1", "streams/s1/writer", "streams/s1/x/refs", "buckets/s1/refs", keys.RefRow("s1", 1)} {
		if _, ok := keys.ParseRefsPrefix(bad); ok {
			t.Errorf("%q is taken for the parent of ref rows", bad)
		}
	}
}

// A refused name is shown as far as a reader needs it.
func TestALongNameIsShortenedInItsError(t *testing.T) {
	for name, want := range map[string]string{
		"":                       `stream key "": must not be empty`,
		"a\xff":                  `stream key "a\xff": must be valid UTF-8`,
		strings.Repeat("é", 257): `stream key "` + strings.Repeat("é", 31) + `"...: is 514 bytes long; at most 512 are allowed`,
	} {
		if err := keys.CheckStreamKey(name); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
