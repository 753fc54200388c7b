package statfile

import (
	"cmp"
	"context"
	"iter"
	"slices"
)

// Ranges yields the rows, from one to before another, that are gathered at a time where a row
// has so many bytes: all of them, or those of a piece after the other where the options ask for pieces.
func (o *ReadOptions) Ranges(rows, width int) iter.Seq2[int, int] {
	each := max(1, rows)
	if o.Each != nil {
		each = o.PieceRows(width)
	}
	return func(yield func(from, to int) bool) {
		for from := 0; from == 0 || from < rows; from += each {
			if !yield(from, min(from+each, rows)) {
				return
			}
		}
	}
}

// PieceRows returns how many rows of so many bytes are a piece, about.
func (o *ReadOptions) PieceRows(width int) int {
	const most, bytes = 1 << 16, 8 << 20
	return min(cmp.Or(o.Piece, most), max(1, bytes/max(1, width)))
}

// Gather gathers so many rows from one on, which put puts into blocks; less than 0: it is not known how
// many. They become the columns of the variables, or those of a piece where the options ask for
// pieces. Errors are those of put, of Blocks.Columns, and of ReadOptions.Each.
func (f *File) Gather(ctx context.Context, in *Source, o *ReadOptions, charset *Charset, from, rows int,
	put func(*Blocks) error) error {
	blocks := NewBlocks(in, len(f.Variables), rows, o.Compact)
	blocks.from = from
	if err := put(blocks); err != nil {
		return err
	}
	of := f
	if o.Each != nil {
		of = &File{Variables: slices.Clone(f.Variables), Rows: rows}
	}
	if err := of.take(ctx, blocks, charset); err != nil {
		return err
	}
	if o.Each == nil || rows == 0 {
		return nil
	}
	defer func() { _ = in.Take(-blocks.taken.Load()) }() // of what is given back
	return o.Each(ctx, of)
}
