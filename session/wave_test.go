package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// The steps for a wave of a survey work on another wave that did not ask a question: its column has no value, and
// is numeric or text as a step needs it.
func TestStepsOnAColumnWithoutAnyValue(t *testing.T) {
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Numeric = []string{"region"}, []string{"income", "asked"}
	var text strings.Builder
	text.WriteString("region,income,asked\n")
	for i := range 40 {
		fmt.Fprintf(&text, "%c,%d,\n", 'a'+rune(i%3), 100+i*i)
	}
	for _, spec := range []StepSpec{
		step("recode-intervals", `{"variable":"asked","breaks":[0,5,10]}`),
		step("recode-intervals", `{"variable":"asked","count":3,"method":"quantiles"}`),
		step("recode-topbottom", `{"variable":"asked","top":5}`),
		step("recode-round", `{"variable":"asked","base":2}`),
		step("recode-group", `{"variable":"asked","levels":["yes","no"]}`),
		step("recode-rename", `{"variable":"asked","level":"yes","label":"Yes"}`),
		step("recode-hierarchy", `{"variable":"asked","table":"1;A\n2;B","depth":1}`),
		step("pram", `{"variables":["asked","region"],"form":"equal","pd":0.5}`),
		step("noise", `{"variables":["asked","income"]}`),
		step("noise", `{"variables":["asked","income"],"method":"correlated"}`),
		step("microaggregate", `{"variables":["asked","income"]}`),
		step("rankswap", `{"variables":["asked","income"],"p":0.1}`),
		step("generate", `{"variables":["asked","income"]}`),
	} {
		s := volatile(t, text.String(), scenario)
		do(t, s, spec)
		now := s.Document().Data
		before, _ := readText(t, text.String())
		for _, name := range []string{"asked", "income", "region"} {
			was, _ := before.Column(name)
			is, _ := now.Column(name)
			touched := strings.Contains(string(spec.Params), name) && name != "asked"
			if changed := was.Hash() != is.Hash(); name != "asked" && changed != touched || is.MissingCount() != was.MissingCount() {
				t.Errorf("%s %s: %s changed: %v", spec.Step, spec.Params, name, changed)
			}
		}
	}
	s := volatile(t, text.String(), scenario)
	for _, spec := range []StepSpec{ // one after the other
		step("recode-topbottom", `{"variable":"asked","top":5}`), step("recode-round", `{"variable":"asked","base":2}`),
		step("rankswap", `{"variables":["asked"]}`), step("microaggregate", `{"variables":["asked"]}`),
		step("recode-intervals", `{"variable":"asked","breaks":[0,5,10]}`), step("set-missing", `{"variable":"asked","levels":["-9"]}`),
		step("recode-group", `{"variable":"asked","levels":["0-5","6-10"]}`), step("pram", `{"variables":["asked"],"form":"equal","pd":0.5}`),
	} {
		do(t, s, spec)
	}
	s = volatile(t, text.String(), scenario)
	do(t, s, step("noise", `{"variables":["asked"]}`))
	if warnings := s.Steps()[0].Report.Warnings; !slices.Contains(warnings, "asked has no value in any record") {
		t.Errorf("warnings %q", warnings)
	}
}
