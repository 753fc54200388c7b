package diversity_test

import (
	"math"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/risk/diversity"
)

// Dates are ordered by time in any notation, even if a step recoded them to months or years. Of three in the file
// key a has the first two and key b the last: the sums of cumulative differences over two steps are 1/4 and 1/2;
// without an order the distances are 1/3 and 2/3.
func TestDatesAreOrdered(t *testing.T) {
	years := func(data *microdata.Dataset, groups map[string]string) *microdata.Dataset {
		for was, now := range groups {
			scenario := microdata.NewScenario()
			m := new(recode.Group)
			m.Variable, m.Levels, m.Label = "s", []string{was}, now
			out, err := method.Apply(t.Context(), m, method.Input{Data: data, Scenario: &scenario}, nil)
			if err != nil {
				t.Fatal(err)
			}
			data = out.Data
		}
		return data
	}
	for _, c := range []struct {
		name, dates string
		groups      map[string]string
		want        float64
	}{
		{"ISO", "1950-05-04 1963-03-26 1971-01-01", nil, 0.5},
		{"days first", "04.05.1950 26.03.1963 01.01.1971", nil, 0.5},
		{"months", "04.05.1950 26.03.1963 01.01.1971", map[string]string{"04.05.1950": "1950-05", "26.03.1963": "1963-03", "01.01.1971": "1971-01"}, 0.5},
		{"years", "04.05.1950 26.03.1963 01.01.1971", map[string]string{"04.05.1950": "1950", "26.03.1963": "1963", "01.01.1971": "1971"}, 0.5},
		{"words", "spring summer autumn", nil, 2.0 / 3},
		{"codes", "0101 0202 0303", nil, 2.0 / 3},
	} {
		of := strings.Fields(c.dates)
		data := golden.Parse(t, strings.NewReader("k,s\na,"+of[0]+"\na,"+of[1]+"\nb,"+of[2]+"\n"), "k", "s")
		values := compute(t, diversity.TClosenessSpec().New(), version(years(data, c.groups), []string{"k"}, []string{"s"}))
		if got := values.Find("max_distance", "").Number; math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
