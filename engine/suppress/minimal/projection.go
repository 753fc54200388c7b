package minimal

import (
	"context"
	"math/bits"
	"slices"
)

// checkEvery is the number of units of work after which a loop looks at its context.
const checkEvery = 1 << 14

// projection is what blanking one set of variables makes of the file: the groups worth using, and which of the active
// bundles reach k.
type projection struct {
	set     uint64
	start   []uint32 // per group, and one more
	members []uint32 // of all groups, ascending in each
	free    []bool   // per group
	reached []uint32 // active bundles whose group holds k records of the file
}

// projector groups bundles by their values outside a set. It belongs to one goroutine.
type projector struct {
	p       *Problem
	keys    *packing
	in      *instance
	staying []uint32
	bound   []int64 // per bundle: price of its cheapest set, negative while unknown; only read

	slots []uint32 // open addressing: group + 1
	shift int
	codes []uint64 // per group: the fingerprint of its keys
	first []uint32 // per group: its first key
	able  []int64  // per group: active records
	all   []int64  // per group: records
	free  []bool
	group []uint32 // per active bundle
	short [1 << (sketchBits - 6)]uint64
}

// project groups the active bundles by their values outside set; the passive ones and the keys that stay only count.
func (j *projector) project(ctx context.Context, set uint64, active, passive []uint32) (projection, error) {
	kept := j.keys.keep(set)
	j.reset(len(active))
	if err := j.enter(ctx, set, kept, active); err != nil {
		return projection{}, err
	}
	if j.p.isLikeAll(set) {
		for g := range j.free {
			j.free[g] = true
		}
	} else if err := j.countStaying(ctx, kept); err != nil {
		return projection{}, err
	}
	if err := j.countPassive(ctx, set, kept, active, passive); err != nil {
		return projection{}, err
	}
	return j.collect(set, active), nil
}

// reset empties the table and makes room for n groups.
func (j *projector) reset(n int) {
	size := 1 << bits.Len(uint(2*n))
	if cap(j.slots) < size {
		j.slots = make([]uint32, size)
	}
	j.slots = j.slots[:size]
	clear(j.slots)
	j.shift = 64 - bits.TrailingZeros(uint(size))
	if cap(j.group) < n {
		j.group = make([]uint32, n)
		j.codes, j.first = make([]uint64, n), make([]uint32, n)
		j.able, j.all, j.free = make([]int64, n), make([]int64, n), make([]bool, n)
	}
	j.group = j.group[:n]
	j.codes, j.first, j.able = j.codes[:0], j.first[:0], j.able[:0]
}

// enter gives every active bundle whose missing variables are in set its group.
func (j *projector) enter(ctx context.Context, set uint64, kept []uint64, active []uint32) error {
	lastKey, lastGroup := unsettled, unsettled
	for i, b := range active {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		it := j.in.bundles[b]
		if it.key != lastKey {
			lastKey, lastGroup = it.key, unsettled
			if j.in.home[b]&^set == 0 {
				lastGroup = j.enterKey(it.key, kept)
			}
		}
		j.group[i] = lastGroup
		if lastGroup != unsettled {
			j.able[lastGroup] += int64(it.weight)
		}
	}
	j.all = j.all[:len(j.able)]
	j.free = j.free[:len(j.able)]
	clear(j.free)
	return nil
}

// enterKey returns the group of a key, a new one if need be.
func (j *projector) enterKey(key uint32, kept []uint64) uint32 {
	code := j.keys.fingerprint(key, kept)
	slot := j.find(code, key, kept)
	if j.slots[slot] == 0 {
		j.codes = append(j.codes, code)
		j.first = append(j.first, key)
		j.able = append(j.able, 0)
		j.slots[slot] = uint32(len(j.codes))
	}
	return j.slots[slot] - 1
}

// find returns the slot of a key's group, or the empty slot where it belongs.
func (j *projector) find(code uint64, key uint32, kept []uint64) uint64 {
	mask := uint64(len(j.slots) - 1)
	slot := (code * 0x9e3779b97f4a7c15) >> j.shift
	for {
		g := j.slots[slot]
		if g == 0 {
			return slot
		}
		if j.codes[g-1] == code && (j.keys.words == 1 || j.keys.agree(j.first[g-1], key, kept)) {
			return slot
		}
		slot = (slot + 1) & mask
	}
}

// countStaying marks the groups that a staying key agrees with.
func (j *projector) countStaying(ctx context.Context, kept []uint64) error {
	for i, key := range j.staying {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if g := j.slots[j.find(j.keys.fingerprint(key, kept), key, kept)]; g != 0 {
			j.free[g-1] = true
		}
	}
	return nil
}

// countPassive adds the passive bundles to the groups whose number of records is of interest: those short of k in which
// a bundle has not found its cheapest set yet. Most passive bundles belong to none of them, which a look into a small
// bit table tells.
func (j *projector) countPassive(ctx context.Context, set uint64, kept []uint64, active, passive []uint32) error {
	copy(j.all, j.able)
	if !j.sketch(active) {
		return nil
	}
	for i, b := range passive {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if j.in.home[b]&^set != 0 {
			continue
		}
		it := j.in.bundles[b]
		code := j.keys.fingerprint(it.key, kept)
		if at := sketchBit(code); j.short[at>>6]>>(at&63)&1 == 0 {
			continue
		}
		if g := j.slots[j.find(code, it.key, kept)]; g != 0 {
			j.all[g-1] += int64(it.weight)
		}
	}
	return nil
}

// sketchBits is the size of the bit table of groups short of k.
const sketchBits = 16

// sketchBit returns the place of a fingerprint in that table.
func sketchBit(code uint64) uint64 { return code * 0xc2b2ae3d27d4eb4f >> (64 - sketchBits) }

// sketch enters the groups whose number of records is of interest into the bit table. It reports whether there are any.
func (j *projector) sketch(active []uint32) bool {
	clear(j.short[:])
	short := false
	for i, g := range j.group {
		if g != unsettled && j.bound[active[i]] < 0 && !j.free[g] && j.able[g] < j.in.k {
			at := sketchBit(j.codes[g])
			j.short[at>>6] |= 1 << (at & 63)
			short = true
		}
	}
	return short
}

// collect keeps the groups that can be used, with their members.
func (j *projector) collect(set uint64, active []uint32) projection {
	number := j.first // no longer needed: the kept group's number + 1, or 0
	kept := uint32(0)
	for g, able := range j.able {
		number[g] = 0
		if j.free[g] || able >= j.in.k {
			kept++
			number[g] = kept
		}
	}
	out := projection{set: set, start: make([]uint32, kept+1), free: make([]bool, 0, kept)}
	for g, free := range j.free {
		if number[g] != 0 {
			out.free = append(out.free, free)
		}
	}
	for i, g := range j.group {
		if g == unsettled {
			continue
		}
		if j.free[g] || j.all[g] >= j.in.k {
			out.reached = append(out.reached, active[i])
		}
		if number[g] != 0 {
			out.start[number[g]]++
		}
	}
	out.fill(j.group, number, active)
	return out
}

// fill sorts the active bundles into the groups whose sizes stand in start, shifted by one.
func (out *projection) fill(group, number, active []uint32) {
	for g := range out.free {
		out.start[g+1] += out.start[g]
	}
	out.members = make([]uint32, out.start[len(out.free)])
	next := slices.Clone(out.start)
	for i, g := range group {
		if g != unsettled && number[g] != 0 {
			at := &next[number[g]-1]
			out.members[*at] = active[i]
			*at++
		}
	}
}
