package session

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/progress"
)

// defaultMemory is the budget for the datasets of all positions, in bytes,
// beyond the base.
const defaultMemory = 1 << 30

// chain is what it takes to have the data of a position: the nearest dataset
// that is held, and the steps from there on. It is a value of its own, so that
// it can be followed in the background.
type chain struct {
	data  *microdata.Dataset
	first int // number of the first step to do again
	steps []Step
}

// chainTo returns the chain to a position.
func (s *Session) chainTo(position int) chain {
	first := position
	for first > 0 && s.steps[first-1].data == nil {
		first--
	}
	data := s.opened.Data
	if first > 0 {
		data = s.steps[first-1].data
	}
	return chain{data, first, append([]Step(nil), s.steps[first:position]...)}
}

// position returns the position at the end of the chain.
func (c *chain) position() int { return c.first + len(c.steps) }

// follow does the steps of the chain again and returns the data at its end, and
// the chain with the data and full reports of its steps: with an error, of those
// before the one that could not be done. c stays as it is.
func (c chain) follow(ctx context.Context, meter *progress.Meter) (*microdata.Dataset, chain, error) {
	data, followed := c.data, chain{data: c.data, first: c.first}
	meter.Start(int64(len(c.steps)))
	for i := range c.steps {
		step, err := c.steps[i].again(ctx, c.first+i+1, data)
		if err != nil {
			return nil, followed, err
		}
		followed.steps, data = append(followed.steps, step), step.data
		meter.Add(1)
	}
	return data, followed, ctx.Err()
}

// forget lets datasets go, the farthest from the position first, until those
// that are left fit into the budget. The data at the position stay, and those
// one step before and after it.
func (s *Session) forget() {
	for s.heldBytes() > s.opened.Memory {
		farthest, distance := -1, 1
		for i := range s.steps {
			if d := max(i+1-s.position, s.position-i-1); s.steps[i].data != nil && d > distance {
				farthest, distance = i, d
			}
		}
		if farthest < 0 {
			return
		}
		s.steps[farthest].data = nil
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
	for i := range s.steps {
		if s.steps[i].data == nil {
			continue
		}
		for _, column := range s.steps[i].data.Columns() {
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

// columnBytes estimates the memory of a column.
func columnBytes(column *microdata.Column) int64 {
	n := int64(column.Len())
	if column.StoredAsNumbers() != nil {
		return 9 * n
	}
	categories := column.Categories()
	width := int64(4)
	if categories.Codes.Uint8() != nil {
		width = 1
	}
	return width*n + 48*int64(len(categories.Levels)) + n/8
}
