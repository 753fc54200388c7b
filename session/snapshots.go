package session

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// defaultMemory is the budget for the datasets of all positions, in bytes,
// beyond the base.
const defaultMemory = 1 << 30

// chain is what it takes to have the data of a position: the nearest dataset
// that is held, and the steps from there on. It is a value of its own, so that
// it can be followed in the background.
type chain struct {
	data  *microdata.Dataset
	nodes []int // from the one that has the data, the steps after it are done again
	first int   // position of that one
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

// follow does the steps of the chain again and returns the data at its end, and
// the chain with the data and full reports of its steps: with an error, those before the
// step that could not be done. c stays as it is.
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

// forget lets datasets go, the farthest in the tree first, until those that are
// left fit into the budget. The data where the session stands stay, and those one
// step before and after them.
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

// hold counts the bytes of columns that the data of a node do not share with those before it, as far as these are held.
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

// heldBytes returns the size of the columns of all datasets held, each column
// counted once, those of the base left out: datasets share what a step did not
// change.
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
			for _, held := range []*microdata.Column{column, column.Source()} { // records that moved have sources of their own
				if !counted[held] {
					counted[held] = true
					bytes += columnBytes(held)
				}
			}
		}
	}
	return bytes
}

// columnBytes estimates the memory of a column; of one in scratch space it is nothing.
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
