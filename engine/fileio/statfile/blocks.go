package statfile

import (
	"context"
	"math"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// Blocks gathers columns from blocks of rows, which several goroutines may put in
// any order. Each column of a block is put once; all blocks of a column are
// numbers or all texts.
type Blocks struct {
	compact bool
	mutex   sync.Mutex
	columns [][]Column // by column and block
}

// NewBlocks returns what gathers so many columns; compact is ReadOptions.Compact.
func NewBlocks(columns int, compact bool) *Blocks {
	return &Blocks{compact: compact, columns: make([][]Column, columns)}
}

// mostFew is the number of values of Few that its codes tell apart.
const mostFew = math.MaxUint8 + 1

// Put keeps a column of a block.
func (b *Blocks) Put(block, column int, data Column) {
	if b.compact && data.Numbers != nil {
		if values, codes, few := Distinct[uint8](data.Numbers, mostFew); few {
			data = Column{Few: &Few{Values: values, Codes: codes}}
		}
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for len(b.columns[column]) <= block {
		b.columns[column] = append(b.columns[column], Column{})
	}
	b.columns[column][block] = data
}

// Columns joins the blocks. The values of texts pass through decode, once each;
// nil: they are UTF-8. text says which columns are texts: one of no block is.
func (b *Blocks) Columns(ctx context.Context, text func(column int) bool, decode func(string) string) ([]Column, error) {
	out := make([]Column, len(b.columns))
	err := parallel.Each(ctx, len(out), func(i int) error {
		switch blocks := b.columns[i]; {
		case len(blocks) == 1 && (decode == nil || !text(i)):
			out[i] = blocks[0]
		case text(i):
			out[i].Texts = joinTexts(blocks, decode)
		default:
			if out[i].Few = joinFew(blocks); out[i].Few == nil {
				out[i].Numbers = joinNumbers(blocks)
			}
		}
		b.columns[i] = nil
		return nil
	})
	return out, err
}

func rowsOf(blocks []Column) int {
	rows := 0
	for i := range blocks {
		rows += blocks[i].Len()
	}
	return rows
}

// joinTexts makes one dictionary of those of the blocks, in the order of the
// rows in which the values come first.
func joinTexts(blocks []Column, decode func(string) string) *Texts {
	var all Dictionary
	mappings := make([][]uint32, len(blocks))
	for i := range blocks {
		texts := blocks[i].Texts
		if texts == nil {
			continue
		}
		mappings[i] = make([]uint32, len(texts.Values)+1)
		for j, value := range texts.Values {
			if decode != nil {
				value = decode(value)
			}
			mappings[i][j+1] = all.Code(value)
		}
		texts.Values = nil
	}
	codes := microdata.NewCodes(rowsOf(blocks), len(all.values))
	at := 0
	for i := range blocks {
		if texts := blocks[i].Texts; texts != nil {
			codes.Fill(at, texts.Codes, mappings[i])
			at += texts.Codes.Len()
		}
	}
	return &Texts{Values: all.values, Codes: codes}
}

// joinFew makes one dictionary of numbers of those of the blocks; nil where some
// are none, or all together have too many values.
func joinFew(blocks []Column) *Few {
	var values []float64 // of all blocks
	for i := range blocks {
		if blocks[i].Few == nil {
			return nil
		}
		values = append(values, blocks[i].Few.Values...)
	}
	distinct, places, few := Distinct[uint8](values, mostFew)
	if !few || len(blocks) == 0 {
		return nil
	}
	out := &Few{Values: distinct, Codes: make([]uint8, 0, rowsOf(blocks))}
	for i := range blocks {
		for _, code := range blocks[i].Few.Codes {
			out.Codes = append(out.Codes, places[code])
		}
		places = places[len(blocks[i].Few.Values):]
	}
	return out
}

func joinNumbers(blocks []Column) []float64 {
	out := make([]float64, 0, rowsOf(blocks))
	for i := range blocks {
		if few := blocks[i].Few; few != nil {
			for _, code := range few.Codes {
				out = append(out, few.Values[code])
			}
		}
		out = append(out, blocks[i].Numbers...)
		blocks[i] = Column{}
	}
	return out
}
