package tradeoff_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk/linkage"
	"github.com/sdcdesk/sdcdesk/engine/risk/numericrisk"
	"github.com/sdcdesk/sdcdesk/engine/utility/loss"
	"github.com/sdcdesk/sdcdesk/engine/utility/tradeoff"
)

// The figures equal those of the measures with the same names.
func TestFiguresAreThoseOfTheMeasures(t *testing.T) {
	original, masked := golden.Masked(t, 2000)
	values := golden.Values(original, "a", "b", "c")
	values[0][7], values[1][9] = math.NaN(), math.NaN()
	original = golden.Numbers(t, values)
	scenario := microdata.NewScenario()
	for _, of := range [][]string{{"a", "b", "c"}, {"b"}} {
		figures, err := tradeoff.Of(t.Context(), original, masked, append(of, "nobody"), true, nil)
		if err != nil {
			t.Fatal(err)
		}
		both := measure.Input{Original: measure.NewVersion(original, &scenario, nil),
			Current: measure.NewVersion(masked, &scenario, nil)}
		link, risk := linkage.New(), numericrisk.New()
		link.Variables, risk.Variables = of, of
		var set measure.Set
		for _, one := range []struct {
			spec measure.Spec
			m    measure.Measure
		}{{linkage.Spec(), link}, {numericrisk.Spec(), risk}, {loss.Spec(), &loss.Numeric{Variables: of}}} {
			entry, err := one.spec.Compute(t.Context(), both, one.m, nil)
			if err != nil {
				t.Fatal(err)
			}
			set = append(set, entry)
		}
		count := 0
		figures.Shown(measure.WhatIf, func(e *measure.Entry, v *measure.Value) {
			count++
			if want := set.Like(e.Spec.Name, v); want == nil || want.Number != v.Number || math.IsNaN(v.Number) {
				t.Errorf("%s %s of %v is %v, that of the measure %+v", v.Name, v.Part, of, v.Number, want)
			}
		})
		if want := 5 + min(1, len(of)-1); count != want {
			t.Errorf("%d figures of %v, want %d", count, of, want)
		}
		if records := set.Value(linkage.Name, "records", 0); figures.Records != int(records.Number) ||
			figures.Records+figures.Incomplete != records.Of || figures.Sample != 0 {
			t.Errorf("%d records, %d incomplete, sample %d; the measure has %+v", figures.Records, figures.Incomplete,
				figures.Sample, records)
		}
		if figures.Linkage() != set.Value(linkage.Name, "linkage", 0).Number ||
			figures.Loss() != set.Value(loss.Name, "il1s_per_cell", 0).Number || !(figures.Interval() > 0) {
			t.Errorf("linkage %v, loss %v, interval %v", figures.Linkage(), figures.Loss(), figures.Interval())
		}
	}
}

// Unchanged data have no loss, and every unique record is linked. For a large file the sample of what-ifs is used
// if asked for.
func TestOfASample(t *testing.T) {
	values := make([]float64, method.SampleAbove+1)
	for i := range values {
		values[i] = float64(i * 7919 % 100_003)
	}
	data := golden.Numbers(t, [][]float64{values})
	for _, sampled := range []bool{false, true} {
		f, err := tradeoff.Of(t.Context(), data, data, []string{"a"}, sampled, nil)
		if err != nil {
			t.Fatal(err)
		}
		records, sample := len(values), 0
		if sampled {
			records, sample = method.SampleSize, method.SampleSize
		}
		if f.Records != records || f.Sample != sample || f.Linkage() != 1 || f.Interval() != 1 || f.Loss() != 0 {
			t.Errorf("sampled %v: %d records, sample %d, linkage %v, interval %v, loss %v", sampled, f.Records, f.Sample,
				f.Linkage(), f.Interval(), f.Loss())
		}
	}
	if f, err := tradeoff.Of(t.Context(), data, data, []string{"nobody"}, true, nil); f != nil || err != nil {
		t.Errorf("of no variable: %+v, %v", f, err)
	}
}

func BenchmarkOf(b *testing.B) {
	for _, n := range []int{5000, 20_000, 100_000} {
		original, masked := golden.Masked(b, n)
		names := []string{"a", "b", "c"}
		for p := range names {
			b.Run(fmt.Sprint(n, "/", p+1), func(b *testing.B) {
				for b.Loop() {
					if _, err := tradeoff.Of(b.Context(), original, masked, names[:p+1], false, nil); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
