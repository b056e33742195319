package client

import (
	"errors"
	"strings"
	"testing"
)

// TestConnectRefuses what is no address of a star, and says which and why, before anything is dialled.
func TestConnectRefuses(t *testing.T) {
	for addr, why := range map[string]string{
		"": "it is empty", "nonsense": "missing port", "127.0.0.1": "missing port", "a b:1": `"a b" is no host`, "a:": `"" is no port`,
		"a:http": `"http" is no port`, "a:0": "port 0", "a:65536": "no port", "a:-1": "no port", "::1:80": "too many colons", "http://a:80": "too many colons",
		"a:1,b:2": "too many colons", "a/b:1": "no host", "\n:1": "no host", " a:1": "no host", "a:1 ": "no port",
	} {
		fleet, err := Connect(Config{Addrs: []string{"nova-1:7780", addr}})
		var bad *AddrError
		if !errors.As(err, &bad) || bad.Addr != addr || !strings.Contains(bad.Reason, why) || fleet != nil {
			t.Errorf("%q: %v, want %s", addr, err, why)
		}
	}
	if _, err := Connect(Config{}); err == nil {
		t.Error("no address at all was accepted")
	}
	for _, addr := range []string{"nova-1:7780", "127.0.0.1:1", "[::1]:7780", "[fe80::1%eth0]:7780", "star_2.zone.example:65535", "bücher.example:80", ":7780"} {
		fleet, err := Connect(Config{Addrs: []string{addr}})
		if err != nil {
			t.Errorf("%q: %v", addr, err)
			continue
		}
		if err := fleet.Close(); err != nil {
			t.Error(err)
		}
	}
}
