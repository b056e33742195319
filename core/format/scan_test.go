package format_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/novastream/nova/core/format"
)

// TestScan: from any record on, a scan reads what Batches yields, the whole batch that holds the record first.
func TestScan(t *testing.T) {
	var raw []byte
	var want []format.Batch
	total := uint64(0)
	for i, count := range []int{1, 3, 2, 1} {
		b := format.Batch{}
		for j := range count {
			b.Records = append(b.Records, format.Record{StampMicros: int64(i + j), Body: fmt.Appendf(nil, "%d of %d", j, i)})
		}
		raw = format.AppendBatch(raw, b)
		want, total = append(want, b), total+uint64(count)
	}
	var scan format.Scan
	for index := range total + 2 {
		skipped := scan.Start("key", raw, index)
		i, before := 0, uint64(0)
		for ; i < len(want) && before+uint64(len(want[i].Records)) <= index; i++ {
			before += uint64(len(want[i].Records))
		}
		if skipped != before {
			t.Errorf("from record %d: %d are skipped, want %d", index, skipped, before)
		}
		for b, ok := scan.Next(); ok; b, ok = scan.Next() {
			if i == len(want) || !reflect.DeepEqual(b, want[i]) {
				t.Fatalf("from record %d: batch %d is %v", index, i, b)
			}
			i++
		}
		if scan.Err() != nil || i != len(want) {
			t.Errorf("from record %d: it ended before batch %d with %v", index, i, scan.Err())
		}
	}
}

// TestScanTellsTheFault: it tells the same fault as Batches, wherever it begins.
func TestScanTellsTheFault(t *testing.T) {
	raw := format.AppendBatch(nil, format.Batch{Records: []format.Record{{Body: []byte("whole")}}})
	torn := format.AppendBatch(raw, format.Batch{Records: []format.Record{{Body: []byte("torn")}}})
	torn = torn[:len(torn)-1]
	var want error
	for _, err := range format.Batches("key", torn) {
		want = err
	}
	for index := range uint64(3) {
		var scan format.Scan
		scan.Start("key", torn, index)
		for _, ok := scan.Next(); ok; _, ok = scan.Next() {
			continue
		}
		var corrupt *format.CorruptError
		if !errors.As(scan.Err(), &corrupt) || corrupt.Error() != want.Error() {
			t.Errorf("from record %d: %v, want %v", index, scan.Err(), want)
		}
	}
}
