package oxiameta

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// kind is what a failed call means for what comes next.
type kind uint8

const (
	// again: ask once more, whoever leads by then.
	again kind = iota
	// sessionGone: the server does not know the session.
	sessionGone
	// refused: asking once more would give the same.
	refused
	// undefined: the server failed in the middle. A write must not be sent again blindly.
	undefined
)

// failure is a failed call, understood.
type failure struct {
	kind   kind
	leader string // who leads the shard below, as the server says; empty if it does not
	shard  int64
	err    error
}

// errorDomain marks the details of Oxia's errors, from 0.17 on.
const errorDomain = "oxia.io"

// Codes of servers up to 0.16, outside of gRPC's own.
const (
	legacyFirst           codes.Code = 100
	legacySessionNotFound codes.Code = 108
	legacyInvalidTimeout  codes.Code = 109
	legacyNoNamespace     codes.Code = 110
	legacyNoNotifications codes.Code = 111
	legacyLast            codes.Code = 112
)

// classify understands an error of a call whose own context has not ended.
func classify(err error) failure {
	f := failure{kind: again, err: err}
	if errors.Is(err, io.EOF) {
		return f
	}
	st, ok := status.FromError(err)
	if !ok {
		return f // the transport's
	}
	f.kind = byCode(st.Code())
	for _, detail := range st.Details() {
		switch d := detail.(type) {
		case *errdetails.ErrorInfo:
			if d.GetDomain() != errorDomain {
				continue
			}
			f.kind = byReason(d.GetReason(), f.kind)
			if shard, err := strconv.ParseInt(d.GetMetadata()["shard"], 10, 64); err == nil {
				f.leader, f.shard = d.GetMetadata()["leader"], shard
			}
		case *oxiav1.LeaderHint:
			f.leader, f.shard = d.GetLeaderAddress(), d.GetShard()
		}
	}
	return f
}

func byCode(code codes.Code) kind {
	switch code {
	case codes.Unavailable, codes.Aborted, codes.Canceled, codes.DeadlineExceeded, codes.OK:
		return again
	case codes.Unknown, codes.Internal, codes.DataLoss:
		return undefined
	case legacySessionNotFound:
		return sessionGone
	case legacyInvalidTimeout, legacyNoNamespace, legacyNoNotifications:
		return refused
	default:
		if code >= legacyFirst && code <= legacyLast {
			return again
		}
		return refused
	}
}

func byReason(reason string, def kind) kind {
	switch reason {
	case "NODE_IS_NOT_LEADER", "NODE_IS_NOT_MEMBER", "ABORTED", "NOT_INITIALIZED", "RESOURCE_UNAVAILABLE", "SHARD_NOT_FOUND",
		"INVALID_STATUS", "INVALID_TERM", "RESOURCE_CONFLICT": // the last three pass when an election is over
		return again
	case "SESSION_NOT_FOUND":
		return sessionGone
	case "INVALID_SESSION_TIMEOUT", "NAMESPACE_NOT_FOUND":
		return refused
	default:
		return def
	}
}

// noNamespace says whether a server refused because it has no such namespace.
func noNamespace(err error) bool {
	st, _ := status.FromError(err)
	if st.Code() == legacyNoNamespace {
		return true
	}
	for _, detail := range st.Details() {
		if d, ok := detail.(*errdetails.ErrorInfo); ok && d.GetReason() == "NAMESPACE_NOT_FOUND" {
			return true
		}
	}
	return false
}

// overTLS says whether a connection failed for what TLS found.
func overTLS(err error) bool {
	text := err.Error()
	return strings.Contains(text, "tls: ") || strings.Contains(text, "x509: ") || strings.Contains(text, "authentication handshake failed")
}
