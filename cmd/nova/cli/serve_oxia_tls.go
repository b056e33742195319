package cli

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
)

// tokenAge is how long a token is used before its file is read again.
const tokenAge = 10 * time.Second

// tlsConfig is how to speak TLS to Oxia; nil is in the clear.
func (o *oxiaFlags) tlsConfig() (*tls.Config, error) {
	if !o.tls && o.ca == "" && o.cert == "" {
		return nil, nil
	}
	cfg := &tls.Config{MinVersion: tls.VersionTLS12}
	if o.ca != "" {
		pem, err := os.ReadFile(o.ca)
		if err != nil {
			return nil, fileError("--oxia-ca-file", err)
		}
		cfg.RootCAs = x509.NewCertPool()
		if !cfg.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fileError("--oxia-ca-file", fmt.Errorf("%s holds no certificate", o.ca))
		}
	}
	if o.cert != "" {
		pair, err := tls.LoadX509KeyPair(o.cert, o.key)
		if err != nil {
			return nil, fileError("--oxia-cert-file and --oxia-key-file", err)
		}
		cfg.Certificates = []tls.Certificate{pair}
	}
	return cfg, nil
}

func fileError(flag string, err error) error {
	return usagef(flag+" with a file that can be read, in PEM", "%s: %v", flag, err)
}

// token gives the bearer token, or is nil where none is asked for.
func (o *oxiaFlags) token() (func() (string, error), error) {
	if o.tokenFile == "" {
		return nil, nil
	}
	f := &tokenFile{path: o.tokenFile}
	if _, err := f.get(); err != nil {
		return nil, usagef("--oxia-token-file with a file that holds a token", "--oxia-token-file: %v", err)
	}
	return f.get, nil
}

// tokenFile reads a token, again and again, so that it can be renewed while the star runs.
type tokenFile struct {
	path string

	mu    sync.Mutex
	token string
	read  time.Time
}

func (f *tokenFile) get() (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.token != "" && time.Since(f.read) < tokenAge {
		return f.token, nil
	}
	data, err := os.ReadFile(f.path)
	if err != nil {
		return "", err
	}
	token := string(bytes.TrimSpace(data))
	if token == "" || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", fmt.Errorf("%s holds no token: it is one word of printable ASCII", f.path)
	}
	f.token, f.read = token, time.Now()
	return f.token, nil
}
