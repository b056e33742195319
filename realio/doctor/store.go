package doctor

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"github.com/novastream/nova/io/blob"
)

// What a store can be fit for.
const (
	Standard = "the standard class"
	Express  = "a zone of the express class"
)

const (
	// probeKeys is what the keys of probes begin with.
	probeKeys = "nova-probe/doctor-"
	// storeCheck is how long one check of a store may take.
	storeCheck = time.Minute
	cleanUp    = 20 * time.Second
)

// storeProbe is one examination of a store.
type storeProbe struct {
	store  blob.Store
	prefix string // of its keys, with the slash
	keys   []string
}

// Store examines a store, and tells each finding as it comes.
func Store(ctx context.Context, store blob.Store, tell func(Finding)) Report {
	p := &storeProbe{store: store, prefix: probeKeys + strings.ToLower(rand.Text()[:12]) + "/"}
	defer p.clean(ctx)
	both := []string{Standard, Express}
	return examine(ctx, storeCheck, both, []check{
		{"conditional put", both, p.conditionalPut},
		{"racing creators", both, p.racingCreators},
		{"ranges", both, p.ranges},
		{"listing after write", both, p.listing},
		{"delete", both, p.deletes},
		{"clock", nil, p.clock},
		{"speed of puts", []string{Express}, p.speed},
	}, tell)
}

// key is a key of the probe.
func (p *storeProbe) key(format string, args ...any) string {
	key := p.prefix + fmt.Sprintf(format, args...)
	p.keys = append(p.keys, key)
	return key
}

// create creates an object that is not there.
func (p *storeProbe) create(ctx context.Context, key string, data []byte) error {
	outcome, err := p.store.PutIfAbsent(ctx, key, data)
	if err == nil && outcome != blob.Created {
		err = fmt.Errorf("the object %s is there, and nobody created it", key)
	}
	return err
}

// clean takes away what the probe created.
func (p *storeProbe) clean(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanUp)
	defer cancel()
	_ = p.store.Delete(ctx, p.keys...) // what stays is small, and its name says what it is
}
