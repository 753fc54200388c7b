package statfile

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// RowBlock is a column being read. Its cells are added in pieces, in any order, by goroutines that hold the lock:
// as codes of the lexicon of all distinct values, or as numbers if there are many values. A piece is stored at the
// largest index that its first row can have, so that pieces do not overlap.
type RowBlock struct {
	sync.Mutex
	Lexicon              // may have its own scratch space
	Scratch *store.Store // where the cells are stored
	Budget  *Budget
	Many    atomic.Bool // cells are added as numbers; the result does not depend on it
	pieces  []piece
	narrow  []uint8  // codes of pieces in which all fit into 8 bits
	wide    []uint32 // codes of other pieces
	numbers []float64
}

// piece is some rows of a column.
type piece struct {
	from, to int // indices of the cells
	hold     holding
}

// holding is the form of the cells of a piece.
type holding uint8

const (
	narrowCodes holding = iota
	wideCodes
	numberCells
)

// Word is Code; the memory of a new word is taken from the budget.
func (g *RowBlock) Word(text []byte) (code uint32, known bool) {
	const header = 48 // of a string, and its slot in the lexicon
	if code, known = g.Code(text); !known && g.Lexicon.Scratch == nil {
		_ = g.Budget.Take(int64(len(text) + header))
	}
	return code, known
}

// PutCodes adds cells at index from. words maps their codes to codes of the lexicon, with 0 for missing; expected
// is the estimated total number of rows. Errors end the reading through the budget.
func (g *RowBlock) PutCodes(from int, codes microdata.Codes, words []uint32, expected int) {
	p, ok := piece{from: from, to: from + codes.Len()}, true
	if slices.Max(words) <= math.MaxUint8 {
		if g.narrow, ok = room(g, g.narrow, p.to, expected, 1); ok {
			place(g.narrow[from:p.to], codes, words)
		}
	} else if g.wide, ok = room(g, g.wide, p.to, expected, 4); ok {
		p.hold = wideCodes
		place(g.wide[from:p.to], codes, words)
	}
	if ok {
		g.pieces = append(g.pieces, p)
	}
}

func place[C uint8 | uint32](places []C, codes microdata.Codes, words []uint32) {
	for first, some := range codes.Blocks() {
		out := places[first : first+len(some)]
		for i, code := range some {
			out[i] = C(words[code])
		}
	}
}

// PutNumbers is PutCodes for numbers.
func (g *RowBlock) PutNumbers(from int, numbers []float64, expected int) {
	p, ok := piece{from, from + len(numbers), numberCells}, true
	if g.numbers, ok = room(g, g.numbers, p.to, expected, 8); ok {
		copy(g.numbers[from:], numbers)
		g.pieces = append(g.pieces, p)
	}
}

// room returns elements, of bytes bytes each, extended to length to. New memory is taken from the budget before it
// is allocated, and the old memory is returned afterwards; scratch space does not count.
func room[T any](g *RowBlock, elements []T, to, expected, bytes int) ([]T, bool) {
	if to > cap(elements) && g.Scratch == nil {
		if g.Budget.Take(int64(bytes)*int64(longerBy(to, expected))) != nil {
			return elements, false
		}
		defer func(was int) { _ = g.Budget.Take(-int64(bytes) * int64(was)) }(cap(elements))
	}
	elements = Longer(g.Scratch, elements, to, expected)
	if err := g.Scratch.Err(); err != nil {
		return elements, g.Budget.End(err) == nil
	}
	return elements, true
}

// has reports whether some pieces have the form.
func (g *RowBlock) has(what holding) bool {
	return slices.ContainsFunc(g.pieces, func(p piece) bool { return p.hold == what })
}

// HasNumbers reports whether some cells were added as numbers.
func (g *RowBlock) HasNumbers() bool { return g.has(numberCells) }

// Rows sorts the pieces and returns the number of rows.
func (g *RowBlock) Rows() (rows int) {
	slices.SortFunc(g.pieces, func(p, q piece) int { return cmp.Compare(p.from, q.from) })
	for _, p := range g.pieces {
		rows += p.to - p.from
	}
	return rows
}

// Codes returns the codes of all rows, reusing the memory of the pieces; code returns the codes of cells added as
// numbers.
func (g *RowBlock) Codes(code func(place int, number float64) uint32) microdata.Codes {
	rows, row := g.Rows(), 0
	if !g.has(wideCodes) && !g.has(numberCells) {
		for _, p := range g.pieces {
			row += copy(g.narrow[row:], g.narrow[p.from:p.to])
		}
		return microdata.CodesOf(Fitted(g.Scratch, g.narrow[:rows]))
	}
	g.wide = Longer(g.Scratch, g.wide, rows, rows)
	for _, p := range g.pieces {
		for at := p.from; at < p.to; at++ {
			switch p.hold {
			case narrowCodes:
				g.wide[row] = uint32(g.narrow[at])
			case wideCodes:
				g.wide[row] = g.wide[at]
			default:
				g.wide[row] = code(at, g.numbers[at])
			}
			row++
		}
	}
	store.Free(g.Scratch, g.narrow)
	store.Free(g.Scratch, g.numbers)
	return microdata.CodesOf(Fitted(g.Scratch, g.wide[:rows]))
}

// Numbers returns the numbers of all rows, reusing the memory of the pieces; of are the numbers of the lexicon's
// codes.
func (g *RowBlock) Numbers(of []float64) []float64 {
	rows, row := g.Rows(), 0
	if g.numbers, _ = room(g, g.numbers, rows, rows, 8); len(g.numbers) < rows {
		return nil // the budget is exhausted
	}
	for _, p := range g.pieces {
		switch p.hold {
		case narrowCodes:
			for i, code := range g.narrow[p.from:p.to] {
				g.numbers[row+i] = of[code]
			}
		case wideCodes:
			for i, code := range g.wide[p.from:p.to] {
				g.numbers[row+i] = of[code]
			}
		default:
			copy(g.numbers[row:], g.numbers[p.from:p.to])
		}
		row += p.to - p.from
	}
	store.Free(g.Scratch, g.narrow)
	store.Free(g.Scratch, g.wide)
	return Fitted(g.Scratch, g.numbers[:rows])
}
