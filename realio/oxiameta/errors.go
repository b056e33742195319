package oxiameta

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/novastream/nova/io/meta"
)

// Reason is why a service cannot be used as it is configured.
type Reason uint8

// The reasons of an OpenError.
const (
	Unreachable Reason = iota // no server answered
	NoNamespace               // the service has no such namespace
	Denied                    // the token is missing, wrong or expired
	WrongName                 // the server is not known by the address that was dialled
	BadTLS                    // the two sides do not agree on TLS
	NotOxia                   // what answers does not speak the protocol, not in the clear, or only that of servers up to 0.14
	WrongOrder                // the key order of the namespace is not what it is used for
)

// OpenError says why a namespace of a service cannot be used.
type OpenError struct {
	Address   string
	Namespace string
	Reason    Reason
	Err       error // what the server or the connection said
}

// Error names the service, the namespace, and what is wrong.
func (e *OpenError) Error() string {
	return fmt.Sprintf("oxia at %s, namespace %q: %s: %s", e.Address, e.Namespace, e.Reason, plain(e.Err))
}

// Unwrap gives meta.ErrUnavailable and the cause.
func (e *OpenError) Unwrap() []error { return []error{meta.ErrUnavailable, e.Err} }

// Temporary says that the same service may be fit later.
func (e *OpenError) Temporary() bool { return e.Reason == Unreachable }

// plain is an error without the words of gRPC around it.
func plain(err error) string {
	if st, ok := status.FromError(err); ok && st.Message() != "" {
		return st.Message()
	}
	return err.Error()
}

// String is what is wrong.
func (r Reason) String() string {
	switch r {
	case Unreachable:
		return "no server answers"
	case NoNamespace:
		return "there is no such namespace"
	case Denied:
		return "it refuses the credentials"
	case WrongName:
		return "it does not go by this address"
	case BadTLS:
		return "the connection fails at TLS"
	case NotOxia:
		return "what answers does not speak Oxia's protocol"
	default:
		return "the key order is not the one needed"
	}
}

// Try is what to do about it, in one line.
func (r Reason) Try() string {
	switch r {
	case Unreachable:
		return "the address, the network in between, and whether the servers run"
	case NoNamespace:
		return "the name of a namespace that exists, or create this one in the configuration of Oxia's coordinator"
	case Denied:
		return "a token that the servers take"
	case WrongName:
		return "the public address of a data server, not an alias, a proxy or a load balancer"
	case BadTLS:
		return "certificates that are valid and trusted for this address, and TLS on both sides or on none"
	case NotOxia:
		return "the public address of a data server of Oxia 0.15 or newer, nothing in between, and TLS if it wants it"
	default:
		return "for records, work and ephemeral namespaces in hierarchical order; for naming one in natural order"
	}
}

// reasonOf is why a service does not answer as it should. certain says that waiting does not help.
func reasonOf(err error) (reason Reason, certain bool) {
	switch {
	case noNamespace(err):
		return NoNamespace, true
	case overTLS(err):
		return BadTLS, true
	}
	switch status.Code(err) {
	case codes.Unauthenticated:
		return Denied, true
	case codes.PermissionDenied, codes.InvalidArgument:
		return WrongName, true
	case codes.Unimplemented:
		return NotOxia, true
	case codes.Unavailable:
		if strings.Contains(err.Error(), "error reading server preface") { // or it has just died
			return NotOxia, false
		}
		return Unreachable, false
	case codes.Unknown: // what this client itself could not make sense of, too
		return NotOxia, false
	default:
		return Unreachable, false
	}
}

// errors of this package's own.
var (
	// errGone says that the shard is in the assignments no more: its keys are elsewhere.
	errGone = errors.New("the shard has been split or removed")
	// errClosed says that the client is closed.
	errClosed = errors.New("the client is closed")
	// errTimeout is the cause where the request time-out ended a call.
	errTimeout = errors.New("no answer within the request time-out")
	// errSession is the server's word that it does not know the session of a put.
	errSession = errors.New("the server does not know the session")
	// errNoServer says that nobody is known to ask.
	errNoServer = errors.New("no server to ask")
)

// unavailable is a call that did not reach the store, with its cause.
func unavailable(cause error) error { return fmt.Errorf("%w: %w", meta.ErrUnavailable, cause) }

// unknown is a write that may have happened, with what went wrong.
func unknown(cause error) error { return fmt.Errorf("%w: %w", meta.ErrUnknown, cause) }

// readEnded is the outcome of a read that was given up: the context's own error where the caller's context ended.
func readEnded(caller context.Context, cause error) error {
	if err := caller.Err(); err != nil {
		return err
	}
	return unavailable(cause)
}
