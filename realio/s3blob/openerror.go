package s3blob

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
)

// Kind says what is wrong with a store.
type Kind uint8

// The kinds of errors of Open.
const (
	Misconfigured Kind = iota // the URL, the region, or the AWS configuration
	NoCredentials             // there are none, or the store does not take them
	Denied                    // the credentials are known and may not do what a star has to
	ReadOnly                  // the bucket can be read and not be written
	NoBucket                  // there is no such bucket
	Unreachable               // nothing answers at the address, or only with errors
	NotTrusted                // the certificate is not what this process trusts
	NotS3                     // what answers is no object store
	Unfit                     // the store does not keep what Nova relies on
)

// OpenError says why a store cannot be used.
type OpenError struct {
	Store  string // bucket, prefix, and where it is
	Kind   Kind
	Reason string
	Try    string // what the user can do, one line
}

func (e *OpenError) Error() string { return fmt.Sprintf("store %s: %s", e.Store, e.Reason) }

// Temporary says that the same store may be fit later.
func (e *OpenError) Temporary() bool { return e.Kind == Unreachable }

func (p *probe) refuse(kind Kind, try, format string, args ...any) *OpenError {
	return &OpenError{Store: p.cfg.String(), Kind: kind, Reason: fmt.Sprintf(format, args...), Try: try}
}

func (p *probe) unfit(reason string) *OpenError {
	return p.refuse(Unfit, "a store that answers 412 to a put with If-None-Match: * over an existing object, such as AWS S3 or MinIO", "%s", reason)
}

// badCredentials says that it is the credentials, and not what they may do.
func (f *failure) badCredentials() bool {
	return f.status == http.StatusUnauthorized || slices.Contains([]string{
		"InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken", "TokenRefreshRequired", "InvalidSecurity",
		"InvalidClientTokenId", "XAdminUserNotFound",
	}, f.code)
}

// explain says what a failed step of the probe means.
func (p *probe) explain(step string, f *failure) *OpenError {
	switch {
	case f.status == 0:
		return p.explainSilence(f)
	case f.badCredentials():
		return p.refuse(NoCredentials, "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, of an account of that store",
			"it does not take the credentials: %s", f.text)
	case f.code == "RequestTimeTooSkewed":
		return p.refuse(Misconfigured, "a clock that is right, for example with NTP, here and there", "the clocks differ: %s", f.text)
	case f.code == "NoSuchBucket":
		return p.refuse(NoBucket, "a bucket that exists, or create this one", "there is no such bucket: %s", f.text)
	case f.code == "PermanentRedirect" || f.code == "AuthorizationHeaderMalformed" || f.region != "" && f.status < http.StatusForbidden:
		return p.refuse(Misconfigured, "region="+or(f.region, "REGION")+" in the URL", "the bucket is in another region: %s", f.text)
	case f.status == http.StatusNotImplemented || f.code == "NotImplemented" || f.status == http.StatusPreconditionFailed:
		return p.unfit("it does not know conditional puts: " + f.text)
	case f.status == http.StatusForbidden:
		return p.refuse(Denied, "s3:PutObject, s3:GetObject and s3:DeleteObject on the objects, and s3:ListBucket on the bucket",
			"the credentials may not %s: %s", step, f.text)
	case f.status == http.StatusMethodNotAllowed && f.code != "":
		return p.refuse(ReadOnly, "a bucket that can be written", "it cannot be written: %s", f.text)
	case f.transient():
		return p.refuse(Unreachable, "the same again once the store is well", "it does not %s: %s", step, f.text)
	case f.code == "":
		return p.refuse(NotS3, "the endpoint of an S3 service, and path-style=true or false as it wants it", "what answers there is not S3: %s", f.text)
	default:
		return p.refuse(Unfit, "another store, or what the answer says", "it does not %s: %s", step, f.text)
	}
}

// explainForbidden finds out whether the bucket can be read at least.
func (p *probe) explainForbidden(ctx context.Context, f *failure) *OpenError {
	readable := p.attempt(ctx, func(ctx context.Context) error {
		_, err := p.store.List(ctx, probeKeys, "", 1)
		return err
	})
	if readable == nil {
		return p.refuse(ReadOnly, "credentials with s3:PutObject, s3:GetObject, s3:DeleteObject and s3:ListBucket, or another bucket",
			"it can be read and not be written: %s", f.text)
	}
	return p.explain("create", f)
}

// explainSilence says why no answer came.
func (p *probe) explainSilence(f *failure) *OpenError {
	var untrusted *tls.CertificateVerificationError
	var header tls.RecordHeaderError
	var dns *net.DNSError
	switch {
	case errors.As(f.cause, &untrusted), isX509(f.cause):
		return p.refuse(NotTrusted, "AWS_CA_BUNDLE=FILE with the certificate of its authority; or a certificate that is valid for its name",
			"its certificate is not trusted: %s", f.text)
	case errors.As(f.cause, &header), strings.Contains(f.text, "server gave HTTP response to HTTPS client"):
		return p.refuse(Misconfigured, "endpoint=http://... in the URL", "it does not speak TLS: %s", f.text)
	case errors.As(f.cause, &dns):
		return p.refuse(Unreachable, "an endpoint whose name can be resolved", "its address is not known: %s", f.text)
	case f.ended != nil:
		return p.refuse(Unreachable, "the address, and whether a firewall is in between", "it does not answer within %v", p.limits.try)
	default:
		return p.refuse(Unreachable, "the address, and whether the store runs", "%s", f.text)
	}
}

func isX509(err error) bool {
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	return errors.As(err, &unknown) || errors.As(err, &name) || errors.As(err, &invalid)
}

func or(text, other string) string {
	if text != "" {
		return text
	}
	return other
}
