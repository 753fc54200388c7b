package streamed

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/draws"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// ErrChanged is the error of data that are not what they were when their groups were counted.
var ErrChanged = errors.New("the data have changed since their groups were counted: open them again")

// Deal says what a step makes of records where not all of a row become the same: which cells those of a key lose, in
// the order of the file, or what each draws by itself. It goes by the rows of the data before the step.
type Deal struct {
	scenario *microdata.Scenario
	columns  []string // that lose cells; bit v of a set is that of columns[v], and of what follows it
	keys     []uint32 // by row: the number of its key
	runs     [][]run  // by key, in turn

	together *together // of households that lose cells, or are kept, together; nil: keys have their turn, or records draw

	chances *draws.Chances  // of records that draw by themselves, by row; nil: they have their turn
	was     microdata.Codes // of the variable that they draw; none in a sample

	// rows after the step, as they are once they were counted: those of row r are first[r] to
	// before first[r+1]
	first []uint32
	sets  []uint64 // of each; of records that draw the code of the variable, of a sample draws.Kept
}

// Left stands for the row of records that no row has after the steps: samples left them out.
const Left = math.MaxUint32

// run is a number of records that lose the same cells, one after the other.
type run struct {
	set     uint64
	records int
}

// NewDeal returns what a step that gave after from before deals out to the records of one key, by the variables that it
// goes by, and to households where a variable is named that tells them; nil where that does not depend on the order of
// the file. Rows after stand in the order of those that they were cut from. Errors are those of ctx, of a step that
// does not give parts of the rows, and of one that takes cells from more variables than can be told apart.
func NewDeal(ctx context.Context, before, after *microdata.Dataset, by []string, household string,
	scenario *microdata.Scenario) (*Deal, error) {
	parents, err := microdata.Parents(before.Multiplicity(), after.Multiplicity())
	if err != nil {
		return nil, err
	}
	d := &Deal{scenario: scenario}
	sets := d.setsOf(before, after, parents)
	switch {
	case len(d.columns) == 0 && before.Len() == after.Len():
		return nil, nil
	case len(d.columns) > mostColumns:
		return nil, fmt.Errorf("it takes cells from %d variables, and of data whose records are not held from at most %d: let fewer "+
			"that are the same for households follow key variables", len(d.columns), mostColumns)
	}
	columns := make([]*microdata.Column, len(by))
	for i, name := range by {
		columns[i], _ = before.Column(name)
	}
	table, err := keys.New(ctx, columns, nil)
	if err != nil {
		return nil, err
	}
	d.keys, d.runs = table.RowKeys(), make([][]run, table.Keys())
	if household != "" {
		return d.dealTogether(table, after, parents, sets, household)
	}
	inTurn := before.Len() != after.Len()
	for row, records := range after.Multiplicity() {
		runs := &d.runs[d.keys[parents[row]]]
		if last := len(*runs) - 1; last >= 0 && (*runs)[last].set == sets[row] {
			(*runs)[last].records += records
			continue
		}
		inTurn = inTurn || len(*runs) > 0
		*runs = append(*runs, run{sets[row], records})
	}
	if !inTurn {
		return nil, nil
	}
	return d, ctx.Err()
}

// NewDraw returns what records draw by themselves in one variable, or which of them, or of the households, a sample
// keeps. The chances go by rows of earlier data, from which those before were cut.
func NewDraw(earlier, before *microdata.Dataset, chances *draws.Chances) (*Deal, error) {
	parents, err := microdata.Parents(earlier.Multiplicity(), before.Multiplicity())
	if err != nil {
		return nil, err
	}
	d := &Deal{keys: make([]uint32, len(parents)), chances: &draws.Chances{}}
	if column, draws := before.Column(chances.Variable); draws {
		d.was = column.Categories().Codes
	}
	if of := chances.Sample; of != nil && of.Household != "" {
		column, _ := before.Column(of.Household)
		d.together = &together{variable: of.Household, numeric: column.Numeric(), sets: []uint64{draws.Dropped, draws.Kept}}
	}
	*d.chances = *chances
	d.chances.Rows = make([]uint32, len(parents))
	for row, parent := range parents {
		d.chances.Rows[row] = chances.Rows[parent]
	}
	return d, nil
}

