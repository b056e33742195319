package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// output is a file that is written beside its place, and moved there when it is whole: what stood there before stays until
// then. Where a device or a pipe stands in its place, it is written at once.
type output struct {
	*os.File
	path string // where it goes; empty: it is there
}

// createOutput begins a file, with the directories above it. A path that cannot be written is wrong usage.
func createOutput(path string) (*output, error) {
	file, err := beginOutput(path)
	if err != nil {
		var of *fs.PathError
		if errors.As(err, &of) { // the names of its parts are ours
			err = of.Err
		}
		return nil, usagef("the path of a file that can be written", "%s cannot be written: %v", path, err)
	}
	return file, nil
}

func beginOutput(path string) (*output, error) {
	standard := strings.HasPrefix(path, "/dev/") // as /dev/stdout, which may lead to a file that others write
	if target, err := filepath.EvalSymlinks(path); err == nil && !standard {
		path = target
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	mode := fs.FileMode(0o666)
	info, err := os.Stat(path)
	switch {
	case err == nil && (standard || !info.Mode().IsRegular()):
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		return &output{file, ""}, nil
	case err == nil:
		mode = info.Mode().Perm()
	}
	file, err := os.OpenFile(fmt.Sprintf("%s.%d.part", path, os.Getpid()), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return nil, err
	}
	return &output{file, path}, nil
}

// place closes the file and puts it in its place, or throws it away where it is not whole.
func (o *output) place(whole bool) error {
	err := o.Close()
	switch {
	case o.path == "":
		return err
	case err == nil && whole:
		return os.Rename(o.Name(), o.path)
	default:
		return errors.Join(err, os.Remove(o.Name()))
	}
}

// distinct refuses outputs that are one file with each other, or with an input, and -, which is a file in no place. Empty names
// are of nothing.
func distinct(outputs []string, inputs ...string) error {
	for _, in := range inputs {
		if in == "-" {
			return usagef("a file, or /dev/stdin where it is read once", "- names no file")
		}
	}
	for i, out := range outputs {
		if out == "-" {
			return usagef("a file, or /dev/stdout", "- names no file")
		}
		for _, other := range append(inputs[:len(inputs):len(inputs)], outputs[:i]...) {
			if out != "" && other != "" && out != os.DevNull && sameFile(out, other) {
				return usagef("another name for one of them", "%s and %s are the same file: what is written to one would destroy the other", out, other)
			}
		}
	}
	return nil
}

// sameFile says whether two paths lead to one file, be it there or not.
func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(infoA, infoB)
	}
	return resolved(a) == resolved(b)
}

// resolved is a path from the root, through the symbolic links of its directory.
func resolved(path string) string {
	whole, err := filepath.Abs(path)
	if err != nil {
		return filepath.Clean(path)
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(whole)); err == nil {
		return filepath.Join(dir, filepath.Base(whole))
	}
	return whole
}

// openHistory opens a recorded history, which is read more than once.
func openHistory(name string) (*os.File, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, usagef("a history that -history or a client wrote", "%v", err)
	}
	if err := regular(file); err != nil {
		_ = file.Close() // it was only opened
		return nil, err
	}
	return file, nil
}

// regular refuses what can be read only once, or not at all.
func regular(file *os.File) error {
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		return usagef("a copy of it in a file", "%s must be a file: a history is read more than once", file.Name())
	}
	return err
}
