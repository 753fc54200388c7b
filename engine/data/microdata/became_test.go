package microdata_test

import (
	"math"
	"slices"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

func TestOriginalCountsOfWhatIsLost(t *testing.T) {
	levels := func(labels string) []microdata.Level {
		var all []microdata.Level
		for _, label := range labels {
			all = append(all, microdata.Level{Label: string(label), Value: math.NaN()})
		}
		return all
	}
	categories := func(labels, codes string, ordered bool) *microdata.Categories {
		c := &microdata.Categories{Levels: levels(labels), Codes: microdata.NewCodes(len(codes), len(labels)),
			Ordered: ordered}
		for i, code := range codes {
			c.Codes.Set(i, uint32(code-'0'))
		}
		return c
	}
	tests := []struct {
		name        string
		before, now *microdata.Categories
		want        []int
	}{
		{"between two of the same fate", categories("abcde", "12345", true), categories("AB", "10122", true), []int{0, 3, 2}},
		{"between two of different fate", categories("abcde", "12345", true), categories("AB", "11022", true),
			[]int{0, -1, -1}},
		{"at the end", categories("abcd", "1234", true), categories("AB", "1120", true), []int{0, 2, -1}},
		{"without an order", categories("abcd", "1234", false), categories("AB", "1022", false), []int{0, -1, -1}},
		{"one becomes several", categories("ab", "112", true), categories("AB", "122", true), nil},
		{"missing from the beginning", categories("ab", "0012", true), categories("A", "0011", true), []int{2, 2}},
	}
	for _, test := range tests {
		if _, got := microdata.BecameOf(test.now, test.before); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, not %v", test.name, got, test.want)
		}
	}
}

// Of grouped rows the records count.
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

// Suppressed cells count as often as their rows stand for records.
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
