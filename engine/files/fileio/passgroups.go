package fileio

import (
	"cmp"
	"fmt"
	"math"
	"sync/atomic"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// grouping gathers the groups of records of a pass.
type grouping struct {
	by       int // variables
	sum      string
	budget   *statfile.Budget
	distinct *keys.Distinct
	records  []int      // by group
	sums     []stat.Sum // by group
	decimals int        // of the numbers that are added up, at most
	whole    bool       // all of them are whole
	bad, at  int        // numbers that cannot be added up, and the first record with one
	total    int        // records
	taken    int64      // bytes

	room atomic.Int64 // groups of the last piece: the next is going to have about as many
}

func newGrouping(p *Pass, budget *statfile.Budget) *grouping {
	g := &grouping{by: len(p.By), sum: p.Sum, budget: budget, whole: true}
	if g.by > 0 || g.sum != "" {
		g.distinct = keys.NewDistinct(max(1, g.by), 0) // of none, all records are one group
	}
	return g
}

// local are the groups of a piece, before they have the numbers of the file.
type local struct {
	distinct *keys.Distinct
	of       []uint32 // by record
	sums     []float64
	decimals int
}

// number gives the groups of a piece, by record, their codes: those of a record are at its
// place in each of the columns.
func (g *grouping) number(records int, columns [][]uint32) *local {
	if g.distinct == nil {
		return &local{}
	}
	if g.by == 0 {
		columns = [][]uint32{make([]uint32, records)}
	}
	l := &local{distinct: keys.NewDistinct(len(columns), int(g.room.Load()))}
	l.of = l.distinct.Number(columns)
	g.room.Store(int64(l.distinct.Len()))
	return l
}

// add counts a piece, whose turn it is.
func (g *grouping) add(l *local, p *Piece) error {
	p.First = g.total
	g.total += p.Records
	if p.Sums = l.sums; g.distinct == nil {
		p.Groups = make([]uint32, p.Records)
		return nil
	}
	global := g.distinct.Number(l.distinct.Codes())
	for len(g.records) < g.distinct.Len() {
		g.records = append(g.records, 0)
		if g.sum != "" {
			g.sums = append(g.sums, stat.Sum{})
		}
	}
	for i, group := range l.of {
		l.of[i] = global[group]
		g.records[global[group]]++
	}
	p.Groups, p.Decimals, g.decimals = l.of, l.decimals, max(g.decimals, l.decimals)
	for i, value := range l.sums {
		if !(value > 0) || math.IsInf(value, 0) {
			if g.bad++; g.bad == 1 {
				g.at = p.First + i
			}
			continue
		}
		g.whole = g.whole && value == math.Trunc(value)
		g.sums[p.Groups[i]].Add(value)
	}
	bytes := int64(g.distinct.Bytes() + 8*cap(g.records) + 16*cap(g.sums))
	err := g.budget.Take(bytes - g.taken)
	g.taken = bytes
	return err
}

// sumColumn returns the sums of the groups.
func (g *grouping) sumColumn(said *microdata.Description) (*microdata.Column, error) {
	if g.bad > 0 {
		return nil, fmt.Errorf("%w: %q has %d of %d records without a positive number; the first is record %d",
			microdata.ErrWeights, g.sum, g.bad, g.total, g.at+1)
	}
	numbers, kind := &microdata.Numbers{Values: make([]float64, len(g.sums)), Uniform: microdata.OddSpelling}, microdata.Number
	for i := range g.sums {
		numbers.Values[i] = g.sums[i].Rounded(g.decimals)
	}
	if g.whole {
		numbers.Uniform, kind = 0, microdata.Whole
	}
	column, err := microdata.NewNumeric(g.sum, kind, numbers)
	if err != nil {
		return nil, err
	}
	return column.WithDescription(said), nil
}

// decimalsOf returns how many decimals a spelling has, where that is known.
func decimalsOf(decimals uint8) int {
	const most = 9
	return cmp.Or(min(most, int(decimals&^microdata.BarePoint)), 0)
}
