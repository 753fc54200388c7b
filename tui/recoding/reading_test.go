package recoding

import (
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// A recode file applies to the variable that it is opened on, unless it names one.
func TestVariablesOfARecodeFile(t *testing.T) {
	for text, want := range map[string]string{
		"1: 2; 2: 3-": `"variables":["region"]`,
		`{"format":"sdcdesk-recodes","version":1,"recodes":[{"step":"recode-round","params":{"variable":"age","base":5}}]}`:    `"variables":["region"]`,
		`{"format":"sdcdesk-recodes","version":1,"recodes":[{"step":"recode-round","params":{"variable":"region","base":5}}]}`: `"variables":null`,
	} {
		d := newReading(keyed(t, "a", "b"), "region", nil)
		d.method.Recodes = text
		if step, ok := d.Made(); !ok || step.Step != "recode-file" || !strings.Contains(string(step.Params), want) {
			t.Errorf("%s: %s", text, step.Params)
		}
	}
	text := ""
	lines := linesField(&text)
	if err := lines.Typed("1: 2; 2: 3-"); err != nil || text != "1: 2\n2: 3-\n" || lines.Value() != "1: 2; 2: 3-" {
		t.Errorf("%q, error %v", text, err)
	}
	m := &recode.RecodeAll{Recodes: text, Variables: []string{"town", "region"}}
	if all, err := m.All(); err != nil || len(all) != 2 || all[1].Step != "recode-grc" || all[1].Variable() != "region" {
		t.Errorf("%v, error %v", all, err)
	}
}
