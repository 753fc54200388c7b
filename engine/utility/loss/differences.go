package loss

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/tables/crosstable"
)

// differences collects the cells of tables, now and in the original.
type differences struct {
	all      []classes
	sets     [][]int // variables of each table
	cells    []cell
	whole    bool // counts are integers
	tables   int
	counted  int // cells that were not empty originally
	zeros    int // of these, cells that are empty now
	appeared int // cells that are empty in the original but not now
}

// cell is a cell of a table.
type cell struct {
	table    int
	row      int // one of its rows, among the current records followed by the original ones
	now, was float64
}

func (c *cell) absolute() float64 { return math.Abs(c.now - c.was) }

// relative returns the relative difference, or NaN if the original cell is empty.
func (c *cell) relative() float64 {
	if c.was == 0 {
		return math.NaN()
	}
	return c.absolute() / c.was
}

func (c *cell) roots() float64 { return math.Abs(math.Sqrt(c.now) - math.Sqrt(c.was)) }

// add adds the cells of a table.
func (d *differences) add(crossing *crosstable.Crossing, set []int, counts []float64, zeros bool) {
	table := crossing.Cells(set)
	found := make([]cell, table.Numbers+1)
	for row, at := range table.Of {
		c, count := &found[at], 1.0
		if counts != nil {
			count = counts[row]
		}
		if c.row = row; row&1 == 0 {
			c.now += count
		} else {
			c.was += count
		}
	}
	for _, c := range found {
		switch {
		case c.now == 0 && c.was == 0:
			continue
		case c.now == 0:
			d.zeros++
		case c.was == 0:
			d.appeared++
		}
		if c.now == 0 && !zeros {
			continue
		}
		if c.was > 0 {
			d.counted++
		}
		c.table = d.tables
		d.cells = append(d.cells, c)
	}
	d.sets = append(d.sets, set)
	d.tables++
}

// values returns the results, largest deviations first.
func (d *differences) values(listed int) measure.Values {
	slices.SortStableFunc(d.cells, func(a, b cell) int {
		return cmp.Or(cmp.Compare(b.absolute(), a.absolute()), cmp.Compare(b.roots(), a.roots()))
	})
	kinds := [3][]float64{d.sorted((*cell).absolute), d.sorted((*cell).relative), d.sorted((*cell).roots)}
	number := func(name, title string, x float64) measure.Value {
		return measure.Value{Name: name, Title: title, Number: x, Better: measure.Lower}
	}
	most := math.NaN()
	if n := len(kinds[0]); n > 0 {
		most = kinds[0][n-1]
	}
	cells := measure.CountOf("cells", "cells compared", len(d.cells), 0)
	cells.Better = measure.Either
	return measure.Values{Numbers: []measure.Value{
		number("cells_absolute", "count difference", stat.Mean(kinds[0])),
		number("cells_most", "largest count difference", most),
		shortened(measure.CountOf("false_zeros", "cells that became empty (false zeros)", d.zeros, 0), "cells that became empty"),
		shortened(measure.CountOf("false_counts", "cells that were empty before", d.appeared, 0), "cells empty before"),
		number("cells_relative", "relative difference", stat.Mean(kinds[1])),
		number("cells_roots", "difference of roots", stat.Mean(kinds[2])),
		cells,
	}, Tables: []measure.Table{d.worst(listed), quantiles(kinds), cumulative(kinds), d.signed()},
		Notes: []string{fmt.Sprintf("%d tables with %d cells that are not empty now or in the original, %d of them in the original",
			d.tables, len(d.cells), d.counted)}}
}

// sorted returns a figure of the cells in ascending order, without NaN.
func (d *differences) sorted(of func(*cell) float64) []float64 {
	values := make([]float64, 0, len(d.cells))
	for i := range d.cells {
		if x := of(&d.cells[i]); !math.IsNaN(x) {
			values = append(values, x)
		}
	}
	slices.Sort(values)
	return values
}

