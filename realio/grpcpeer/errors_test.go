package grpcpeer

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/realio/grpcpeer/novav1"
)

func everyCode() []peer.Code {
	var all []peer.Code
	for c := peer.Internal; !strings.HasPrefix(c.String(), "code("); c++ {
		all = append(all, c)
	}
	return all
}

func fullError(c peer.Code) *peer.Error {
	return &peer.Error{
		Code: c, What: "stream logs/app", Reason: "because", Try: "do that", Holder: "star-7", Addr: "10.0.0.7:7780", Token: 1 << 60,
		Tail: 1 << 61, First: 1 << 62, Wait: 1500 * time.Millisecond,
	}
}

func TestTheWireNamesEveryCode(t *testing.T) {
	all := everyCode()
	if got, want := len(novav1.ErrorCode_name), len(all)+1; got != want {
		t.Errorf("the wire has %d codes, want %d", got, want)
	}
	for _, c := range all {
		want := "ERROR_CODE_" + strings.ToUpper(strings.ReplaceAll(c.String(), "-", "_"))
		if got := wireCode(c).String(); got != want {
			t.Errorf("%v is %s on the wire, want %s", c, got, want)
		}
		if codeOf(wireCode(c)) != c {
			t.Errorf("%v does not come back", c)
		}
	}
	for _, unknown := range []novav1.ErrorCode{0, 99, -1} {
		if got := codeOf(unknown); got != peer.Internal {
			t.Errorf("code %d of the wire is %v, want internal", unknown, got)
		}
	}
}

func TestToolsThatKnowGoogleRPCUnderstandAnError(t *testing.T) {
	st := status.Convert(statusOf(fullError(peer.NotOwner)))
	var info *errdetails.ErrorInfo
	var retry *errdetails.RetryInfo
	for _, d := range st.Details() {
		switch d := d.(type) {
		case *errdetails.ErrorInfo:
			info = d
		case *errdetails.RetryInfo:
			retry = d
		}
	}
	if st.Code() != codes.FailedPrecondition || !strings.Contains(st.Message(), "not-owner stream logs/app: because") {
		t.Errorf("status %v", st)
	}
	if info.GetDomain() != "nova" || info.GetReason() != "NOT_OWNER" || info.GetMetadata()["addr"] != "10.0.0.7:7780" {
		t.Errorf("info %v", info)
	}
	if got := retry.GetRetryDelay().AsDuration(); got != 1500*time.Millisecond {
		t.Errorf("retry after %v", got)
	}
}

func TestAnErrorWithForeignBytesTravels(t *testing.T) {
	w := newWorld(t, &fakeStar{health: func(context.Context) (peer.Health, error) {
		return peer.Health{}, &peer.Error{Code: peer.Invalid, What: "stream key \xff"}
	}})
	if _, err := w.client.Health(t.Context()); !peer.Is(err, peer.Invalid) {
		t.Errorf("got %v", err)
	}
}

func TestWhatNeverLeftIsUnavailable(t *testing.T) {
	network := NewNetwork(func(context.Context, string) (net.Conn, error) { return nil, errors.New("connection refused") })
	star := network.Dial("10.0.0.7:7780")
	_, err := star.OpenSession(t.Context(), peer.OpenRequest{Stream: app})
	for _, err := range []error{err, star.DeleteStream(t.Context(), app)} {
		if !peer.Is(err, peer.Unavailable) || err.Error() != "unavailable star at 10.0.0.7:7780: connection refused" {
			t.Errorf("got %v", err)
		}
	}
	if err := network.Close(); err != nil {
		t.Error(err)
	}
	for _, star := range []peer.Star{star, network.Dial("10.0.0.7:7780")} {
		if err := star.DeleteStream(t.Context(), app); !peer.Is(err, peer.Unavailable) {
			t.Errorf("after close: got %v", err)
		}
	}
}

// Another service at the address, and a star that is paused, are told apart from a star that is not there.
func TestWhoAnswersInsteadOfAStarIsTold(t *testing.T) {
	serve := func(serve func(net.Listener)) string {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = listener.Close() })
		go serve(listener)
		return listener.Addr().String()
	}
	other := grpc.NewServer()
	t.Cleanup(other.Stop)
	older := grpc.NewServer()
	older.RegisterService(&grpc.ServiceDesc{ServiceName: novav1.NodeService_ServiceDesc.ServiceName}, nil)
	t.Cleanup(older.Stop)
	for addr, want := range map[string]string{
		serve(func(l net.Listener) { _ = other.Serve(l) }):                        "invalid address ADDR: what answers there is no Nova star",
		serve(func(l net.Listener) { _ = older.Serve(l) }):                        "invalid star at ADDR: it does not know this call; it may be of an older version",
		serve(func(l net.Listener) { _ = http.Serve(l, http.NotFoundHandler()) }): "unavailable star at ADDR: what answers there is no Nova star",
		serve(func(l net.Listener) {
			for conn, err := l.Accept(); err == nil; conn, err = l.Accept() {
				_ = conn.Close()
			}
		}): "unavailable star at ADDR: it takes connections and does not answer them",
	} {
		network := NewNetwork(nil)
		_, err := network.Dial(addr).Health(t.Context())
		if got := strings.ReplaceAll(err.Error(), addr, "ADDR"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if err := network.Close(); err != nil {
			t.Error(err)
		}
	}
}
