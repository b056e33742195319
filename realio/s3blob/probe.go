package s3blob

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"net/http"

	"github.com/novastream/nova/io/blob"
)

// probeKeys is what the keys of probes begin with. A process that dies in its probe leaves one small object behind.
const probeKeys = "nova-probe/"

// probe finds out whether a store is fit.
type probe struct {
	store  *Store
	cfg    Config
	limits limits
}

// run creates an object, creates it again, reads, lists and deletes it. The object does not stay.
func (p *probe) run(ctx context.Context) error {
	key, f := p.create(ctx)
	if f != nil && f.status == http.StatusForbidden && !f.badCredentials() {
		return p.explainForbidden(ctx, f)
	}
	if f != nil {
		return p.explain("create", f)
	}
	err := p.judge(ctx, key)
	f = p.attempt(ctx, func(ctx context.Context) error { return p.store.Delete(ctx, key) })
	if err == nil && f != nil {
		return p.explain("delete", f)
	}
	return err
}

// create creates an object. Each try has a key of its own: what a failed one did is unknown.
func (p *probe) create(ctx context.Context) (key string, f *failure) {
	f = p.attempt(ctx, func(ctx context.Context) error {
		key = probeKeys + rand.Text()
		outcome, err := p.store.PutIfAbsent(ctx, key, []byte("first"))
		if outcome == blob.Exists {
			err = &failure{status: http.StatusPreconditionFailed, text: "it says that an object exists which nobody created"}
		}
		return err
	})
	return key, f
}

// judge asks of an object that was created whether the store keeps to the contract.
func (p *probe) judge(ctx context.Context, key string) error {
	var outcome blob.Outcome
	if f := p.attempt(ctx, func(ctx context.Context) (err error) {
		outcome, err = p.store.PutIfAbsent(ctx, key, []byte("second"))
		return err
	}); f != nil {
		return p.explain("create over an existing object", f)
	}
	if outcome == blob.Created {
		return p.unfit("it let a second create of one object pass: it does not honour If-None-Match, and stars would overwrite each other")
	}
	var data []byte
	if f := p.attempt(ctx, func(ctx context.Context) (err error) {
		data, err = p.store.Get(ctx, key, blob.All())
		return err
	}); f != nil {
		return p.explain("read", f)
	}
	if !bytes.Equal(data, []byte("first")) {
		return p.unfit("it refused a second create of one object, and replaced the object all the same")
	}
	var infos []blob.Info
	if f := p.attempt(ctx, func(ctx context.Context) (err error) {
		infos, err = p.store.List(ctx, key, "", 1)
		return err
	}); f != nil {
		return p.explain("list", f)
	}
	if len(infos) != 1 || infos[0].Key != key {
		return p.unfit("a listing does not show an object that was created before it")
	}
	return nil
}

// attempt makes one step of the probe, a few times where the store may answer otherwise in a moment.
func (p *probe) attempt(ctx context.Context, step func(ctx context.Context) error) (f *failure) {
	for try := 1; ; try++ {
		within, cancel := context.WithTimeout(ctx, p.limits.try)
		err := step(within)
		cancel()
		if err == nil {
			return nil
		}
		if !errors.As(err, &f) {
			f = &failure{text: err.Error(), status: http.StatusNotFound, code: "NoSuchKey"} // what was created is not there
		}
		if !f.transient() || try == p.limits.tries || p.store.again(ctx, try) != nil {
			return f
		}
	}
}
