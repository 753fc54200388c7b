package catalog_test

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/risk/diversity"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
)

// sharedTypes say their own bytes, or belong to the data.
var sharedTypes = []reflect.Type{reflect.TypeFor[keys.Table](), reflect.TypeFor[microdata.Dataset](),
	reflect.TypeFor[microdata.Column](),
	reflect.TypeFor[microdata.Categories](), reflect.TypeFor[microdata.Households](), reflect.TypeFor[microdata.Level]()}

// held counts the memory that a value points to, but for texts and what functions hold.
func held(v reflect.Value, seen map[uintptr]bool) (bytes int) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice:
		element := v.Type().Elem()
		for _, shared := range sharedTypes {
			if element == shared {
				return 0
			}
		}
		if v.IsNil() || seen[v.Pointer()] {
			return 0
		}
		seen[v.Pointer()] = true
		if v.Kind() == reflect.Pointer {
			return int(element.Size()) + held(v.Elem(), seen)
		}
		for i := range v.Len() {
			bytes += held(v.Index(i), seen)
		}
		return bytes + v.Cap()*int(element.Size())
	case reflect.Interface:
		if !v.IsNil() {
			return held(v.Elem(), seen)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			bytes += held(v.Field(i), seen)
		}
	case reflect.Array:
		for i := range v.Len() {
			bytes += held(v.Index(i), seen)
		}
	}
	return bytes
}

// checkBytes holds what a result says against what it holds.
func checkBytes(t *testing.T, what string, result measure.Sized) {
	t.Helper()
	said, holds := result.Bytes(), held(reflect.ValueOf(result).Elem(), map[uintptr]bool{})
	if said < holds*9/10-1<<10 || said > 3*holds+1<<12 {
		t.Errorf("%s says %d bytes and holds %d", what, said, holds)
	}
}

// maskedSurvey is a survey with incomes that were changed.
func maskedSurvey(t *testing.T) measure.Input {
	data := generated.Survey(t, 4000, 7, "region", "sex", "age", "occup", "income", "expend", "weight", "hid", "health")
	masked := data
	for _, name := range []string{"income", "expend"} {
		values := golden.Values(data, name)[0]
		for i, x := range values {
			values[i] = float64(x*1.01) + float64(i%7)
		}
		column, _ := golden.Named(map[string][]float64{name: values}, name).Column(name)
		masked = masked.With(column)
	}
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Weight, scenario.Household = []string{"region", "sex", "age", "occup"}, "weight", "hid"
	scenario.Numeric, scenario.Sensitive = []string{"income", "expend"}, []string{"health"}
	return measure.Input{Original: measure.NewVersion(data, &scenario, nil),
		Current: measure.NewVersion(masked, &scenario, nil)}
}

// What a measure found says how much memory it holds.
func TestResultsSayTheirBytes(t *testing.T) {
	in, looked := maskedSurvey(t), 0
	for _, spec := range catalog.Measures() {
		entry, err := spec.Compute(context.Background(), in, spec.New(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if entry.Values.Result == nil {
			continue
		}
		looked++
		checkBytes(t, spec.Name, entry.Values.Result)
		if all, result := entry.Values.Bytes(), entry.Values.Result.Bytes(); all < result+32 {
			t.Errorf("%s: %d bytes with numbers and tables, %d of the result", spec.Name, all, result)
		}
	}
	if looked < 13 {
		t.Errorf("only %d measures have a result", looked)
	}
}

// So does what they build on, and what describes a variable.
func TestPartsSayTheirBytes(t *testing.T) {
	ctx, in := context.Background(), maskedSurvey(t)
	parts := map[string]measure.Sized{}
	add := func(what string, part measure.Sized, err error) {
		if err != nil {
			t.Fatal(err)
		}
		parts[what] = part
	}
	a, err := risk.Of(ctx, in.Current)
	add("assessment", a, err)
	add("distribution", a.Distribution(), nil)
	add("key table", a.Table(), nil)
	add("households", a.HouseholdIndex(), nil)
	spread, err := diversity.NewSpread(ctx, in.Current, "health")
	add("spread", spread, err)
	data := in.Current.Data()
	column, _ := data.Column("income")
	before, _ := in.Original.Column("income")
	region, _ := data.Column("region")
	p, err := profile.New(ctx, data, column, slices.Repeat([]float64{2}, data.Len()))
	if err != nil {
		t.Fatal(err)
	}
	values, err := p.Values(ctx)
	add("values", values, err)
	overlays, err := profile.Versions{Now: column, Before: column}.Overlays(ctx, p.Weights, p.Numbers.Min, p.Numbers.Max, 5000)
	add("histogram", overlays[0].Now, err)
	cross, err := profile.NewCross(ctx, p, p, 100)
	add("cross table", cross, err)
	density, err := profile.NewDensity(ctx, column, before, profile.Range{High: 1e6}, profile.Range{High: 1e6}, 80, 40)
	add("density", density, err)
	of := profile.Versions{Now: column, Before: before}
	groups, err := profile.NewGroups(ctx,
		profile.Grouping{Of: of, Down: of, Across: profile.Versions{Now: region, Before: region}}, 50)
	add("groups", groups, err)
	add("tails", profile.NewTails(column, nil), nil)
	for what, part := range parts {
		checkBytes(t, what, part)
	}
}
