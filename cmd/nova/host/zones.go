package host

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

const fileScheme = "file://"

// zone is a zonal store as a flag names it.
type zone struct{ name, url, dir string }

// zonesOf reads zone=URL, and refuses a zone or a store that is named twice, before anything is made.
func zonesOf(flags []string) (zones []zone, err error) {
	for _, text := range flags {
		z := zone{}
		var ok bool
		if z.name, z.url, ok = strings.Cut(text, "="); !ok || z.name == "" {
			return nil, &StoreError{text, errors.New("write ZONE=URL")}
		}
		if z.dir, err = dirOf(z.url); err != nil {
			return nil, err
		}
		for _, other := range zones {
			if other.name == z.name {
				return nil, &StoreError{z.url, fmt.Errorf("zone %s is given twice", z.name)}
			}
			if other.dir == z.dir {
				return nil, &StoreError{z.url, fmt.Errorf("zones %s and %s are one store; give each zone its own", other.name, z.name)}
			}
		}
		zones = append(zones, z)
	}
	return zones, nil
}

// dirOf is the directory of file:///path, by the name that it has without links where it is there already.
func dirOf(url string) (string, error) {
	path, ok := strings.CutPrefix(url, fileScheme)
	if !ok || path == "" {
		return "", &StoreError{url, errors.New("write file:///DIRECTORY; no other kind of store is known")}
	}
	if !filepath.IsAbs(path) {
		return "", &StoreError{url, errors.New("write file:///DIRECTORY, with the whole path")}
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real, nil
	}
	return filepath.Clean(path), nil
}
