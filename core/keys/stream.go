package keys

import "strings"

// IndexByTime finds ref rows by the stamp of their last record.
const IndexByTime = "by-ts"

// StreamLocality is the locality of all rows of a stream.
func StreamLocality(id StreamID) string { return streamsPrefix + string(id) }

// WriterRow is the last-writer record.
func WriterRow(id StreamID) string { return StreamLocality(id) + "/writer" }

// ProducerRow is the fencing token.
func ProducerRow(id StreamID) string { return StreamLocality(id) + "/producer" }

// LeaseRow is the writer lease (ephemeral).
func LeaseRow(id StreamID) string { return StreamLocality(id) + "/lease" }

// RefsPrefix is the parent of a stream's ref rows; their names are RefName.
func RefsPrefix(id StreamID) string { return StreamLocality(id) + "/refs" }

// ParseRefsPrefix is the inverse of RefsPrefix.
func ParseRefsPrefix(prefix string) (id StreamID, ok bool) {
	rest, isStream := strings.CutPrefix(prefix, streamsPrefix)
	name, isRefs := strings.CutSuffix(rest, "/refs")
	return StreamID(name), isStream && isRefs && !strings.Contains(name, "/")
}

// RefName is the name of the ref row whose first record is first. LastRefName is above all of them.
func RefName(first Seq) string { return pad(uint64(first)) }

// LastRefName is a probe at or above every RefName.
const LastRefName = "99999999999999999999"

// RefRow is the key of a ref row.
func RefRow(id StreamID, first Seq) string { return RefsPrefix(id) + "/" + RefName(first) }

// ParseRefRow gives the first seq of a ref row's key.
func ParseRefRow(key string) (Seq, error) {
	n, err := unpad(key[strings.LastIndexByte(key, '/')+1:])
	return Seq(n), err
}

// ByTimePrefix is what the by-ts keys of a stream start with.
func ByTimePrefix(id StreamID) string { return string(id) + "@" }

// ByTime is the by-ts key of a ref row that ends at this stamp (microseconds since 1970) and starts at first.
func ByTime(id StreamID, stampMicros int64, first Seq) string {
	return ByTimePrefix(id) + pad(uint64(max(stampMicros, 0))) + "-" + pad(uint64(first))
}
