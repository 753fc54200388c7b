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

// Gathered is a column in the making. Its cells come in pieces, in any order and from several goroutines that hold the
// lock: as codes of the lexicon of all its distinct values, or as numbers where these are many. The cells of a piece have
// places behind as many as there can be rows before it, so that no two share one.
type Gathered struct {
	sync.Mutex
	Lexicon              // can have a scratch space of its own
	Scratch *store.Store // of the cells
	Budget  *Budget
	Many    atomic.Bool // cells come as numbers; what comes out does not depend on it
	pieces  []piece
	narrow  []uint8  // codes
	wide    []uint32 // those of pieces with some of more than a byte
	numbers []float64
}

// piece is some rows of a column.
type piece struct {
	from, to int // places of the cells
	hold     holding
}

// holding says what the cells of a piece are.
type holding uint8

const (
	narrowCodes holding = iota
	wideCodes
	numberCells
)

// Word is Code; a new word takes memory.
func (g *Gathered) Word(text []byte) (code uint32, known bool) {
	const header = 48 // of a text, and its place in the lexicon
	if code, known = g.Code(text); !known && g.Lexicon.Scratch == nil {
		_ = g.Budget.Take(int64(len(text) + header))
	}
	return code, known
}

// PutCodes puts cells into places from one on. words are the codes in the lexicon by those of the cells, where 0 is a cell
// without a value; about so many rows are expected in the end. Errors end the reading by the budget.
func (g *Gathered) PutCodes(from int, codes microdata.Codes, words []uint32, expected int) {
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
func (g *Gathered) PutNumbers(from int, numbers []float64, expected int) {
	p, ok := piece{from, from + len(numbers), numberCells}, true
	if g.numbers, ok = room(g, g.numbers, p.to, expected, 8); ok {
		copy(g.numbers[from:], numbers)
		g.pieces = append(g.pieces, p)
	}
}

// room returns elements of so many bytes with places up to one. The memory that they move to is taken before it is
// allocated, and that where they were is given back afterwards; scratch space is no memory.
func room[T any](g *Gathered, elements []T, to, expected, bytes int) ([]T, bool) {
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

// has reports whether some pieces hold something.
func (g *Gathered) has(what holding) bool {
	return slices.ContainsFunc(g.pieces, func(p piece) bool { return p.hold == what })
}

// HasNumbers reports whether some cells came as numbers.
func (g *Gathered) HasNumbers() bool { return g.has(numberCells) }

// Rows puts the pieces in their order, and returns the number of rows that there are.
func (g *Gathered) Rows() (rows int) {
	slices.SortFunc(g.pieces, func(p, q piece) int { return cmp.Compare(p.from, q.from) })
	for _, p := range g.pieces {
		rows += p.to - p.from
	}
	return rows
}

// Codes returns the codes of all rows, in the memory of the placed ones; code gives those of cells that came as numbers.
func (g *Gathered) Codes(code func(place int, number float64) uint32) microdata.Codes {
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

// Numbers returns the numbers of all rows, in the memory of the placed ones: those of codes by these.
func (g *Gathered) Numbers(of []float64) []float64 {
	rows, row := g.Rows(), 0
	if g.numbers, _ = room(g, g.numbers, rows, rows, 8); len(g.numbers) < rows {
		return nil // the budget has ended
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
