package keys

import (
	"cmp"
	"context"
	"runtime"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// part is a task: keys of one pattern, as positions in patterns.keys, to be joined with all smaller patterns.
type part struct {
	pattern  int
	from, to int
	cost     int // keys looked at
}

// mostParts is the maximum number of parts of a pattern. Each part prepares the smaller patterns again.
const mostParts = 4

// parts lists the tasks, the most expensive first.
func (p *patterns) parts() []part {
	var parts []part
	for pattern := range p.len() {
		smaller, keys := 0, 0
		for other := range p.len() {
			if p.smaller(other, pattern) {
				smaller++
				keys += p.size(other)
			}
		}
		if smaller == 0 {
			continue
		}
		length := max(2*parallel.Block, (p.size(pattern)+mostParts-1)/mostParts)
		for from := p.start[pattern]; from < p.start[pattern+1]; from += length {
			to := min(from+length, p.start[pattern+1])
			parts = append(parts, part{pattern, from, to, (to-from)*smaller + keys})
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(b.cost, a.cost) })
	return parts
}

// smaller reports whether pattern a is the smaller one of a pair.
func (p *patterns) smaller(a, b int) bool {
	return p.size(a) < p.size(b) || p.size(a) == p.size(b) && a > b
}

// join adds the compatible records of all pairs of patterns.
func (t *Table) join(ctx context.Context, p *patterns, c *Compatible) error {
	parts := p.parts()
	cost := 0
	for _, part := range parts {
		cost += part.cost
	}
	workers := min(len(parts), parallel.Workers(cost, runtime.GOMAXPROCS(0)))
	joiners := make([]*joiner, workers)
	for w := range joiners {
		joiners[w] = &joiner{table: t, patterns: p, out: c, projection: newProjection(t.layout.words())}
	}
	return parallel.Tasks(ctx, len(parts), workers, func(worker, task int) {
		joiners[worker].joinPart(ctx, &parts[task])
	})
}

// joiner joins patterns; each worker has its own.
type joiner struct {
	table      *Table
	patterns   *patterns
	out        *Compatible
	projection *projection
	slots      []uint32 // slot of each key of the small pattern
	sums, back []sum    // by slot: sums of the small pattern, and of the matches in the large one
	gained     [2][]sum // by key of the part: incomplete, complete
}

// joinPart joins a part with all smaller patterns. The sums of its keys are added at the end, atomically, because
// other workers may add to the same keys.
func (j *joiner) joinPart(ctx context.Context, large *part) {
	p := j.patterns
	j.gained = [2][]sum{cleared(j.gained[0], large.to-large.from), j.gained[1][:0]}
	if p.sets[large.pattern] != 0 { // two complete keys are never compatible
		j.gained[1] = cleared(j.gained[1], large.to-large.from)
	}
	for small := range p.len() {
		if ctx.Err() != nil {
			return
		}
		if p.smaller(small, large.pattern) {
			j.join(ctx, small, large)
		}
	}
	for i, to := range [2]column{j.out.incomplete(), j.out.complete()} {
		for at, gain := range j.gained[i] {
			if gain.count > 0 {
				to.addAtomic(p.keys[large.from+at], gain)
			}
		}
	}
}

// cleared returns n zero sums, in the given memory if they fit.
func cleared(sums []sum, n int) []sum {
	if cap(sums) < n {
		return make([]sum, n)
	}
	clear(sums[:n])
	return sums[:n]
}

// join joins a small pattern with a part of a larger one.
func (j *joiner) join(ctx context.Context, small int, large *part) {
	p := j.patterns
	keep := j.table.layout.keep(p.sets[small] | p.sets[large.pattern])
	j.prepare(small, keep)
	gained := j.gained[0]
	if p.sets[small] == 0 {
		gained = j.gained[1]
	}
	for from := large.from; from < large.to && ctx.Err() == nil; from += parallel.Block {
		to := min(from+parallel.Block, large.to)
		if len(keep) == 1 {
			j.scanWord(from, to, keep[0], gained[from-large.from:])
		} else {
			j.scan(from, to, keep, gained[from-large.from:])
		}
	}
	toSmall := j.out.column(p, large.pattern)
	for i, slot := range j.slots {
		if back := j.back[slot]; back.count > 0 {
			toSmall.addAtomic(p.keys[p.start[small]+i], back)
		}
	}
}

// prepare sums the keys of a pattern by their masked codes.
func (j *joiner) prepare(small int, keep []uint64) {
	p, words := j.patterns, len(keep)
	j.projection.reset(p.size(small))
	j.slots, j.sums = j.slots[:0], j.sums[:0]
	for at := p.start[small]; at < p.start[small+1]; at++ {
		slot := j.projection.insert(p.codes[at*words:at*words+words], keep)
		if int(slot) == len(j.sums) {
			j.sums = append(j.sums, sum{})
		}
		j.slots = append(j.slots, slot)
		j.sums[slot].add(j.of(at))
	}
	j.back = cleared(j.back, len(j.sums))
}

// of returns the records and weight of the key at a position in patterns.keys.
func (j *joiner) of(at int) (count, units int64) {
	key := j.patterns.keys[at]
	return int64(j.table.counts[key]), j.table.units[key]
}

// scan matches keys of the large pattern with the sums of the small one.
func (j *joiner) scan(from, to int, keep []uint64, gained []sum) {
	p, words := j.patterns, len(keep)
	for at := from; at < to; at++ {
		if slot := j.projection.find(p.codes[at*words:at*words+words], keep); slot >= 0 {
			gained[at-from].add(j.sums[slot].count, j.sums[slot].units)
			j.back[slot].add(j.of(at))
		}
	}
}

// scanWord is scan for one-word codes.
func (j *joiner) scanWord(from, to int, keep uint64, gained []sum) {
	index := j.projection.steps[0]
	for i, code := range j.patterns.codes[from:to] {
		if slot := index.find(code & keep); slot >= 0 {
			gained[i].add(j.sums[slot].count, j.sums[slot].units)
			j.back[slot].add(j.of(from + i))
		}
	}
}
