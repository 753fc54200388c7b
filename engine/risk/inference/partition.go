package inference

import (
	"context"
	"slices"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// partition has the rows by what they have of a variable, or of a pair.
type partition struct {
	codes  []uint32 // by row; 0: no value, of one of both
	levels int
	store  *store.Store // of the groups; nil: the heap

	once sync.Once
	rows grouping // the same as groups, when that was asked for
}

// partition returns the rows by one variable or two. That by the household, which takes longest and is needed for most
// targets, is kept until the end of the search.
func (s *search) partition(by []*microdata.Column) *partition {
	if len(by) > 1 || by[0].Name() != s.household {
		return partitionBy(by)
	}
	s.once.Do(func() {
		s.households = partitionBy(by)
		s.households.store = s.data.Store()
	})
	return s.households
}

// partitionBy returns the rows by one variable or two.
func partitionBy(by []*microdata.Column) *partition {
	first := by[0].Categories()
	p := &partition{codes: first.Codes.Between(0, by[0].Len()), levels: len(first.Levels)}
	if len(by) == 1 {
		return p
	}
	second := by[1].Categories()
	levels := len(second.Levels)
	if p.levels*levels > mostJoint {
		return p.with(&partition{codes: second.Codes.Between(0, by[1].Len()), levels: levels})
	}
	for row, others := range second.Codes.Blocks() { // one array, since there may be many rows
		pair(p.codes[row:][:len(others)], others, levels)
	}
	p.levels *= levels
	return p
}

// with returns the rows by two.
func (p *partition) with(o *partition) *partition {
	both := &partition{}
	if p.levels*o.levels > mostJoint {
		both.once.Do(func() { both.rows = p.groups().paired(p.codes, o.codes, o.levels) })
		return both
	}
	both.codes, both.levels = slices.Clone(p.codes), p.levels*o.levels
	pair(both.codes, o.codes, o.levels)
	return both
}

// pair makes codes of pairs of those with others, which are at most levels.
func pair(codes, others []uint32, levels int) {
	for i, other := range others {
		if codes[i] == 0 || other == 0 {
			codes[i] = 0
		} else {
			codes[i] = (codes[i]-1)*uint32(levels) + other
		}
	}
}

// mostJoint is the number of pairs of categories up to which pairs are numbered, and mostCells that of counts which
// are made in one pass over the rows.
const (
	mostJoint = 1 << 20
	mostCells = 1 << 18
)

// groups returns the rows as groups.
func (p *partition) groups() *grouping {
	p.once.Do(func() { p.rows = grouped(p.store, nil, p.codes, p.levels) })
	return &p.rows
}

// dense reports whether all groups are soonest counted in one pass over the rows, if rows show so many things.
func (p *partition) dense(width int) bool {
	cells := (p.levels + 1) * width
	return p.levels > 0 && cells <= min(mostCells, 2*len(p.codes))
}

// each counts one group of more than some records after the other, and calls f for each.
func (c *counter) each(ctx context.Context, p *partition, shown showing, than int, f func()) error {
	width := len(c.count) >> shown.shift
	if !p.dense(width) {
		return c.eachOf(ctx, p.groups(), shown, than, func([]uint32) { f() })
	}
	for group := range slices.Chunk(c.target.crossed(p, shown.of, width)[width:], width) {
		if c.counted(group, shown.shift) > than {
			f()
		}
	}
	return ctx.Err()
}

// crossed counts the records by what the rows have and, within that, by numbers below a width.
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
func (c *counter) eachOf(ctx context.Context, g *grouping, shown showing, than int, f func(rows []uint32)) error {
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

// eachBlanked is eachOf for those groups alone that have a row whose cell is blanked: a part of the time that all take.
func (c *counter) eachBlanked(ctx context.Context, p *partition, shown showing, than int, f func(rows []uint32)) error {
	if p.levels == 0 {
		return c.eachOf(ctx, p.groups(), shown, than, f)
	}
	g, done := p.groups(), microdata.NewBits(p.levels+1)
	for i, row := range c.target.gone {
		if parallel.Stopped(ctx, i) {
			return ctx.Err()
		}
		code := int(p.codes[row])
		if code == 0 || done.Has(code) {
			continue
		}
		done.Set(code)
		if rows := g.group(code - 1); len(rows) > than || c.target.weights != nil {
			c.take(rows, shown)
			f(rows)
		}
	}
	return nil
}
