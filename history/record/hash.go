package record

import (
	"encoding/binary"

	"github.com/zeebo/xxh3"

	"github.com/novastream/nova/history"
	"github.com/novastream/nova/io/peer"
)

// HashOf stands for a record's contents, headers and body.
func HashOf(r peer.Record) history.Hash {
	if len(r.Headers) == 0 {
		return history.Hash(xxh3.HashSeed(r.Body, uint64(len(r.Body))))
	}
	var room [128]byte
	all := room[:0]
	for _, h := range r.Headers {
		all = binary.AppendUvarint(all, uint64(len(h.Name)))
		all = append(all, h.Name...)
		all = binary.AppendUvarint(all, uint64(len(h.Value)))
		all = append(all, h.Value...)
	}
	return history.Hash(xxh3.HashSeed(r.Body, xxh3.Hash(all)))
}

// HashesOf is the hash of each record.
func HashesOf(records []peer.Record) []history.Hash {
	hashes := make([]history.Hash, len(records))
	for i, r := range records {
		hashes[i] = HashOf(r)
	}
	return hashes
}
