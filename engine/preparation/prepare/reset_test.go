package prepare_test

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/preparation/prepare"
)

// For rows that represent several records, the number of records that have their source values again is counted.
func TestResetCountsTheRecordsOfRows(t *testing.T) {
	survey := generated.Survey(t, 500, 3, "region", "sex", "weight")
	data := generated.GroupBy(survey, "weight", "region", "sex").Dataset(t, survey, "weight")
	column, _ := data.Column("sex")
	lost := microdata.NewBits(data.Len())
	lost.Set(0)
	lost.Set(2)
	scenario := microdata.NewScenario()
	in := method.Input{Data: data.With(column.Suppress(lost)), Scenario: &scenario}
	out, err := method.Apply(t.Context(), &prepare.Reset{Variable: "sex"}, in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := column.RecordsAt(0) + column.RecordsAt(2); out.Report.Changed != want || want < 3 {
		t.Errorf("%d records have their values again, of %d", out.Report.Changed, want)
	}
	if after, _ := out.Data.Column("sex"); after.Hash() != column.Hash() || after.SuppressedCount() > 0 {
		t.Error("the values are not those of the source")
	}
}
