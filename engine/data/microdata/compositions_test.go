package microdata

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// grouped draws records of households and rows, and returns the households of the records, with the row of each, and
// those of the rows by their compositions.
func grouped(t *rapid.T) (records *Households, rows []uint32, byRows *Households, multiplicity []int) {
	n, groups := rapid.IntRange(1, 60).Draw(t, "records"), rapid.IntRange(1, 6).Draw(t, "rows")
	identifiers, members := make([]float64, n), map[float64][]uint32{}
	multiplicity = make([]int, groups)
	for i := range n {
		row := uint32(rapid.IntRange(0, groups-1).Draw(t, "row"))
		rows, multiplicity[row] = append(rows, row), multiplicity[row]+1
		if identifiers[i] = float64(rapid.IntRange(0, 20).Draw(t, "household")); identifiers[i] == 0 {
			identifiers[i] = math.NaN()
			continue
		}
		members[identifiers[i]] = append(members[identifiers[i]], row)
	}
	column, err := NewNumeric("hid", Whole, &Numbers{Values: identifiers})
	if err != nil {
		t.Fatal(err)
	}
	all := &Compositions{}
	for _, of := range members { // in any order
		rand.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
		all.Add(of, 1)
	}
	if byRows, err = all.Households(multiplicity); err != nil {
		t.Fatal(err)
	}
	return NewHouseholds(column), rows, byRows, multiplicity
}

// composed returns how many households have which rows.
func composed(h *Households, rowOf func(member int) uint32) map[string]int {
	out := map[string]int{}
	for i := range h.Len() {
		var rows []uint32
		for m := range h.Members(i) {
			rows = append(rows, rowOf(h.Member(i, m)))
		}
		slices.Sort(rows)
		out[fmt.Sprint(rows)] += h.Times(i)
	}
	return out
}

// Households of rows are those of their records: as many of each composition, each composition once, of the same sizes.
func TestHouseholdsOfRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records, rows, byRows, _ := grouped(t)
		want := composed(records, func(record int) uint32 { return rows[record] })
		got := composed(byRows, func(row int) uint32 { return uint32(row) })
		if fmt.Sprint(want) != fmt.Sprint(got) || byRows.Len() != len(got) {
			t.Fatalf("of records: %v\nof rows: %v, %d of them", want, got, byRows.Len())
		}
		if !slices.Equal(records.Sizes(), byRows.Sizes()) || records.SingledOut() != byRows.SingledOut() ||
			records.Records() != byRows.Records() {
			t.Fatalf("sizes %v and %v", records.Sizes(), byRows.Sizes())
		}
	})
}

// More members of a row than it has records are refused.
func TestHouseholdsWithTooManyMembers(t *testing.T) {
	for _, rows := range [][]uint32{{0, 0}, {2}} {
		all := &Compositions{}
		all.Add(rows, 1)
		if _, err := all.Households([]int{1, 3}); !errors.Is(err, ErrMultiplicity) {
			t.Errorf("members %v: %v", rows, err)
		}
	}
}

// A column that rows are not counted by tells households once it has them, until rows are taken apart; one that they
// are counted by tells them by its values.
func TestColumnsTellHouseholds(t *testing.T) {
	group := NewCategorical("group", Category, &Categories{Levels: []Level{{Label: "a"}, {Label: "b"}}, Codes: CodesOf([]uint32{1, 2, 0})})
	data, err := NewGrouped([]*Column{group, NewUncounted("hid", Whole, nil, nil, []int{1}, 3)}, []int{3, 2, 2})
	if err != nil {
		t.Fatal(err)
	}
	hid, _ := data.Column("hid")
	if hid.TellsHouseholds() || NewHouseholds(hid) != nil {
		t.Error("a column that nobody counted by tells households")
	}
	all := &Compositions{}
	all.Add([]uint32{1, 0}, 2)
	h, err := all.Households(data.Multiplicity())
	if err != nil {
		t.Fatal(err)
	}
	with := data.With(hid.WithHouseholds(h))
	told, _ := with.Column("hid")
	if NewHouseholds(told) != h || told.Hash() == hid.Hash() {
		t.Error("the households are not those of the column")
	}
	whole, _ := with.Split([]uint32{0, 1, 2}, []int{3, 2, 2}).Column("hid")
	parts, _ := with.Split([]uint32{0, 1, 1, 2}, []int{3, 1, 1, 2}).Column("hid")
	if NewHouseholds(whole) != h || NewHouseholds(parts) != nil {
		t.Error("households of rows that are taken apart")
	}
	counted, _ := data.Column("group")
	if got := composed(NewHouseholds(counted), func(row int) uint32 { return uint32(row) }); fmt.Sprint(got) != "map[[0 0 0]:1 [1 1]:1 [2]:2]" {
		t.Errorf("households of a column that rows are counted by: %v", got)
	}
}
