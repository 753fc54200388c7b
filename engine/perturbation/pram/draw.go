package pram

import (
	"context"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/internal/random"
)

// Draws are compared as 63-bit integers, so that a probability of 1 has an exact threshold and no probability is
// rounded to 0.
const (
	drawShift = 1
	drawCount = 1 << 63
)

// thresholds maps draws to categories for one category: a draw below stay keeps it, otherwise the new category is
// the first whose threshold is above the draw.
type thresholds struct {
	own  uint32 // code of the category
	stay uint64
	up   []uint64 // ascending; that of the last possible category is 2^63
	to   []uint32 // code of each category
	at   []uint32 // index of each category in its matrix
}

// newThresholds returns the thresholds of a row whose cell i is the diagonal. codes are those of the row's
// categories. Cells with probability 0 are omitted, so that they are never drawn.
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
		t.stay = drawCount // the row sums to 1 up to rounding
	} else {
		t.up[len(t.up)-1] = drawCount
	}
	return t
}

// find returns the index among the other categories of a draw that is at least stay.
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

// plan describes how to draw the values of one variable. Each category of each stratum has a number among the rows
// of all matrices; 0 is for cells that do not change.
type plan struct {
	parts  *partition
	width  int      // number of codes, including missing, per stratum in row
	row    []uint32 // at stratum*width+code: row number, from 1
	rows   []thresholds
	start  []int // index of the first transition of each row
	places []int // index of each row in its own matrix
	cells  int   // number of cells of all matrices
}

// rowOf returns the row number of a record with the given code, or 0 if it does not change.
func (p *plan) rowOf(record int, code uint32) uint32 {
	if code == 0 || !p.parts.may(record) {
		return 0
	}
	return p.row[p.parts.Of(record)*p.width+int(code)]
}

// purpose returns the name of a variable's random stream.
func purpose(what, variable string) string { return "pram " + what + " " + variable }

// draw changes the codes and returns the transitions, in the order of the matrices' cells. leaders are the records
// whose draw each record uses; nil: its own.
func (p *plan) draw(ctx context.Context, codes microdata.Codes, seed uint64, variable string, leaders []uint32,
	meter *progress.Meter) ([]int, error) {
	var draws []uint64 // of all records, if some use that of another
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

// fillDraws generates the draws of a block of records.
func fillDraws(draws []uint64, seed uint64, variable string, block int) {
	stream := random.Stream(seed, purpose("draws", variable), block)
	for i := range draws {
		draws[i] = stream.Uint64() >> drawShift
	}
}

// drawBlock draws the records of a block, whose codes before are was. Every record uses up a random number, even
// if it must not change, so that a condition does not shift the draws of other records.
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
