package data

import (
	"errors"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/notation"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

// filtered returns the number of records of the survey that meet a filter.
func filtered(t *testing.T, s views.State, text string) int {
	t.Helper()
	filter, err := notation.ParseCondition(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	meets, err := filter.Bind(s.Scope())
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	n := 0
	for record := range s.Current.Data.Len() {
		if meets(record) {
			n++
		}
	}
	return n
}

// countBy counts records by the texts of their cells.
func countBy(t *testing.T, data *microdata.Dataset, meets func(cell func(name string) string) bool) int {
	t.Helper()
	n := 0
	for record := range data.Len() {
		if meets(func(name string) string {
			column, ok := data.Column(name)
			if !ok {
				t.Fatalf("no variable %s", name)
			}
			return column.Text(record)
		}) {
			n++
		}
	}
	return n
}

type cells = func(name string) string

func TestFilters(t *testing.T) {
	s := viewtest.SurveyAt(t, 0)
	data := s.Current.Data
	age, _ := data.Column("age")
	old := 0
	for record := range data.Len() {
		if age.Float(record) > 60 {
			old++
		}
	}
	tests := []struct {
		text string
		want int
	}{
		{"age > 60", old},
		{"not age > 60", data.Len() - old},
		{"age<=60", data.Len() - old},
		{"sex = female", countBy(t, data, func(c cells) bool { return c("sex") == "female" })},
		{"SEX = Female", countBy(t, data, func(c cells) bool { return c("sex") == "female" })},
		{"region = Hollow Isles", countBy(t, data, func(c cells) bool { return c("region") == "Hollow Isles" })},
		{"region in (Arden, 'Hollow Isles')",
			countBy(t, data, func(c cells) bool { return c("region") == "Hollow Isles" || c("region") == "Arden" })},
		{"region != Arden and sex=male",
			countBy(t, data, func(c cells) bool { return c("region") != "Arden" && c("sex") == "male" })},
		{"educ missing", countBy(t, data, func(c cells) bool { return c("educ") == "" })},
		{"educ is not missing", countBy(t, data, func(c cells) bool { return c("educ") != "" })},
		{"educ contains second", countBy(t, data, func(c cells) bool { return strings.Contains(c("educ"), "second") })},
		{"(sex = male or sex = female) and region = Brisk",
			countBy(t, data, func(c cells) bool { return c("region") == "Brisk" })},
		{"sex = male or sex = female and region = Brisk",
			countBy(t, data, func(c cells) bool { return c("sex") == "male" || c("region") == "Brisk" })},
		{"record <= 10", 10},
		{"record in (1, 2, 9999999)", 2},
		{"age changed", 0},
		{"age suppressed", 0},
		{"fk < 3", s.Current.Assessment.Violators[1].Count},
		{"fk = 1", s.Current.Assessment.Violators[0].Count},
		{"risk >= 0 and Fk ≥ 1", data.Len()},
	}
	for _, test := range tests {
		if got := filtered(t, s, test.text); got != test.want {
			t.Errorf("%s: %d records, not %d", test.text, got, test.want)
		}
	}
}

// After steps a filter uses the current data, and can ask for changes.
func TestFiltersAfterSteps(t *testing.T) {
	s := viewtest.SurveyAt(t, 3)
	age, _ := s.Current.Data.Column("age")
	if got, want := filtered(t, s, "age suppressed"), age.SuppressedCount(); got != want || want == 0 {
		t.Errorf("%d suppressed, not %d", got, want)
	}
	if got := filtered(t, s, "age changed"); got != s.Current.Data.Len() {
		t.Errorf("%d ages changed; all were recoded or suppressed", got)
	}
	if got, want := filtered(t, s, "age < '25-34'"), filtered(t, s, "age in (0-4, 5-14, 15-24)"); got != want ||
		want == 0 {
		t.Errorf("%d below 25-34 by their order, not %d", got, want)
	}
}

func TestFiltersThatMakeNoSense(t *testing.T) {
	s := viewtest.SurveyAt(t, 0)
	for text, want := range map[string]string{
		"":                       "a variable is expected",
		"age":                    "age must be followed by one of",
		"age >":                  "a value is expected",
		"age = 'x":               "is not closed",
		"(age = 3":               "a bracket is not closed",
		"age = 3)":               "unexpected",
		"age in (3; 4":           "separate the values",
		"nose = 3":               "no variable nose",
		"age > old":              "compare it with a number",
		"fk contains 3":          "compare it with a number",
		"region > 3":             "not ordered",
		"fk missing":             "is a figure",
		"sex = male and":         "a variable is expected",
		"age not = 3":            "age must be followed by one of",
		strings.Repeat("(", 200): "too many brackets",
	} {
		filter, err := notation.ParseCondition(text)
		if err == nil {
			_, err = filter.Bind(s.Scope())
		}
		if !errors.Is(err, notation.ErrCondition) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, not about %q", text, err, want)
		}
	}
}

func FuzzFilter(f *testing.F) {
	for _, text := range []string{"age > 60 and sex = female", "not (risk < .05) or educ missing", "a in (b, 'c d')",
		"a ≤ 3", "\xff = \x00", "((((", "not not not a changed"} {
		f.Add(text)
	}
	data, err := microdata.NewDataset([]*microdata.Column{
		microdata.NewCategorical("a", microdata.Category, &microdata.Categories{Levels: []microdata.Level{{Label: "b"}},
			Codes: microdata.NewCodes(2, 1)})})
	if err != nil {
		f.Fatal(err)
	}
	s := views.State{Current: views.Version{Data: data}, Original: views.Version{Data: data}}
	f.Fuzz(func(t *testing.T, text string) {
		filter, err := notation.ParseCondition(text)
		if err != nil {
			if !errors.Is(err, notation.ErrCondition) {
				t.Fatal(err)
			}
			return
		}
		if meets, err := filter.Bind(s.Scope()); err == nil {
			meets(0)
			meets(1)
		} else if !errors.Is(err, notation.ErrCondition) {
			t.Fatal(err)
		}
	})
}
