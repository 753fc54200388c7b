package pram

import (
	"context"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/internal/random"
)

// Draws are compared as whole numbers of 63 bits, so that a probability of 1
// has a threshold of its own and none is rounded away.
const (
	drawShift = 1
	drawCount = 1 << 63
)

// thresholds says what a draw makes of one category: below stay nothing
// happens, else the category is the first whose threshold is above the draw.
type thresholds struct {
	own  uint32 // code of the category
	stay uint64
	up   []uint64 // ascending, the last one that is possible is 2^63
	to   []uint32 // code of each category
	at   []uint32 // place of each category in its matrix
}

// newThresholds returns the thresholds of a row, of which cell i stays; codes
// are those of its categories. Cells of probability 0 are left out, so that they
// are never drawn.
func newThresholds(row []float64, i int, codes []uint32) thresholds {
	sum := math.Min(row[i], 1)
	t := thresholds{own: codes[i], stay: uint64(sum * drawCount)}
	for j, p := range row {
		if j == i || p <= 0 {
			continue
		}
		sum = math.Min(sum+p, 1)
		t.up, t.to, t.at = append(t.up, uint64(sum*drawCount)), append(t.to, codes[j]), append(t.at, uint32(j))
	}
	if len(t.up) == 0 {
		t.stay = drawCount // the row sums to 1, but for rounding
	} else {
		t.up[len(t.up)-1] = drawCount
	}
	return t
}

// find returns the place among the others of a draw that is not below stay.
func (t *thresholds) find(draw uint64) int {
	low, high := 0, len(t.up)-1
	for low < high {
		if middle := int(uint(low+high) >> 1); draw < t.up[middle] {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low
}

// plan is how the values of one variable are drawn. A category of a stratum has
// a place among the rows of all strata; 0 is that of cells that stay.
type plan struct {
	parts  *partition
	width  int      // of a stratum in row: codes of the variable, missing included
	row    []uint32 // at stratum*width+code: number of the row, from 1
	rows   []thresholds
	start  []int // where the transitions of each row begin
	places []int // place of each row in its own matrix
	cells  int   // cells of all matrices
}

// rowOf returns the row of a record with the given code; 0 where it stays.
func (p *plan) rowOf(record int, code uint32) uint32 {
	if code == 0 || !p.parts.may(record) {
		return 0
	}
	return p.row[p.parts.Of(record)*p.width+int(code)]
}

// purpose names the stream of a variable.
func purpose(what, variable string) string { return "pram " + what + " " + variable }

// draw changes the codes and returns the transitions, in the order of the
// matrices' cells. leaders are the records whose draw each record shares; nil:
// its own.
func (p *plan) draw(ctx context.Context, codes microdata.Codes, seed uint64, variable string, leaders []uint32,
	meter *progress.Meter) ([]int, error) {
	var draws []uint64 // of all records, where some take that of another
	if leaders != nil {
		draws = make([]uint64, codes.Len())
		err := parallel.Tasks(ctx, random.Blocks(len(draws)), parallel.Workers(len(draws), 8), func(_, block int) {
			fillDraws(draws[block*random.Block:min((block+1)*random.Block, len(draws))], seed, variable, block)
		})
		if err != nil {
			return nil, err
		}
	}
	n := codes.Len()
	workers := parallel.Workers(n, 8)
	transitions, was := make([][]int, workers), make([][]uint32, workers)
	for i := range transitions {
		transitions[i], was[i] = make([]int, p.cells), make([]uint32, min(n, random.Block))
	}
	err := parallel.Tasks(ctx, random.Blocks(n), workers, func(worker, block int) {
		from, to := block*random.Block, min((block+1)*random.Block, n)
		own := make([]uint64, to-from)
		if leaders == nil {
			fillDraws(own, seed, variable, block)
		} else {
			for i, leader := range leaders[from:to] {
				own[i] = draws[leader]
			}
		}
		codes.Read(was[worker][:to-from], from)
		p.drawBlock(codes, was[worker], from, own, transitions[worker])
		meter.Add(int64(to - from))
	})
	for _, more := range transitions[1:] {
		for i, count := range more {
			transitions[0][i] += count
		}
	}
	return transitions[0], err
}

// fillDraws sets the draws of a block of records.
func fillDraws(draws []uint64, seed uint64, variable string, block int) {
	stream := random.Stream(seed, purpose("draws", variable), block)
	for i := range draws {
		draws[i] = stream.Uint64() >> drawShift
	}
}

// drawBlock draws the records of a block, which have the codes was. Each record takes its number whether
// it may change or not, so that a condition does not move the draws of others.
func (p *plan) drawBlock(codes microdata.Codes, was []uint32, from int, draws []uint64, transitions []int) {
	simple := p.parts.Whole() && p.parts.mask == nil
	for i, draw := range draws {
		var number uint32
		if simple {
			number = p.row[was[i]]
		} else {
			number = p.rowOf(from+i, was[i])
		}
		if number == 0 {
			continue
		}
		row := &p.rows[number-1]
		if draw < row.stay {
			transitions[p.start[number-1]+p.places[number-1]]++
			continue
		}
		to := row.find(draw)
		transitions[p.start[number-1]+int(row.at[to])]++
		codes.Set(from+i, row.to[to])
	}
}
