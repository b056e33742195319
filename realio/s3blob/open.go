package s3blob

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go/logging"
)

// limits are the budgets of a store. Tests have shorter ones.
type limits struct {
	open        time.Duration // of Open in all
	credentials time.Duration // of finding credentials
	try         time.Duration // of one request of Open
	dial        time.Duration // of a connection, and of its handshake
	tries       int           // of a read, and of a step of Open
	pace        pace
}

func defaultLimits() limits {
	return limits{
		open: 14 * time.Second, credentials: 5 * time.Second, try: 4 * time.Second, dial: 4 * time.Second, tries: 3,
		pace: pace{first: 50 * time.Millisecond, most: time.Second},
	}
}

// idleConns is how many connections are kept for the next requests: about as many as a busy star has under way.
const idleConns = 64

// Open opens the store of a bucket once it has proved there that it is fit: that objects can be created, are created once,
// and can be read, listed and deleted. It says within 15 s what is wrong: the error is *OpenError.
func Open(ctx context.Context, cfg Config) (*Store, error) { return open(ctx, cfg, defaultLimits()) }

func open(ctx context.Context, cfg Config, l limits) (*Store, error) {
	ctx, cancel := context.WithTimeout(ctx, l.open)
	defer cancel()
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	s, err := connect(ctx, cfg, l)
	if err != nil {
		return nil, err
	}
	if err := (&probe{store: s, cfg: cfg, limits: l}).run(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// connect makes the client, with credentials at hand. It does not speak to the store.
func connect(ctx context.Context, cfg Config, l limits) (*Store, error) {
	client := awshttp.NewBuildableClient().WithDialerOptions(func(d *net.Dialer) { d.Timeout = l.dial }).
		WithTransportOptions(func(t *http.Transport) {
			t.TLSHandshakeTimeout = l.dial
			t.MaxIdleConns, t.MaxIdleConnsPerHost = 0, idleConns
		})
	counts := &counts{}
	options := []func(*config.LoadOptions) error{config.WithHTTPClient(client), config.WithLogger(logging.Nop{}), config.WithRetryer(func() aws.Retryer {
		return retry.NewStandard(func(o *retry.StandardOptions) {
			o.MaxAttempts = l.tries
			o.Backoff = retry.BackoffDelayerFunc(func(try int, _ error) (time.Duration, error) { return counts.again(l.pace, try), nil })
		})
	})}
	if cfg.Region != "" {
		options = append(options, config.WithRegion(cfg.Region))
	}
	loaded, err := config.LoadDefaultConfig(ctx, options...)
	if err != nil {
		return nil, &OpenError{
			Store: cfg.String(), Kind: Misconfigured, Reason: "the AWS configuration of this process cannot be used: " + plain(err),
			Try: "AWS_PROFILE, AWS_CONFIG_FILE and AWS_CA_BUNDLE as they should be, or unset",
		}
	}
	if loaded.Region == "" {
		if cfg.Endpoint == "" {
			return nil, &OpenError{
				Store: cfg.String(), Kind: Misconfigured, Reason: "nothing says in which region the bucket is",
				Try: Scheme + cfg.Bucket + "?region=REGION, or AWS_REGION in the environment",
			}
		}
		loaded.Region = "us-east-1"
	}
	if err := credentials(ctx, cfg, loaded, l.credentials); err != nil {
		return nil, err
	}
	if b, ok := loaded.HTTPClient.(*awshttp.BuildableClient); ok { // it has the certificates of AWS_CA_BUNDLE now
		client = b
	}
	wire := transport{client.GetTransport(), counts}
	loaded.HTTPClient = wire
	s := &Store{name: cfg.String(), bucket: cfg.Bucket, wire: wire, pace: l.pace}
	if cfg.Prefix != "" {
		s.prefix = cfg.Prefix + "/"
	}
	s.client = s3.NewFromConfig(loaded, func(o *s3.Options) {
		if cfg.Endpoint != "" {
			o.BaseEndpoint = &cfg.Endpoint
		}
		o.UsePathStyle = cfg.PathStyle
		// Every put is hashed for its signature, and every slot holds checksums of its own.
		o.RequestChecksumCalculation = aws.RequestChecksumCalculationWhenRequired
		o.ResponseChecksumValidation = aws.ResponseChecksumValidationWhenRequired
	})
	return s, nil
}

// transport sends a request once, counts it and follows no redirect.
type transport struct {
	*http.Transport
	*counts
}

// Do is how the SDK sends.
func (t transport) Do(r *http.Request) (*http.Response, error) {
	t.requests.Add(1)
	return t.RoundTrip(r)
}

// credentials looks for some, so that a process without any is told so instead of being refused by the store.
func credentials(ctx context.Context, cfg Config, loaded aws.Config, budget time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	_, err := loaded.Credentials.Retrieve(ctx)
	if err == nil {
		return nil
	}
	reason := plain(err)
	if ctx.Err() != nil {
		reason = fmt.Sprintf("none were found within %v", budget)
	}
	return &OpenError{
		Store: cfg.String(), Kind: NoCredentials, Reason: "there are no credentials: " + strings.TrimSuffix(reason, "."),
		Try: "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment, AWS_PROFILE, or a role of the instance",
	}
}
