package oxiameta

import (
	"context"
	"errors"
	"fmt"
	"regexp"
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
	Silent                    // a server takes calls and does not answer them
	NoNamespace               // the service has no such namespace
	Denied                    // the token is missing, wrong or expired
	WrongName                 // the server is not known by the address that was dialled
	BadTLS                    // the two sides do not agree on TLS
	TooOld                    // the server speaks the protocol under its old name only, as those up to 0.14 do
	NotOxia                   // what answers does not speak the protocol, or not in the clear
	InBetween                 // what answers is no gRPC server, or passes on less than what the protocol needs
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
func (e *OpenError) Temporary() bool { return e.Reason == Unreachable || e.Reason == Silent }

// The words that gRPC puts around what happened.
var (
	grpcWords  = regexp.MustCompile(`rpc error: code = \w+(\(\d+\))? desc = |transport: (Error while dialing: )?`)
	grpcQuote  = regexp.MustCompile(`connection error: desc = "((?:[^"\\]|\\.)*)"`)
	grpcGaveUp = regexp.MustCompile(`error reading server preface: .*: use of closed network connection`)
)

// plain is an error in one line, without the words that gRPC puts around it.
func plain(err error) string {
	text := grpcQuote.ReplaceAllString(grpcWords.ReplaceAllString(err.Error(), ""), "$1")
	text = grpcGaveUp.ReplaceAllString(text, "it takes the connection and says nothing on it")
	return strings.ReplaceAll(text, "\n", "; ")
}

// String is what is wrong.
func (r Reason) String() string { return reasons[r].is }

// Try is what to do about it, in one line.
func (r Reason) Try() string { return reasons[r].try }

var reasons = map[Reason]struct{ is, try string }{
	Unreachable: {
		"no server answers",
		"the address, the network in between, and whether the servers run",
	},
	Silent: {
		"it takes calls and does not answer them",
		"whether the servers are well, and whether a proxy or a firewall in between keeps streams back",
	},
	NoNamespace: {
		"there is no such namespace",
		"the name of a namespace that exists, or create this one in the configuration of Oxia's coordinator",
	},
	Denied: {
		"it refuses the credentials",
		"a token that the servers take",
	},
	WrongName: {
		"it does not go by this address",
		"the public address of a data server, not an alias, a proxy or a load balancer",
	},
	BadTLS: {
		"the connection fails at TLS",
		"certificates that are valid and trusted for this address, and TLS on both sides or on none",
	},
	TooOld: {
		"the server speaks only the old protocol of Oxia up to 0.14",
		"an Oxia of 0.15 or newer",
	},
	NotOxia: {
		"what answers does not speak Oxia's protocol",
		"the public address of a data server of Oxia, not that of its coordinator or of something else, and TLS if it wants it",
	},
	InBetween: {
		"what answers is a web server, or a proxy that does not pass Oxia's protocol on",
		"the public address of a data server, with nothing in between that speaks HTTP itself",
	},
	WrongOrder: {
		"its key order is not the one needed",
		"namespaces in hierarchical order for records, work and ephemeral, and one in natural order for naming",
	},
}

// reasonOf is why a service does not answer as it should. certain says that waiting does not help.
func reasonOf(err error) (reason Reason, certain bool) {
	text := err.Error()
	switch {
	case noNamespace(err):
		return NoNamespace, true
	case overTLS(err):
		return BadTLS, true
	case errors.Is(err, errOrder):
		return WrongOrder, true
	case strings.Contains(text, "unexpected HTTP status code"), strings.Contains(text, "unexpected content-type"),
		strings.Contains(text, "looked like an HTTP/1.1 header"):
		return InBetween, false
	case errors.Is(err, errSilent):
		return Silent, false
	}
	switch status.Code(err) {
	case codes.Unauthenticated:
		return Denied, true
	case codes.PermissionDenied, codes.InvalidArgument:
		return WrongName, true
	case codes.Unimplemented:
		return NotOxia, true
	case codes.Unavailable:
		switch {
		case !strings.Contains(text, "error reading server preface"):
			return Unreachable, false
		case strings.Contains(text, "use of closed network connection"): // this client has waited long enough
			return Silent, false
		default: // or it has just died
			return NotOxia, false
		}
	case codes.DeadlineExceeded:
		if strings.Contains(text, "waiting for connections") {
			return Unreachable, false
		}
		return Silent, false
	case codes.Unknown: // what this client itself could not make sense of, too
		if errors.Is(err, context.DeadlineExceeded) {
			return Silent, false
		}
		return NotOxia, false
	default:
		return Unreachable, false
	}
}
