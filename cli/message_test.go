package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/sdcdesk/sdcdesk/views/draw"
)

// evil is a name that would paint, ring and turn the terminal around.
const evil = "\x1b[31mN\a\u202e\u009bX"

func TestMessagesCannotHarmTheTerminal(t *testing.T) {
	folder := t.TempDir()
	data := filepath.Join(folder, "data\x1b[31m.csv")
	if err := os.WriteFile(data, []byte(`"`+evil+`","`+evil+`",w`+"\nm,1,1\nf,2,x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	name, err := json.Marshal(evil)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range []string{
		`{"scenario":{"keys":["w"]}}`, // a warning: the name is taken
		`{"scenario":{"keys":["w"],"weight":NAME}}`,
		`{"scenario":{"keys":[NAME,NAME]}}`,
		`{"scenario":{"linked":{NAME:["w"]}}}`,
		`{"scenario":{},"file":{"delimiter":";"}}` + "\n" + `{"step":"recode-intervals","params":{"variable":NAME,"breaks":[0,1]}}`,
		`{"scenario":{}}` + "\n" + `{"step":"recode-intervals","params":{"variable":NAME,"breaks":[0,1]}}`,
		`{"scenario":{"keys":[NAME]}}` + "\n" + `{"step":"suppress-kanonymity","params":{"importance":{NAME:9}}}`,
	} {
		script := filepath.Join(folder, "script.jsonl")
		line = `{"format":"sdcdesk-script","version":1}` + "\n" + strings.ReplaceAll(line, "NAME", string(name))
		if err := os.WriteFile(script, []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
		_, warnings, err := execute(t, "run", script, data, "-o", filepath.Join(folder, "out.csv"), "--force")
		if (err == nil) != (i == 0) {
			t.Errorf("%s: %v", line, err)
		}
		var terminal bytes.Buffer
		terminal.WriteString(warnings)
		if err != nil {
			say(&terminal, failed, err.Error())
		}
		for _, r := range strings.ReplaceAll(terminal.String(), "\n", "") {
			if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
				t.Errorf("%s: the message holds %U: %q", line, r, terminal.String())
			}
		}
	}
}

func TestSayWritesOneLine(t *testing.T) {
	var out bytes.Buffer
	if say(&out, warning, "one\ntwo "+evil); out.String() != "warning: "+draw.Safe("one\ntwo "+evil)+"\n" || strings.Count(out.String(), "\n") != 1 {
		t.Errorf("%q", out.String())
	}
}
