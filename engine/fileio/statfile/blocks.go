package statfile

import (
	"context"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Blocks gathers columns from blocks of rows, which several goroutines may put in
// any order. Each column of a block is put once; all blocks of a column are
// numbers or all texts.
type Blocks struct {
	mutex   sync.Mutex
	columns [][]Column // by column and block
}

// NewBlocks returns what gathers so many columns.
func NewBlocks(columns int) *Blocks { return &Blocks{columns: make([][]Column, columns)} }

// Put keeps a column of a block.
func (b *Blocks) Put(block, column int, data Column) {
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
		rows := 0
		for block := range b.columns[i] {
			rows += b.columns[i][block].Len()
		}
		switch {
		case len(b.columns[i]) == 1 && (decode == nil || !text(i)):
			out[i] = b.columns[i][0]
		case text(i):
			out[i].Texts = joinTexts(b.columns[i], rows, decode)
		default:
			out[i].Numbers = make([]float64, 0, rows)
			for block := range b.columns[i] {
				out[i].Numbers = append(out[i].Numbers, b.columns[i][block].Numbers...)
			}
		}
		b.columns[i] = nil
		return nil
	})
	return out, err
}

// joinTexts makes one dictionary of those of the blocks, in the order of the
// rows in which the values come first.
func joinTexts(blocks []Column, rows int, decode func(string) string) *Texts {
	all := NewDictionary(rows)
	codes := make([]uint32, rows)
	at := 0
	for i := range blocks {
		texts := blocks[i].Texts
		if texts == nil {
			continue
		}
		mapping := make([]uint32, len(texts.Values)+1)
		for j, value := range texts.Values {
			if decode != nil {
				value = decode(value)
			}
			mapping[j+1] = all.Code(value)
		}
		for _, code := range texts.Codes {
			codes[at] = mapping[code]
			at++
		}
		blocks[i] = Column{}
	}
	return &Texts{Values: all.values, Codes: codes}
}
