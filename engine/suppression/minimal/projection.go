package minimal

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// checkEvery is the number of units of work between two checks of the context.
const checkEvery = 1 << 14

// projection is the file without the variables of one set: the useful groups, and which of the active bundles
// reach k.
type projection struct {
	set     uint64
	groups  lists    // the active bundles of each group, ascending
	free    []bool   // per group
	reached []uint32 // active bundles whose group has k records in the file
}

// projector groups bundles by their values outside a set. It must be used by one goroutine only.
type projector struct {
	p       *Problem
	in      *instance
	staying []uint32 // the complete keys of at least k records, which stay as they are
	bound   []int64  // per bundle: price of its cheapest set, negative while unknown; read only

	table groupTable
	able  []int64 // per group: active records
	all   []int64 // per group: records
	free  []bool
	group []uint32 // per active bundle
}

// project groups the active bundles by their values outside set; passive bundles and staying keys only count. Once
// ctx is done it stops early, and its result is meaningless.
func (j *projector) project(ctx context.Context, set uint64, active, passive []uint32) projection {
	j.reset(set, len(active))
	j.enter(ctx, set, active)
	if j.p.isLikeAll(set) {
		for g := range j.free {
			j.free[g] = true
		}
	} else {
		j.countStaying(ctx)
	}
	j.countPassive(ctx, set, active, passive)
	return j.collect(set, active)
}

// reset makes room for n groups.
func (j *projector) reset(set uint64, n int) {
	j.table.reset(set, n)
	if cap(j.group) < n {
		j.group, j.able, j.all, j.free = make([]uint32, n), make([]int64, n), make([]int64, n), make([]bool, n)
	}
	j.group, j.able = j.group[:n], j.able[:0]
}

// enter finds the group of every active bundle whose missing variables are in set.
func (j *projector) enter(ctx context.Context, set uint64, active []uint32) {
	lastKey, lastGroup := unassigned, unassigned
	for i, b := range active {
		if parallel.Stopped(ctx, i) {
			for rest := range j.group[i:] {
				j.group[i+rest] = unassigned
			}
			break
		}
		own := j.in.bundles[b]
		if own.key != lastKey {
			lastKey, lastGroup = own.key, unassigned
			if j.in.missing[b]&^set == 0 {
				if lastGroup = j.table.enter(own.key); int(lastGroup) == len(j.able) {
					j.able = append(j.able, 0)
				}
			}
		}
		j.group[i] = lastGroup
		if lastGroup != unassigned {
			j.able[lastGroup] += int64(own.weight)
		}
	}
	j.all = j.all[:len(j.able)]
	j.free = j.free[:len(j.able)]
	clear(j.free)
}

// countStaying marks the groups that agree with a staying key.
func (j *projector) countStaying(ctx context.Context) {
	if len(j.able) == 0 {
		return
	}
	for i, key := range j.staying {
		if parallel.Stopped(ctx, i) {
			return
		}
		if g := j.table.find(j.table.code(key), key); g != unassigned {
			j.free[g] = true
		}
	}
}

// countPassive adds the passive bundles to the groups if a bundle that has not found its cheapest set is in a
// group short of k.
func (j *projector) countPassive(ctx context.Context, set uint64, active, passive []uint32) {
	copy(j.all, j.able)
	if !j.anyShort(active) {
		return
	}
	for i, b := range passive {
		if parallel.Stopped(ctx, i) {
			return
		}
		if j.in.missing[b]&^set != 0 {
			continue
		}
		own := j.in.bundles[b]
		if g := j.table.find(j.table.code(own.key), own.key); g != unassigned {
			j.all[g] += int64(own.weight)
		}
	}
}

// anyShort reports whether passive bundles could complete a group for a bundle without a cheapest set.
func (j *projector) anyShort(active []uint32) bool {
	for i, g := range j.group {
		if g != unassigned && j.bound[active[i]] < 0 && !j.free[g] && j.able[g] < j.in.k {
			return true
		}
	}
	return false
}

// collect keeps the usable groups, with their members.
func (j *projector) collect(set uint64, active []uint32) projection {
	out := projection{set: set}
	number := j.table.first // table.first is reused: the index of a kept group
	for g, able := range j.able {
		number[g] = unassigned
		if j.free[g] || able >= j.in.k {
			number[g] = uint32(len(out.free))
			out.free = append(out.free, j.free[g])
		}
	}
	for i, g := range j.group {
		if g == unassigned {
			continue
		}
		if j.free[g] || j.all[g] >= j.in.k {
			out.reached = append(out.reached, active[i])
		}
		j.group[i] = number[g]
	}
	out.groups = listsOf(len(out.free), j.group, active)
	return out
}

// keep drops the groups that need k records and are not useful. The order of the others is kept.
func (p *projection) keep(useful func(members []uint32) bool) {
	kept := projection{set: p.set}
	for g, free := range p.free {
		if members := p.groups.of(uint32(g)); free || useful(members) {
			kept.groups.add(members)
			kept.free = append(kept.free, free)
		}
	}
	*p = kept
}
