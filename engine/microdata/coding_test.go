package microdata_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

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

// Only codes that stay what they are keep what they mean.
func TestCodingLabelsAfterRegrouping(t *testing.T) {
	column := codedColumn().WithCoding(&microdata.Coding{Width: 2, Missing: []string{"99"}, Labels: map[string]string{"1": "one", "2": "two", "3": "three"}})
	for _, test := range []struct {
		levels  []string
		mapping []uint32
		want    map[string]string
	}{
		{[]string{"1", "2"}, []uint32{0, 1, 2}, map[string]string{"1": "one", "2": "two", "3": "three"}},
		{[]string{"1"}, []uint32{0, 1, 1}, map[string]string{"3": "three"}},
		{[]string{"1", "2"}, []uint32{0, 2, 1}, map[string]string{"3": "three"}},
		{[]string{"1", "3"}, []uint32{0, 1, 2}, map[string]string{"1": "one"}},
		{[]string{"1", "2"}, []uint32{1, 1, 2}, map[string]string{"2": "two", "3": "three"}},
		{[]string{"1"}, []uint32{0, 1, 0}, map[string]string{"1": "one", "3": "three"}},
	} {
		levels := make([]microdata.Level, len(test.levels))
		for i, label := range test.levels {
			levels[i].Label = label
		}
		coding := column.Regroup(column, levels, test.mapping, false).Coding()
		if diff := cmp.Diff(test.want, coding.Labels); diff != "" || coding.Width != 2 || len(coding.Missing) != 1 {
			t.Errorf("%q by %v: width %d, missing codes %q; labels (-want +got):\n%s", test.levels, test.mapping, coding.Width, coding.Missing, diff)
		}
	}
}

// A recode that starts from the source again is written in its missing codes.
func TestCodingFromSource(t *testing.T) {
	column := codedColumn()
	recoded := column.Regroup(column, []microdata.Level{{Label: "a"}}, []uint32{0, 1, 1}, false).
		WithCoding(&microdata.Coding{Missing: []string{"8", "9"}})
	again := recoded.Regroup(recoded.Unrecoded(), []microdata.Level{{Label: "b"}}, []uint32{0, 1, 1}, false)
	if spelling, _ := again.MissingText(3); spelling != "98" {
		t.Errorf("the second missing code is %q", spelling)
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
