package microaggregation

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
)

// rebuild rebuilds some neighbouring groups and descends. It undoes the changes if the sum of squares has increased.
func (r *refinement) rebuild() {
	r.choose()
	r.regroup()
	for i := range r.log {
		r.addUp(r.log[i].group)
		for _, record := range r.members[r.log[i].group] {
			r.enqueue(record)
		}
	}
	_ = r.descend(context.Background()) // short, so not cancellable
	gained := 0.0
	for i := range r.log {
		gained += r.squares[r.log[i].group] - r.log[i].square
	}
	r.keep(gained >= 0)
}

// keep ends the log and, unless changes is set, restores the logged groups.
func (r *refinement) keep(changes bool) {
	for i := range r.log {
		was := &r.log[i]
		if r.logged[was.group] = false; !changes {
			r.members[was.group] = append(r.members[was.group][:0], was.members...)
			r.addUp(was.group)
		}
		if len(r.members[was.group]) == 0 {
			r.empty = append(r.empty, was.group)
		}
	}
	r.log = r.log[:0]
}

// save logs the state of a group before its first change.
func (r *refinement) save(k uint32) {
	if r.logged[k] {
		return
	}
	r.logged[k] = true
	if len(r.log) == cap(r.log) {
		r.log = append(r.log, groupState{})
	} else {
		r.log = r.log[:len(r.log)+1] // reuses the members slice of a former entry
	}
	was := &r.log[len(r.log)-1]
	was.group, was.square, was.members = k, r.squares[k], append(was.members[:0], r.members[k]...)
}

// choose logs the groups to rebuild: that of a random record, and groups of neighbours.
func (r *refinement) choose() {
	record := uint32(r.stream.IntN(len(r.of)))
	count := 2 + r.stream.IntN(refineMost-1)
	r.save(r.of[record])
	for hop := 0; len(r.log) < count && hop < 4*refineMost; hop++ {
		from := record
		if hop%2 == 1 { // from a member of a chosen group
			members := r.log[r.stream.IntN(len(r.log))].members
			from = members[r.stream.IntN(len(members))]
		}
		r.save(r.of[r.near(from)[r.stream.IntN(r.wide)]])
	}
}

// regroup rebuilds the chosen groups. Each consists of a record that is far from the others, or random, and those
// nearest to it; the rest join the nearest groups. The number of groups may change.
func (r *refinement) regroup() {
	r.pool = r.pool[:0]
	for _, was := range r.log {
		r.pool = append(r.pool, was.members...)
		r.members[was.group] = r.members[was.group][:0]
		clear(r.sums[was.group])
	}
	most := min(len(r.pool)/r.size, len(r.log)+1)
	least := (len(r.pool) + 2*r.size - 2) / (2*r.size - 1)
	count := most
	if most > least && r.stream.IntN(4) == 0 {
		count--
	}
	for len(r.log) < count {
		if last := len(r.empty) - 1; last >= 0 { // reuses an empty group
			r.save(r.empty[last])
			r.empty = r.empty[:last]
		} else {
			r.save(r.add(nil))
		}
	}
	for i := range count {
		r.gather(r.log[i].group)
	}
	for len(r.pool) > 0 {
		r.join(r.log[:count])
	}
}

// gather forms a group of a record of the pool and the nearest ones there.
func (r *refinement) gather(k uint32) {
	first := r.stream.IntN(len(r.pool))
	if r.stream.IntN(3) > 0 {
		first = r.farthestOfPool()
	}
	center := r.point(r.pool[first])
	r.move(k, first)
	for len(r.members[k]) < r.size {
		best, found := 0.0, -1
		for i, record := range r.pool {
			if d := stat.SquaredDistance(r.point(record), center); found < 0 || d < best {
				best, found = d, i
			}
		}
		r.move(k, found)
	}
}

// farthestOfPool returns the index of the record farthest from the mean of the pool.
func (r *refinement) farthestOfPool() int {
	center := r.toward
	clear(center)
	for _, record := range r.pool {
		for j, x := range r.point(record) {
			center[j] += x / float64(len(r.pool))
		}
	}
	best, found := -1.0, 0
	for i, record := range r.pool {
		if d := stat.SquaredDistance(r.point(record), center); d > best {
			best, found = d, i
		}
	}
	return found
}

// move moves a record from the pool into a group.
func (r *refinement) move(k uint32, place int) {
	record, last := r.pool[place], len(r.pool)-1
	r.pool[place] = r.pool[last]
	r.pool = r.pool[:last]
	r.members[k] = append(r.members[k], record)
	for j, x := range r.point(record) {
		r.sums[k][j] += x
	}
}

// join moves the last record of the pool into the group, among those with room, whose sum of squares increases
// least.
func (r *refinement) join(among []groupState) {
	last := len(r.pool) - 1
	x, best, found := r.point(r.pool[last]), 0.0, none
	for _, group := range among {
		n := float64(len(r.members[group.group]))
		if len(r.members[group.group]) >= 2*r.size-1 {
			continue
		}
		sum := 0.0
		for j, y := range r.sums[group.group] {
			d := x[j] - y/n
			sum += float64(d * d)
		}
		if sum *= n / (n + 1); found == none || sum < best {
			best, found = sum, group.group
		}
	}
	r.move(found, last)
}
