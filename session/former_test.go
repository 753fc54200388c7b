package session

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// If a parameter's default has changed, a step of an earlier version without that parameter uses the default of
// its version, also in a session without versions; a step written by hand uses the current default.
func TestStepsKeepTheDefaultsOfTheirVersion(t *testing.T) {
	for _, spec := range catalog.Methods() {
		for _, former := range spec.Former {
			for line, want := range map[string]string{
				`"version":1`: former.Value, `"before":"00"`: former.Value, `"seed":7`: ""} {
				if former.Before == 1 && strings.Contains(line, "version") {
					continue // steps before that have none
				}
				script, err := ReadScript(strings.NewReader(`{"format":"sdcdesk-script","version":1}`+"\n"+
					`{"step":"`+spec.Name+`","params":`+spec.Sample+`,`+line+"}\n"), nil)
				must(t, err)
				text, err := method.Encode(script.Steps[0].method)
				must(t, err)
				values := map[string]json.RawMessage{}
				must(t, json.Unmarshal(text, &values))
				var got string
				must(t, json.Unmarshal(values[former.Param], &got))
				if (got == former.Value) != (want == former.Value) {
					t.Errorf("%s %s: %s is %q", spec.Name, line, former.Param, got)
				}
			}
		}
	}
}

// A step of the previous version with all parameters has the current result, without a message.
func TestChangedDefaultsGiveNoWarning(t *testing.T) {
	spec, _ := catalog.Methods().Find("shuffle")
	reported := func(fields string) bool {
		script, err := ReadScript(strings.NewReader(`{"format":"sdcdesk-script","version":1}`+"\n"+
			`{"step":"shuffle","params":`+spec.Sample+`,"seed":7`+fields+"}\n"), nil)
		must(t, err)
		return script.Steps[0].changed
	}
	exported := `,"before":"0123456789abcdef"` // without a version: by a program that had no versions
	if reported(`,"version":1`) || !reported(exported) || reported("") {
		t.Errorf("version 1: %v; exported without: %v; by hand: %v", reported(`,"version":1`), reported(exported), reported(""))
	}
}
