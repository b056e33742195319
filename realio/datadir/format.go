package datadir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

const formatName = "nova.format"

// NewerError says that the directory was written by a newer program than this one.
type NewerError struct {
	Dir   string
	Kind  string
	Found int
	Known int // the newest version that this program reads
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("data directory %s holds %s of format %d, this program knows formats up to %d: run the program that wrote it, or a newer one",
		e.Dir, article(e.Kind), e.Found, e.Known)
}

// article is a kind with its article: an object store.
func article(kind string) string {
	if strings.ContainsRune("aeiou", rune(kind[0])) {
		return "an " + kind
	}
	return "a " + kind
}

// FormatError says that the directory holds something else than it was opened for.
type FormatError struct {
	Dir   string
	Kind  string // what it was opened for
	Found string // what its format file says
}

// Damaged says whether the format file says nothing that a program ever wrote.
func (e *FormatError) Damaged() bool {
	at := strings.LastIndexByte(e.Found, ' ')
	version, err := strconv.Atoi(e.Found[at+1:])
	return at < 1 || err != nil || version < 1
}

func (e *FormatError) Error() string {
	if e.Damaged() {
		return fmt.Sprintf("data directory %s: its format file is damaged, it says %q", e.Dir, e.Found)
	}
	return fmt.Sprintf("data directory %s does not hold %s, its format file says %q: name another directory", e.Dir, article(e.Kind), e.Found)
}

// checkFormat reads the format file, or writes it where there is none.
func checkFormat(dir, kind string, known int) error { return CheckFormat(dir, formatName, kind, known) }

// CheckFormat reads the format file of a directory that is not locked, or writes it where there is none.
// *FormatError, *NewerError.
func CheckFormat(dir, file, kind string, known int) error {
	path := filepath.Join(dir, file)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		written := WriteFile(path, fmt.Appendf(nil, "%s %d\n", kind, known))
		if text, err = os.ReadFile(path); err != nil { // whoever else wrote it meanwhile, the file is there
			return fmt.Errorf("write format of data directory %s: %w", dir, errors.Join(written, err))
		}
	}
	if err != nil {
		return fmt.Errorf("read format of data directory %s: %w", dir, err)
	}
	said := strings.TrimSpace(string(text))
	rest, ours := strings.CutPrefix(said, kind+" ")
	found, err := strconv.Atoi(rest)
	if !ours || err != nil || found < 1 {
		return &FormatError{dir, kind, said}
	}
	if found > known {
		return &NewerError{dir, kind, found, known}
	}
	return nil
}
