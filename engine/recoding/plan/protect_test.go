package plan_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/plan"
)

// TestProtectionsProtect applies every recode that is proposed to protect a record.
func TestProtectionsProtect(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data, scenario := draw(t)
		k := rapid.IntRange(2, 4).Draw(t, "k")
		record := rapid.IntRange(0, data.Len()-1).Draw(t, "record")
		a := assess(t, data, scenario)
		last := 0.0
		for _, p := range plan.Protect(data, scenario, a, k, record, 2) {
			out, err := method.Apply(context.Background(), p.Steps[0].Method, method.Input{Data: data, Scenario: scenario}, nil)
			if err != nil {
				t.Fatal(err)
			}
			after := assess(t, out.Data, scenario)
			if f, _ := after.Frequency(record); math.Abs(f-p.Frequency) > 1e-9 || after.Violates(record, k) {
				t.Fatalf("%v: f = %v, the recoded data have %v, violates %v", p.Recode, p.Frequency, f, after.Violates(record, k))
			}
			if p.Lost < last {
				t.Fatalf("%v loses %v bits after %v", p.Recode, p.Lost, last)
			}
			last = p.Lost
		}
	})
}

// TestProtectionsAreFound tries every pair of categories.
func TestProtectionsAreFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data, scenario := draw(t)
		record := rapid.IntRange(0, data.Len()-1).Draw(t, "record")
		a := assess(t, data, scenario)
		found := plan.Protect(data, scenario, a, 3, record, 100)
		for _, name := range scenario.Keys {
			column, _ := data.Column(name)
			categories := column.Categories()
			own, helps := column.Text(record), false
			for code, count := range categories.Counts() {
				if code == 0 || count == 0 || own == "" || categories.Levels[code-1].Label == own || !a.Violates(record, 3) {
					continue
				}
				out, err := method.Apply(context.Background(), groupOf(name, own, categories.Levels[code-1].Label),
					method.Input{Data: data, Scenario: scenario}, nil)
				if err != nil {
					t.Fatal(err)
				}
				helps = helps || !assess(t, out.Data, scenario).Violates(record, 3)
			}
			if helps && len(found) == 0 {
				t.Fatalf("a merge of two categories of %s protects record %d, and no recode is found", name, record)
			}
		}
	})
}
