package microdata_test

import (
	"math"
	"slices"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// The code after recodes is known even if all records of a category were suppressed, before or after, after
// further recodes, and after randomisation.
func TestWhatCategoriesBecame(t *testing.T) {
	levels := func(labels string) []microdata.Level {
		var all []microdata.Level
		for _, label := range labels {
			all = append(all, microdata.Level{Label: string(label), Value: math.NaN()})
		}
		return all
	}
	codes := []uint32{1, 2, 3, 4, 4, 0}
	source := microdata.NewCategorical("v", microdata.Category, &microdata.Categories{Levels: levels("abcd"),
		Codes: microdata.CodesOf(codes)})
	without := func(c *microdata.Column, records ...int) *microdata.Column {
		cells := microdata.NewBits(len(codes))
		for _, record := range records {
			cells.Set(record)
		}
		return c.Suppress(cells)
	}
	regroup := func(c *microdata.Column, labels string, mapping ...uint32) *microdata.Column {
		return c.Regroup(c, levels(labels), mapping, false)
	}
	again := func(c *microdata.Column) *microdata.Column {
		return c.WithCodes(microdata.CodesOf([]uint32{2, 1, 2, 1, 1, 0})).DrawnWith(1)
	}
	recoded := regroup(source, "AB", 0, 1, 1, 2, 2)
	other := microdata.NewCategorical("v", microdata.Category, &microdata.Categories{Levels: levels("xyz"),
		Codes: microdata.CodesOf([]uint32{1, 2, 3, 1, 1, 0})})
	for name, test := range map[string]struct {
		now    *microdata.Column
		became []uint32
		counts []int
	}{
		"nothing":                     {source, []uint32{0, 1, 2, 3, 4}, nil},
		"suppression":                 {without(source, 0, 3, 4), []uint32{0, 1, 2, 3, 4}, []int{1, 1, 1, 1, 2}},
		"recode":                      {recoded, []uint32{0, 1, 1, 2, 2}, []int{1, 2, 3}},
		"all of a category go before": {regroup(without(source, 0, 1), "AB", 0, 1, 1, 2, 2), []uint32{0, 1, 1, 2, 2}, []int{1, 2, 3}},
		"all of a category go after":  {without(recoded, 3, 4), []uint32{0, 1, 1, 2, 2}, []int{1, 2, 3}},
		"a recode of a recode":        {regroup(recoded, "C", 0, 0, 1), []uint32{0, 0, 0, 1, 1}, []int{3, 3}},
		"missing joins":               {regroup(source, "A", 1, 1, 1, 0, 1), []uint32{1, 1, 1, 0, 1}, []int{1, 5}},
		"drawn after a recode":        {again(recoded), []uint32{0, 1, 1, 2, 2}, []int{1, 2, 3}},
		"a recode after drawing":      {regroup(again(recoded), "C", 0, 1, 1), []uint32{0, 1, 1, 1, 1}, []int{1, 5}},
		"other categories":            {other, nil, nil},
	} {
		became, _ := test.now.Categories().MadeOf(source.Categories())
		counts := test.now.Categories().OriginalCounts(source.Categories())
		if !slices.Equal(became, test.became) || !slices.Equal(counts, test.counts) {
			t.Errorf("%s: %v %v, not %v %v", name, became, counts, test.became, test.counts)
		}
	}
	from, now, ok := regroup(again(recoded), "C", 0, 1, 1).Composition()
	if !ok || !slices.Equal(now, []uint32{0, 1, 1}) || len(from.Categories().Levels) != 2 {
		t.Errorf("a recode after drawing starts from %v: %v", from.Categories().Levels, now)
	}
}

// Redrawn counts records of grouped rows.
func TestRedrawnCountsRecords(t *testing.T) {
	column := func(codes ...uint32) *microdata.Column {
		c := &microdata.Categories{Levels: []microdata.Level{{Label: "a"}, {Label: "b"}}, Codes: microdata.CodesOf(codes)}
		return microdata.NewCategorical("v", microdata.Category, c)
	}
	for _, test := range []struct {
		multiplicity     []int
		changed, present int
	}{{nil, 1, 3}, {[]int{5, 7, 2, 1}, 7, 14}} {
		columns := []*microdata.Column{column(1, 2, 1, 0), column(1, 1, 1, 2)}
		if test.multiplicity != nil {
			data, err := microdata.NewGrouped([]*microdata.Column{columns[0]}, test.multiplicity)
			if err != nil {
				t.Fatal(err)
			}
			columns[0] = data.Columns()[0]
		}
		changed, present, ok := microdata.Redrawn(columns[0].Categories(), columns[1].Categories())
		if !ok || changed != test.changed || present != test.present {
			t.Errorf("%v: %d of %d changed, want %d of %d", test.multiplicity, changed, present, test.changed, test.present)
		}
		if records := columns[0].Categories().Records(); records != columns[0].Records() {
			t.Errorf("%d records of the categories, %d of the column", records, columns[0].Records())
		}
	}
	if _, _, ok := microdata.Redrawn(column(1).Categories(), nil); ok {
		t.Error("nothing is compared")
	}
}

// Suppressed cells count with the multiplicity of their rows.
func TestSuppressedByCategory(t *testing.T) {
	before := &microdata.Categories{Levels: []microdata.Level{{Label: "a"}, {Label: "b"}},
		Codes: microdata.CodesOf([]uint32{1, 2, 2, 0})}
	data, err := microdata.NewGrouped([]*microdata.Column{microdata.NewCategorical("v", microdata.Category, before)},
		[]int{5, 7, 11, 2})
	if err != nil {
		t.Fatal(err)
	}
	cells := microdata.NewBits(4)
	cells.Set(0)
	cells.Set(2)
	if got := data.Columns()[0].Suppress(cells).SuppressedOf(before); !slices.Equal(got, []int{0, 5, 11}) {
		t.Errorf("%v, want 5 of a and 11 of b", got)
	}
}
