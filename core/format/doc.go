// Package format is the bytes at rest of chains: slots (flights and poison), the batches inside their windows, and store
// markers. It encodes and decodes; it reads no store and decides nothing about what it finds.
//
// # A slot
//
// Numbers are little endian. "text" is a length byte and that many bytes.
//
//	offset  bytes  an object of format version 1
//	     0      8  magic: NOVAFLIT for a flight, NOVAPOIS for poison            \
//	     8      2  format version                                              |
//	    10      1  class                                                       |
//	    11      1  length of the star id                                       |  header,
//	    12      1  length of the boot id                                       |  160 bytes
//	    13      3  zero                                                        |
//	    16      8  epoch                                                       |
//	    24      8  slot                                                        |
//	    32     64  star id, zero padded                                        |
//	    96     64  boot id, zero padded                                        /
//	   160         stored windows, back to back (poison has none)
//	               footer of a flight: count (4), then one entry per window
//	               footer of poison:   by (text), boot (text), reason length (2), reason
//	   -24      4  CRC32C of every byte before this one                        \
//	   -20      4  length of the footer                                        |
//	   -16      2  format version                                              |  trailer,
//	   -14      2  zero                                                        |  24 bytes
//	   -12      4  CRC32C of the object's key, the footer and the trailer      |
//	    -8      8  magic, as at the start                                      /
//
// The second CRC takes in the key, so a footer fetched alone proves which slot it belongs to. An entry is
//
//	stream id (text), stream epoch (8), first seq (8), record count (4), offset in the object (4), stored length (4),
//	first stamp (8), last stamp (8), codec (1), CRC32C of the stored bytes (4)
//
// Codec 0 stores a window as it is; codec 1 as one zstd frame whose header tells the length of what it holds.
//
// # A window
//
// A window is batches back to back. A batch is
//
//	bytes of the batch, these four included (4), record count (4), flags (1),
//	with flag 1: producer id (text), producer epoch (8), producer sequence (8),
//	the records
//
// and a record, in minimal varints (zigzag for the stamp), is
//
//	stamp less the stamp before it in the batch (0 before the first), count of headers,
//	for each header length and bytes of its name, length and bytes of its value,
//	length and bytes of the body
//
// # A store marker
//
//	NOVASTOR (8), format version (2), cluster id (text), store id (text), CRC32C of all bytes before it (4)
//
// # Versions
//
// Magic, version and trailer of a slot, and magic, version and final CRC of a marker, stay where they are in every version:
// so what a newer star wrote is told from what is damaged, and refused with *VersionError.
//
// Invariants:
//   - equal input gives equal bytes, and what is decoded encodes to the same bytes again (a zstd frame excepted)
//   - no byte of an object can change unseen
//   - every fault of the input is a *CorruptError or *VersionError that names the key; no input panics or makes a decoder
//     allocate more than the input can hold
//   - what the encoders accept, the decoders accept
//
// Design: chains.md ("A slot"). Read flight.go first, then object.go.
package format
