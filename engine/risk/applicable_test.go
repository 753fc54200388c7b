package risk

import (
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Noise on a variable that is not a key variable does not affect k-anonymity; on a key variable it makes it
// meaningless. A long name is shortened.
func TestNotApplicable(t *testing.T) {
	scenario := &microdata.Scenario{Keys: []string{"sex", "age", strings.Repeat("n", 101)}}
	for _, c := range []struct {
		origins microdata.Origins
		want    string
	}{
		{nil, ""},
		{microdata.Origins{"income": microdata.Perturbed, "pid": microdata.Drawn}, ""},
		{microdata.Origins{"income": microdata.Perturbed, "age": microdata.Perturbed},
			"masking has changed the values of age"},
		{microdata.Origins{"age": microdata.Drawn, "sex": microdata.Drawn | microdata.Perturbed},
			"PRAM has been applied to sex, age"},
		{microdata.Origins{"sex": microdata.Synthetic}, "a model has made the values of sex"},
		{microdata.Origins{scenario.Keys[2]: microdata.Drawn}, "PRAM has been applied to " + scenario.Keys[2][:100] + "…"},
	} {
		got := NotApplicable(scenario, c.origins)
		if got != c.want {
			t.Errorf("%v: %q, want %q", c.origins, got, c.want)
		}
		if e := ExplainNotApplicable(got); strings.Contains(e.Definition, "PRAM") != strings.Contains(c.want, "PRAM") {
			t.Errorf("%q is explained by %q", got, e.Definition)
		}
	}
}
