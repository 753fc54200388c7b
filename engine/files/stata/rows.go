package stata

import (
	"bytes"
	"context"
	"slices"
	"sync/atomic"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// records decodes the records of the selected variables.
type records struct {
	*header
	in     *statfile.Source
	wanted []int // indices of the selected variables
	long   longTexts
	odd    []atomic.Bool // by selected variable: some values are outside Stata's range
}

func (s storage) text() bool { return s.kind == textStorage || s.kind == longTextStorage }

// decode decodes records in blocks, in parallel.
func (r *records) decode(ctx context.Context, blocks *statfile.Blocks, rows int, meter *progress.Meter) error {
	if rows == 0 {
		return ctx.Err()
	}
	return r.in.ReadRows(ctx, r.data, rows, r.width, meter, func(m *statfile.RowMemory, first int) error {
		rows := len(m.Rows) / r.width
		m.Numbers = slices.Grow(m.Numbers[:0], rows)[:rows]
		for i, v := range r.wanted {
			if err := r.column(m, blocks, first, i, &r.variables[v]); err != nil {
				return err
			}
		}
		return nil
	})
}

// column decodes a variable in a block that starts at row from.
func (r *records) column(m *statfile.RowMemory, blocks *statfile.Blocks, from, i int, v *variable) error {
	at, rows := m.Rows[v.at:], len(m.Numbers)
	if !v.text() {
		if r.decodeNumbers(at, v.kind, m.Numbers) {
			r.odd[i].Store(true)
		}
		if by := shiftOf(dateFormat(v.format)); by != nil {
			for row := range m.Numbers {
				shift(&m.Numbers[row], by)
			}
		}
		blocks.Put(from, i, statfile.Column{Numbers: m.Numbers})
		return nil
	}
	dictionary := statfile.NewDictionary(rows)
	if v.kind == longTextStorage {
		if err := r.pointed(at, dictionary, rows); err != nil {
			return err
		}
	} else {
		for range rows {
			cell := at[:v.width]
			if end := bytes.IndexByte(cell, 0); end >= 0 {
				cell = cell[:end]
			}
			dictionary.Add(cell)
			at = at[min(r.width, len(at)):]
		}
	}
	blocks.Put(from, i, statfile.Column{Texts: dictionary.Texts()})
	return nil
}

// pointed looks up the texts of a strL.
func (r *records) pointed(at []byte, dictionary *statfile.Dictionary, rows int) error {
	codes := map[uint64]uint32{}
	for range rows {
		pointer := r.order.Uint64(at)
		at = at[min(r.width, len(at)):]
		code, known := codes[pointer]
		if !known {
			text, found := r.long[pointer]
			if !found && pointer != 0 {
				return r.in.Failure(statfile.ErrDamaged,
					"a record points to a long text that is not in the file: it is truncated or damaged")
			}
			code = dictionary.Code(text)
			codes[pointer] = code
		}
		dictionary.AddCode(code)
	}
	return nil
}

// decodeNumbers decodes a numeric variable, whose first value is at the beginning of at. It reports whether some
// values became missing that are outside Stata's range.
func (r *records) decodeNumbers(at []byte, kind storageKind, out []float64) (odd bool) {
	order, width := r.order, r.width
	switch kind {
	case byteStorage:
		var values [256]float64
		for b := range values {
			values[b] = r.whole(int32(int8(b)), missingByte, 127)
		}
		for i := range out {
			out[i] = values[at[i*width]]
		}
	case intStorage:
		for i := range out {
			out[i] = r.whole(int32(int16(order.Uint16(at[i*width:]))), missingInt, 32767)
		}
	case longStorage:
		for i := range out {
			out[i] = r.whole(int32(order.Uint32(at[i*width:])), missingLong, 1<<31-1)
		}
	case floatStorage:
		for i := range out {
			bits := order.Uint32(at[i*width:])
			out[i] = r.float(bits)
			odd = odd || bits>>31 != 0 && out[i] != out[i]
		}
	default:
		for i := range out {
			bits := order.Uint64(at[i*width:])
			out[i] = r.double(bits)
			odd = odd || bits>>63 != 0 && out[i] != out[i]
		}
	}
	return odd
}
