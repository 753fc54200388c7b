package statfile

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Blocks gathers columns from blocks of rows, which several goroutines may put in
// any order. Each column of a block is put once; all blocks of a column are
// numbers or all texts. Their memory is taken from the budget of the source.
type Blocks struct {
	in      *Source
	rows    int
	compact bool
	columns []gathered
}

// NewBlocks returns what gathers so many columns of so many rows of a file, less than 0 where
// nobody says how many; the memory taken depends on what is put. compact is
// ReadOptions.Compact.
func NewBlocks(in *Source, columns, rows int, compact bool) *Blocks {
	return &Blocks{in: in, rows: rows, compact: compact, columns: make([]gathered, columns)}
}

// gathered is a column so far: texts and numbers of few values by block, all numbers
// in their places from the first block on that has more values.
type gathered struct {
	many    atomic.Bool // there are more values
	mutex   sync.Mutex
	pieces  []piece
	numbers []float64
	narrow  []uint8 // codes of pieces that are in a store
	wide    []uint32
	tooLong int // row, from 1, of the first text that is longer than is read; 0: none
}

// piece is the column of a block.
type piece struct {
	row, end int // the first, and the one behind the last
	Column
}

// mostFew is the number of values of Few that its codes tell apart.
const mostFew = math.MaxUint8 + 1

// Put keeps a column of a block that starts with a row. The memory of its numbers
// can be used again.
func (b *Blocks) Put(row, column int, data Column) {
	if data.Len() == 0 {
		return
	}
	g := &b.columns[column]
	if b.compact && data.Numbers != nil && !g.many.Load() {
		if values, codes, few := Distinct[uint8](context.Background(), nil, data.Numbers, mostFew); few {
			data = Column{Few: &Few{Values: values, Codes: codes}}
		} else {
			g.many.Store(true)
		}
	}
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if t := data.Texts; t != nil && t.tooLong > 0 && (g.tooLong == 0 || row+t.tooLong < g.tooLong) {
		g.tooLong = row + t.tooLong
	}
	end := row + data.Len()
	if data.Numbers != nil {
		if places, err := b.places(g, row, end, b.rows); err == nil {
			copy(places, data.Numbers)
		}
		return
	}
	if s := b.in.Scratch; s != nil {
		g.store(s, row, end, b.rows, &data)
		if err := s.Err(); err != nil {
			_ = b.in.End(err)
		}
	}
	if b.in.Take(data.bytes()) == nil {
		g.pieces = append(g.pieces, piece{row, end, data})
	}
}

// places returns the places of rows among the numbers of a column. The memory that they move to is taken before it is
// allocated, and that where they were is given back afterwards; scratch space is no memory.
func (b *Blocks) places(g *gathered, from, to, rows int) ([]float64, error) {
	each := int64(8) // bytes
	if b.in.Scratch != nil {
		each = 0
	}
	if was := int64(cap(g.numbers)); to > cap(g.numbers) {
		room := longerBy(to, rows)
		if err := b.in.Take(each * int64(room)); err != nil {
			return nil, err
		}
		g.numbers = Longer(b.in.Scratch, g.numbers, to, rows)
		if err := b.in.Scratch.Err(); err != nil {
			return nil, b.in.End(err)
		}
		_ = b.in.Take(-each * was)
	}
	g.numbers = g.numbers[:max(len(g.numbers), to)]
	return g.numbers[from:to], nil
}

// store puts the codes of rows into their places in a store, which may move until all have theirs.
func (g *gathered) store(s *store.Store, row, end, rows int, data *Column) {
	switch {
	case data.Few != nil:
		g.narrow = Longer(s, g.narrow, end, rows)
		copy(g.narrow[row:], data.Few.Codes)
		data.Few.Codes = nil
	case len(data.Texts.Values) > math.MaxUint8:
		g.wide = Longer(s, g.wide, end, rows)
		data.Texts.Codes.Read(g.wide[row:end], 0)
		data.Texts.Codes = microdata.Codes{}
	default:
		g.narrow = Longer(s, g.narrow, end, rows)
		for first, codes := range data.Texts.Codes.Blocks() {
			for i, code := range codes {
				g.narrow[row+first+i] = uint8(code)
			}
		}
		data.Texts.Codes = microdata.Codes{}
	}
}

// placed gives the pieces the codes that store put into their places.
func (g *gathered) placed() {
	for i := range g.pieces {
		switch p := &g.pieces[i]; {
		case p.Len() == p.end-p.row:
		case p.Few != nil:
			p.Few.Codes = g.narrow[p.row:p.end]
		case len(p.Texts.Values) > math.MaxUint8:
			p.Texts.Codes = microdata.CodesOf(g.wide[p.row:p.end])
		default:
			p.Texts.Codes = microdata.CodesOf(g.narrow[p.row:p.end])
		}
	}
}

