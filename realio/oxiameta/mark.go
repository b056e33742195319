package oxiameta

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/novastream/nova/io/meta"
)

// Every put is marked with a text of its own, in the field that servers keep for the identity of a record's client:
//
//	<identity of the client> <number of the write>
//	<identity of the client> <number of the write> <indexes, as JSON>
//
// It tells what became of a put whose answer got lost, and under which secondary keys a record stands: a scan by index
// answers with records and does not say by which key it found them.

// mark is the mark of the client's next put.
func (c *Client) mark(indexes []meta.Index) string {
	mark := fmt.Sprintf("%s %d", c.identity, c.writes.Add(1))
	if len(indexes) == 0 {
		return mark
	}
	pairs := make([][2]string, 0, len(indexes))
	for _, x := range indexes {
		pairs = append(pairs, [2]string{x.Name, x.Key})
	}
	text, err := json.Marshal(pairs)
	if err != nil {
		panic(err) // strings marshal
	}
	return mark + " " + string(text)
}

// secondaries are the secondary keys of an index that a record's mark tells.
func secondaries(mark, index string) (keys []string) {
	_, rest, _ := strings.Cut(mark, " ")
	_, text, _ := strings.Cut(rest, " ")
	var pairs [][2]string
	if json.Unmarshal([]byte(text), &pairs) != nil {
		return nil
	}
	for _, pair := range pairs {
		if pair[0] == index {
			keys = append(keys, pair[1])
		}
	}
	return keys
}
