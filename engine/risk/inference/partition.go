package inference

import (
	"context"
	"iter"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// partition partitions the rows by the levels of a variable, or of a pair.
type partition struct {
	codes  []microdata.Codes // of one variable or two; 0: missing
	second int               // number of levels of the second one
	levels int
	counts []int        // records by level, used to skip groups that cannot make a claim; nil: skip none
	least  int          // minimum number of others for a claim
	asked  []*target    // targets tested with it
	store  *store.Store // memory for the groups; nil: the heap

	mutex sync.Mutex
	rows  *grouping         // see groups; nil: not computed yet
	cells map[*target][]int // see crossed
	some  *grouping         // see around
}

// partition returns the rows by one variable, for all targets tested. The partition by household, which takes
// longest and is needed for most targets, is kept until the end of the search.
func (s *search) partition(by *microdata.Column) *partition {
	if by.Name() != s.household {
		p := partitionBy(by, s.hopeful)
		p.counts = by.Unlabelled().Counts()
		return p
	}
	s.once.Do(func() {
		s.households = partitionBy(by, s.hopeful)
		s.households.counts, s.households.least = by.Unlabelled().Counts(), leastMembers
		s.households.store = s.data.Store()
	})
	return s.households
}

// partitionOf returns the partition by the variables of a trial.
func (s *search) partitionOf(o *trial) *partition {
	if len(o.by) == 1 {
		return s.partition(o.by[0])
	}
	return partitionBy(o.by[0], []*target{o.target}).with(partitionBy(o.by[1], nil))
}

func partitionBy(by *microdata.Column, asked []*target) *partition {
	categories := by.Unlabelled()
	return newPartition(categories.Codes, len(categories.Levels), asked)
}

func newPartition(codes microdata.Codes, levels int, asked []*target) *partition {
	return &partition{codes: []microdata.Codes{codes}, levels: levels, least: leastOthers, asked: asked, cells: map[*target][]int{}}
}

// with returns the partition by both variables, each of which has at most mostCategories levels.
func (p *partition) with(o *partition) *partition {
	return &partition{codes: []microdata.Codes{p.codes[0], o.codes[0]}, second: o.levels, levels: p.levels * o.levels,
		least: leastOthers, asked: p.asked, cells: map[*target][]int{}}
}

// at returns the level of a row, or 0 if a variable is missing.
func (p *partition) at(row uint32) uint32 {
	level := p.codes[0].At(int(row))
	if len(p.codes) == 2 {
		return p.pair(level, p.codes[1].At(int(row)))
	}
	return level
}

func (p *partition) pair(first, second uint32) uint32 {
	if first == 0 || second == 0 {
		return 0
	}
	return (first-1)*uint32(p.second) + second
}

// blocks iterates over the levels of all rows in blocks. It yields the first row and the levels from it on, which
// are valid until the next block.
func (p *partition) blocks() iter.Seq2[int, []uint32] {
	if len(p.codes) == 1 {
		return p.codes[0].Blocks()
	}
	return func(yield func(int, []uint32) bool) {
		var block [1024]uint32
		for first, others := range p.codes[1].Blocks() {
			levels := block[:len(others)]
			p.codes[0].Read(levels, first)
			for i, other := range others {
				levels[i] = p.pair(levels[i], other)
			}
			if !yield(first, levels) {
				return
			}
		}
	}
}

// mostCells is the maximum number of counts made in one pass over the rows.
const mostCells = 1 << 18

// dense reports whether counting all groups in one pass over the rows is fastest. width is the number of possible
// showings.
func (p *partition) dense(width int) bool {
	return (p.levels+1)*width <= min(mostCells, 2*p.codes[0].Len())
}

// crossed counts the records of a target by level and showing. It returns no counts if no level can make a claim;
// see cross.
func (p *partition) crossed(t *target, shown visibleCells, width int) []int {
	if shown.shift > 0 {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		if p.cells[t] == nil {
			p.cross()
		}
		return p.cells[t]
	}
	counts := make([]int, (p.levels+1)*width)
	for first, levels := range p.blocks() {
		t.count(counts, first, levels, shown.of, width)
	}
	return counts
}

// groups returns all rows that have a value, grouped by level.
func (p *partition) groups() *grouping {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.rows == nil {
		p.rows = p.grouped(nil, p.levels)
	}
	return p.rows
}

// around returns only the groups that include a suppressed cell of some target and may make a claim, usually a
// small part of all.
func (p *partition) around() *grouping {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.rows != nil {
		return p.rows
	}
	if p.some == nil {
		numbers, n := make([]uint32, p.levels+1), 0
		for _, t := range p.asked {
			for _, row := range t.gone {
				level := p.at(row)
				if level > 0 && numbers[level] == 0 && (p.counts == nil || p.counts[level] > p.least) {
					n++
					numbers[level] = uint32(n)
				}
			}
		}
		p.some = p.grouped(numbers, n)
	}
	return p.some
}

// each counts the groups of more than than records, one at a time, and calls f with their levels. If rows are
// visited, without can skip groups; it may be nil.
func (c *counter) each(ctx context.Context, p *partition, shown visibleCells, than int, without func(rows []uint32) bool,
	f func(level int)) error {
	width := len(c.count) >> shown.shift
	if !p.dense(width) {
		return c.eachOf(ctx, p.groups(), shown, than, without, func(level int, _ []uint32) { f(level) })
	}
	counts := p.crossed(c.target, shown, width)
	for level := 1; level < len(counts)/width; level++ {
		if c.counted(counts[level*width:][:width], shown.shift) > than {
			f(level)
		}
	}
	return ctx.Err()
}

// eachOf is each for callers that need the rows of a group.
func (c *counter) eachOf(ctx context.Context, g *grouping, shown visibleCells, than int, without func(rows []uint32) bool,
	f func(level int, rows []uint32)) error {
	for i := range g.groups() {
		if parallel.Stopped(ctx, i) {
			return ctx.Err()
		}
		rows := g.group(i)
		if len(rows) > than && (without == nil || !without(rows)) || c.target.weights != nil && len(rows) > 0 {
			c.take(rows, shown)
			f(i+1, rows)
		}
	}
	return ctx.Err()
}

// eachSuppressed is each for at least the groups with a suppressed cell. It takes a fraction of the time.
func (c *counter) eachSuppressed(ctx context.Context, p *partition, than int, f func(level int)) error {
	if p.dense(len(c.target.counts)) {
		return c.each(ctx, p, c.target.plain(), than, nil, f)
	}
	g, done := p.around(), microdata.NewBits(p.levels+1)
	for i, row := range c.target.gone {
		if parallel.Stopped(ctx, i) {
			return ctx.Err()
		}
		level := p.at(row)
		if level == 0 || done.Has(int(level)) {
			continue
		}
		done.Set(int(level))
		if rows := g.of(level); len(rows) > than || c.target.weights != nil && len(rows) > 0 {
			c.take(rows, c.target.plain())
			f(int(level))
		}
	}
	return nil
}
