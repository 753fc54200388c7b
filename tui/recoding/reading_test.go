package recoding

import (
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// Lines that are typed keep the code list and the width of the file that was read, and
// are made for the variable that is named.
func TestTypedLinesOfAnArgusFile(t *testing.T) {
	d := newRecodeReading(keyed(t, "a", "b"), "region", nil)
	width := 3
	d.argus = &recode.ArgusFile{Variable: "region", Recode: "1:2", Labels: "1,one", Width: &width}
	if err := d.readLines("1: 2; 2: 3-"); err != nil {
		t.Fatal(err)
	}
	d.variables = []string{"town"}
	step, ok := d.Made()
	for _, part := range []string{`"variable":"town"`, `"recode":"1: 2\n2: 3-\n"`, `"labels":"1,one"`, `"width":3`} {
		if !ok || !strings.Contains(string(step.Params), part) {
			t.Errorf("%s lacks %s", step.Params, part)
		}
	}
	d.variables = []string{"town", "region"}
	if step, ok := d.Made(); !ok || step.Step != "recode-file" ||
		!strings.Contains(string(step.Params), `"variables":["town","region"]`) {
		t.Errorf("%s %s", step.Step, step.Params)
	}
}
