package keys

import (
	"context"
	"math/bits"
	"runtime"
	"sync/atomic"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Compatible holds for each distinct key the records of other keys that are
// compatible with it. Of a complete key only incomplete records can be.
type Compatible struct {
	Complete, Incomplete           []uint32 // records without and with missing values
	completeUnits, incompleteUnits []int64  // their weights in units
}

// Compatible returns the records compatible with each key. It is computed when
// first asked for: pairs of patterns of missing variables are joined on the
// variables that neither misses, so it costs time in the number of distinct
// keys times the number of patterns at most.
func (t *Table) Compatible(ctx context.Context) (*Compatible, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.compatible != nil {
		return t.compatible, nil
	}
	groups, err := t.patternsLocked(ctx)
	if err != nil {
		return nil, err
	}
	n := t.Keys()
	c := &Compatible{make([]uint32, n), make([]uint32, n), make([]int64, n), make([]int64, n)}
	if groups.len() > 1 {
		if err := t.join(ctx, groups, c); err != nil {
			return nil, err
		}
	}
	t.compatible = c
	return c, nil
}

// patternsLocked returns the patterns; the caller holds the lock.
func (t *Table) patternsLocked(ctx context.Context) (*patterns, error) {
	if t.groups == nil {
		groups, err := t.makePatterns(ctx)
		if err != nil {
			return nil, err
		}
		t.groups = groups
	}
	return t.groups, nil
}

// pair is a task: a pattern joined with a part of a larger one.
type pair struct {
	small, large int // patterns
	from, to     int // part of the large one, places in patterns.keys
}

// pairs lists the tasks of all pairs of patterns; the part of the larger is
// long enough that preparing the smaller for each part costs little.
func (p *patterns) pairs() []pair {
	var tasks []pair
	for a := range p.len() {
		for b := range a {
			small, large := a, b
			if p.size(a) > p.size(b) {
				small, large = b, a
			}
			part := max(2*parallel.Block, 2*p.size(small))
			for from := p.start[large]; from < p.start[large+1]; from += part {
				tasks = append(tasks, pair{small, large, from, min(from+part, p.start[large+1])})
			}
		}
	}
	return tasks
}

func (t *Table) join(ctx context.Context, p *patterns, c *Compatible) error {
	tasks := p.pairs()
	workers := parallel.Workers(len(tasks)*t.Keys()/p.len(), runtime.GOMAXPROCS(0))
	joiners := make([]*joiner, workers)
	for w := range joiners {
		joiners[w] = &joiner{ctx: ctx, table: t, patterns: p, out: c, projection: newProjection(t.layout.words())}
	}
	return parallel.Tasks(ctx, len(tasks), workers, func(worker, task int) { joiners[worker].join(tasks[task]) })
}

// sum is a number of records and their weight in units.
type sum struct {
	count uint32
	units int64
}

// joiner joins pairs of patterns; each worker has one of its own. Sums are
// added atomically: being whole numbers they do not depend on the order.
type joiner struct {
	ctx        context.Context
	table      *Table
	patterns   *patterns
	out        *Compatible
	projection *projection
	slots      []int32 // slot of each key of the small pattern
	sums, back []sum   // per slot: of the small pattern, of the part of the large one
}

func (j *joiner) join(task pair) {
	p := j.patterns
	keep := j.table.layout.keep(p.sets[task.small] | p.sets[task.large])
	j.prepare(task.small, keep)
	toLarge := j.column(task.small)
	for from := task.from; from < task.to; from += parallel.Block {
		if j.ctx.Err() != nil {
			return
		}
		j.scan(from, min(from+parallel.Block, task.to), keep, toLarge)
	}
	toSmall := j.column(task.large)
	for i, slot := range j.slots {
		if back := j.back[slot]; back.count > 0 {
			toSmall.add(p.keys[p.start[task.small]+i], back)
		}
	}
}

// prepare sums the keys of a pattern by what the mask keeps of them.
func (j *joiner) prepare(small int, keep []uint64) {
	p, words := j.patterns, len(keep)
	j.projection.reset(p.size(small))
	j.slots, j.sums = j.slots[:0], j.sums[:0]
	for at := p.start[small]; at < p.start[small+1]; at++ {
		slot := j.projection.insert(p.codes[at*words:at*words+words], keep)
		if int(slot) == len(j.sums) {
			j.sums = append(j.sums, sum{})
		}
		key := p.keys[at]
		j.slots = append(j.slots, int32(slot))
		j.sums[slot].count += j.table.counts[key]
		j.sums[slot].units += j.table.units[key]
	}
	if cap(j.back) < len(j.sums) {
		j.back = make([]sum, len(j.sums))
	}
	j.back = j.back[:len(j.sums)]
	clear(j.back)
}

// scan looks keys of the large pattern up among the sums of the small one.
func (j *joiner) scan(from, to int, keep []uint64, toLarge column) {
	p, words := j.patterns, len(keep)
	for at := from; at < to; at++ {
		slot := j.projection.find(p.codes[at*words:at*words+words], keep)
		if slot < 0 {
			continue
		}
		key := p.keys[at]
		toLarge.add(key, j.sums[slot])
		j.back[slot].count += j.table.counts[key]
		j.back[slot].units += j.table.units[key]
	}
}

// column is where sums of a pattern are added.
type column struct {
	count []uint32
	units []int64
}

// column returns where compatible records of the given pattern belong.
func (j *joiner) column(pattern int) column {
	if bits.OnesCount64(j.patterns.sets[pattern]) == 0 {
		return column{j.out.Complete, j.out.completeUnits}
	}
	return column{j.out.Incomplete, j.out.incompleteUnits}
}

func (c column) add(key uint32, s sum) {
	atomic.AddUint32(&c.count[key], s.count)
	atomic.AddInt64(&c.units[key], s.units)
}