// worst lists the cells with the largest deviations, without unchanged cells.
func (d *differences) worst(listed int) measure.Table {
	t := measure.Table{Name: "worst_cells", Title: "Cells with the largest differences", Columns: []string{"cell", "of", "now", "original", "deviation",
		"relative", "roots"}}
	count := func(x float64) any {
		if d.whole {
			return int(x)
		}
		return x
	}
	for _, c := range d.cells[:min(listed, len(d.cells))] {
		if c.absolute() == 0 {
			break
		}
		var name microdata.Combination
		set := uint64(0)
		for _, v := range d.sets[c.table] {
			of := &d.all[v]
			name = append(name, microdata.CategoryOf{Variable: of.name, Label: of.label(of.codes[c.row])})
			set |= 1 << v
		}
		names := make([]string, len(d.all))
		for v := range names {
			names[v] = d.all[v].name
		}
		t.Rows = append(t.Rows, []any{name, crosstable.Named(set, names), count(c.now), count(c.was), count(c.absolute()),
			c.relative(), c.roots()})
	}
	return t
}

// quantiles lists quantiles and means of the differences.
func quantiles(kinds [3][]float64) measure.Table {
	t := measure.Table{Name: "quantiles", Title: "Quantiles of the differences", Columns: []string{"cells up to", "deviation", "relative",
		"roots"}}
	row := func(name string, of func([]float64) float64) {
		cells := []any{name}
		for _, values := range kinds {
			if len(values) == 0 {
				cells = append(cells, nil)
			} else {
				cells = append(cells, of(values))
			}
		}
		t.Rows = append(t.Rows, cells)
	}
	for _, percent := range []int{0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 100} {
		row(strconv.Itoa(percent)+" %", func(sorted []float64) float64 {
			return stat.SortedQuantile(sorted, float64(percent)/100)
		})
	}
	row("mean", stat.Mean)
	return t
}

// cumulative counts the cells by upper limits of their difference.
func cumulative(kinds [3][]float64) measure.Table {
	t := measure.Table{Name: "cumulative", Title: "Cells by their differences", Columns: []string{"at most", "deviation", "%", "relative", "%",
		"roots", "%"}}
	for _, bound := range []float64{0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 1, 2, 3, 5, 10, 20, 50, 100, math.Inf(1)} {
		cells := []any{"any"}
		if !math.IsInf(bound, 1) {
			cells[0] = bound
		}
		for _, values := range kinds {
			n, _ := slices.BinarySearchFunc(values, bound, func(x, bound float64) int {
				if x <= bound {
					return -1
				}
				return 1
			})
			cells = append(cells, n, measure.PercentOf(n, len(values)))
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// signed counts the cells with lower and higher counts by difference.
func (d *differences) signed() measure.Table {
	t := measure.Table{Name: "signed", Title: "Cells that decreased or increased", Columns: []string{"deviation", "fewer", "%",
		"more", "%"}}
	bounds := []float64{0, 1, 2, 3, 5, 10, 20, 50, 100, math.Inf(1)}
	fewer, more := make([]int, len(bounds)), make([]int, len(bounds))
	for i := range d.cells {
		c := &d.cells[i]
		at := slices.IndexFunc(bounds, func(bound float64) bool { return c.absolute() <= bound })
		if c.now < c.was {
			fewer[at]++
		} else if c.now > c.was {
			more[at]++
		}
	}
	for i, bound := range bounds[1:] {
		name := fmt.Sprintf("more than %v, up to %v", bounds[i], bound)
		if math.IsInf(bound, 1) {
			name = fmt.Sprintf("more than %v", bounds[i])
		}
		t.Rows = append(t.Rows, []any{name, fewer[i+1], measure.PercentOf(fewer[i+1], len(d.cells)), more[i+1],
			measure.PercentOf(more[i+1], len(d.cells))})
	}
	return t
}

// label returns the label of a common category.
func (c *classes) label(code uint32) string {
	switch own := int(code) - len(c.now); {
	case code == 0:
		return "missing"
	case own <= 0:
		return c.now[code-1].Label
	default:
		return c.lost[own-1]
	}
}

// shortened returns a value with a shorter name for narrow tables.
func shortened(v measure.Value, name string) measure.Value {
	v.Labels.ShortRow = name
	return v
}
