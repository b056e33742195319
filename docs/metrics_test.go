package docs_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/novastream/nova/cmd/nova/host"
)

// TestMetrics compares the metrics of the operations page, with their labels, with those that a star registers.
func TestMetrics(t *testing.T) {
	said := map[string]string{}
	row := regexp.MustCompile("(?m)^\\| `(nova_[a-z_]+)` \\| ([^|]*)\\|")
	for _, m := range row.FindAllStringSubmatch(read(t, "docs/operations.md"), -1) {
		said[m[1]] = strings.ReplaceAll(strings.TrimSpace(m[2]), " ", "")
	}
	descs := make(chan *prometheus.Desc)
	go func() {
		host.NewMonitor().Metrics().Describe(descs)
		close(descs)
	}()
	registered := regexp.MustCompile(`fqName: "(nova_\w+)".*variableLabels: \{([^}]*)\}`)
	found := 0
	for desc := range descs {
		m := registered.FindStringSubmatch(desc.String())
		if m == nil { // of the Go runtime, or of the process
			continue
		}
		found++
		labels, ok := said[m[1]]
		if !ok || labels != m[2] {
			t.Errorf("docs/operations.md says of %s (there: %v) the labels %q; it has %q", m[1], ok, labels, m[2])
		}
		delete(said, m[1])
	}
	if found == 0 || len(said) > 0 {
		t.Errorf("%d metrics are registered; docs/operations.md has besides %v", found, said)
	}
}
