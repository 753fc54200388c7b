package statfile

import "github.com/sdcdesk/sdcdesk/engine/data/microdata"

// Batches gathers pieces of a file until they have a multiple of a number of rows.
type Batches struct {
	each   int
	pieces []*File
	rows   int
}

// NewBatches returns what gathers multiples of so many rows.
func NewBatches(each int) *Batches { return &Batches{each: each} }

// Add takes the next piece, and returns the rows that are complete; nil: there are none yet.
func (b *Batches) Add(piece *File) *File {
	b.pieces, b.rows = append(b.pieces, piece), b.rows+piece.Rows
	if b.rows < b.each {
		return nil
	}
	all := joined(b.pieces, b.rows)
	whole := all.Rows - all.Rows%b.each
	if b.pieces, b.rows = nil, all.Rows-whole; b.rows > 0 {
		b.pieces = []*File{all.Between(whole, all.Rows)}
		all = all.Between(0, whole)
	}
	return all
}

// Rest returns the rows that are left; nil: none.
func (b *Batches) Rest() *File {
	if b.rows == 0 {
		return nil
	}
	return joined(b.pieces, b.rows)
}

// joined returns pieces one behind the other.
func joined(pieces []*File, rows int) *File {
	if len(pieces) == 1 {
		return pieces[0]
	}
	out := pieces[0].WithoutColumns(rows)
	for i := range out.Variables {
		c := &out.Variables[i].Column
		if out.Variables[i].Kind != Text {
			c.Numbers = make([]float64, 0, rows)
			for _, p := range pieces {
				c.Numbers = append(c.Numbers, p.Variables[i].Column.Numbers...)
			}
			continue
		}
		all := NewDictionary(rows)
		for _, p := range pieces {
			texts := p.Variables[i].Column.Texts
			codes := make([]uint32, len(texts.Values)+1)
			for j, value := range texts.Values {
				codes[j+1] = all.Code(value)
			}
			for _, code := range texts.Codes.Between(0, p.Rows) {
				all.AddCode(codes[code])
			}
		}
		c.Texts = all.Texts()
	}
	return out
}

// Between returns the rows from one to before another.
func (f *File) Between(from, to int) *File {
	out := f.WithoutColumns(to - from)
	for i := range out.Variables {
		of, c := &f.Variables[i].Column, &out.Variables[i].Column
		if of.Texts != nil {
			c.Texts = &Texts{Values: of.Texts.Values, Codes: microdata.CodesOf(of.Texts.Codes.Between(from, to))}
		} else {
			c.Numbers = of.Numbers[from:to]
		}
	}
	return out
}

// WithoutColumns returns a file of so many rows and the same variables, without columns.
func (f *File) WithoutColumns(rows int) *File {
	out := *f
	out.Rows, out.Total, out.Variables = rows, rows, make([]Variable, len(f.Variables))
	for i := range out.Variables {
		out.Variables[i] = f.Variables[i]
		out.Variables[i].Column = Column{}
	}
	return &out
}
