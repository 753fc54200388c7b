package inference

import (
	"context"
	"slices"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// partition has the rows by what they have of a variable, or of a pair.
type partition struct {
	codes  []uint32 // by row; 0: no value, of one of both
	levels int

	once sync.Once
	rows grouping // the same as groups, when that was asked for
}

// partitionBy returns the rows by one variable or two.
func partitionBy(by []*microdata.Column) *partition {
	all := make([]*partition, len(by))
	for i, column := range by {
		categories := column.Categories()
		all[i] = &partition{codes: categories.Codes.Between(0, column.Len()), levels: len(categories.Levels)}
	}
	if len(all) == 1 {
		return all[0]
	}
	return all[0].with(all[1])
}

// with returns the rows by two.
func (p *partition) with(o *partition) *partition {
	if p.levels*o.levels > mostJoint {
		both := &partition{}
		both.once.Do(func() { both.rows = p.groups().paired(p.codes, o.codes, o.levels) })
		return both
	}
	both := &partition{codes: make([]uint32, len(p.codes)), levels: p.levels * o.levels}
	for row, code := range p.codes {
		if other := o.codes[row]; code > 0 && other > 0 {
			both.codes[row] = (code-1)*uint32(o.levels) + other
		}
	}
	return both
}

// mostJoint is the number of pairs of categories up to which pairs are numbered, and mostCells that of counts which
// are made in one pass over the rows.
const (
	mostJoint = 1 << 20
	mostCells = 1 << 18
)

// groups returns the rows as groups.
func (p *partition) groups() *grouping {
	p.once.Do(func() { p.rows = grouped(nil, p.codes, p.levels) })
	return &p.rows
}

// dense reports whether all groups are soonest counted in one pass over the rows, if rows show so many things.
func (p *partition) dense(width int) bool {
	cells := (p.levels + 1) * width
	return p.levels > 0 && cells <= min(mostCells, 2*len(p.codes))
}

// each counts one group of more than some records after the other, and calls f for each.
func (c *counter) each(ctx context.Context, p *partition, shown []uint32, than int, f func()) error {
	width := len(c.count)
	if !p.dense(width) {
		return c.eachOf(ctx, p.groups(), shown, than, func([]uint32) { f() })
	}
	for group := range slices.Chunk(c.target.crossed(p, shown, width)[width:], width) {
		if c.counted(group) > than {
			f()
		}
	}
	return ctx.Err()
}

// crossed counts the records by what the rows have and, within that, by what they show, of so many things.
func (t *target) crossed(p *partition, shown []uint32, width int) []int {
	counts := make([]int, (p.levels+1)*width)
	if t.weights != nil {
		for row, code := range p.codes {
			counts[int(code)*width+int(shown[row])] += t.weights[row]
		}
		return counts
	}
	shown = shown[:len(p.codes)]
	for row, code := range p.codes {
		counts[int(code)*width+int(shown[row])]++
	}
	return counts
}

// eachOf is each where f needs the rows of the group.
func (c *counter) eachOf(ctx context.Context, g *grouping, shown []uint32, than int, f func(rows []uint32)) error {
	for i := range g.groups() {
		if parallel.Stopped(ctx, i) {
			return ctx.Err()
		}
		if rows := g.group(i); len(rows) > than || c.target.weights != nil && len(rows) > 0 {
			c.take(rows, shown)
			f(rows)
		}
	}
	return ctx.Err()
}

// countBlanked counts what the groups of the rows whose cells are blanked claim of these: all that there is of it, in a part of
// the time that all groups take.
func (o *trial) countBlanked(ctx context.Context, p *partition, shown []uint32, least int) error {
	o.evidence = evidence{}
	c, g, done := newCounter(o.target), p.groups(), microdata.NewBits(p.levels+1)
	for i, row := range o.target.blanked() {
		if parallel.Stopped(ctx, i) {
			return ctx.Err()
		}
		code := int(p.codes[row])
		if code == 0 || done.Has(code) {
			continue
		}
		done.Set(code)
		if rows := g.group(code - 1); len(rows) > least || c.target.weights != nil {
			c.take(rows, shown)
			c.tally(least, &o.evidence)
		}
	}
	return nil
}
