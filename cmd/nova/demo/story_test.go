package demo

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

func TestTheStoryIsTrue(t *testing.T) {
	var out bytes.Buffer
	err := Tell(t.Context(), Config{Dir: t.TempDir(), Out: &out})
	if err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, want := range []string{"equal to the file byte for byte", "killed star-", "both copies equal to the file", "the end"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the story lacks %q:\n%s", want, out.String())
		}
	}
}

func TestTheTextIsTheLicence(t *testing.T) {
	want, err := os.ReadFile("../../../LICENSE")
	if err != nil || !bytes.Equal(license, want) {
		t.Errorf("license.txt is not LICENSE: %v", err)
	}
}
