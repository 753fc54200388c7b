package pram

import (
	"fmt"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Applications before a variable was reset to its source values do not count, nor do those to other variables.
func TestApplicationsSinceTheLastReset(t *testing.T) {
	drawn := func(variables ...string) Step {
		var report method.Report
		for _, name := range variables {
			report.PRAM = append(report.PRAM, method.PRAMVariable{Variable: name})
		}
		return Step{Report: &report}
	}
	steps := []Step{drawn("a"), drawn("b", "a"), {Restores: "b"}, {}, drawn("b"), drawn("a", "b")}
	for variable, want := range map[string]string{"a": "[1 2 6]", "b": "[5 6]", "c": "[]"} {
		a := ApplicationsTo(variable, steps)
		if fmt.Sprint(a.Steps) != want || len(a.Reports) != len(a.Steps) {
			t.Errorf("%s was drawn anew by the steps %v, not %s", variable, a.Steps, want)
		}
	}
}
