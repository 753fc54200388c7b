package cli

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// sampleFile writes every sixth household of the survey, or the whole survey in long tests, and returns the path.
func sampleFile(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "testdata", "survey.csv"))
	if err != nil {
		t.Fatal(err)
	}
	var kept strings.Builder
	for line := range strings.Lines(string(text)) {
		household, _, _ := strings.Cut(line, ",")
		if number, err := strconv.Atoi(household); err != nil || number%6 == 1 || longtests.Wanted() { // err: the header
			kept.WriteString(line)
		}
	}
	path := filepath.Join(t.TempDir(), "survey.csv")
	if err := os.WriteFile(path, []byte(kept.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
