package history

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

// TestPicture sees that porcupine's page tells operations in our words, is the same each time, and asks nothing of a network.
func TestPicture(t *testing.T) {
	log := &Log{}
	for i := range OpID(20) {
		client := Client(1 + i%3)
		log.Invoke(Invoke{Client: client, Op: 1 + i, Kind: Append, Stream: "s", Hashes: []Hash{Hash(i)}})
		log.Complete(Complete{Client: client, Op: 1 + i, Kind: Append, Outcome: OK, First: Seq(i), Next: Seq(i) + 1})
	}
	log.Invoke(Invoke{Client: 8, Op: 1, Kind: Tail, Stream: "s"})
	log.Complete(Complete{Client: 8, Op: 1, Kind: Tail, Outcome: OK, Tail: 3})
	cfg := DefaultConfig()
	cfg.Names = func(c Client) string { return map[Client]string{8: "reader"}[c] }
	page, err := Picture(log, "s", cfg)
	if err != nil || !bytes.Contains(page, []byte("tail 1 of client 8 (reader), which answered tail 3")) {
		t.Fatalf("%v: %.200s", err, page)
	}
	for range 5 {
		if again, _ := Picture(log, "s", cfg); !bytes.Equal(page, again) {
			t.Fatal("the page differs from one time to the next")
		}
	}
	for _, url := range regexp.MustCompile(`https?://[^'"\s]*`).FindAllString(string(page), -1) {
		if !strings.HasPrefix(url, "http://www.w3.org/") { // the name of SVG, which nobody fetches
			t.Errorf("the page names %s", url)
		}
	}
	if page, err := Picture(log, "other", cfg); page != nil || err != nil {
		t.Errorf("of no stream: %d bytes, %v", len(page), err)
	}
}

// TestPictureOfALongSearch sees that a search which runs out of its steps is pictured as far as it came.
func TestPictureOfALongSearch(t *testing.T) {
	log := &Log{}
	for i := range Client(16) {
		log.Invoke(Invoke{Client: 1 + i, Op: 1, Kind: Append, Stream: "s", Hashes: []Hash{Hash(i)}})
	}
	log.Invoke(Invoke{Client: 99, Op: 1, Kind: Tail, Stream: "s"})
	log.Complete(Complete{Client: 99, Op: 1, Kind: Tail, Outcome: OK, Tail: 40})
	page, err := Picture(log, "s", DefaultConfig())
	if err != nil || !bytes.Contains(page, []byte("tail 1 of client 99, which answered tail 40")) {
		t.Fatalf("%v: %.200s", err, page)
	}
}
