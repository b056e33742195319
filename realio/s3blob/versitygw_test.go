package s3blob

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/novastream/nova/io/blob"
)

// gatewayEnv names the versitygw to test against; make s3 builds it. It is an S3 server of another make, over a directory.
const gatewayEnv = "NOVA_VERSITYGW"

// gateway is a versitygw of this test's own, over a new directory. Its stores are buckets that do not exist yet.
type gateway struct {
	url string
}

func newGateway(t *testing.T, dir string, flags ...string) *gateway {
	t.Helper()
	program := os.Getenv(gatewayEnv)
	if program == "" {
		t.Skipf("%s does not name a versitygw: make s3 builds one and runs this", gatewayEnv)
	}
	environment(t, "nova", "nova-secret")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"--access", "nova", "--secret", "nova-secret", "--port", addr, "--keep-alive", "--quiet"}, flags...)
	command := exec.Command(program, append(args, "posix", dir)...)
	command.Stderr = os.Stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	soon := pace{first: 10 * time.Millisecond, most: 100 * time.Millisecond}
	for try := 1; ; try++ {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			_ = conn.Close()
			return &gateway{url: "http://" + addr}
		}
		if err := soon.wait(t.Context(), try); err != nil || try == 600 {
			t.Fatalf("%s does not listen on %s", program, addr)
		}
	}
}

func (g *gateway) config(bucket string) Config {
	return Config{Bucket: bucket, Endpoint: g.url, PathStyle: true}
}

func TestConformanceVersitygw(t *testing.T) {
	g := newGateway(t, t.TempDir())
	buckets := 0
	runSuite(t, true, func(t *testing.T) blob.Store {
		buckets++
		cfg := g.config(fmt.Sprint("nova-", buckets))
		createBucket(t, cfg)
		return openTest(t, cfg)
	})
}

// What another server refuses in earnest is told as what it is.
func TestRefusalsOfVersitygw(t *testing.T) {
	dir := t.TempDir()
	g := newGateway(t, dir)
	_, err := open(t.Context(), g.config("nova-none"), quick())
	wantRefused(t, err, NoBucket, "NoSuchBucket", "create this one")
	createBucket(t, g.config("nova"))
	openTest(t, g.config("nova"))

	environment(t, "nova", "another-secret")
	_, err = open(t.Context(), g.config("nova"), quick())
	wantRefused(t, err, NoCredentials, "SignatureDoesNotMatch", "AWS_ACCESS_KEY_ID")
	environment(t, "nobody", "nova-secret")
	_, err = open(t.Context(), g.config("nova"), quick())
	wantRefused(t, err, NoCredentials, "does not take the credentials", "AWS_ACCESS_KEY_ID")

	g = newGateway(t, dir, "--readonly")
	_, err = open(t.Context(), g.config("nova"), quick())
	wantRefused(t, err, ReadOnly, "can be read and not be written", "s3:PutObject")

	g = newGateway(t, dir, "--region", "eu-north-7")
	_, err = open(t.Context(), g.config("nova"), quick())
	wantRefused(t, err, Misconfigured, "another region", "region=")
	cfg := g.config("nova")
	cfg.Region = "eu-north-7"
	openTest(t, cfg)
}
