package cli

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/novastream/nova/cmd/nova/host"
)

// askTimeout bounds how long one who watches may take to ask.
const askTimeout = 5 * time.Second

// watch answers those who watch the star, from before it starts until unwatch is called. Without --metrics-listen nobody is
// answered.
func (s *serving) watch(log *slog.Logger) (unwatch func(), err error) {
	if s.metrics == "" {
		return func() {}, nil
	}
	listener, err := listen("--metrics-listen", s.metrics)
	if err != nil {
		return nil, err
	}
	s.host.Monitor = host.NewMonitor()
	server := &http.Server{
		Handler: s.host.Monitor.Handler(), ReadTimeout: askTimeout, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	log.Info("metrics", "listen", listener.Addr().String())
	go func() { _ = server.Serve(listener) }() // until it is closed
	return func() { _ = server.Close() }, nil  // nobody waits for what is cut
}