// Columns joins the blocks. The values of texts pass through decode, once each;
// nil: they are UTF-8. text says which columns are texts: one of no block is. Errors are those
// of the budget, of a text longer than MostCell, and of the context.
func (b *Blocks) Columns(ctx context.Context, text func(column int) bool,
	decode func(string) string) ([]Column, error) {
	if err := b.limits(); err != nil {
		return nil, err
	}
	out := make([]Column, len(b.columns))
	err := parallel.Each(ctx, len(out), func(i int) (err error) {
		b.columns[i].sort()
		if b.columns[i].placed(); text(i) {
			out[i].Texts, err = joinTexts(ctx, b.in.Scratch, b.columns[i].pieces, decode)
		} else {
			out[i], err = b.joinNumbers(&b.columns[i])
		}
		store.Free(b.in.Scratch, b.columns[i].narrow)
		store.Free(b.in.Scratch, b.columns[i].wide)
		b.columns[i] = gathered{}
		return err
	})
	return out, err
}

// limits returns the error of the budget, or of the first text that is too long.
func (b *Blocks) limits() error {
	first := 0
	for i := range b.columns {
		if row := b.columns[i].tooLong; row > 0 && (first == 0 || row < first) {
			first = row
		}
	}
	if first > 0 {
		return b.in.LongCell(first)
	}
	return b.in.Err()
}

// sort puts the pieces in the order of their rows.
func (g *gathered) sort() {
	slices.SortFunc(g.pieces, func(p, q piece) int { return cmp.Compare(p.row, q.row) })
}

func rowsOf(pieces []piece) int {
	if len(pieces) == 0 {
		return 0
	}
	return pieces[len(pieces)-1].end
}

// joinTexts makes one dictionary of those of the blocks, in the order of the
// rows in which the values come first.
func joinTexts(ctx context.Context, s *store.Store, pieces []piece, decode func(string) string) (*Texts, error) {
	if len(pieces) == 1 && decode == nil && s == nil {
		return pieces[0].Texts, nil
	}
	var all Dictionary
	mappings := make([][]uint32, len(pieces))
	for i := range pieces {
		texts := pieces[i].Texts
		mappings[i] = make([]uint32, len(texts.Values)+1)
		for j, value := range texts.Values {
			if parallel.Stopped(ctx, j) {
				return nil, ctx.Err()
			}
			if decode != nil {
				value = decode(value)
			}
			mappings[i][j+1] = all.code(value)
		}
		texts.Values = nil
	}
	codes := microdata.NewCodesIn(s, rowsOf(pieces), len(all.values))
	for i := range pieces {
		codes.Fill(pieces[i].row, pieces[i].Texts.Codes, mappings[i])
	}
	return &Texts{Values: all.values, Codes: codes}, nil
}

// joinNumbers returns the numbers of all blocks of a column, as Few where they are all such.
func (b *Blocks) joinNumbers(g *gathered) (Column, error) {
	if g.numbers == nil {
		if few := joinFew(b.in.Scratch, g.pieces); few != nil {
			return Column{Few: few}, nil
		}
	}
	rows := max(rowsOf(g.pieces), len(g.numbers))
	for _, p := range g.pieces {
		out, err := b.places(g, p.row, p.end, rows)
		if err != nil {
			return Column{}, err
		}
		for i, code := range p.Few.Codes {
			out[i] = p.Few.Values[code]
		}
	}
	if g.numbers == nil {
		return Column{Numbers: []float64{}}, nil
	}
	return Column{Numbers: Fitted(b.in.Scratch, g.numbers)}, nil
}

// joinFew makes one dictionary of numbers of those of the blocks; nil where all
// together have too many values, or there are none.
func joinFew(s *store.Store, pieces []piece) *Few {
	if len(pieces) == 1 && s == nil {
		return pieces[0].Few
	}
	var values []float64 // of all blocks
	for _, p := range pieces {
		values = append(values, p.Few.Values...)
	}
	distinct, places, few := Distinct[uint8](context.Background(), nil, values, mostFew)
	if !few || len(pieces) == 0 {
		return nil
	}
	out := &Few{Values: distinct, Codes: store.Make[uint8](s, rowsOf(pieces))[:0]}
	for _, p := range pieces {
		for _, code := range p.Few.Codes {
			out.Codes = append(out.Codes, places[code])
		}
		places = places[len(p.Few.Values):]
	}
	return out
}
