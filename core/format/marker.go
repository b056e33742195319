package format

import (
	"encoding/binary"
	"fmt"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/io/run"
)

const markerMagic = "NOVASTOR"

// Marker is the identity of a store.
type Marker struct {
	Cluster string // the installation it belongs to
	Store   keys.StoreID
}

// EncodeMarker makes the marker object of a store. Ids that are empty or above 255 bytes are a broken invariant.
func EncodeMarker(m Marker) []byte {
	if fault := m.fault(); fault != "" {
		run.Broken("format: store marker: %s", fault)
	}
	data := append(make([]byte, 0, 64), markerMagic...)
	data = binary.LittleEndian.AppendUint16(data, Version)
	data = appendText(data, m.Cluster)
	data = appendText(data, string(m.Store))
	return binary.LittleEndian.AppendUint32(data, castagnoli(0, data))
}

func (m Marker) fault() string {
	if m.Cluster == "" || m.Store == "" || len(m.Cluster) > maxText || len(m.Store) > maxText {
		return fmt.Sprintf("cluster id and store id must be 1 to %d bytes", maxText)
	}
	return ""
}

// DecodeMarker reads a marker object.
func DecodeMarker(key string, data []byte) (Marker, error) {
	c := &cursor{key: key, part: PartObject, data: data}
	if magic := c.take(magicSize, "magic"); string(magic) != markerMagic {
		c.failAt(0, "magic "+markerMagic, fmt.Sprintf("%q", magic))
	}
	version := c.u16("format version")
	if c.left() < 4 {
		c.fail("a CRC at the end", fmt.Sprintf("%d bytes", c.left()))
	}
	if c.err != nil {
		return Marker{}, c.err
	}
	end := len(data) - 4
	if want, got := castagnoli(0, data[:end]), binary.LittleEndian.Uint32(data[end:]); want != got {
		c.failAt(end, fmt.Sprintf("CRC %08x", want), fmt.Sprintf("%08x", got))
		return Marker{}, c.err
	}
	if version > Version {
		return Marker{}, &VersionError{Key: key, Version: version, Supported: Version}
	}
	c.data = data[:end]
	m := Marker{Cluster: c.text("cluster id"), Store: keys.StoreID(c.text("store id"))}
	c.end()
	if fault := m.fault(); c.err == nil && (fault != "" || version == 0) {
		c.failAt(magicSize, "a valid marker from format version 1", fmt.Sprintf("version %d, %+v", version, m))
	}
	return m, c.err
}
