package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// With --scratch a script writes the same bytes as in memory, and leaves nothing in the folder.
func TestRunInScratchSpace(t *testing.T) {
	folder := t.TempDir()
	scratch, file := filepath.Join(folder, "scratch"), filepath.Join(folder, "in.csv")
	script := filepath.Join(folder, "script.jsonl")
	var content strings.Builder
	content.WriteString("region,age,income\n")
	for i := range 70_000 { // more bytes than small arrays have
		fmt.Fprintf(&content, "r%d,%d,%d.5\n", i%7, i*i%97, i*7919%60_013)
	}
	for path, text := range map[string]string{file: content.String(), script: `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["region","age"],"numeric":["income"]}}
{"step":"recode-intervals","params":{"variable":"age","count":9}}
{"step":"pram","params":{"variables":["region"]},"seed":1}
{"step":"suppress-kanonymity","params":{"k":1200}}
{"step":"noise","params":{"variables":["income"]},"seed":1}
`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := execute(t, "run", script, file, "-o", filepath.Join(folder, "x.csv"), "--scratch", scratch); err == nil ||
		exitStatus(err) != 2 || !strings.Contains(err.Error(), scratch+" does not exist") {
		t.Errorf("a folder that is not there: %v", err)
	}
	if err := os.Mkdir(scratch, 0o700); err != nil {
		t.Fatal(err)
	}
	var outputs [][]byte
	for _, flags := range [][]string{nil, {"--scratch", scratch}} {
		out := filepath.Join(folder, fmt.Sprintf("out%d.csv", len(flags)))
		if _, _, err := execute(t, "run", append([]string{script, file, "-o", out}, flags...)...); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		outputs = append(outputs, text)
	}
	if !bytes.Equal(outputs[0], outputs[1]) {
		t.Error("another file than in memory")
	}
	if left := namesIn(t, scratch); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
