package keys

import (
	"fmt"
	"strings"
)

const chainsPrefix = "chains/"

// ChainLocality is the locality of a star's chain records, and the key of its mint counter.
func ChainLocality(star StarID) string { return chainsPrefix + string(star) }

// ChainRow is the mint counter with the head epoch of each class.
func ChainRow(star StarID) string { return ChainLocality(star) }

// EpochRow is the row of one chain epoch.
func EpochRow(star StarID, epoch Epoch) string {
	return string(appendEpochRow(make([]byte, 0, maxSlotObject), star, epoch))
}

// maxSlotObject is room for the key of any slot.
const maxSlotObject = len(chainsPrefix) + maxStarID + 1 + digits + 1 + digits

func appendEpochRow(dst []byte, star StarID, epoch Epoch) []byte {
	dst = append(append(append(dst, chainsPrefix...), star...), '/')
	return appendPadded(dst, uint64(epoch))
}

// ParseEpochRow gives the epoch of an epoch row's key.
func ParseEpochRow(key string) (Epoch, error) {
	n, err := unpad(key[strings.LastIndexByte(key, '/')+1:])
	return Epoch(n), err
}

// ChainObjects is what all objects of a star's chain start with.
func ChainObjects(star StarID) string { return ChainLocality(star) + "/" }

// EpochObjects is what all objects of a chain epoch start with.
func EpochObjects(star StarID, epoch Epoch) string { return EpochRow(star, epoch) + "/" }

// SlotObject is the store key of one slot.
func SlotObject(star StarID, epoch Epoch, slot Slot) string {
	row := appendEpochRow(make([]byte, 0, maxSlotObject), star, epoch)
	return string(appendPadded(append(row, '/'), uint64(slot)))
}

// ParseSlotObject is the inverse of SlotObject.
func ParseSlotObject(key string) (StarID, Epoch, Slot, error) {
	rest, inChains := strings.CutPrefix(key, chainsPrefix)
	star, rest, hasEpoch := strings.Cut(rest, "/")
	inEpoch, inSlot, hasSlot := strings.Cut(rest, "/")
	if !inChains || !hasEpoch || !hasSlot || strings.Contains(inSlot, "/") {
		return "", 0, 0, fmt.Errorf("keys: %q is not the key of a slot", key)
	}
	epoch, err := unpad(inEpoch)
	if err != nil {
		return "", 0, 0, err
	}
	slot, err := unpad(inSlot)
	return StarID(star), Epoch(epoch), Slot(slot), err
}

// StoreMarker is the store key of a store's marker object.
const StoreMarker = "nova-store"
