package fileblob

import (
	"strings"

	"github.com/novastream/nova/io/blob"
)

// Names of files. A segment of a key is a directory of its name; the last one is the object's file, with objectMark behind
// it, so that a and a/b may both be. A segment of longBytes or more does not fit in a file name with its mark: its first
// longBytes are a directory with moreMark behind them, and the rest goes on in there, as the same kind of names. What is
// left of a segment may be nothing, "." or "..", which are no names for a directory: moreMark behind them makes them one.
// The marks are no letters of keys, and neither is the comma that the store's own files begin with.
const (
	objectMark = "@"
	moreMark   = ","
	longBytes  = 240

	formatFile = ",format"
	tmpDir     = ",tmp"
)

// filePath is the path of an object below the store's directory.
func filePath(key string) string {
	cut := strings.LastIndexByte(key, '/') + 1
	head, last := longNames(key[cut:])
	return dirPath(key[:cut]) + head + last + objectMark
}

// dirPath is the path of the directory of all keys that start with a prefix, which is empty or ends with "/". It ends with
// "/" itself, unless empty.
func dirPath(prefix string) string {
	var b strings.Builder
	for prefix != "" {
		segment, rest, _ := strings.Cut(prefix, "/")
		head, last := longNames(segment)
		if last == "" || last == "." || last == ".." {
			last += moreMark
		}
		b.WriteString(head + last + "/")
		prefix = rest
	}
	return b.String()
}

// longNames splits a segment into the directories of its long parts and what is left.
func longNames(segment string) (head, last string) {
	for len(segment) >= longBytes {
		head += segment[:longBytes] + moreMark + "/"
		segment = segment[longBytes:]
	}
	return head, segment
}

// entry is what a file name means in the directory of the keys that start with base.
type entry struct {
	name   string
	key    string // of the object, or what all keys below the directory start with
	object bool
}

// meaning is the entry of a file name; ok is false for the store's own files and for strangers.
func meaning(base, name string) (e entry, ok bool) {
	if part, object := strings.CutSuffix(name, objectMark); object {
		return entry{name, base + part, true}, blob.Plain(part)
	}
	part, marked := strings.CutSuffix(name, moreMark)
	if marked && len(part) == longBytes {
		return entry{name, base + part, false}, blob.Plain(part)
	}
	return entry{name, base + part + "/", false}, blob.Plain(part)
}
