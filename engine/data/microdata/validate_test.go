package microdata_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
)

func surveyScenario() microdata.Scenario {
	s := microdata.NewScenario()
	s.Keys = []string{"region", "urbrur", "sex", "age", "marital", "educ", "ethnic"}
	s.Numeric = []string{"income", "expend", "savings"}
	s.Weight, s.Household = "weight", "hid"
	s.Strata, s.PRAM = []string{"region"}, []string{"roof", "walls", "urbrur"}
	s.Sensitive, s.Remove = []string{"health", "income"}, []string{"pid", "hid"}
	s.SameForHousehold = []string{"region", "urbrur"}
	s.Linked = map[string][]string{"age": {"relat"}}
	return s
}

func TestSoundScenarios(t *testing.T) {
	data := golden.Data(t, "survey")
	for _, s := range []microdata.Scenario{surveyScenario(), microdata.NewScenario()} {
		if err := s.Check(data); err != nil {
			t.Error(err)
		}
	}
}

// TestContradictions makes one mistake at a time.
func TestContradictions(t *testing.T) {
	data := golden.Data(t, "survey")
	for _, c := range []struct {
		mistake  func(*microdata.Scenario)
		variable string
		says     string
	}{
		{func(s *microdata.Scenario) { s.Keys = append(s.Keys, "nowhere") }, "nowhere",
			`"nowhere" is named as a key variable, but the file has no such variable`},
		{func(s *microdata.Scenario) { s.Weight = "nowhere" }, "nowhere", "named as the weight"},
		{func(s *microdata.Scenario) { s.Household = "nowhere" }, "nowhere", "named as the household ID"},
		{func(s *microdata.Scenario) { s.Linked["age"] = []string{"nowhere"} }, "nowhere", "named as linked"},
		{func(s *microdata.Scenario) { s.Keys = append(s.Keys, "sex") }, "sex", "assigned twice as a key variable"},
		{func(s *microdata.Scenario) { s.Remove = append(s.Remove, "sex") }, "sex",
			"cannot be both a key variable and removed"},
		{func(s *microdata.Scenario) { s.Keys = append(s.Keys, "weight") }, "weight", "both a key variable and the weight"},
		{func(s *microdata.Scenario) { s.Keys = append(s.Keys, "hid") }, "hid",
			"both a key variable and the household ID"},
		{func(s *microdata.Scenario) { s.Keys = append(s.Keys, "income") }, "income",
			"both a key variable and a numeric key variable"},
		{func(s *microdata.Scenario) { s.Keys = append(s.Keys, "health") }, "health", "both a key variable and sensitive"},
		{func(s *microdata.Scenario) { s.Numeric = append(s.Numeric, "hid") }, "hid",
			"both a numeric key variable and the household"},
		{func(s *microdata.Scenario) { s.Numeric = append(s.Numeric, "educ2") }, "educ2", "no such variable"},
		{func(s *microdata.Scenario) { s.Numeric = append(s.Numeric, "relig") }, "relig",
			"is text and cannot be a numeric key variable"},
		{func(s *microdata.Scenario) { s.PRAM = append(s.PRAM, "pid") }, "pid", "both a PRAM variable and removed"},
		{func(s *microdata.Scenario) { s.Remove = append(s.Remove, "relat") }, "relat", "both removed and linked"},
		{func(s *microdata.Scenario) { s.Household = "weight"; s.Weight = "weight" }, "weight",
			"both the weight and the household"},
		{func(s *microdata.Scenario) { s.Weight = "savings"; s.Numeric = nil }, "savings",
			"without a positive number; the first is record 1"},
		{func(s *microdata.Scenario) { s.Weight = "relig" }, "relig",
			`"relig" is text: 5000 of 5000 records have no number; the first is record 1; weights are positive numbers`},
		{func(s *microdata.Scenario) { s.Linked["roof"] = []string{"walls"} }, "roof",
			`"walls" is linked to "roof", which is not a key variable`},
		{func(s *microdata.Scenario) { s.Linked["sex"] = []string{"relat"} }, "relat", `linked twice, to "age" and to "sex"`},
		{func(s *microdata.Scenario) { s.Linked["sex"] = []string{"educ"} }, "educ",
			"follows the suppressions of another variable or has its own"},
		{func(s *microdata.Scenario) { s.Household = "" }, "region", "no variable identifies households"},
		{func(s *microdata.Scenario) { s.Alpha = 1.01 }, "", "alpha is 1.01"},
		{func(s *microdata.Scenario) { s.Alpha = math.NaN() }, "", "alpha is NaN"},
		{func(s *microdata.Scenario) { s.Rule = "best" }, "", `the rule "best" is not one of default, conservative`},
		{func(s *microdata.Scenario) { s.K = nil }, "", "k is missing"},
		{func(s *microdata.Scenario) { s.K = []int{1, 2} }, "", "k is 1; the smallest k is 2"},
		{func(s *microdata.Scenario) { s.K = []int{3, 3} }, "", "k 3 is given twice"},
	} {
		s := surveyScenario()
		c.mistake(&s)
		problems := s.Validate(data)
		about := func(p microdata.Problem) bool { return p.Variable == c.variable && strings.Contains(p.Text, c.says) }
		if !slices.ContainsFunc(problems, about) {
			t.Errorf("want %q about %q, have %q", c.says, c.variable, problems)
		}
		if err := s.Check(data); !errors.Is(err, microdata.ErrScenario) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("error %v", err)
		}
	}
}

