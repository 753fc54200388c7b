package catalog_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// extremes are numbers whose range, sum and squares exceed a double.
var extremes = []string{"9e307", "-9e307", "1.7e308", "-1.7e308", "1.7976931348623157e308", "5e-324", "0", "1e154"}

// extreme returns records of the survey in which some variables have an extreme number in every nth record.
func extreme(t *testing.T, every int, variables ...string) *microdata.Dataset {
	t.Helper()
	text, err := os.ReadFile("../../testdata/survey.csv")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows[1:301] {
		for j, name := range rows[0] {
			if i%every == 0 && slices.Contains(variables, name) {
				row[j] = extremes[(i/every+j)%len(extremes)]
			}
		}
	}
	var out bytes.Buffer
	if err := csv.NewWriter(&out).WriteAll(rows[:301]); err != nil {
		t.Fatal(err)
	}
	return golden.Parse(t, &out)
}

// tried runs work and reports a panic as a failure that names what was tried.
func tried(t *testing.T, what string, work func()) {
	t.Helper()
	defer func() {
		if reason := recover(); reason != nil {
			text := fmt.Sprint(reason)
			t.Errorf("%s: panic: %s", what, text[:min(len(text), 1500)])
		}
	}()
	work()
}

// No method, proposal, preview or measure panics on numbers up to the largest double.
func TestExtremeNumbers(t *testing.T) {
	tests := []struct {
		what string
		data *microdata.Dataset
	}{
		{"all", extreme(t, 1, "income", "expend", "savings")},
		{"some", extreme(t, 40, "income", "expend", "savings")},
		{"keys", extreme(t, 5, "age", "hsize")},
		{"weights", extreme(t, 7, "weight")},
	}
	for i, test := range tests {
		what, in := test.what, input(t)
		in.Data = test.data
		tried(t, what, func() { computeSome(t, 0, 1, what, in, in.Data) })
		number := i // every method's result is measured in one of the tests
		oneOf(t, 6, func(t *testing.T, spec method.Spec, m method.Method) {
			what := what + ", " + spec.Name
			number++
			tried(t, what+", propose", func() {
				_ = spec.Proposal(spec.New(), in, "")
			})
			tried(t, what+", preview", func() {
				_, _, _ = spec.SamplePreview(t.Context(), m, in, nil)
			})
			tried(t, what, func() {
				out, err := method.Apply(t.Context(), m, in, nil)
				if err == nil {
					checkNumbers(t, what, m, in.Data, out.Data)
					if longtests.Some(number, len(tests)) {
						computeSome(t, number, 3, what, in, out.Data)
					}
				}
			})
		})
	}
}

// checkNumbers reports numbers that a method made infinite, or that masking lost.
func checkNumbers(t *testing.T, what string, m method.Method, before, now *microdata.Dataset) {
	t.Helper()
	_, masks := method.Masked(m)
	for _, column := range now.Columns() {
		was, ok := before.Column(column.Name())
		if !ok || !column.Numeric() || !was.Numeric() || before.Len() != now.Len() {
			continue
		}
		infinite := 0
		for row := range column.Len() {
			if math.IsInf(column.Float(row), 0) {
				infinite++
			}
		}
		if missing := column.MissingCount() - was.MissingCount(); infinite > 0 || masks && missing > 0 {
			t.Errorf("%s: %s has %d infinite numbers and lost %d", what, column.Name(), infinite, missing)
		}
	}
}

// computeSome computes measures of the masked data: every nth one, or all if all tests are run.
func computeSome(t *testing.T, first, of int, what string, in method.Input, now *microdata.Dataset) {
	t.Helper()
	before := in.Data
	if before.Len() != now.Len() {
		before = now.Source()
	}
	for i, spec := range catalog.Measures() {
		if !longtests.Some(first+i, of) {
			continue
		}
		tried(t, what+", "+spec.Name, func() {
			entry, err := spec.Compute(t.Context(), inputOf(before, now, in.Scenario), spec.New(), nil)
			if err != nil && strings.Contains(err.Error(), "panic") {
				t.Error(what, spec.Name, err)
			}
			if err != nil || entry.NotApplicable != "" {
				return
			}
			for _, v := range entry.Values.Numbers {
				entry.Explain(measure.FigureKey{Value: v})
			}
			for i := range entry.Values.Tables {
				entry.Values.Tables[i].Text()
			}
		})
	}
}

func inputOf(before, after *microdata.Dataset, scenario *microdata.Scenario) measure.Input {
	return measure.Input{Original: measure.NewVersion(before, scenario, nil), Current: measure.NewVersion(after, scenario, nil)}
}
