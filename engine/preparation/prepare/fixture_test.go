package prepare_test

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// fataler is the common interface of *testing.T and *rapid.T.
type fataler interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// file is a small random file: household and person numbers, text, numbers.
type file struct {
	data     *microdata.Dataset
	scenario microdata.Scenario
}

// drawFile draws a file of up to 40 records, with missing cells.
func drawFile(t *rapid.T, tb testing.TB) file {
	n := rapid.IntRange(0, 40).Draw(t, "records")
	cells := func(name string, values ...string) *microdata.Column {
		texts := make([]string, n)
		for i := range texts {
			texts[i] = rapid.SampledFrom(values).Draw(t, name)
		}
		return golden.Column(tb, name, texts)
	}
	data, err := microdata.NewDataset([]*microdata.Column{
		cells("hid", "1", "2", "3", "4", "20", "31", ""), cells("head", "1", "2", "3", "20", "99", ""),
		cells("code", "a", "b", "7", "07", "7.0", "2", "x y", ""), cells("age", "1", "2", "30", "98", "99", ""),
		cells("income", "1.5", "2.25", "30.0", "-1", ""), cells("sex", "f", "m", ""),
	})
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	if rapid.Bool().Draw(t, "with households") {
		scenario.Household = "hid"
	}
	return file{data, scenario}
}

// apply applies a step.
func (f file) apply(t fataler, m method.Method, seed uint64) method.Output {
	t.Helper()
	out, err := method.Apply(tContext(), m, method.Input{Data: f.data, Scenario: &f.scenario, Seed: seed}, nil)
	if err != nil {
		t.Fatalf("%T: %v", m, err)
	}
	return out
}

// column returns a column by its name.
func column(t fataler, data *microdata.Dataset, name string) *microdata.Column {
	t.Helper()
	found, ok := data.Column(name)
	if !ok {
		t.Fatalf("no variable %s", name)
	}
	return found
}

// decoded returns a method with the parameters of a JSON object.
func decoded(t fataler, m method.Method, text string) method.Method {
	t.Helper()
	var params map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &params); err != nil {
		t.Fatalf("%v", err)
	}
	if err := method.Decode(m, params); err != nil {
		t.Fatalf("%v", err)
	}
	return m
}
