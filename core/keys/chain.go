package keys

import (
	"fmt"
	"strings"
)

// ChainLocality is the locality of a star's chain records, and the key of its mint counter.
func ChainLocality(star StarID) string { return "chains/" + string(star) }

// ChainRow is the mint counter with the head epoch of each class.
func ChainRow(star StarID) string { return ChainLocality(star) }

// EpochRow is the row of one chain epoch.
func EpochRow(star StarID, epoch Epoch) string { return ChainLocality(star) + "/" + pad(uint64(epoch)) }

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
	return EpochObjects(star, epoch) + pad(uint64(slot))
}

// ParseSlotObject is the inverse of SlotObject.
func ParseSlotObject(key string) (StarID, Epoch, Slot, error) {
	parts := strings.Split(key, "/")
	if len(parts) != 4 || parts[0] != "chains" {
		return "", 0, 0, fmt.Errorf("keys: %q is not the key of a slot", key)
	}
	epoch, err := unpad(parts[2])
	if err != nil {
		return "", 0, 0, err
	}
	slot, err := unpad(parts[3])
	return StarID(parts[1]), Epoch(epoch), Slot(slot), err
}

// StoreMarker is the store key of a store's marker object.
const StoreMarker = "nova-store"
