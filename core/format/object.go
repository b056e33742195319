package format

import "fmt"

// Object is a whole slot object that passed every check.
type Object struct {
	Kind    Kind
	Header  Header
	Entries []Entry // of a flight
	Poison  Poison  // of poison
}

// Decode reads the whole object of a slot and checks every CRC, every bound, and that it belongs under this key.
func Decode(key string, object []byte) (Object, error) {
	corrupt := func(offset int, want, got string) error {
		return &CorruptError{Key: key, Part: PartObject, Offset: int64(offset), Want: want, Got: got}
	}
	if len(object) < HeaderSize+TrailerSize {
		return Object{}, corrupt(len(object), fmt.Sprintf("at least %d bytes", HeaderSize+TrailerSize), fmt.Sprint(len(object)))
	}
	s, err := unseal(key, object)
	if err != nil {
		return Object{}, err
	}
	footer := len(object) - TrailerSize - len(s.footer)
	if s.need > 0 || footer < HeaderSize {
		return Object{}, corrupt(4-TrailerSize, "a footer behind the header", "a longer one")
	}
	if sum := castagnoli(0, object[:len(object)-TrailerSize]); sum != s.objectCRC {
		return Object{}, corrupt(-TrailerSize, fmt.Sprintf("object CRC %08x", sum), fmt.Sprintf("%08x", s.objectCRC))
	}
	o := Object{Kind: s.kind}
	if o.Header, err = decodeHeader(key, s.kind, object[:HeaderSize]); err != nil {
		return Object{}, err
	}
	windowsEnd := int64(HeaderSize)
	if o.Kind == KindPoison {
		o.Poison, err = s.poison(key)
	} else {
		o.Entries, windowsEnd, err = s.entries(key)
	}
	if err != nil {
		return Object{}, err
	}
	if windowsEnd != int64(footer) {
		return Object{}, corrupt(footer, fmt.Sprintf("the footer at byte %d, behind the windows", windowsEnd), fmt.Sprint(footer))
	}
	for _, e := range o.Entries {
		if err := e.checkStored(key, object[e.Offset:e.Offset+e.Length]); err != nil {
			return Object{}, err
		}
	}
	return o, nil
}
