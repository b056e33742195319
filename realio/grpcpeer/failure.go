package grpcpeer

import (
	"context"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/realio/grpcpeer/novav1"
)

// failure turns the error of a carried call into an *peer.Error. ctx is the caller's; left says whether the request may
// have left this process.
func failure(ctx context.Context, err error, addr string, left bool) *peer.Error {
	st := status.Convert(err)
	for _, d := range st.Details() {
		if detail, ok := d.(*novav1.ErrorDetail); ok {
			return errorOf(detail) // the star's own word
		}
	}
	e := &peer.Error{Code: peer.Indeterminate, What: "star at " + addr, Reason: readable(st.Message()), Err: cause(ctx, st)}
	if e.Err != nil {
		e.Reason = "it had not answered when the call was given up"
	}
	switch st.Code() {
	case codes.Unimplemented:
		e.Code, e.Reason = peer.Invalid, "it does not know this call; it may be of an older version"
		if !strings.HasPrefix(st.Message(), "unknown method ") { // the whole service, or the protocol
			e.What, e.Reason, e.Try = "address "+addr, stranger, aStar
		}
	case codes.Unauthenticated, codes.PermissionDenied:
		e.Code = peer.Invalid
	case codes.Internal, codes.ResourceExhausted:
		e.Code = peer.Internal
	default:
		if !left {
			e.Code = peer.Unavailable
			greeted(e, st.Message())
		}
	}
	return e
}

const (
	stranger = "what answers there is no Nova star"
	aStar    = "the address that a star serves on"
)

// greeted says in plain words that whoever took the connection did not open it as a star does.
func greeted(e *peer.Error, message string) {
	read := strings.Contains(message, "error reading server preface: ")
	wrote := strings.Contains(message, "transport: failed to write ") || strings.Contains(message, "write tcp ")
	switch {
	case e.Err != nil || !read && !wrote:
	case read && strings.Contains(message, "http2: "): // it said something else
		e.Reason, e.Try = stranger, aStar
	default:
		e.Reason = "it takes connections and does not answer them"
		e.Try = "the same again in a moment; where that stays so, see whether the star's process is paused or its machine overloaded"
	}
}

// cause keeps the context's own errors recognisable.
func cause(ctx context.Context, st *status.Status) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case st.Code() == codes.DeadlineExceeded:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// readable drops what gRPC and the dialer wrap around the operating system's own words.
func readable(message string) string {
	for _, wrap := range []string{`connection error: desc = "`, "Error while dialing: ", ": connect: "} {
		if _, inner, ok := strings.Cut(message, wrap); ok {
			message = strings.TrimSuffix(inner, `"`)
		}
	}
	return message
}
