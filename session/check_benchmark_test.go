package session

import (
	"bytes"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/survey"
)

// BenchmarkCheck checks a survey whose ages were recoded, beside loading it.
func BenchmarkCheck(b *testing.B) {
	const persons = 1_000_000
	var text bytes.Buffer
	if err := survey.WriteCSV(&text, persons, 7); err != nil {
		b.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"region", "urbrur", "sex", "age", "marital", "educ", "ethnic"}
	scenario.Weight, scenario.Household, scenario.Numeric = "weight", "hid", []string{"income", "expend"}
	s := volatile(b, text.String(), scenario)
	text.Reset()
	do(b, s, step("recode-intervals", `{"variable":"age","breaks":[-1,14,29,44,59,120]}`))
	d := s.Document()
	b.ReportMetric(persons, "records")
	for b.Loop() {
		if _, err := d.Check(b.Context(), ExportOptions{Path: "out.csv"}, NewAnalyst(), nil); err != nil {
			b.Fatal(err)
		}
	}
}
