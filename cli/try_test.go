package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each step is tried separately on the file as it is, and measured.
func TestTry(t *testing.T) {
	script := filepath.Join(t.TempDir(), "candidates.jsonl")
	err := os.WriteFile(script, []byte(`{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["region"],"numeric":["income","savings"]}}
{"step":"microaggregate","params":{"variables":["income","savings"],"size":3}}
{"step":"microaggregate","params":{"variables":["income","savings"],"size":10}}
{"step":"recode-round","params":{"variable":"region","base":10}}
`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	survey := filepath.Join("..", "testdata", "survey.csv")
	text, err := sdcdesk("try", script, survey, "--measures", "loss")
	if err != nil || !strings.Contains(text, "loss: IL1s per cell") || !strings.Contains(text, "3  recode-round: ") {
		t.Errorf("%v\n%s", err, text)
	}
	if text, err := sdcdesk("try", script, survey, "--measures",
		"kanonymity"); err != nil || !strings.Contains(text, "kanonymity: violators of k = 3  ") ||
		!strings.Contains(text, "kanonymity: k = 5, conservative") {
		t.Errorf("the figures are not told apart: %v\n%s", err, text)
	}
	text, err = sdcdesk("try", script, survey, "--measures", "loss", "--json")
	var all []struct {
		Error    string
		Measures map[string]map[string]any
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), &all)
	}
	if err != nil || len(all) != 3 || all[2].Error == "" {
		t.Fatalf("%v\n%s", err, text)
	}
	three, ten := all[0].Measures["loss"]["sse_percent"].(float64), all[1].Measures["loss"]["sse_percent"].(float64)
	if !(three > 0 && ten > three) {
		t.Errorf("groups of 3 lose %v, of 10 %v", three, ten)
	}
}

// A measure that does not apply gives the reason, and leaves no empty table.
func TestTrySaysWhyThereIsNoFigure(t *testing.T) {
	script := filepath.Join(t.TempDir(), "candidates.jsonl")
	err := os.WriteFile(script, []byte(`{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["region","sex"]}}
{"step":"suppress-kanonymity","params":{"k":3}}
`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	text, err := sdcdesk("try", script, filepath.Join("..", "testdata", "survey.csv"), "--measures", "score,household")
	if err != nil || !strings.HasPrefix(text, "  1  suppress-kanonymity: ") ||
		!strings.Contains(text, "\nscore is not applicable: there are no numeric key variables; set the parameter \"variables\"") ||
		!strings.Contains(text, "\nhousehold is not applicable: ") {
		t.Errorf("%v\n%s", err, text)
	}
}
