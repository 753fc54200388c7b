package catalog_test

import (
	"reflect"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/size"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// maskedSurvey returns a survey with changed incomes.
func maskedSurvey(t *testing.T) measure.Input {
	data := generated.Survey(t, 1200, 7, "region", "sex", "age", "occup", "income", "expend", "weight", "hid", "health")
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

// Tables that compute more on demand include that in their number of bytes.
func TestTablesSayTheirBytes(t *testing.T) {
	in := maskedSurvey(t)
	a, err := risk.Of(t.Context(), in.Current)
	if err != nil {
		t.Fatal(err)
	}
	a.Distribution()
	elsewhere := []reflect.Type{reflect.TypeFor[keys.Table](), reflect.TypeFor[microdata.Households]()}
	check := func(what string, said int, held ...any) {
		holds := 0
		for _, part := range held {
			holds += size.Held(part, elsewhere...)
		}
		if said < holds*9/10-1<<10 || said > 3*holds+1<<12 {
			t.Errorf("%s says %d bytes and holds %d", what, said, holds)
		}
	}
	check("assessment", a.Bytes(), a)
	check("key table", a.Table().Bytes(), *a.Table())
	check("households", a.HouseholdIndex().Bytes(), *a.HouseholdIndex())
}
