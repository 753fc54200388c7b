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

// Cross counts the records by the values of two variables. Row and column 0 are for missing values.
type Cross struct {
	Rows, Columns []string // labels of the values, for rows and columns from 1
	Records       [][]int
	Weights       [][]float64 // nil without weights
	ByRow         []int       // records by row, including missing
	ByColumn      []int
}

// mostLabels is the maximum number of text values with a separate row or column.
const mostLabels = 200

// axis maps the values of a variable to rows or columns of a table.
type axis struct {
	labels []string
	of     func(row int) int // 0: missing
}

// NewCross cross-tabulates two variables of one dataset. A numeric variable with more than most distinct values is
// divided into round bins; for texts, values beyond the 200 most frequent share one row or column. It returns the
// error of ctx, if any.
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

// frequentAxis returns an axis with a row for each of the most frequent levels, and one for all others.
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

// binAxis returns an axis with a row for every bin. Numbers in no bin, which are infinite, count as missing.
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
