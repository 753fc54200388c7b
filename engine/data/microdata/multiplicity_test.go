package microdata

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// groupedSample has three rows: 5 records with a, 2 missing, 4 with b.
func groupedSample(t *testing.T) *Dataset {
	t.Helper()
	codes := CodesOf([]uint32{1, 0, 2})
	a := NewCategorical("a", Category, &Categories{Levels: []Level{{"a", math.NaN()}, {"b", math.NaN()}}, Codes: codes})
	w := NewNumeric("w", Number, &Numbers{Values: []float64{10, 2.5, math.NaN()}, Decimals: 1})
	data, err := NewGrouped([]*Column{a, w}, []int{5, 2, 4})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func column(t *testing.T, data *Dataset, name string) *Column {
	t.Helper()
	found, ok := data.Column(name)
	if !ok {
		t.Fatalf("no variable %s", name)
	}
	return found
}

func TestRowsCountAsTheirRecords(t *testing.T) {
	data := groupedSample(t)
	a, w := column(t, data, "a"), column(t, data, "w")
	if data.Len() != 3 || data.Records() != 11 || !data.Grouped() || a.Records() != 11 {
		t.Errorf("%d rows, %d records", data.Len(), data.Records())
	}
	if counts := a.Categories().Counts(); !slices.Equal(counts, []int{2, 5, 4}) || a.MissingCount() != 2 ||
		a.Categories().Smallest() != 4 {
		t.Errorf("counts %v, %d missing", counts, a.MissingCount())
	}
	if counts := w.Categories().Counts(); !slices.Equal(counts, []int{4, 2, 5}) || w.MissingCount() != 4 {
		t.Errorf("numbers: counts %v, %d missing", counts, w.MissingCount())
	}
	cells := NewBits(3)
	cells.Set(0)
	cells.Set(1)
	for _, after := range []*Column{
		a.Suppress(cells), // keeps the multiplicity
		NewCategorical("a", Category, a.Suppress(cells).Categories().bare()), // gets the multiplicity from the dataset
	} {
		withMissing := column(t, data.With(after), "a")
		if counts := withMissing.Categories().Counts(); !slices.Equal(counts, []int{7, 0, 4}) {
			t.Errorf("after a suppression counts %v", counts)
		}
	}
	if after := a.Suppress(cells); after.SuppressedCount() != 5 ||
		column(t, data.With(after).Select([]uint32{2, 0}), "a").SuppressedCount() != 5 {
		t.Errorf("%d suppressed, want the 5 that had a value", after.SuppressedCount())
	}
	if picked := data.Select([]uint32{2, 0}); picked.Records() != 9 ||
		!slices.Equal(column(t, picked, "a").Categories().Counts(), []int{0, 5, 4}) {
		t.Errorf("%d records selected", picked.Records())
	}
	other, err := NewGrouped(data.Columns(), []int{5, 2, 5})
	if err != nil {
		t.Fatal(err)
	}
	if other.Hash() == data.Hash() || column(t, other, "a").Categories().Counts()[2] != 5 {
		t.Error("other numbers of records give the same data")
	}
}

// bare returns the categories without multiplicity, as other code creates them.
func (c *Categories) bare() *Categories { return &Categories{Levels: c.Levels, Codes: c.Codes} }

func TestCutRowsShareTheirSums(t *testing.T) {
	data := groupedSample(t)
	cut := data.Split([]uint32{0, 0, 0, 1, 2}, []int{1, 1, 3, 2, 4}, "w", "none", "a")
	w := column(t, cut, "w")
	want := []float64{2, 2, 6, 2.5, math.NaN()}
	for row, value := range want {
		if got := w.Float(row); got != value && !(math.IsNaN(got) && math.IsNaN(value)) {
			t.Errorf("row %d weighs %v, want %v", row, got, value)
		}
	}
	if cut.Records() != 11 || !slices.Equal(column(t, cut, "a").Categories().Counts(), []int{2, 5, 4}) ||
		cut.SourceRecord(3) != 1 {
		t.Errorf("%d records after rows were cut", cut.Records())
	}
	thirds := column(t, data.Split([]uint32{0, 0, 1, 1, 2}, []int{2, 3, 1, 1, 4}, "w").Split([]uint32{0, 1, 1, 2, 3, 4},
		[]int{2, 1, 2, 1, 1, 4}, "w"), "w")
	if sum := thirds.Float(0) + thirds.Float(1) + thirds.Float(2); math.Abs(sum-10) > 1e-9 || thirds.Float(1) != 2 {
		t.Errorf("parts of parts add up to %v", sum)
	}
}

func TestRowsThatStandForNothingAreRefused(t *testing.T) {
	data := groupedSample(t)
	if _, err := NewGrouped(data.Columns(), []int{5, 0, 4}); !errors.Is(err, ErrMultiplicity) ||
		!strings.Contains(err.Error(), "row 2") {
		t.Errorf("error %v", err)
	}
	if _, err := NewGrouped(data.Columns(), []int{5, 4}); !errors.Is(err, ErrLengths) {
		t.Errorf("error %v", err)
	}
}
