package session

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// defaultMemory is the budget in bytes for the datasets of all positions besides the base.
const defaultMemory = 1 << 30

// chain is a way to the data of a position: the nearest dataset in memory, and the steps from there on. It is a
// value that can be followed in the background.
type chain struct {
	data  *microdata.Dataset
	nodes []int // the node with the data, then those of the steps to replay
	first int   // position of that node
	steps []Step
}

// chainTo returns the chain to a node.
func (s *Session) chainTo(id int) chain {
	held := id
	for held > 0 && s.tree.nodes[held].data == nil {
		held = s.tree.nodes[held].parent
	}
	data := s.opened.Data
	if held > 0 {
		data = s.tree.nodes[held].data
	}
	ahead := s.tree.between(held, id)
	return chain{data: data, nodes: append([]int{held}, ahead...), first: s.tree.nodes[held].depth, steps: s.tree.steps(ahead)}
}

// end returns the node at the end of the chain.
func (c *chain) end() int { return c.nodes[len(c.steps)] }

// position returns the position at the end of the chain.
func (c *chain) position() int { return c.first + len(c.steps) }

// follow replays the steps of the chain. It returns the data at its end, and the chain with the data and full
// reports of its steps; after an error, those before the step that failed. c does not change.
func (c chain) follow(ctx context.Context, meter *progress.Meter) (*microdata.Dataset, chain, error) {
	data, followed := c.data, chain{data: c.data, nodes: c.nodes, first: c.first}
	meter.Start(int64(len(c.steps)))
	for i := range c.steps {
		step, err := c.steps[i].again(ctx, c.first+i+1, data)
		if err != nil {
			return data, followed, err
		}
		followed.steps, data = append(followed.steps, step), step.data
		meter.Add(1)
	}
	return data, followed, ctx.Err()
}

// forget discards datasets, the farthest in the tree first, until the rest fits into the budget. It keeps the data
// of the current node and of those one step before and after it.
func (s *Session) forget() {
	if s.heldAtMost <= s.opened.Memory {
		return
	}
	away := s.tree.distances()
	for s.heldAtMost = s.heldBytes(); s.heldAtMost > s.opened.Memory; s.heldAtMost = s.heldBytes() {
		farthest, distance := -1, 1
		for id := range s.tree.nodes {
			if s.tree.nodes[id].data != nil && away[id] > distance {
				farthest, distance = id, away[id]
			}
		}
		if farthest < 0 {
			return
		}
		s.tree.nodes[farthest].data = nil
	}
}

// hold counts the bytes of the columns that the data of a node do not share with those before it, as far as these
// are in memory.
func (s *Session) hold(id int) {
	data, before := s.tree.nodes[id].data, s.tree.nodes[s.tree.nodes[id].parent].data
	if before == nil {
		before = s.opened.Data
	}
	if data == nil {
		return
	}
	columns := before.Columns()
	for i, column := range data.Columns() {
		if i < len(columns) && columns[i] == column {
			continue
		}
		s.heldAtMost += columnBytes(column)
		if i >= len(columns) || columns[i].Source() != column.Source() {
			s.heldAtMost += columnBytes(column.Source())
		}
	}
}

// heldBytes returns the size of the columns of all datasets in memory, each column counted once and without those
// of the base, because datasets share what a step did not change.
func (s *Session) heldBytes() int64 {
	counted := map[*microdata.Column]bool{}
	for _, column := range s.opened.Data.Columns() {
		counted[column] = true
	}
	bytes := int64(0)
	for id := range s.tree.nodes {
		if s.tree.nodes[id].data == nil {
			continue
		}
		for _, column := range s.tree.nodes[id].data.Columns() {
			for _, held := range []*microdata.Column{column, column.Source()} { // moved records have their own source columns
				if !counted[held] {
					counted[held] = true
					bytes += columnBytes(held)
				}
			}
		}
	}
	return bytes
}

// columnBytes estimates the memory of a column, 0 for one in scratch space.
func columnBytes(column *microdata.Column) int64 {
	n := int64(column.Len())
	if column.Stored() {
		return 0
	}
	if column.StoredAsNumbers() != nil {
		return 9 * n
	}
	categories := column.Categories()
	return int64(categories.Codes.Bytes()) + 48*int64(len(categories.Levels))
}
