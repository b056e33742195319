package star

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"

	"github.com/novastream/nova/core/backoff"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/disk"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/io/run"
)

// identityFile holds the star's identity on its disk. A wiped disk comes back as a fresh star.
const identityFile = "identity"

// identity is what the file holds.
type identity struct {
	Star keys.StarID `json:"star"`
}

// IdentityError says that the disk holds no identity that a star ever wrote.
type IdentityError struct{ Err error }

func (e *IdentityError) Error() string {
	return "the identity file of the data directory is damaged: " + e.Err.Error()
}
func (e *IdentityError) Unwrap() error { return e.Err }

// readIdentity loads the star's identity, or makes one on a fresh disk.
func readIdentity(ctx context.Context, d disk.Disk, r run.Runtime) (keys.StarID, error) {
	data, err := d.Load(ctx, identityFile)
	if errors.Is(err, disk.ErrNotFound) {
		id := identity{Star: keys.StarID("star-" + randomHex(r, 5))}
		data, err := json.Marshal(id)
		if err != nil {
			return "", err
		}
		return id.Star, d.Save(ctx, identityFile, data)
	}
	if err != nil {
		return "", err
	}
	var id identity
	if err := json.Unmarshal(data, &id); err != nil {
		return "", &IdentityError{err}
	}
	if err := keys.CheckStar(string(id.Star)); err != nil {
		return "", &IdentityError{err}
	}
	return id.Star, nil
}

func randomHex(r run.Runtime, bytes int) string {
	raw := make([]byte, bytes)
	for i := range raw {
		raw[i] = byte(r.Rand().Uint32())
	}
	return hex.EncodeToString(raw)
}

// readCluster reads the installation's id, or makes it where this is the first star ever. An unknown outcome is resolved by
// reading again.
func readCluster(ctx context.Context, r run.Runtime, m meta.Metastore) (string, error) {
	within := m.Within(keys.ClusterRow)
	for tries := backoff.New(r, backoff.Rows); ; {
		id, err := clusterOnce(ctx, r, within)
		if err == nil || !errors.Is(err, meta.ErrUnknown) && !errors.Is(err, meta.ErrConflict) && !errors.Is(err, meta.ErrUnavailable) {
			return id, err
		}
		if wait := tries.Wait(ctx); wait != nil {
			return "", err
		}
	}
}

func clusterOnce(ctx context.Context, r run.Runtime, m meta.Metastore) (string, error) {
	rec, err := m.Fresh().Get(ctx, keys.ClusterRow)
	if err == nil {
		row := &records.Cluster{}
		err := records.Decode(rec.Key, rec.Value, row)
		return row.GetId(), err
	}
	if !errors.Is(err, meta.ErrNotFound) {
		return "", err
	}
	row := &records.Cluster{Id: randomHex(r, 8)}
	_, err = m.Put(ctx, keys.ClusterRow, records.Encode(row), meta.Absent())
	return row.GetId(), err
}
