package publish_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
)

// Each merge costs what the table costs whose file has one category instead of two; pairs have the same coarser level.
func TestMerges(t *testing.T) {
	data := golden.Data(t, "magnitude1")
	d := definition(t, `{"by":[{"variable":"sector4","levels":[["Agriculture","private"],["Entertainment","private"],`+
		`["Industry","private"],["Governmental","public"]]},{"variable":"geo"}],"response":"value","rules":["dominance:1,80"]}`)
	of := definition(t, `{"by":[{"variable":"sector4"}],"response":"value","rules":["frequency:8"]}`) // linked by its cells
	merges, err := publish.Merges(t.Context(), []publish.Source{{Data: data, Definition: of}, {Data: data, Definition: d}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(merges) != 3+3 {
		t.Fatalf("%d merges: %+v", len(merges), merges)
	}
	linked := 0
	for i, m := range merges {
		column, _ := data.Column(m.Variable)
		c := column.Categories()
		levels, codes := []microdata.Level{}, make([]uint32, data.Len())
		for row := range codes {
			label := column.Text(row)
			if label == m.Codes[1] {
				label = m.Codes[0]
			}
			if codes[row] = 1 + uint32(slices.IndexFunc(levels, func(l microdata.Level) bool { return l.Label == label })); codes[row] == 0 {
				levels = append(levels, microdata.Level{Label: label, Value: math.NaN()})
				codes[row] = uint32(len(levels))
			}
		}
		renamed := microdata.NewCategorical(m.Variable, microdata.Category,
			&microdata.Categories{Levels: levels, Codes: microdata.CodesOf(codes), Ordered: c.Ordered})
		by := d.Clone()
		for k, levels := range by.By[0].Levels {
			if m.Variable == "sector4" && levels[0] == m.Codes[1] {
				by.By[0].Levels = append(by.By[0].Levels[:k], by.By[0].Levels[k+1:]...)
				break
			}
		}
		var tables []*publish.Table
		for _, d := range []*microdata.TableDefinition{of, &by} {
			table, err := publish.Define(t.Context(), data.With(renamed), d, nil)
			if err != nil {
				t.Fatal(err)
			}
			tables = append(tables, table)
		}
		alone, err := publish.Protect(t.Context(), tables[1:])
		if err != nil {
			t.Fatal(err)
		}
		together, err := publish.Protect(t.Context(), tables)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(alone[0].Loss()) != fmt.Sprint(together[1].Loss()) {
			linked++
		}
		if got, want := fmt.Sprint(m.Loss), fmt.Sprint(together[1].Loss()); got != want {
			t.Errorf("%v: loss %s, want %s", m.Codes, got, want)
		}
		if before := max(0, i-1); cellsLost(merges[before]) > cellsLost(m) {
			t.Errorf("%v comes after %v", m.Codes, merges[before].Codes)
		}
	}
	if linked == 0 {
		t.Error("the other table changes nothing")
	}
}

func cellsLost(m publish.Merge) int { return m.Loss.Primary + m.Loss.Secondary }
