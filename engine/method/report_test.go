package method_test

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

func TestReportJSON(t *testing.T) {
	bound := 7
	tests := map[string]method.Report{
		`{"title":"a","effect":"b","changed":3}`: {Title: "a", Effect: "b", Changed: 3},
		`{"title":"intervals","effect":"e","changed":9,"outside":2,"table":{"5-14":1,"0-4":0},"warnings":["changes nothing"]}`: {
			Title: "intervals", Effect: "e", Changed: 9, Outside: 2, Table: method.Counts{{"5-14", 1}, {"0-4", 0}},
			Warnings: []string{method.WarnNothing}},
		`{"title":"k","effect":"e","changed":8,"cells":{"sex":0,"age":8},"total":8,"linked":{"birth":8},"price":8,"bound":7,` +
			`"touched":8,"left":{"default":0,"conservative":0,"own-category":2},"algorithm":"minimal","rule":"conservative","k":3,` +
			`"strata":[{"stratum":"north","records":9,"cells":{"sex":0,"age":8}}]}`: {
			Title: "k", Effect: "e", Changed: 8, Suppression: &method.Suppression{
				Cells: method.Counts{{"sex", 0}, {"age", 8}}, Total: 8, Linked: method.Counts{{"birth", 8}}, Price: 8,
				Bound:   &bound,
				Touched: 8, Left: method.ViolatorsLeft{OwnCategory: 2}, Algorithm: "minimal", Rule: "conservative", K: 3,
				Strata: []method.StratumCells{{Stratum: microdata.Combination{{Label: "north"}}, Records: 9,
					Cells: method.Counts{{"sex", 0}, {"age", 8}}}}}},
	}
	for want, report := range tests {
		text, err := json.Marshal(report)
		if err != nil || string(text) != want {
			t.Errorf("%s, error %v\nwant %s", text, err, want)
		}
		var again method.Report
		if err := json.Unmarshal([]byte(want), &again); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(report, again); diff != "" {
			t.Errorf("%s does not come back:\n%s", want, diff)
		}
	}
}

func TestReportJSONErrors(t *testing.T) {
	for _, text := range []string{`{"table":{"a":"x"}}`, `{"cells":{"a":1.5}}`, `{"table":{"a":}}`} {
		var report method.Report
		if err := json.Unmarshal([]byte(text), &report); err == nil {
			t.Errorf("%s was read as %+v", text, report)
		}
	}
}

func TestChangesNothing(t *testing.T) {
	report := method.Report{Warnings: []string{"something"}}
	if report.ChangesNothing() {
		t.Error("another warning was taken for it")
	}
	report.Warnings = append(report.Warnings, method.WarnNothing)
	if !report.ChangesNothing() {
		t.Error("the warning was not found")
	}
}

func TestRegroupingColumn(t *testing.T) {
	categories := &microdata.Categories{Codes: microdata.NewCodes(3, 2)}
	for _, label := range []string{"a", "b"} {
		categories.Levels = append(categories.Levels, microdata.Level{Label: label, Value: math.NaN()})
	}
	categories.Codes.Set(0, 2)
	categories.Codes.Set(1, 1)
	column := microdata.NewCategorical("x", microdata.Category, categories)
	r := method.Regrouping{Target: column, From: column, Mapping: []uint32{0, 1, 0},
		Levels: []microdata.Level{{Label: "only", Value: math.NaN()}}}
	got := []string{r.Column().Text(0), r.Column().Text(1), r.Column().Text(2)}
	if diff := cmp.Diff([]string{"", "only", ""}, got); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
}

// Counts.Sum adds up the counts, and an empty object is valid.
func TestCells(t *testing.T) {
	cells := method.Counts{{"sex", 2}, {"age", 3}}
	if cells.Sum() != 5 || method.Counts(nil).Sum() != 0 {
		t.Errorf("sums %d and %d", cells.Sum(), method.Counts(nil).Sum())
	}
	if text, err := json.Marshal(method.Counts{}); err != nil || string(text) != "{}" {
		t.Errorf("%s, error %v", text, err)
	}
}

// naming is a method that names its variable in all parts of its report.
type naming struct{ variable string }

func (m *naming) Params() []method.Param { return nil }

func (m *naming) Narrate(*method.Report) string { return "" }

func (m *naming) Apply(_ context.Context, in method.Input, _ *progress.Meter) (method.Output, error) {
	return method.Output{Data: in.Data, Report: method.Report{Title: "noise " + m.variable + ": 1",
		Effect: m.variable + " changed", Warnings: []string{m.variable + " is a key variable"}}}, nil
}

// Long names of variables are abbreviated in reports.
func TestLongNamesAreCut(t *testing.T) {
	long := strings.Repeat("n", 200)
	column := microdata.NewCategorical("x"+long, microdata.Category, &microdata.Categories{Codes: microdata.NewCodes(1, 0)})
	data, err := microdata.NewDataset([]*microdata.Column{column})
	if err != nil {
		t.Fatal(err)
	}
	out, err := method.Apply(t.Context(), &naming{column.Name()}, method.Input{Data: data}, nil)
	if err != nil {
		t.Fatal(err)
	}
	short := "x" + strings.Repeat("n", 99) + "…"
	want := method.Report{Title: "noise " + short + ": 1", Effect: short + " changed",
		Warnings: []string{short + " is a key variable"}}
	if diff := cmp.Diff(want, out.Report); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Of 5,000 records with a level that stays and 900 with one that does not, 900 can change.
func TestRecordsThatPRAMCanChange(t *testing.T) {
	s := method.PRAMStratum{Records: 5900, Before: []int{5000, 900}, Matrix: [][]float64{{1, 0}, {0.1, 0.9}}}
	if got := s.Movable(); got != 900 {
		t.Errorf("%d records can change, want 900", got)
	}
}
