package oxiameta

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/realio/oxiameta/oxiatest"
)

// certificate makes a certificate for loopback that is valid until then, and a pool that trusts it.
func certificate(t *testing.T, until time.Time) (*tls.Config, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: until.Add(-time.Hour), NotAfter: until, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(cert)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}, pool
}

func bothServices(c *Config, service Service) { c.Hierarchical, c.Natural = service, service }

func token(text string) func() (string, error) { return func() (string, error) { return text, nil } }

func TestTLSAndToken(t *testing.T) {
	server, pool := certificate(t, time.Now().Add(time.Hour))
	cluster := startCluster(t, oxiatest.Config{TLS: server, Token: "secret", Nodes: 2})
	cfg := configFor(cluster)
	bothServices(&cfg, Service{Addresses: cluster.Addresses(), TLS: &tls.Config{RootCAs: pool}, Token: token("secret")})
	m := open(t, cfg).Spaces().Records
	v, err := m.Put(t.Context(), "p/k", nil, meta.Absent())
	if err != nil {
		t.Fatal(err)
	}
	cluster.MoveLeader(cluster.ShardOf("records", "p/k").ID, 1)
	if _, err := m.Put(t.Context(), "p/k", nil, meta.At(v)); err != nil {
		t.Error(err)
	}
}

// What is wrong with a service is said at once, or within the time-out where it might still come.
func TestOpenFails(t *testing.T) {
	valid, _ := certificate(t, time.Now().Add(time.Hour))
	expired, expiredPool := certificate(t, time.Now().Add(-time.Minute))
	plain := startCluster(t, oxiatest.Config{Token: "secret"})
	secure := startCluster(t, oxiatest.Config{TLS: valid})
	late := startCluster(t, oxiatest.Config{TLS: expired})
	old := startCluster(t, oxiatest.Config{OldName: true})
	stripped := startCluster(t, oxiatest.Config{})
	stripped.OnCall(func(method string) error {
		if method == "WriteStream" {
			return status.Error(codes.InvalidArgument, "shard id is missing in the metadata")
		}
		return nil
	})
	const moment = 300 * time.Millisecond
	for _, c := range []struct {
		name   string
		start  *oxiatest.Cluster
		breaks func(*Config)
		reason Reason
		waits  time.Duration // it might still come
	}{
		{"no token", plain, func(c *Config) { bothServices(c, Service{Addresses: plain.Addresses()}) }, Denied, 0},
		{"wrong token", plain, func(c *Config) { bothServices(c, Service{plain.Addresses(), nil, token("guess")}) }, Denied, 0},
		{"no namespace", plain, func(c *Config) { c.Work = "nowhere" }, NoNamespace, 0},
		{"naming in hierarchical order", plain, func(c *Config) { c.Naming = "work" }, WrongOrder, 0},
		{"records in natural order", plain, func(c *Config) { c.Records = "naming" }, WrongOrder, 0},
		{"work in natural order", plain, func(c *Config) { c.Work = "naming" }, WrongOrder, 0},
		{"ephemeral in natural order", plain, func(c *Config) { c.Ephemeral = "naming" }, WrongOrder, 0},
		{"dead address", plain, func(c *Config) { c.Natural.Addresses = []string{deadAddress(t)} }, Unreachable, moment},
		{"alias", plain, func(c *Config) {
			c.Natural.Addresses = []string{strings.Replace(plain.Addresses()[0], "127.0.0.1", "localhost", 1)}
		}, WrongName, 0},
		{"another gRPC service", plain, func(c *Config) { c.Natural.Addresses = []string{otherGRPC(t)} }, NotOxia, 0},
		{"a web server", plain, func(c *Config) { c.Natural.Addresses = []string{webServer(t)} }, InBetween, moment},
		{"a proxy without its server", plain, func(c *Config) { c.Natural.Addresses = []string{badGateway(t)} }, InBetween, moment},
		{"a proxy that drops metadata", stripped, func(*Config) {}, InBetween, 0},
		{"a proxy that keeps all to itself", plain, func(c *Config) { c.Natural.Addresses = []string{mute(t)} }, Silent, 6 * time.Second},
		{"only the old name", old, func(*Config) {}, TooOld, 0},
		{"plain to TLS", secure, func(c *Config) { bothServices(c, Service{Addresses: secure.Addresses()}) }, NotOxia, moment},
		{"TLS to plain", plain, func(c *Config) { bothServices(c, Service{plain.Addresses(), &tls.Config{}, nil}) }, BadTLS, 0},
		{"unknown certificate", secure, func(c *Config) { bothServices(c, Service{secure.Addresses(), &tls.Config{}, nil}) }, BadTLS, 0},
		{"expired certificate", late, func(c *Config) {
			bothServices(c, Service{late.Addresses(), &tls.Config{RootCAs: expiredPool}, nil})
		}, BadTLS, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := configFor(c.start)
			bothServices(&cfg, Service{c.start.Addresses(), nil, token("secret")})
			cfg.OpenTimeout = budget
			if c.waits > 0 {
				cfg.OpenTimeout = c.waits
			}
			c.breaks(&cfg)
			_, err := Open(t.Context(), cfg)
			var why *OpenError
			if !errors.As(err, &why) || why.Reason != c.reason || !errors.Is(err, meta.ErrUnavailable) {
				t.Fatalf("got %v, want %v", err, c.reason)
			}
			t.Log(err)
		})
	}

}

