package s3blob

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	smithy "github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/novastream/nova/io/blob"
)

// failure is what became of a request that did not succeed, in words that do not need the SDK.
type failure struct {
	status int    // of the answer; 0: none came
	code   string // S3's name for a refusal; empty where the answer does not look like S3's
	text   string
	region string // of the bucket, where the answer names it
	left   bool   // the request may have been carried out
	ended  error  // the context's, where it ended
	cause  error  // what kept the answer away
}

func (f *failure) Error() string { return f.text }

// Unwrap keeps the context's own errors recognisable.
func (f *failure) Unwrap() error { return f.ended }

// failed describes the error of an operation; nil for nil. left says whether the headers of a request were written.
func failed(ctx context.Context, err error, left bool) *failure {
	if err == nil {
		return nil
	}
	f := &failure{text: plain(err), left: left, cause: err}
	var answer *smithyhttp.ResponseError
	var refusal smithy.APIError
	switch {
	case errors.As(err, &answer) && answer.Response != nil && answer.Response.StatusCode != 0: // without an answer it is 0
		f.status, f.left = answer.HTTPStatusCode(), true
		f.region = answer.Response.Header.Get("X-Amz-Bucket-Region")
		f.text = fmt.Sprintf("it answered %d %s", f.status, http.StatusText(f.status))
		if f.status < 300 {
			f.text += ", and not what was asked: " + plain(answer.Err)
		}
		// Where the answer has no word of S3, the SDK makes one of the status.
		if errors.As(err, &refusal) && refusal.ErrorMessage() != http.StatusText(f.status) && refusal.ErrorCode() != "UnknownError" {
			f.code = refusal.ErrorCode()
			f.text = fmt.Sprintf("it answered %d %s: %s", f.status, f.code, refusal.ErrorMessage())
		}
		if id := answer.Response.Header.Get("X-Amz-Request-Id"); id != "" {
			f.text += " (request " + id + ")"
		}
	case ctx.Err() != nil:
		f.ended, f.text = ctx.Err(), "it did not answer in time"
		if errors.Is(f.ended, context.Canceled) {
			f.text = "the caller gave up before it answered"
		}
	}
	return f
}

// plain is an error without what the SDK and net/http wrap around it.
func plain(err error) string {
	var send *smithyhttp.RequestSendError
	if errors.As(err, &send) {
		err = send.Err
	}
	var in *url.Error
	if errors.As(err, &in) {
		err = in.Err
	}
	var op *smithy.OperationError
	if errors.As(err, &op) {
		err = op.Err
	}
	return err.Error()
}

// transient says that the same request may be answered in a moment.
func (f *failure) transient() bool {
	return f.status == 0 || f.status >= 500 || f.status == http.StatusTooManyRequests || f.status == http.StatusRequestTimeout
}

// ofWrite is the kind of error that a failed write is.
func (f *failure) ofWrite() error {
	refused := f.status >= 300 && f.status < 500 && f.status != http.StatusRequestTimeout
	if refused || !f.left {
		return blob.ErrUnavailable
	}
	return blob.ErrUnknown
}

// writeError is a failed write as told to the caller.
func (s *Store) writeError(what, key string, f *failure) error {
	return fmt.Errorf("%w: store %s: %s %s: %w", f.ofWrite(), s.name, what, key, f)
}

// readError is a failed read as told to the caller.
func (s *Store) readError(what, key string, f *failure) error {
	if f.ended != nil {
		return fmt.Errorf("store %s: %s %s: %w", s.name, what, key, f)
	}
	return fmt.Errorf("%w: store %s: %s %s: %w", blob.ErrUnavailable, s.name, what, key, f)
}
