package s3blob

import (
	"errors"
	"strings"
	"testing"
)

func TestParseURL(t *testing.T) {
	for text, want := range map[string]Config{
		"s3://nova":                  {Bucket: "nova"},
		"s3://nova/":                 {Bucket: "nova"},
		"s3://nova/a/b/?region=eu-1": {Bucket: "nova", Prefix: "a/b", Region: "eu-1"},
		"s3://nova?endpoint=http://127.0.0.1:9000": {Bucket: "nova", Endpoint: "http://127.0.0.1:9000", PathStyle: true},
		"s3://nova/p?endpoint=store:9000&region=r&path-style=false": {
			Bucket: "nova", Prefix: "p", Endpoint: "https://store:9000", Region: "r",
		},
		"s3://nova?endpoint=https%3A%2F%2Fstore%2Fs3": {Bucket: "nova", Endpoint: "https://store/s3", PathStyle: true},
		"s3://nova?path-style=true":                   {Bucket: "nova", PathStyle: true},
	} {
		if got, err := ParseURL(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v; want %+v", text, got, err, want)
		}
	}
}

func TestBadURLs(t *testing.T) {
	for text, reason := range map[string]string{
		"s3:///prefix":                               `"" is no name of a bucket`,
		"s3://a b":                                   "it is no URL of an S3 bucket",
		"http://nova":                                "it is no URL of an S3 bucket",
		"s3://nova/a//b":                             `prefix "a//b" has letters other`,
		"s3://nova/a%20b":                            `prefix "a b" has letters other`,
		"s3://nova?endpiont=x":                       `"endpiont" is not known`,
		"s3://nova?region=a&region=b":                `"region" is given twice`,
		"s3://nova?path-style=yes":                   `path-style is "yes"`,
		"s3://nova?endpoint=ftp://x":                 `endpoint "ftp://x" is no address`,
		"s3://nova?endpoint=http://":                 `endpoint "http://" is no address`,
		"s3://nova?endpoint=http://me:secret@x:9000": "is no address",
		"s3://me:secret@nova":                        "credentials do not belong into the URL",
		"s3://nova?%zz":                              "cannot be read",
	} {
		_, err := ParseURL(text)
		var refused *OpenError
		if !errors.As(err, &refused) || refused.Kind != Misconfigured || refused.Try == "" || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: got %v, want %s", text, err, reason)
		}
		if err != nil && strings.Contains(err.Error()+refused.Try, "secret") {
			t.Errorf("%s: the error tells the secret: %v", text, err)
		}
	}
}
