package microdata_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// codedColumn returns a column of four records, two of them missing, with two missing codes.
func codedColumn() *microdata.Column {
	categories := &microdata.Categories{Levels: []microdata.Level{{Label: "1"}, {Label: "2"}},
		Codes: microdata.NewCodes(4, 2)}
	categories.Codes.Set(0, 1)
	categories.Codes.Set(1, 2)
	return microdata.NewCategorical("x", microdata.Category, categories).
		WithDescription(&microdata.Description{Width: 2, Missing: []string{"99", "98"}})
}

func TestDescriptionSpellsMissingCells(t *testing.T) {
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
			WithDescription(&microdata.Description{Missing: test.missing})
		if first, second := recoded.Respelled("99"), recoded.Respelled("98"); first != test.first || second != test.second {
			t.Errorf("%q: %q and %q", test.missing, first, second)
		}
	}
	cells := microdata.NewBits(4)
	cells.Set(0)
	if said := column.Suppress(cells).Description(); said != column.Description() {
		t.Error("suppression loses the description")
	}
}

// Only unchanged codes keep their labels; a merged level combines the labels of its parts.
func TestDescriptionLabelsAfterRegrouping(t *testing.T) {
	column := codedColumn().WithDescription(&microdata.Description{Width: 2, Missing: []string{"99"},
		Labels: map[string]string{"1": "one", "2": "two", "3": "three"}})
	for _, test := range []struct {
		levels  []string
		mapping []uint32
		want    map[string]string
	}{
		{[]string{"1", "2"}, []uint32{0, 1, 2}, map[string]string{"1": "one", "2": "two", "3": "three"}},
		{[]string{"1"}, []uint32{0, 1, 1}, map[string]string{"1": "one, two", "3": "three"}},
		{[]string{"1+2"}, []uint32{0, 1, 1}, map[string]string{"1+2": "one, two", "3": "three"}},
		{[]string{"1"}, []uint32{1, 1, 1}, map[string]string{"1": "one, two, missing", "3": "three"}},
		{[]string{"1", "2"}, []uint32{0, 2, 1}, map[string]string{"3": "three"}},
		{[]string{"1", "3"}, []uint32{0, 1, 2}, map[string]string{"1": "one"}},
		{[]string{"1", "2"}, []uint32{1, 1, 2}, map[string]string{"1": "one, missing", "2": "two", "3": "three"}},
		{[]string{"1"}, []uint32{0, 1, 0}, map[string]string{"1": "one", "3": "three"}},
	} {
		levels := make([]microdata.Level, len(test.levels))
		for i, label := range test.levels {
			levels[i].Label = label
		}
		coding := column.Regroup(column, levels, test.mapping, false).Description()
		if diff := cmp.Diff(test.want, coding.Labels); diff != "" || coding.Width != 2 || len(coding.Missing) != 1 {
			t.Errorf("%q by %v: width %d, missing codes %q; labels (-want +got):\n%s", test.levels, test.mapping, coding.Width,
				coding.Missing, diff)
		}
	}
}

// A renamed category keeps its original code, however often it is renamed; a merged one, also if merged with
// missing values, has none, whatever its name.
func TestCategoriesStandForCodes(t *testing.T) {
	levels := func(names ...string) []microdata.Level {
		out := make([]microdata.Level, len(names))
		for i, name := range names {
			out[i] = microdata.Level{Label: name, Value: microdata.LabelNumber(name)}
		}
		return out
	}
	column := codedColumn()
	for _, said := range []*microdata.Description{nil, {Width: 2, MissingRange: &[2]float64{8, 9},
		Labels: map[string]string{"1": "one", "3": "three"}}} {
		once := said.Renamed(levels("1", "2"), levels("low", "2"), []string{"1", "2"}, true)
		if diff := cmp.Diff(map[string]string{"low": "1"}, once.CodeOf); diff != "" ||
			said != nil && (once.MissingRange == nil || len(once.Labels) != 1) {
			t.Errorf("renamed once: %+v\n%s", once, diff)
		}
		for _, test := range []struct {
			mapping []uint32
			after   []microdata.Level
			want    map[string]string
		}{
			{[]uint32{0, 1, 2}, levels("low", "2"), map[string]string{"low": "1"}},
			{[]uint32{0, 2, 1}, levels("2", "low"), map[string]string{"low": "1"}},
			{[]uint32{0, 1, 1}, levels("low"), nil},
			{[]uint32{1, 1, 2}, levels("low", "2"), nil},
			{[]uint32{0, 1, 1}, levels("all"), nil},
			{[]uint32{0, 1, 2}, levels("least", "2"), nil}, // it is unknown whether it is a single code
			{[]uint32{0, 0, 1}, levels("2"), nil},
		} {
			from := column.Regroup(column, levels("low", "2"), []uint32{0, 1, 2}, false).WithDescription(once)
			if diff := cmp.Diff(test.want, from.Regroup(from, test.after, test.mapping, false).Described().CodeOf,
				cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("by %v to %v:\n%s", test.mapping, test.after, diff)
			}
		}
		again := once.Renamed(levels("low", "2"), levels("least", "much"), []string{"1", ""}, true)
		if diff := cmp.Diff(map[string]string{"least": "1"}, again.CodeOf); diff != "" {
			t.Errorf("renamed again:\n%s", diff)
		}
	}
}

