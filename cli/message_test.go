package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/sdcdesk/sdcdesk/views/draw"
)

// evil is a name with colour, bell and direction controls for a terminal.
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
		`{"scenario":{},"file":{"delimiter":";"}}` + "\n" +
			`{"step":"recode-intervals","params":{"variable":NAME,"breaks":[0,1]}}`,
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
	if say(&out, warning, "one\ntwo "+evil); out.String() != "warning: "+draw.Safe("one\ntwo "+evil)+"\n" ||
		strings.Count(out.String(), "\n") != 1 {
		t.Errorf("%q", out.String())
	}
}

// Printed JSON contains the names of a file unchanged, but nothing that acts on a terminal.
func TestJSONCannotHarmTheTerminal(t *testing.T) {
	name := evil + "\x7f\U000e0041\u200b"
	folder := t.TempDir()
	path := func(file, text string) string {
		file = filepath.Join(folder, file)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	quoted, err := json.Marshal(name)
	if err != nil {
		t.Fatal(err)
	}
	data := path("data.csv", `"`+name+`",sex`+"\na,1\nb,1\n"+strings.Repeat("c,2\n", 9))
	head := `{"format":"sdcdesk-script","version":1}` + "\n" + `{"scenario":{"keys":["sex",` + string(quoted) + `]}}` +
		"\n"
	script := path("script.jsonl", head+`{"step":"suppress-kanonymity","params":{"k":2}}`)
	failing := path("failing.jsonl",
		head+`{"step":"recode-intervals","params":{"variable":`+string(quoted)+`,"breaks":[1,2]}}`)
	for _, args := range [][]string{{"inspect", data}, {"compare", "original", script, data}, {"try", failing, data},
		{"plan", data, "--k", "2", "--keys", "sex," + name}} {
		text, _, err := execute(t, args[0], append(args[1:], "--json")...)
		var anything any
		if err != nil || json.Unmarshal([]byte(text), &anything) != nil {
			t.Errorf("%s: %v\n%s", args[0], err, text)
		}
		if found := fmt.Sprintf("%q", anything); !strings.Contains(found, strings.Trim(fmt.Sprintf("%q", name), `"`)) {
			t.Errorf("%s: the name is another one: %s", args[0], found)
		}
		for _, r := range strings.ReplaceAll(text, "\n", "") {
			if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
				t.Errorf("%s prints %U", args[0], r)
			}
		}
	}
}
