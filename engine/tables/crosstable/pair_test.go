package crosstable

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

func categoriesOf(levels int, codes []uint32) *microdata.Categories {
	c := &microdata.Categories{Codes: microdata.NewCodes(len(codes), levels)}
	for i := range levels {
		c.Levels = append(c.Levels, microdata.Level{Label: string(rune('a' + i)), Value: math.NaN()})
	}
	for record, code := range codes {
		c.Codes.Set(record, code)
	}
	return c
}

func tableOf(t *rapid.T, variables ...*microdata.Categories) *keys.Table {
	var columns []*microdata.Column
	for i, c := range variables {
		columns = append(columns, microdata.NewCategorical(string(rune('p'+i)), microdata.Category, c))
	}
	table, err := keys.New(context.Background(), columns, nil)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// The categories of a variable that were merged are compared with what they became, record by record.
func TestComparedPairsCountRecords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "records")
		draw := func(levels int, name string) []uint32 {
			return rapid.SliceOfN(rapid.Uint32Range(0, uint32(levels)), n, n).Draw(t, name)
		}
		was, other := draw(4, "down"), draw(3, "across")
		now := slices.Clone(was)
		for record, code := range was {
			now[record] = (code + 1) / 2 // two by two
		}
		before, across := categoriesOf(4, was), categoriesOf(3, other)
		after := before.Mapped(categoriesOf(2, nil).Levels, []uint32{0, 1, 1, 2, 2}, false)
		p := Compare(tableOf(t, after, across), tableOf(t, before, across), Axis{0, after, before}, Axis{1, across, across})
		if p.Unknown || p.Differs {
			t.Fatalf("joined categories have other records: %+v", p)
		}
		if p.Rows[0].Now != n || p.Rows[0].Was != n {
			t.Fatalf("%d records, then %d, of %d", p.Rows[0].Now, p.Rows[0].Was, n)
		}
		cells := 0
		for row, line := range p.Rows {
			for column, crossed := range p.Columns {
				want := 0
				for record := range n {
					if other[record] == crossed.Code && (row == 0 || now[record] == line.Code) {
						want++
					}
				}
				got, then := p.Cell(row, column)
				if got != want || then != want {
					t.Fatalf("row %d, column %d: %d records, then %d, want %d", row, column, got, then, want)
				}
				if row > 0 {
					cells += got
				}
			}
		}
		if last := len(p.Columns) - 1; cells != n || slices.Contains(other, 0) != (p.Columns[last].Code == 0) {
			t.Fatalf("%d records in cells of %d; columns %v", cells, n, p.Columns)
		}
	})
}

// Suppressed cells are counted in their original category; categories that differ from those of the original are
// not compared.
func TestComparedPairsTellWhatWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { // for tableOf; nothing is drawn
		before, across := categoriesOf(2, []uint32{1, 1, 2}), categoriesOf(1, []uint32{1, 1, 1})
		lost := categoriesOf(2, []uint32{1, 0, 2})
		lost.Levels = before.Levels
		p := Compare(tableOf(t, lost, across), tableOf(t, before, across), Axis{0, lost, before}, Axis{1, across, across})
		now, was := p.Cell(1, 0)
		if !p.Differs || now != 1 || was != 2 || len(p.Rows) != 4 {
			t.Fatalf("%d records, then %d: %+v", now, was, p)
		}
		gone := categoriesOf(2, []uint32{1, 1, 0}) // no record has the second category anymore
		gone.Levels = before.Levels
		p = Compare(tableOf(t, gone, across), tableOf(t, before, across), Axis{0, gone, before}, Axis{1, across, across})
		if now, was = p.Cell(2, 0); now != 0 || was != 1 || p.Rows[2] != (Line{2, 0, 1}) || p.Rows[0].Was != 3 {
			t.Fatalf("%d records, then %d: %+v", now, was, p)
		}
		parted := categoriesOf(2, []uint32{1, 2, 2})
		parted.Levels[0].Label, parted.Levels[1].Label = "c", "d"
		if p = Compare(tableOf(t, parted, across), tableOf(t, before, across), Axis{0, parted, before},
			Axis{1, across, across}); !p.Unknown || p.Differs {
			t.Fatalf("other categories are compared: %+v", p)
		}
	})
}
