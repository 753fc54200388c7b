package profile

import (
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/tables/crosstable"
)

// Cross counts the records that have a value of one variable and one of another.
// Row or column 0 holds those whose value is missing.
type Cross struct {
	Rows, Columns []string // labels of the values, from row and column 1 on
	Records       [][]int
	Weights       [][]float64 // nil without weights
	ByRow         []int       // records of each row, missing included
	ByColumn      []int
}

// mostLabels is the number of texts up to which each has a row or column of its own.
const mostLabels = 200

// axis is how the values of a variable become rows or columns of a table.
type axis struct {
	labels []string
	of     func(row int) int // 0: missing
}

// NewCross counts two variables of one dataset against each other. A variable of
// numbers with more than most distinct values goes by round bins; of texts the
// most frequent 200 stand alone, and what is left in one row or column. Errors: that of
// ctx.
func NewCross(ctx context.Context, rows, columns *Profile, most int) (*Cross, error) {
	a, b := rows.axis(most), columns.axis(most)
	down, across := make([]uint32, rows.Column.Len()), make([]uint32, rows.Column.Len())
	for row := range down {
		if parallel.Stopped(ctx, row) {
			return nil, ctx.Err()
		}
		down[row], across[row] = uint32(a.of(row)), uint32(b.of(row))
	}
	groups := &keys.Groups{Levels: []int{len(a.labels), len(b.labels)}, Codes: [][]uint32{down, across}}
	cells := (&crosstable.Crossing{Groups: groups, Missing: true, Dense: math.MaxInt}).Cells([]int{0, 1})
	width := len(b.labels) + 1
	c := &Cross{Rows: a.labels, Columns: b.labels, ByRow: make([]int, len(a.labels)+1), ByColumn: make([]int, width),
		Records: slices.Collect(slices.Chunk(crosstable.Sums[int](cells, rows.Column.Multiplicity(), nil)[1:], width))}
	if rows.Weights != nil {
		c.Weights = slices.Collect(slices.Chunk(crosstable.Sums[float64](cells, rows.Weights, nil)[1:], width))
	}
	for i, row := range c.Records {
		for j, n := range row {
			c.ByRow[i] += n
			c.ByColumn[j] += n
		}
	}
	return c, nil
}

func (p *Profile) axis(most int) axis {
	numbers := p.Column.StoredAsNumbers()
	if numbers == nil {
		categories := p.Column.Categories()
		if len(categories.Levels) <= most || p.Numbers == nil {
			return levelAxis(categories)
		}
	}
	if p.Numbers == nil {
		return axis{of: func(int) int { return 0 }}
	}
	return p.binAxis(RoundBins(p.Numbers.Min, p.Numbers.Max, most, p.Column.Kind() == microdata.Whole))
}

func levelAxis(categories *microdata.Categories) axis {
	if len(categories.Levels) > mostLabels {
		return frequentAxis(categories)
	}
	a := axis{of: func(row int) int { return int(categories.Codes.At(row)) }}
	for _, level := range categories.Levels {
		a.labels = append(a.labels, level.Label)
	}
	return a
}

// frequentAxis has a row for each of the most frequent levels, and one for all others.
func frequentAxis(categories *microdata.Categories) axis {
	counts := categories.Counts()
	codes := make([]uint32, len(categories.Levels))
	for i := range codes {
		codes[i] = uint32(i + 1)
	}
	slices.SortStableFunc(codes, func(a, b uint32) int { return counts[b] - counts[a] })
	others := codes[mostLabels:]
	a, place := axis{}, make([]int, len(counts))
	slices.Sort(codes[:mostLabels])
	for i, code := range codes[:mostLabels] {
		place[code] = i + 1
		a.labels = append(a.labels, categories.Levels[code-1].Label)
	}
	for _, code := range others {
		place[code] = mostLabels + 1
	}
	a.labels = append(a.labels, strconv.Itoa(len(others))+" others")
	a.of = func(row int) int { return place[categories.Codes.At(row)] }
	return a
}

// binAxis has a row for every bin; numbers in none, infinite ones, stand with the
// missing.
func (p *Profile) binAxis(bins Bins) axis {
	a := axis{of: func(row int) int {
		if bin, ok := bins.Of(p.Column.Float(row)); ok {
			return bin + 1
		}
		return 0
	}}
	for bin := range bins.Count {
		a.labels = append(a.labels, bins.Label(bin))
	}
	return a
}