// Sample returns what a sample draws from; nil: the deal is of none.
func (d *Deal) Sample() *draws.Chances {
	if d == nil || d.chances == nil || d.chances.Sample == nil {
		return nil
	}
	return d.chances
}

// Until makes the deal of a sample one in which those records are kept that draw no more than a number.
func (d *Deal) Until(number uint64) { d.chances = d.chances.Until(number) }

// leaves reports whether records that draw a code are left out.
func (d *Deal) leaves(set uint64) bool { return set == draws.Dropped && d.Sample() != nil }

// Weighing returns the samples among some deals that multiply a weight.
func Weighing(deals []*Deal, weight string) (samples []*draws.Sample) {
	for _, d := range deals {
		if of := d.Sample(); of != nil && of.Sample.Weight == weight {
			samples = append(samples, of.Sample)
		}
	}
	return samples
}

// Weighed returns data that have the weights of the source with what samples multiply these by.
func Weighed(deals []*Deal, data *microdata.Dataset) (*microdata.Dataset, error) {
	for _, column := range data.Columns() {
		for _, s := range Weighing(deals, column.Name()) {
			var err error
			if column, err = column.Times(s.Factor()); err != nil {
				return nil, err
			}
			data = data.With(column)
		}
	}
	return data, nil
}

// outcomes calls visit with what becomes of the records of a row, and of which: those that draw a number from first to
// last, or have it by the order of their key, counted from 1.
func (d *Deal) outcomes(row uint32, visit func(set uint64, first, last int64)) {
	if d.chances == nil && d.together != nil {
		for _, at := range d.together.ofKey[d.keys[row]] {
			visit(d.together.sets[at], int64(at), int64(at))
		}
		return
	}
	if d.chances == nil {
		last := int64(0)
		for _, run := range d.runs[d.keys[row]] {
			visit(run.set, last+1, last+int64(run.records))
			last += int64(run.records)
		}
		return
	}
	at := d.chances.Rows[row]
	if at == 0 {
		visit(uint64(d.was.At(int(row))), 0, math.MaxInt64)
		return
	}
	outcomes, first := &d.chances.Of[at-1], uint64(0)
	for i, below := range outcomes.Below {
		if below > first {
			visit(uint64(outcomes.Codes[i]), int64(first), int64(below-1))
			first = below
		}
	}
}

// only returns what becomes of all records of a row; false: they become several things.
func (d *Deal) only(row uint32) (only uint64, all bool) {
	count := 0
	d.outcomes(row, func(set uint64, _, _ int64) { only, count = set, count+1 })
	return only, count == 1
}

// mostColumns is how many bits a set has.
const mostColumns = 64

// setsOf notes the columns of which the step suppressed cells, key variables first, and returns by row after it which.
// Variables that follow a key variable lose what it does, whether a row has a value of them or not: whose cells these
// are is not told by it.
func (d *Deal) setsOf(before, after *microdata.Dataset, parents []uint32) []uint64 {
	sets := make([]uint64, after.Len())
	names := slices.Clone(d.scenario.Keys)
	for _, column := range after.Columns() {
		if !slices.Contains(names, column.Name()) {
			names = append(names, column.Name())
		}
	}
	for _, name := range names {
		was, known := before.Column(name)
		column, there := after.Column(name)
		if !known || !there || was == column {
			continue
		}
		leads := uint64(0)
		for v, key := range d.columns {
			if slices.Contains(d.following(key), name) {
				leads |= 1 << v
			}
		}
		bit := uint64(0)
		column.Suppressed().Each(func(row int) {
			if was.Suppressed().Has(int(parents[row])) || sets[row]&leads != 0 {
				return
			}
			if bit == 0 {
				bit = d.bit(name)
			}
			sets[row] |= bit
		})
	}
	for row := range sets {
		sets[row] |= d.linked(sets[row])
	}
	return sets
}

// bit returns the bit of a column, which loses cells.
func (d *Deal) bit(name string) uint64 {
	at := slices.Index(d.columns, name)
	if at < 0 {
		at, d.columns = len(d.columns), append(d.columns, name)
	}
	return 1 << at
}

