package microdata_test

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// codedColumn returns a column of four records, two of them missing, that are
// spelled as the first and the second missing code.
func codedColumn() *microdata.Column {
	categories := &microdata.Categories{Levels: []microdata.Level{{Label: "1"}, {Label: "2"}}, Codes: microdata.NewCodes(4, 2)}
	categories.Codes.Set(0, 1)
	categories.Codes.Set(1, 2)
	blanks := microdata.Blanks{Spellings: []string{"99", "98"}, Of: []uint8{0, 0, 0, 1}}
	return microdata.NewCategorical("x", microdata.Category, categories, blanks).
		WithCoding(&microdata.Coding{Width: 2, Missing: []string{"99", "98"}})
}

func TestCodingSpellsMissingCells(t *testing.T) {
	column := codedColumn()
	for _, test := range []struct {
		missing       []string
		first, second string
	}{
		{nil, "99", "98"},
		{[]string{"8", "9"}, "8", "9"},
		{[]string{"7"}, "7", "7"},
	} {
		recoded := column.Regroup(column, []microdata.Level{{Label: "a"}}, []uint32{0, 1, 1}, false).
			WithCoding(&microdata.Coding{Missing: test.missing})
		first, knownFirst := recoded.MissingText(2)
		second, knownSecond := recoded.MissingText(3)
		if first != test.first || second != test.second || !knownFirst || !knownSecond {
			t.Errorf("%q: %q and %q", test.missing, first, second)
		}
		if _, known := recoded.MissingText(0); known {
			t.Error("a cell that is there is missing in the source")
		}
	}
	cells := microdata.NewBits(4)
	cells.Set(0)
	if coding := column.Suppress(cells).Coding(); coding != column.Coding() {
		t.Error("suppression loses the coding")
	}
}

// Steps that differ in nothing but how codes are written have other lineages.
func TestCodingInLineage(t *testing.T) {
	column := codedColumn()
	lineage := func(coding *microdata.Coding) [32]byte {
		recoded := column.Regroup(column, []microdata.Level{{Label: "a"}}, []uint32{0, 1, 1}, false)
		if coding != nil {
			recoded = recoded.WithCoding(coding)
		}
		data, err := microdata.NewDataset([]*microdata.Column{recoded})
		if err != nil {
			t.Fatal(err)
		}
		return data.Lineage()
	}
	seen := map[[32]byte]int{}
	for i, coding := range []*microdata.Coding{nil, {Width: 2}, {Width: 2, Missing: []string{"9"}}, {Width: 2, Missing: []string{"9"}, Labels: map[string]string{"a": "b"}}} {
		digest := lineage(coding)
		if other, taken := seen[digest]; taken {
			t.Errorf("codings %d and %d have one lineage", other, i)
		}
		seen[digest] = i
	}
	if lineage(nil) != lineage(column.Coding()) {
		t.Error("the coding of the source is no change")
	}
}
