package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A measure that cannot be computed for the original data still has figures for the current ones, and the report
// says why the other side is empty.
func TestEachSideOfAMeasureIsForItself(t *testing.T) {
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	var file strings.Builder
	file.WriteString("a,b,w\n")
	for i := range 2010 {
		fmt.Fprintf(&file, "%d,%d,100\n", i, i)
	}
	for name, text := range map[string]string{"file.csv": file.String(),
		"script.jsonl": `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["a","b"],"weight":"w"}}
{"step":"recode-intervals","params":{"variable":"a","breaks":[-1,2010]}}
`} {
		if err := os.WriteFile(path(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := sdcdesk("run", path("script.jsonl"), path("file.csv"), "-o", path("out.csv"), "--summary",
		path("summary.json"), "--report", path("report.html"), "--measures", "model"); err != nil {
		t.Fatal(err)
	}
	for name, wants := range map[string][]string{"summary.json": {`"tau1"`},
		"report.html": {"not computed", "the cross table of the variables in the formula has 4,040,100 cells",
			"fewer than 0.001"}} {
		text, err := os.ReadFile(path(name))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s does not have %q", name, want)
			}
		}
	}
}
