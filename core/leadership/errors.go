package leadership

import (
	"errors"
	"fmt"
	"time"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/io/peer"
)

func streamWhat(name peer.StreamName) string { return "stream " + name.String() }

// retryable is a refusal that ends by itself.
func retryable(what, reason string, wait time.Duration, cause error) *peer.Error {
	return &peer.Error{Code: peer.Retry, What: what, Reason: reason, Wait: wait, Err: cause, Try: "send it again; the client library does"}
}

// limboRefusal is the refusal of a stream whose departure cannot land yet.
func limboRefusal(name peer.StreamName) *peer.Error {
	return retryable(streamWhat(name), "its leadership is in limbo: a departure cannot land yet", time.Second, nil)
}

func notOwner(what string, star keys.StarID, addr string) *peer.Error {
	return &peer.Error{Code: peer.NotOwner, What: what, Reason: fmt.Sprintf("star %s at %s serves it", star, addr), Holder: string(star), Addr: addr, Try: "ask that star; the client library does"}
}

// unavailable translates an error of a contract into a refusal; a refusal stays as it is.
func unavailable(what string, err error) error {
	var refusal *peer.Error
	if err == nil || errors.As(err, &refusal) {
		return err
	}
	reason := "the metastore or a store cannot be reached"
	if errors.Is(err, meta.ErrUnknown) {
		reason = "the metastore did not say what became of a write"
	}
	return &peer.Error{Code: peer.Unavailable, What: what, Reason: reason + ": " + err.Error(), Err: err, Try: "try again; nova health shows what the star cannot reach"}
}
