package suppress

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// referenceCase is a case of local suppression by sdcMicro 5.8.1.
type referenceCase struct {
	KeyVars        []string         `json:"keyVars"`
	K              int              `json:"k"`
	Alpha          float64          `json:"alpha"`
	Importance     []int            `json:"importance"`
	Ages           []float64        `json:"ages"` // breaks for dividing age first
	Strata         string           `json:"strata"`
	Total          int              `json:"total"`
	SuppressedRows map[string][]int `json:"suppressed_rows"` // 1-based

	After struct {
		K2, K3, K5, K10 int
	} `json:"violators_after"`
}

// importance returns the importance in the form of the method's parameter.
func (c *referenceCase) importance() map[string]int {
	if c.Importance == nil {
		return nil
	}
	given := make(map[string]int)
	for i, name := range c.KeyVars {
		given[name] = c.Importance[i]
	}
	return given
}

// prepare divides the ages if the case requires it, and returns a scenario.
func (c *referenceCase) prepare(t testing.TB, data *microdata.Dataset) method.Input {
	t.Helper()
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Alpha = c.KeyVars, c.Alpha
	if c.Strata != "" {
		scenario.Strata = []string{c.Strata}
	}
	in := method.Input{Data: data, Scenario: &scenario}
	if c.Ages != nil {
		out, err := method.Apply(context.Background(), &recode.Intervals{Variable: "age", Breaks: c.Ages}, in, nil)
		if err != nil {
			t.Fatal(err)
		}
		in.Data = out.Data
	}
	return in
}

// checkReference compares the algorithm sdcmicro with the reference cell by cell.
func checkReference(t *testing.T, c *referenceCase, data *microdata.Dataset) {
	t.Helper()
	in := c.prepare(t, data)
	m := &KAnonymity{K: c.K, Algorithm: SDCMicro, Rule: string(microdata.RuleDefault), Importance: c.importance()}
	out, err := m.Apply(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range c.KeyVars {
		before, _ := in.Data.Column(name)
		after, _ := out.Data.Column(name)
		rows := []int{}
		for record := range before.Len() {
			if after.Missing(record) && !before.Missing(record) {
				rows = append(rows, record+1)
			}
		}
		if diff := cmp.Diff(c.SuppressedRows[name], rows); diff != "" {
			t.Errorf("%s: %d rows, want %d (-want +got):\n%.800s", name, len(rows), len(c.SuppressedRows[name]), diff)
		}
	}
	if out.Report.Total != c.Total || out.Report.Cells.Sum() != c.Total || out.Report.Changed != c.Total {
		t.Errorf("total %d, sum %d, changed %d, want %d", out.Report.Total, out.Report.Cells.Sum(), out.Report.Changed,
			c.Total)
	}
	left := map[int]int{2: c.After.K2, 3: c.After.K3, 5: c.After.K5}[c.K]
	if out.Report.Left.Default != left {
		t.Errorf("%d violators left, want %d", out.Report.Left.Default, left)
	}
}

func TestSDCMicroOrderSurvey(t *testing.T) {
	var cases []referenceCase
	golden.Reference(t, "survey_kanon", &cases)
	for i := range cases {
		t.Run(fmt.Sprint(i), func(t *testing.T) { checkReference(t, &cases[i], golden.Data(t, "survey")) })
	}
}

// ageBreaks are the breaks for the ages of the teaching file in cases 6 and 7.
var ageBreaks = []float64{-1, 9, 19, 29, 39, 49, 59, 69, 130}

func TestSDCMicroOrderTeachingFiles(t *testing.T) {
	for _, name := range []string{"testdata", "francdat", "francdat_missing"} {
		var file struct {
			Kanon []json.RawMessage `json:"kanon"`
		}
		golden.Shared(t, name, &file)
		data := golden.Data(t, name)
		for i, text := range file.Kanon {
			var other struct {
				Combs []int `json:"combs"`
			}
			if err := json.Unmarshal(text, &other); err != nil {
				t.Fatal(err)
			}
			if other.Combs != nil {
				continue
			}
			var c referenceCase
			if err := json.Unmarshal(text, &c); err != nil {
				t.Fatal(err)
			}
			if name == "testdata" && (i == 5 || i == 6) {
				c.Ages = ageBreaks
			}
			t.Run(fmt.Sprint(name, i), func(t *testing.T) { checkReference(t, &c, data) })
		}
	}
}

// sdcMicro 5.8.1 was run on these random files, given as one text per record with a character per cell, key
// variables first, then strata. The cells are the same for any alpha; if the reference stops, no record violates
// k-anonymity or there is an error.
func TestSDCMicroOrderRandomFiles(t *testing.T) {
	var cases []struct {
		Name       string
		K          int
		Alpha      float64
		Importance []int
		Keys       int
		Rows       []string
		Suppressed [][2]int // record and key variable, from 1; nil: the reference stops
	}
	golden.Reference(t, "localsupp_random", &cases)
	for i, c := range cases {
		if i%4 > 0 && !longtests.Wanted() {
			continue
		}
		in := table(t, c.Rows...)
		in.Scenario.Alpha = c.Alpha
		in.Scenario.Keys, in.Scenario.Strata = in.Scenario.Keys[:c.Keys:c.Keys], in.Scenario.Keys[c.Keys:]
		m := &KAnonymity{K: c.K, Algorithm: SDCMicro, Rule: string(microdata.RuleDefault)}
		if c.Importance != nil {
			m.Importance = map[string]int{}
			for v, name := range in.Scenario.Keys {
				m.Importance[name] = c.Importance[v]
			}
		}
		out, err := m.Apply(t.Context(), in, nil)
		switch {
		case c.Suppressed == nil && err == nil && out.Report.Left.Default > 0:
			t.Errorf("%s: the reference stops, here %d violators are left", c.Name, out.Report.Left.Default)
		case c.Suppressed == nil:
			if err == nil && !slices.Contains(out.Report.Warnings, warnStops) {
				t.Errorf("%s: the reference stops, which is not said: %q", c.Name, out.Report.Warnings)
			}
			continue
		case err != nil:
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		if slices.Contains(out.Report.Warnings, warnStops) {
			t.Errorf("%s: the reference does not stop", c.Name)
		}
		got := [][2]int{}
		for record := range in.Data.Len() {
			for v, name := range in.Scenario.Keys {
				before, _ := in.Data.Column(name)
				if after, _ := out.Data.Column(name); after.Missing(record) && !before.Missing(record) {
					got = append(got, [2]int{record + 1, v + 1})
				}
			}
		}
		if diff := cmp.Diff(c.Suppressed, got); diff != "" {
			t.Errorf("%s, k %d, alpha %v (-want +got):\n%.600s", c.Name, c.K, c.Alpha, diff)
		}
	}
}
