package s3blob

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/novastream/nova/io/blob"
)

// Scheme is what the URL of such a store begins with.
const Scheme = "s3://"

// Config says which bucket, and where it is. Credentials come from the SDK's standard chain: the environment, the shared
// configuration files, web identity, and the roles of containers and instances.
type Config struct {
	Bucket   string
	Prefix   string // of all keys, without slashes around it; may be empty
	Endpoint string // http(s)://host[:port]; empty: what the environment says, else AWS
	Region   string // empty: what the environment says, else us-east-1 where an endpoint is given
	// PathStyle puts the bucket into the path of requests instead of the host name. ParseURL sets it for any endpoint.
	PathStyle bool
}

// ParseURL reads s3://bucket/prefix?endpoint=http://host:port&region=name&path-style=true. All but the bucket may be left
// out. The error is *OpenError.
func ParseURL(text string) (Config, error) {
	u, err := url.Parse(text)
	if err != nil || !strings.HasPrefix(text, Scheme) {
		return Config{}, misconfigured(Redacted(text), "it is no URL of an S3 bucket")
	}
	if u.User != nil {
		return Config{}, &OpenError{
			Store: Redacted(text), Kind: Misconfigured, Reason: "credentials do not belong into the URL",
			Try: "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment, or AWS_PROFILE",
		}
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return Config{}, misconfigured(text, "what follows the ? cannot be read: "+err.Error())
	}
	c := Config{Bucket: u.Host, Prefix: strings.Trim(u.Path, "/"), Endpoint: query.Get("endpoint"), Region: query.Get("region")}
	if c.Endpoint != "" && !strings.Contains(c.Endpoint, "://") {
		c.Endpoint = "https://" + c.Endpoint
	}
	c.PathStyle = c.Endpoint != ""
	for name, values := range query {
		switch {
		case !slices.Contains([]string{"endpoint", "region", "path-style"}, name):
			return Config{}, misconfigured(text, fmt.Sprintf("%q is not known: it takes endpoint, region and path-style", name))
		case len(values) > 1:
			return Config{}, misconfigured(text, fmt.Sprintf("%q is given twice", name))
		}
	}
	if style := query.Get("path-style"); style != "" {
		if c.PathStyle, err = strconv.ParseBool(style); err != nil {
			return Config{}, misconfigured(text, fmt.Sprintf("path-style is %q: write true or false", style))
		}
	}
	return c, c.Validate()
}

// Redacted is the text of a URL without the credentials that somebody wrote into it.
func Redacted(text string) string {
	scheme, rest, ok := strings.Cut(text, "://")
	authority, _, _ := strings.Cut(rest, "/")
	if at := strings.LastIndexByte(authority, '@'); ok && at >= 0 {
		return scheme + "://..." + rest[at:]
	}
	return text
}

// Validate says what is wrong, without asking the store. The error is *OpenError.
func (c Config) Validate() error {
	if c.Bucket == "" || !blob.Plain(c.Bucket) {
		return misconfigured(c.String(), fmt.Sprintf("%q is no name of a bucket", c.Bucket))
	}
	if c.Prefix != "" && blob.CheckKey(c.Prefix) != nil {
		return misconfigured(c.String(), fmt.Sprintf("prefix %q has letters other than A-Z a-z 0-9 . _ ~ -", c.Prefix))
	}
	if c.Endpoint == "" {
		return nil
	}
	u, err := url.Parse(c.Endpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" {
		return misconfigured(c.String(), fmt.Sprintf("endpoint %q is no address: write http://host:port or https://host", Redacted(c.Endpoint)))
	}
	return nil
}

// String names the store: the bucket and prefix, and where they are.
func (c Config) String() string {
	text := Scheme + c.Bucket
	if c.Prefix != "" {
		text += "/" + c.Prefix
	}
	if c.Endpoint != "" {
		text += " at " + Redacted(c.Endpoint)
	}
	return text
}

func misconfigured(store, reason string) *OpenError {
	return &OpenError{Store: store, Kind: Misconfigured, Reason: reason, Try: "s3://BUCKET/PREFIX?endpoint=https://HOST:PORT&region=REGION"}
}
