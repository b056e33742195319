package grpcpeer

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/realio/grpcpeer/novav1"
)

// domain is the domain of the google.rpc.ErrorInfo of every error.
const domain = "nova"

// statusOf turns the error of a star into the status that carries it.
func statusOf(err error) error {
	if err == nil {
		return nil
	}
	var e *peer.Error
	if !errors.As(err, &e) {
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return status.FromContextError(err).Err()
		}
		e = &peer.Error{Code: peer.Internal, Reason: err.Error()}
	}
	detail := detailOf(e)
	details := []protoadapt.MessageV1{protoadapt.MessageV1Of(detail), protoadapt.MessageV1Of(infoOf(e))}
	if e.Wait > 0 {
		details = append(details, protoadapt.MessageV1Of(&errdetails.RetryInfo{RetryDelay: durationpb.New(e.Wait)}))
	}
	st := status.New(grpcCode(e.Code), valid(e.Error()))
	if full, err := st.WithDetails(details...); err == nil {
		st = full
	}
	return st.Err()
}

// detailOf is the error as it travels.
func detailOf(e *peer.Error) *novav1.ErrorDetail {
	d := &novav1.ErrorDetail{
		Code: wireCode(e.Code), What: valid(e.What), Reason: valid(e.Reason), Advice: valid(e.Try),
		Holder: valid(e.Holder), Addr: valid(e.Addr), Token: e.Token, Tail: e.Tail, First: e.First,
	}
	if e.Wait != 0 {
		d.Wait = durationpb.New(e.Wait)
	}
	return d
}

// errorOf is detailOf's inverse. A code of a newer version says nothing to this one: Internal.
func errorOf(d *novav1.ErrorDetail) *peer.Error {
	return &peer.Error{
		Code: codeOf(d.GetCode()), What: d.GetWhat(), Reason: d.GetReason(), Try: d.GetAdvice(), Holder: d.GetHolder(),
		Addr: d.GetAddr(), Token: d.GetToken(), Tail: d.GetTail(), First: d.GetFirst(), Wait: d.GetWait().AsDuration(),
	}
}

// The codes of the wire are those of package peer plus one: zero is taken by "unspecified".
func wireCode(c peer.Code) novav1.ErrorCode { return novav1.ErrorCode(c) + 1 }

func codeOf(c novav1.ErrorCode) peer.Code {
	if _, known := novav1.ErrorCode_name[int32(c)]; !known || c == novav1.ErrorCode_ERROR_CODE_UNSPECIFIED {
		return peer.Internal
	}
	return peer.Code(c - 1)
}

// infoOf is the error for tools that know google.rpc and not Nova.
func infoOf(e *peer.Error) *errdetails.ErrorInfo {
	info := &errdetails.ErrorInfo{
		Reason: strings.TrimPrefix(wireCode(e.Code).String(), "ERROR_CODE_"), Domain: domain, Metadata: map[string]string{},
	}
	switch e.Code {
	case peer.NotOwner:
		info.Metadata["holder"], info.Metadata["addr"] = valid(e.Holder), valid(e.Addr)
	case peer.Fenced:
		info.Metadata["token"] = strconv.FormatUint(e.Token, 10)
	case peer.MatchFailed:
		info.Metadata["tail"] = strconv.FormatUint(e.Tail, 10)
	case peer.Trimmed:
		info.Metadata["first"] = strconv.FormatUint(e.First, 10)
	default: // the others carry no value
	}
	return info
}

// grpcCode is the status code that says the most to a caller who knows gRPC alone.
func grpcCode(c peer.Code) codes.Code {
	switch c {
	case peer.Invalid, peer.TooLarge:
		return codes.InvalidArgument
	case peer.NotFound:
		return codes.NotFound
	case peer.AlreadyExists:
		return codes.AlreadyExists
	case peer.NotOwner, peer.Fenced:
		return codes.FailedPrecondition
	case peer.AtCapacity, peer.Shed:
		return codes.ResourceExhausted
	case peer.MatchFailed, peer.NotAppended:
		return codes.Aborted
	case peer.Trimmed:
		return codes.OutOfRange
	case peer.Retry, peer.Unavailable:
		return codes.Unavailable
	case peer.Indeterminate:
		return codes.Unknown
	default:
		return codes.Internal
	}
}

// valid makes s fit for a protobuf string: the bytes of a caller's key may be anything.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