// following returns the variables that lose cells with a key variable, and where no other member of a household does.
func (d *Deal) following(key string) (names []string) {
	for _, name := range d.scenario.Linked[key] {
		if !slices.Contains(d.scenario.SameForHousehold, name) {
			names = append(names, name)
		}
	}
	return names
}

// linked returns what goes with a set in variables that follow key variables and are the same for households.
func (d *Deal) linked(set uint64) (also uint64) {
	for v := 0; set>>v != 0; v++ {
		if set>>v&1 == 1 {
			for _, name := range d.scenario.Linked[d.columns[v]] {
				if slices.Contains(d.scenario.SameForHousehold, name) {
					also |= d.bit(name)
				}
			}
		}
	}
	return also
}

// after returns the row after the step of records that were in a row before it and lose a set.
func (d *Deal) after(row uint32, set uint64) (uint32, error) {
	for at := d.first[row]; at < d.first[row+1]; at++ {
		if d.sets[at] == set {
			return at, nil
		}
	}
	return 0, ErrChanged
}

// Trail follows the records of a file, in their order, through the deals of steps.
type Trail struct {
	deals []*Deal
	turns [][]turn        // by deal and key
	draws []func() uint64 // by deal: what the next record draws; nil: it has turns, or its records were found
	taken []int           // by deal: the records of households that are over, of those that lose cells or are kept
	place []uint32        // and the number of the next record
}

// turn is how far the records of a key have come in its runs.
type turn struct{ run, records int }

// NewTrail begins before the first record. Deals are those of the steps in their order; nil
// ones, of steps that keep the rows, are left out.
func NewTrail(deals []*Deal) *Trail {
	t := &Trail{}
	for _, d := range deals {
		if d != nil {
			t.deals, t.turns, t.draws = append(t.deals, d), append(t.turns, make([]turn, len(d.runs))), append(t.draws, nil)
			t.taken, t.place = append(t.taken, 0), append(t.place, 0)
			if d.chances != nil && d.together == nil {
				t.draws[len(t.draws)-1] = d.chances.Numbers().Next
			}
		}
	}
	return t
}

// Row returns where the next record, of a group of the file, stands after all steps, or Left.
func (t *Trail) Row(group uint32) (row uint32, err error) {
	row, set, err := t.before(group)
	if err != nil || row == Left || len(t.deals) == 0 {
		return row, err
	}
	return t.deals[len(t.deals)-1].after(row, set)
}

// before returns the row before the last deal where the next record stands, and what becomes of it in that; a record
// that is left out there has Left, too.
func (t *Trail) before(row uint32) (_ uint32, set uint64, err error) {
	for i, d := range t.deals {
		if set, err = t.set(i, row); err != nil {
			return 0, 0, err
		}
		switch {
		case d.leaves(set):
			return Left, set, nil
		case i == len(t.deals)-1:
			return row, set, nil
		}
		if row, err = d.after(row, set); err != nil {
			return 0, 0, err
		}
	}
	return row, 0, nil
}

// set returns what becomes of the next record of a row in a deal.
func (t *Trail) set(deal int, row uint32) (uint64, error) {
	d := t.deals[deal]
	if int(row) >= len(d.keys) {
		return 0, ErrChanged
	}
	if draws := t.draws[deal]; draws != nil {
		number, at := draws(), d.chances.Rows[row]
		if at == 0 {
			return uint64(d.was.At(int(row))), nil
		}
		outcomes := &d.chances.Of[at-1]
		return uint64(outcomes.Codes[outcomes.Find(number)]), nil
	}
	if d.together != nil {
		record, next := t.place[deal], t.taken[deal]
		t.place[deal]++
		if next == len(d.together.losses) || d.together.losses[next].record != record {
			return 0, nil
		}
		t.taken[deal]++
		return d.together.sets[d.together.losses[next].set], nil
	}
	key := d.keys[row]
	at, runs := &t.turns[deal][key], d.runs[key]
	if at.run < len(runs) && at.records == runs[at.run].records {
		*at = turn{at.run + 1, 0}
	}
	if at.run >= len(runs) {
		return 0, ErrChanged
	}
	at.records++
	return runs[at.run].set, nil
}
