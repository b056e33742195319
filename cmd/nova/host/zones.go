package host

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/novastream/nova/realio/s3blob"
)

const fileScheme = "file://"

// zone is a zonal store as a flag names it.
type zone struct {
	name  string
	place place
}

// place is where a store is: in a directory, or in a bucket. Two stores of one place are one.
type place struct {
	url    string // as it may be told
	dir    string // by the name that it has without links where it is there already
	bucket s3blob.Config
}

func (p place) same(other place) bool {
	if p.dir != "" || other.dir != "" {
		return p.dir == other.dir
	}
	a, b := p.bucket, other.bucket
	return a.Bucket == b.Bucket && a.Prefix == b.Prefix && a.Endpoint == b.Endpoint
}

// placeOf reads file:///path and s3://bucket/prefix.
func placeOf(url string) (p place, err error) {
	p.url = s3blob.Redacted(url)
	if strings.HasPrefix(url, s3blob.Scheme) {
		p.bucket, err = s3blob.ParseURL(url)
	} else {
		p.dir, err = dirOf(url)
	}
	return p, err
}

// zonesOf reads zone=URL, and refuses a zone or a store that is named twice, before anything is made.
func zonesOf(flags []string) (zones []zone, err error) {
	for _, text := range flags {
		z := zone{}
		name, url, ok := strings.Cut(text, "=")
		if z.name = name; !ok || name == "" || strings.Contains(name, "://") {
			return nil, &StoreError{text, errors.New("write ZONE=URL")}
		}
		if z.place, err = placeOf(url); err != nil {
			return nil, err
		}
		for _, other := range zones {
			if other.name == z.name {
				return nil, &StoreError{z.place.url, fmt.Errorf("zone %s is given twice", z.name)}
			}
			if other.place.same(z.place) {
				return nil, &StoreError{z.place.url, fmt.Errorf("zones %s and %s are one store; give each zone its own", other.name, z.name)}
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
		return "", &StoreError{url, errors.New("write file:///DIRECTORY or s3://BUCKET/PREFIX; no other kind of store is known")}
	}
	if !filepath.IsAbs(path) {
		return "", &StoreError{url, errors.New("write file:///DIRECTORY, with the whole path")}
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real, nil
	}
	return filepath.Clean(path), nil
}
