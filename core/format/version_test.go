package format

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/novastream/nova/core/keys"
)

// inVersion is the object as a release of another format version would have sealed it.
func inVersion(object []byte, key string, version uint16) []byte {
	footer := len(object) - TrailerSize - int(binary.LittleEndian.Uint32(object[len(object)-TrailerSize+4:]))
	out := append([]byte{}, object[:len(object)-TrailerSize]...)
	binary.LittleEndian.PutUint16(out[magicSize:], version)
	out = seal(out, KindFlight, key, footer)
	copy(out[len(out)-magicSize:], object[:magicSize])
	trailer := out[len(out)-TrailerSize:]
	binary.LittleEndian.PutUint16(trailer[8:], version)
	binary.LittleEndian.PutUint32(trailer[12:], castagnoli(castagnoli(0, []byte(key)), out[footer:len(out)-magicSize-4]))
	return out
}

func TestNewerVersionIsRefused(t *testing.T) {
	key := sampleHeader.Key()
	check := func(what string, err error) {
		t.Helper()
		var newer *VersionError
		if !errors.As(err, &newer) || newer.Key == "" || newer.Version != 2 || newer.Supported != Version {
			t.Errorf("%s: got %v", what, err)
		} else if !strings.Contains(err.Error(), "upgrade this star") {
			t.Errorf("%s: %q does not say what to do", what, err)
		}
	}
	for name, object := range map[string][]byte{"flight": encodeFlight(t, sampleWindows()...), "poison": samplePoison()} {
		if _, err := Decode(key, inVersion(object, key, Version)); err != nil {
			t.Fatalf("%s sealed again: %v", name, err)
		}
		newer := inVersion(object, key, 2)
		_, err := Decode(key, newer)
		check(name, err)
		_, _, err = DecodeFooter(key, newer, 0)
		check(name+"'s footer", err)

		_, err = Decode(key, inVersion(object, key, 0))
		wantCorrupt(t, name+" in version 0", key, err)
	}
	marker := sampleMarker()
	binary.LittleEndian.PutUint16(marker[magicSize:], 2)
	end := len(marker) - 4
	binary.LittleEndian.PutUint32(marker[end:], castagnoli(0, marker[:end]))
	_, err := DecodeMarker(keys.StoreMarker, marker)
	check("marker", err)
}