// Errors are short enough to read, however many problems a scenario has.
func TestErrorsOfScenariosAreCut(t *testing.T) {
	data, long := golden.Data(t, "survey"), strings.Repeat("ab", 1<<20)
	for _, mistake := range []func(*microdata.Scenario){
		func(s *microdata.Scenario) { s.Keys = slices.Repeat([]string{"sex"}, 5000) },
		func(s *microdata.Scenario) { s.Keys = slices.Repeat([]string{"no such variable"}, 5000) },
		func(s *microdata.Scenario) { s.Keys = []string{long, long} },
		func(s *microdata.Scenario) { s.Weight = long },
		func(s *microdata.Scenario) { s.Rule = microdata.Rule(long) },
		func(s *microdata.Scenario) { s.Linked = map[string][]string{long: {long, "sex"}, long + "x": {"sex"}} },
		func(s *microdata.Scenario) { s.SameForHousehold = slices.Repeat([]string{long}, 20) },
		func(s *microdata.Scenario) { s.K = slices.Repeat([]int{1}, 5000) },
	} {
		s := microdata.NewScenario()
		mistake(&s)
		if err := s.Check(data); !errors.Is(err, microdata.ErrScenario) || len(err.Error()) > 3000 {
			t.Errorf("an error of %d characters: %.300s", len(err.Error()), err)
		}
	}
}

func TestTooManyKeys(t *testing.T) {
	names := make([]string, 65)
	columns := make([]*microdata.Column, len(names))
	for i := range names {
		names[i] = strings.Repeat("v", i+1)
		columns[i] = golden.Column(t, names[i], []string{"1"})
	}
	data, err := microdata.NewDataset(columns)
	if err != nil {
		t.Fatal(err)
	}
	s := microdata.NewScenario()
	s.Keys = names[:64]
	if err := s.Check(data); err != nil {
		t.Error(err)
	}
	s.Keys = names
	if err := s.Check(data); !errors.Is(err, microdata.ErrScenario) {
		t.Error("65 key variables pass")
	}
}

func TestWeights(t *testing.T) {
	data, err := microdata.NewDataset([]*microdata.Column{
		golden.Column(t, "good", []string{"1", "2.5", "1e3"}),
		golden.Column(t, "missing", []string{"1", "", "-3"}),
		golden.Column(t, "text", []string{"1", "many", "3"}),
		golden.Column(t, "texts", []string{"", "NA", "inf"}),
		golden.Column(t, "comma", []string{"1,5", "2", "+3"}),
		golden.Column(t, "empty", []string{"", "", ""}),
		golden.Column(t, "huge", []string{"1e308", "1e308", "1e308"}),
	})
	if err != nil {
		t.Fatal(err)
	}
	weights := func(name string) ([]float64, error) { return (&microdata.Scenario{Weight: name}).Weights(data) }
	if got, err := weights("good"); err != nil || !slices.Equal(got, []float64{1, 2.5, 1000}) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := weights(""); got != nil || err != nil {
		t.Errorf("no weight variable: %v, %v", got, err)
	}
	for name, says := range map[string]string{
		"missing": `"missing" has 2 of 3 records without a positive number; the first is record 2`,
		"text":    `"text" is text: 1 of 3 records has no number: record 2;`,
		"texts":   `"texts" is text: 2 of 3 records have no number; the first is record 2;`,
		"comma":   `"comma" is text: its values look like numbers, but with another decimal mark,`,
		"empty":   `"empty" is missing in every record; weights are positive numbers`,
		"huge":    `the sum of "huge" is too large`,
		"none":    `the file has no variable "none"`,
	} {
		if _, err := weights(name); !errors.Is(err, microdata.ErrWeights) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A removed variable keeps only compatible roles.
func TestLeaveOut(t *testing.T) {
	data, s := golden.Data(t, "survey"), surveyScenario()
	s.Assign("savings", microdata.RoleNumericKey)
	s.Assign("health", microdata.RoleSensitive)
	s.Link("occup", s.Keys[0])
	for _, name := range []string{s.Keys[0], "savings", "health", "occup", s.Weight, s.Household} {
		if name == "" {
			t.Fatal("the survey has no weight or no household ID")
		}
		if s.LeaveOut(name); !s.Has(name, microdata.RoleRemoved) {
			t.Errorf("%s is not removed", name)
		}
	}
	if err := s.Check(data); err != nil {
		t.Error(err)
	}
	if s.Weight == "" || s.Household == "" {
		t.Error("a removed weight or household ID is still one")
	}
}
