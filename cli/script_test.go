package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A session knows its data; a script needs them as an argument.
func TestScriptOfASession(t *testing.T) {
	survey, err := filepath.Abs(filepath.Join("..", "testdata", "survey.csv"))
	if err != nil {
		t.Fatal(err)
	}
	named, err := json.Marshal(survey)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, head string) string {
		path := filepath.Join(t.TempDir(), name)
		text := head + `
{"scenario":{"keys":["region","age"],"weight":"weight"}}
{"step":"recode-topbottom","params":{"variable":"age","top":80}}
{"step":"noise","params":{"variables":["income"]},"seed":77123}
{"step":"recode-group","params":{"variable":"region","levels":["Arden","Brisk"],"label":"west"}}
{"move":"undo","position":2}
`
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	session := write("session.jsonl", `{"format":"sdcdesk-script","version":1,"source":{"path":`+string(named)+`}}`)
	text, err := sdcdesk("script", "--r", session)
	for _, want := range []string{`read.table("survey.csv"`, `topBotCoding(sdc, column = "age", value = 80, replacement = 80, kind = "top")`,
		`addNoise(sdc, variables = "income", noise = 150`} {
		if !strings.Contains(text, want) {
			t.Errorf("%v: no %s in\n%s", err, want, text)
		}
	}
	if err != nil || strings.Contains(text, "west") || strings.Contains(text, "77123") || strings.Contains(text, filepath.Dir(survey)) {
		t.Errorf("%v: an undone step, a seed or a folder in\n%s", err, text)
	}
	again := write("again.jsonl", `{"format":"sdcdesk-script","version":1}`)
	if text, err = sdcdesk("script", again, survey); err != nil || !strings.Contains(text, `{"step":"recode-topbottom"`) ||
		strings.Contains(text, "77123") {
		t.Errorf("%v\n%s", err, text)
	}
	if _, err = sdcdesk("script", again); err == nil || !strings.Contains(err.Error(), "name the file") {
		t.Errorf("a script without data: %v", err)
	}
}
