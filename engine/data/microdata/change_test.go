package microdata_test

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/sdcdesk/sdcdesk/house/longtests"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
)

// cellsOf draws cells of texts or numbers, some missing.
func cellsOf(t *rapid.T, n int) []string {
	values := rapid.SampledFrom([][]string{{"", "1", "2", "30"}, {"", "a", "b", "1"}, {"", "1.50", "1e3", ".5"}}).Draw(t,
		"values")
	cells := make([]string, n)
	for i := range cells {
		cells[i] = rapid.SampledFrom(values).Draw(t, "cell")
	}
	return cells
}

func bitsOf(t *rapid.T, n int, name string) *microdata.Bits {
	bits := microdata.NewBits(n)
	for record := range n {
		if rapid.Bool().Draw(t, name) {
			bits.Set(record)
		}
	}
	return bits
}

// drawColumn draws a column changed by random steps in random order.
func drawColumn(t *rapid.T, tb testing.TB, n int) *microdata.Column {
	column := golden.Column(tb, "x", cellsOf(t, n))
	for range rapid.IntRange(0, 4).Draw(t, "steps") {
		switch rapid.IntRange(0, 3).Draw(t, "step") {
		case 0:
			column = column.Suppress(bitsOf(t, n, "suppressed"))
		case 1:
			column = column.SetMissing(bitsOf(t, n, "declared"))
		case 2:
			column = merged(column, column)
		default:
			column = merged(column, column.Unrecoded())
		}
	}
	return column
}

// merged recodes all levels into one.
func merged(column, from *microdata.Column) *microdata.Column {
	mapping := make([]uint32, len(from.Categories().Levels)+1)
	for i := range mapping[1:] {
		mapping[i+1] = 1
	}
	return column.Regroup(from, []microdata.Level{{Label: "all", Value: math.NaN()}}, mapping, false)
}

func TestSelectTakesWholeRecords(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(rt, "records")
		column := drawColumn(rt, t, n)
		data, err := microdata.NewDataset([]*microdata.Column{column})
		if err != nil {
			rt.Fatal(err)
		}
		records := []uint32{}
		for _, record := range rapid.Permutation(indexes(n)).Draw(rt, "order") {
			if rapid.Bool().Draw(rt, "kept") {
				records = append(records, uint32(record))
			}
		}
		moved := data.Select(records)
		again := moved.Select(backwards(len(records)))
		if !moved.Moved() || data.Moved() || moved.Len() != len(records) || again.Len() != len(records) {
			rt.Fatalf("%d records, moved %v; of the source %v", moved.Len(), moved.Moved(), data.Moved())
		}
		after, last := moved.Columns()[0], again.Columns()[0]
		for i, record := range records {
			if moved.SourceRecord(i) != int(record) || again.SourceRecord(len(records)-1-i) != int(record) {
				rt.Fatalf("record %d comes from %d, want %d", i, moved.SourceRecord(i), record)
			}
			for _, pair := range [][2]*microdata.Column{{column, after}, {column.Source(), after.Source()},
				{column.Unrecoded(), after.Unrecoded()}} {
				if pair[0].Text(int(record)) != pair[1].Text(i) ||
					pair[0].Suppressed().Has(int(record)) != pair[1].Suppressed().Has(i) {
					rt.Fatalf("record %d is not what record %d was", i, record)
				}
			}
			if last.Text(len(records)-1-i) != after.Text(i) {
				rt.Fatalf("record %d is another after a second selection", i)
			}
		}
		if after.Recoded() != column.Recoded() && len(records) > 0 {
			rt.Fatal("recoded or not changed")
		}
	})
}

func indexes(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func backwards(n int) []uint32 {
	order := make([]uint32, n)
	for i := range order {
		order[i] = uint32(n - 1 - i)
	}
	return order
}

func TestSetMissingIsNoSuppression(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(rt, "records")
		column, cells := drawColumn(rt, t, n), bitsOf(rt, n, "set")
		after := column.SetMissing(cells)
		if after.SuppressedCount() != column.SuppressedCount() || after.Source() != column.Source() {
			rt.Fatal("marks or source changed")
		}
		for record := range n {
			gone := cells.Has(record) && !column.Missing(record)
			if after.Missing(record) != (column.Missing(record) || gone) ||
				!after.Missing(record) && after.Text(record) != column.Text(record) {
				rt.Fatalf("record %d is %q", record, after.Text(record))
			}
			if gone && !after.Unrecoded().Missing(record) {
				rt.Fatalf("a recode brings back record %d", record)
			}
			if !gone && after.Unrecoded().Text(record) != column.Unrecoded().Text(record) {
				rt.Fatalf("a recode starts from another value of record %d", record)
			}
		}
	})
}