// A recode that starts from the source again uses the missing codes of the source.
func TestDescriptionFromSource(t *testing.T) {
	column := codedColumn()
	recoded := column.Regroup(column, []microdata.Level{{Label: "a"}}, []uint32{0, 1, 1}, false).
		WithDescription(&microdata.Description{Missing: []string{"8", "9"}})
	again := recoded.Regroup(recoded.Unrecoded(), []microdata.Level{{Label: "b"}}, []uint32{0, 1, 1}, false)
	if spelling := again.Respelled("98"); spelling != "98" {
		t.Errorf("the second missing code is %q", spelling)
	}
}

// Lineages differ after steps that differ only in how codes are written.
func TestDescriptionInLineage(t *testing.T) {
	column := codedColumn()
	lineage := func(coding *microdata.Description) [32]byte {
		recoded := column.Regroup(column, []microdata.Level{{Label: "a"}}, []uint32{0, 1, 1}, false)
		if coding != nil {
			recoded = recoded.WithDescription(coding)
		}
		data, err := microdata.NewDataset([]*microdata.Column{recoded})
		if err != nil {
			t.Fatal(err)
		}
		return data.Lineage()
	}
	seen := map[[32]byte]int{}
	for i, coding := range []*microdata.Description{nil, {Width: 2}, {Width: 2, Missing: []string{"9"}},
		{Width: 2, Missing: []string{"9"}, Labels: map[string]string{"a": "b"}},
		{Width: 2, Missing: []string{"9"}, CodeOf: map[string]string{"a": "b"}}, {Width: 2, Numbers: true}} {
		digest := lineage(coding)
		if other, taken := seen[digest]; taken {
			t.Errorf("codings %d and %d have one lineage", other, i)
		}
		seen[digest] = i
	}
	if lineage(nil) != lineage(column.Description()) {
		t.Error("the coding of the source is no change")
	}
}

// Labels survive every step; display format and measurement level apply to numbers only.
func TestDescriptionAfterSteps(t *testing.T) {
	categories := &microdata.Categories{Levels: []microdata.Level{{Label: "1", Value: 1}, {Label: "2", Value: 2}},
		Codes: microdata.NewCodes(2, 2)}
	column := microdata.NewCategorical("age", microdata.Whole, categories).
		WithDescription(&microdata.Description{Label: "age in years", Level: microdata.Scale, Format: "F3.0"})
	one := []microdata.Level{{Label: "1-2", Value: math.NaN()}}
	two := []microdata.Level{{Label: "un", Value: math.NaN()}, {Label: "2", Value: 2}}
	coded := *column.Description()
	coded.Numbers = true
	renamed := coded.Renamed(categories.Levels, two, []string{"1", "2"}, true)
	called := column.Regroup(column, two, []uint32{0, 1, 2}, true).WithDescription(renamed)
	for _, test := range []struct {
		column *microdata.Column
		level  microdata.MeasurementLevel
		format string
	}{
		{column.Suppress(microdata.NewBits(2)), microdata.Scale, "F3.0"},
		{column.Regroup(column, categories.Levels, []uint32{0, 1, 2}, true), microdata.Scale, "F3.0"},
		{column.Regroup(column, one, []uint32{0, 1, 1}, true), microdata.Ordinal, ""},
		{column.Regroup(column, one, []uint32{0, 1, 1}, false), microdata.Nominal, ""},
		{called, microdata.Scale, "F3.0"}, // the codes are unchanged
		{called.Regroup(called, []microdata.Level{two[1], two[0]}, []uint32{0, 2, 1}, false), microdata.Scale, "F3.0"},
		{called.Regroup(called, []microdata.Level{{Label: "un", Value: math.NaN()}, {Label: "2", Value: math.NaN()}},
			[]uint32{0, 1, 2}, false), microdata.Scale, "F3.0"},
		{called.Regroup(called, one, []uint32{0, 1, 1}, false), microdata.Nominal, ""},
		{called.WithDescription(coded.Renamed(categories.Levels, two, []string{"", "2"}, true)), microdata.Ordinal, ""},
	} {
		if said := test.column.Description(); said.Label != "age in years" || said.Level != test.level ||
			said.Format != test.format {
			t.Errorf("%+v, want level %q and format %q", said, test.level, test.format)
		}
	}
}

// Numbers are declared missing by codes equal to them and by a closed range.
func TestNumbersDeclaredMissing(t *testing.T) {
	missing := (&microdata.Description{Missing: []string{"-9", "NA", "99.5"},
		MissingRange: &[2]float64{90, 95}}).MissingNumbers()
	for number, want := range map[float64]bool{-9: true, 99.5: true, 90: true, 95: true, 92.5: true, 9: false, 89.9: false,
		95.1: false, math.NaN(): false} {
		if missing.Has(number) != want {
			t.Errorf("%v: %v", number, !want)
		}
	}
	var no *microdata.Description
	codes := (&microdata.Description{Missing: []string{"1"}}).MissingNumbers()
	if none := no.MissingNumbers(); !none.None() || missing.None() || codes.None() || none.Has(0) {
		t.Errorf("none: %v, %v, %v", none, missing, codes)
	}
}