func deadAddress(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func otherGRPC(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := grpc.NewServer()
	go s.Serve(l)
	t.Cleanup(s.Stop)
	return l.Addr().String()
}

func webServer(t *testing.T) string {
	s := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(s.Close)
	return s.Listener.Addr().String()
}

// badGateway speaks HTTP/2 and answers as proxies do that do not reach what is behind them.
func badGateway(t *testing.T) string {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "<html>bad gateway</html>", http.StatusBadGateway)
	}))
	s.Config.Protocols = new(http.Protocols)
	s.Config.Protocols.SetUnencryptedHTTP2(true)
	s.Start()
	t.Cleanup(s.Close)
	return s.Listener.Addr().String()
}

// mute takes connections and says nothing.
func mute(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l.Addr().String()
}

// One seed of several is enough.
func TestSeeds(t *testing.T) {
	cluster := startCluster(t, oxiatest.Config{Nodes: 2})
	cfg := configFor(cluster)
	cfg.Hierarchical.Addresses = append([]string{deadAddress(t)}, cluster.Addresses()...)
	if _, err := open(t, cfg).Spaces().Records.Put(t.Context(), "p/k", nil, meta.Absent()); err != nil {
		t.Error(err)
	}
}

func TestValidate(t *testing.T) {
	good := Config{Hierarchical: Service{Addresses: []string{"a:1"}}, Natural: Service{Addresses: []string{"b:2"}}}
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	for name, spoil := range map[string]func(*Config){
		"no address":      func(c *Config) { c.Natural.Addresses = nil },
		"no port":         func(c *Config) { c.Hierarchical.Addresses = []string{"host"} },
		"short session":   func(c *Config) { c.SessionTimeout = time.Second },
		"long session":    func(c *Config) { c.SessionTimeout = time.Hour },
		"negative window": func(c *Config) { c.WriteWindow = -1 },
		"huge batch":      func(c *Config) { c.MaxBatchBytes = 64 << 20 },
		"identity":        func(c *Config) { c.Identity = "a b" },
		"namespace":       func(c *Config) { c.Work = "a/b" },
		"time-out":        func(c *Config) { c.RequestTimeout = -1 },
	} {
		bad := good
		spoil(&bad)
		if bad.Validate() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Nothing runs after Close, whatever ran before.
func TestNoLeaks(t *testing.T) {
	before := runtime.NumGoroutine()
	cluster, err := oxiatest.Start(oxiatest.Config{Nodes: 2, Namespaces: spacesOf(4)})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		c, err := Open(t.Context(), configFor(cluster))
		if err != nil {
			t.Fatal(err)
		}
		s := c.Spaces()
		for _, loc := range []string{"a", "b", "c", "d", "e"} {
			_, err1 := s.Ephemeral.Within(loc).PutEphemeral(t.Context(), "p/"+loc, nil, meta.Any())
			_, err2 := s.Records.Fresh().Scan(t.Context(), loc, "", 10)
			_, err3 := s.Naming.Fresh().List(t.Context(), loc, "", 10)
			if err := errors.Join(err1, err2, err3); err != nil {
				t.Error(err)
			}
		}
		cluster.Split(cluster.Shards("ephemeral")[0].ID)
		if err := c.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	cluster.Close()
	eventually(t, "no goroutine is left", func() bool { return runtime.NumGoroutine() <= before })
}
