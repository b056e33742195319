package format

import (
	"encoding/binary"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/io/run"
)

// maxReason bounds the words of a poison object.
const maxReason = 1024

// Poison says who keeps flights out of a slot, and why.
type Poison struct {
	By     keys.StarID
	Boot   keys.BootID
	Reason string // cut at 1,024 bytes
}

// EncodePoison makes the object that poisons the slot of the header. Header and poisoner are checked rows and identities
// of their caller: one that cannot be at rest is a broken invariant.
func EncodePoison(h Header, p Poison) []byte {
	fault := h.fault()
	if fault == "" && (len(p.By) > maxStarID || len(p.Boot) > maxBootID) {
		fault = "the poisoner's id is too long"
	}
	if fault != "" {
		run.Broken("format: poison for %s: %s", h.Key(), fault)
	}
	reason := p.Reason[:min(len(p.Reason), maxReason)]
	object := appendHeader(make([]byte, 0, HeaderSize+TrailerSize+len(p.By)+len(p.Boot)+len(reason)+4), KindPoison, h)
	footer := len(object)
	object = appendText(object, string(p.By))
	object = appendText(object, string(p.Boot))
	object = binary.LittleEndian.AppendUint16(object, uint16(len(reason)))
	object = append(object, reason...)
	return seal(object, KindPoison, h.Key(), footer)
}

func appendText(dst []byte, s string) []byte {
	return append(append(dst, byte(len(s))), s...)
}

// poison reads the footer of a poison object.
func (s sealed) poison(key string) (Poison, error) {
	c := &cursor{key: key, part: PartObject, base: -int64(len(s.footer)) - TrailerSize, data: s.footer}
	p := Poison{By: keys.StarID(c.text("poisoner")), Boot: keys.BootID(c.text("poisoner's boot id"))}
	p.Reason = string(c.take(uint64(c.u16("length of the reason")), "reason"))
	c.end()
	return p, c.err
}