func TestRecodesStartFromGivenValues(t *testing.T) {
	column := golden.Column(t, "x", []string{"1", "2", "", "2"})
	cells := microdata.NewBits(4)
	cells.Set(0)
	given := column.Suppress(cells).WithNumbers(microdata.Number,
		&microdata.Numbers{Values: []float64{math.NaN(), 7.5, math.NaN(), 2}, Decimals: 1})
	if given.Recoded() || given.Unrecoded() != given || given.Source() != column || !given.Suppressed().Has(0) {
		t.Error("the given values are not what recodes start from")
	}
	recoded := merged(given, given)
	if from := recoded.Unrecoded(); !recoded.Recoded() || from.Text(1) != "7.5" || !from.Missing(0) ||
		!from.Suppressed().Has(0) || from.Kind() != microdata.Number {
		t.Errorf("a recode starts from %q", from.Text(1))
	}
	if texts := []string{recoded.Source().Text(0), recoded.Source().Text(1)}; !slices.Equal(texts, []string{"1", "2"}) {
		t.Errorf("source %q", texts)
	}
}

func TestAppend(t *testing.T) {
	data, err := microdata.NewDataset([]*microdata.Column{golden.Column(t, "a", []string{"1", "2"})})
	if err != nil {
		t.Fatal(err)
	}
	data = data.Select([]uint32{1, 0})
	more, err := data.Append(golden.Column(t, "b", []string{"x", "y"}))
	if err != nil || len(more.Columns()) != 2 || len(data.Columns()) != 1 || !more.SameRecords(data) {
		t.Errorf("%v, %d variables", err, len(more.Columns()))
	}
	if _, err := data.Append(golden.Column(t, "a", []string{"x", "y"})); !errors.Is(err, microdata.ErrDuplicateName) {
		t.Errorf("a name twice: %v", err)
	}
	if _, err := data.Append(golden.Column(t, "c", []string{"x"})); !errors.Is(err, microdata.ErrLengths) {
		t.Errorf("another length: %v", err)
	}
	if source := more.Source(); source.Columns()[1].Text(0) != "x" || source.Columns()[0].Text(0) != "2" {
		t.Error("the source of moved records")
	}
}

func TestLineageTellsWhatTheHashDoesNot(t *testing.T) {
	column := golden.Column(t, "a", []string{"1", "2", "2"})
	cells := microdata.NewBits(3)
	cells.Set(0)
	dataset := func(column *microdata.Column) *microdata.Dataset {
		data, err := microdata.NewDataset([]*microdata.Column{column})
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	suppressed, declared := dataset(column.Suppress(cells)), dataset(column.SetMissing(cells))
	if suppressed.Hash() != declared.Hash() || suppressed.Lineage() == declared.Lineage() {
		t.Error("suppressed or set to missing is the same")
	}
	if dataset(column.Suppress(cells)).Lineage() != suppressed.Lineage() {
		t.Error("equal steps give different lineages")
	}
	plain := dataset(column)
	if moved := plain.Select([]uint32{0, 2, 1}); moved.Hash() != plain.Hash() || moved.Lineage() == plain.Lineage() {
		t.Error("another order of equal records is the same")
	}
}

// Numbers beyond 64-bit integers are integers too, on every machine.
func TestKindOfLevelsWithHugeNumbers(t *testing.T) {
	column := golden.Column(t, "x", []string{"1", "2"})
	for value, want := range map[float64]microdata.Kind{
		3: microdata.Whole, 1e19: microdata.Whole, -1e300: microdata.Whole, 0x1p63: microdata.Whole, 2.5: microdata.Number,
	} {
		label := strconv.FormatFloat(value, 'f', -1, 64)
		made := column.Regroup(column, []microdata.Level{{Label: label, Value: value}}, []uint32{0, 1, 1}, true)
		if made.Kind() != want {
			t.Errorf("%s is %v, want %v", label, made.Kind(), want)
		}
	}
}
