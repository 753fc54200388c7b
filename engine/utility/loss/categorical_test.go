package loss_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/utility/loss"
)

func columns(t testing.TB, cells map[string][]string, names ...string) *microdata.Dataset {
	t.Helper()
	var all []*microdata.Column
	for _, name := range names {
		all = append(all, golden.Column(t, name, cells[name]))
	}
	data, err := microdata.NewDataset(all)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func categorical(t tester, was, now *microdata.Dataset, margins int, names ...string) measure.Entry {
	t.Helper()
	return compute(t, loss.CategoricalSpec(), &loss.Categorical{Variables: names, Margins: margins}, was, now)
}

// Computed by hand.
func TestCategoricalByHand(t *testing.T) {
	was := columns(t, map[string][]string{"a": {"x", "x", "y", "z"}, "b": {"p", "q", "p", "q"}}, "a", "b")
	now := columns(t, map[string][]string{"a": {"x", "", "y", "y"}, "b": {"p", "q", "p", "q"}}, "a", "b")
	e := categorical(t, was, now, 2, "a", "b")
	// a: z became y; x 1 of 2, y 2 of 2 (y and z), missing 1 of 0
	h := math.Sqrt((math.Pow(1-math.Sqrt2, 2) + 0 + 1) / 8)
	for _, want := range []struct {
		name, part string
		number     float64
	}{{"cells_made_none", "", 1}, {"entropy", "", (math.Log2(3) - 2.0/3) + 1}, {"hellinger", "m1", h / 2},
		{"table_sum", "m1", 2}, {"table_absolute", "m1", 2.0 / 5}, {"table_relative", "m1", 0.5 / 4},
		{"table_roots", "m1", (math.Sqrt2 - 1 + 1) / 5},
		// pairs: xp 1 1, xq 0 1, missing q 1 0, yp 1 1, yq 1 1
		{"table_sum", "m2", 2}, {"table_absolute", "m2", 2.0 / 5}, {"table_relative", "m2", 1.0 / 4},
		{"hellinger", "m2", 0.5}} {
		if got := value(t, &e, want.name, want.part).Number; math.Abs(got-want.number) > 1e-12 {
			t.Errorf("%s %s is %v, want %v", want.name, want.part, got, want.number)
		}
	}
	row := e.Values.Tables[0].Rows[0]
	for c, cell := range []any{"a", 2, 3, 1.5, 4.0 / 3, 1, 1, 1} {
		if row[c] != cell {
			t.Errorf("%s of a is %v, want %v", e.Values.Tables[0].Columns[c], row[c], cell)
		}
	}
}

// Equal data have no loss, whatever they are, and distances stay within their bounds.
func TestCategoricalProperties(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(0, 30).Draw(r, "n")
		draw := func() []string {
			return rapid.SliceOfN(rapid.SampledFrom([]string{"", "x", "y", "z", "2", "10"}), n, n).Draw(r, "cells")
		}
		was := columns(t, map[string][]string{"a": draw(), "b": draw(), "c": draw()}, "a", "b", "c")
		e := categorical(r, was, was, 3, "a", "b", "c")
		for _, v := range e.Values.Numbers {
			if v.Better == measure.Lower && v.Number > 0 {
				r.Fatalf("%s %s of equal data is %v", v.Name, v.Part, v.Number)
			}
		}
		now := columns(t, map[string][]string{"a": draw(), "b": draw(), "c": draw()}, "a", "b", "c")
		other := categorical(r, was, now, 3, "a", "b", "c")
		for _, part := range []string{"m1", "m2", "m3"} {
			if h := value(r, &other, "hellinger", part).Number; h < 0 || h > 1 {
				r.Fatalf("the Hellinger distance %s is %v", part, h)
			}
		}
	})
}

// A recoded category is compared with the categories that were recoded into it, so that a recode is no change of
// counts.
func TestRecodesAreNoChangeOfCounts(t *testing.T) {
	was := columns(t, map[string][]string{"a": {"x", "x", "y", "z", "z"}}, "a")
	now := columns(t, map[string][]string{"a": {"x", "x", "yz", "yz", "yz"}}, "a")
	e := categorical(t, was, now, 1, "a")
	if got := value(t, &e, "hellinger", "m1").Number; got != 0 {
		t.Errorf("the Hellinger distance is %v", got)
	}
	// as many records of z became x as y: z is compared with x, the first
	was, now = columns(t, map[string][]string{"a": {"x", "x", "y", "z", "z"}}, "a"), columns(t,
		map[string][]string{"a": {"x", "x", "y", "y", "x"}}, "a")
	even := categorical(t, was, now, 1, "a")
	want := math.Sqrt((math.Pow(math.Sqrt(3)-2, 2) + math.Pow(math.Sqrt2-1, 2)) / 10)
	if got := value(t, &even, "hellinger", "m1").Number; math.Abs(got-want) > 1e-12 {
		t.Errorf("the Hellinger distance with z as x is %v, want %v", got, want)
	}
	if now, was := e.Values.Tables[0].Rows[0][8].(float64), e.Values.Tables[0].Rows[0][9].(float64); now >= was {
		t.Errorf("the entropy %v is not below %v", now, was)
	}
}

// The variable loss counts ranks if categories are ordered and do not change; otherwise it counts the cells that
// differ.
func TestVariableLossOfCategories(t *testing.T) {
	was := columns(t, map[string][]string{"n": {"1", "2", "3", ""}, "c": {"x", "y", "", "x"}, "v": {"1", "2", "3", "4"}},
		"n", "c", "v")
	now := columns(t, map[string][]string{"n": {"3", "2", "2", "1"}, "c": {"y", "y", "", ""}, "v": {"1", "2", "3", "4"}},
		"n", "c", "v")
	e := compute(t, loss.Spec(), &loss.Numeric{Variables: []string{"v"}, Categories: []string{"c"}}, was, now)
	if got := value(t, &e, "il_variables", "").Number; got != (0+0.5)/2 {
		t.Errorf("of nominal categories %v", got)
	}
	ordered := func(d *microdata.Dataset) *microdata.Dataset {
		column, _ := d.Column("n")
		c := column.Categories()
		return d.With(column.WithCategories(microdata.Category, &microdata.Categories{Levels: c.Levels, Codes: c.Codes,
			Ordered: true}))
	}
	// 1 to 3: two ranks of two, 2 unchanged, 3 to 2: one rank, missing to 1: 1; 1 each if one side has no order
	for want, sides := range map[float64][2]*microdata.Dataset{(1 + 0 + 0.5 + 1) / 4 / 2: {ordered(was), ordered(now)},
		(1 + 0 + 1 + 1) / 4.0 / 2: {was.With(asText(was)), ordered(now)}} {
		e := compute(t, loss.Spec(), &loss.Numeric{Variables: []string{"v"}, Categories: []string{"n"}}, sides[0], sides[1])
		if got := value(t, &e, "il_variables", "").Number; got != want {
			t.Errorf("of ordered categories %v, want %v", got, want)
		}
	}
}

// asText returns the variable n as categories without an order.
func asText(d *microdata.Dataset) *microdata.Column {
	column, _ := d.Column("n")
	c := column.Categories()
	return column.WithCategories(microdata.Category, &microdata.Categories{Levels: c.Levels, Codes: c.Codes})
}
