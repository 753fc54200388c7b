package microdata

import (
	"math"
	"testing"
)

func TestSelectMovesWholeRecords(t *testing.T) {
	numbers := &Numbers{Values: []float64{1, math.NaN(), 1000, 2.5}, Decimals: 2}
	a := NewNumeric("a", Number, numbers)
	codes := NewCodes(4, 2)
	for record, code := range []uint32{1, 2, 0, 2} {
		codes.Set(record, code)
	}
	b := NewCategorical("b", Category, &Categories{Levels: []Level{{"x", math.NaN()}, {"y", math.NaN()}}, Codes: codes})
	cells := NewBits(4)
	cells.Set(3)
	data, err := NewDataset([]*Column{a, b.Suppress(cells)})
	if err != nil {
		t.Fatal(err)
	}
	data = data.WithSpellings(map[string]*Spelling{"a": {Missing: []MissingSpelling{{"", false}, {"NA", true}},
		Of: CodesOf([]uint8{0, 1, 0, 0})}})
	order := []uint32{3, 2, 0, 1}
	moved := data.Select(order)
	for i, column := range data.Columns() {
		after := moved.Columns()[i]
		for to, from := range order {
			if after.Text(to) != column.Text(int(from)) || after.Missing(to) != column.Missing(int(from)) ||
				after.Suppressed().Has(to) != column.Suppressed().Has(int(from)) {
				t.Errorf("%s: record %d is not what record %d was", column.Name(), to, from)
			}
			if s, want := moved.Spelling(column.Name()).OfMissing(moved.SourceRecord(to)), data.Spelling(column.Name()).OfMissing(int(from)); s != want {
				t.Errorf("%s: record %d: missing code %v; want %v", column.Name(), to, s, want)
			}
		}
		if after.MissingCount() != column.MissingCount() ||
			after.Categories().Counts()[0] != column.Categories().Counts()[0] {
			t.Errorf("%s: other number of missing cells", column.Name())
		}
	}
}
