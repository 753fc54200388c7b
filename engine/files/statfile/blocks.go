package statfile

import (
	"context"
	"encoding/binary"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Blocks collects columns from blocks of rows, which several goroutines may add in any order. Each column of a
// block is added once; a column is either numeric or text in all blocks. The budget of the source limits the
// memory.
type Blocks struct {
	in      *Source
	rows    int
	columns []blockColumn
	decode  func(string) string
}

// blockColumn is a column being collected. The lexicon of a numeric column contains the bits of numbers.
type blockColumn struct {
	RowBlock
	tooLong int // row, from 1, of the first text that is too long; 0 if none
}

// NewBlocks returns Blocks for a number of columns and rows of a file; rows is negative if unknown, and memory is
// allocated only as blocks are added. compact is ReadOptions.Compact. Texts are passed through decode unless it is
// nil.
func NewBlocks(in *Source, columns, rows int, compact bool, decode func(string) string) *Blocks {
	b := &Blocks{in: in, rows: rows, columns: make([]blockColumn, columns), decode: decode}
	for i := range b.columns {
		b.columns[i].Scratch, b.columns[i].Budget = in.Scratch, in.Budget
		b.columns[i].Many.Store(!compact)
	}
	return b
}

// mostFew is the maximum number of values of a NumberDictionary.
const mostFew = math.MaxUint8

// Put adds a column of a block that starts at a row. The memory of its numbers can be reused afterwards.
func (b *Blocks) Put(row, column int, data Column) {
	if data.Len() == 0 {
		return
	}
	g := &b.columns[column]
	if data.Texts != nil {
		g.putTexts(row, data.Texts, b)
		return
	}
	few := false
	if !g.Many.Load() {
		data.Few, few = Distinct(context.Background(), nil, data.Numbers, mostFew)
	}
	g.Lock()
	defer g.Unlock()
	if few && g.putFew(row, data.Few, b.rows) {
		return
	}
	g.Many.Store(true)
	g.PutNumbers(row, data.Numbers, b.rows)
}

func (g *blockColumn) putTexts(row int, texts *Texts, b *Blocks) {
	g.Lock()
	defer g.Unlock()
	if texts.tooLong > 0 && (g.tooLong == 0 || row+texts.tooLong < g.tooLong) {
		g.tooLong = row + texts.tooLong
	}
	words := make([]uint32, len(texts.Values)+1)
	for i, value := range texts.Values {
		if b.decode != nil {
			value = b.decode(value)
		}
		words[i+1], _ = g.Word([]byte(value))
	}
	g.PutCodes(row, texts.Codes, words, b.rows)
}

// putFew adds numbers as codes, unless the blocks together have too many distinct values.
func (g *blockColumn) putFew(row int, few *NumberDictionary, rows int) bool {
	words := make([]uint32, len(few.Values)+1)
	var bits [8]byte
	for i, value := range few.Values {
		binary.LittleEndian.PutUint64(bits[:], math.Float64bits(value))
		words[i+1], _ = g.Word(bits[:])
	}
	if len(g.Words) > mostFew {
		return false
	}
	g.PutCodes(row, few.Codes, words, rows)
	return true
}

// Columns joins the blocks. text reports whether a column is text, which the data of an empty one does not show.
// Errors are those of the budget, of a text longer than MostCell, and of the context.
func (b *Blocks) Columns(ctx context.Context, text func(column int) bool) ([]Column, error) {
	if err := b.limits(); err != nil {
		return nil, err
	}
	out := make([]Column, len(b.columns))
	err := parallel.Each(ctx, len(out), func(i int) error {
		out[i] = b.columns[i].column(text(i))
		return b.in.Err()
	})
	return out, err
}

// limits returns the error of the budget or of the first text that is too long.
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

// column returns the collected column.
func (g *blockColumn) column(text bool) Column {
	if text {
		return Column{Texts: &Texts{Values: g.Words, Codes: g.Codes(nil)}}
	}
	defer g.Free()
	values := make([]float64, len(g.Words)+1)
	for i, word := range g.Words {
		values[i+1] = math.Float64frombits(binary.LittleEndian.Uint64([]byte(word)))
	}
	if len(g.pieces) > 0 && !g.HasNumbers() {
		return Column{Few: &NumberDictionary{Values: values[1:], Codes: g.Codes(nil)}}
	}
	numbers := g.Numbers(values)
	if numbers == nil {
		numbers = []float64{}
	}
	return Column{Numbers: numbers}
}
