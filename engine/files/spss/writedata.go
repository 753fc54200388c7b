package spss

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"math"
	"runtime"
	"slices"

	"github.com/klauspost/compress/zlib"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// encoder converts columns to rows.
type encoder struct {
	kind   int // compression method
	layout *layout
	blocks deflated
}

// rows writes the rows, several blocks at a time. zlib blocks are kept until all rows are compressed.
func (e *encoder) rows(ctx context.Context, w io.Writer, rows int, meter *progress.Meter) error {
	stride := 8 * e.layout.elements
	for i := range e.layout.variables {
		e.layout.variables[i].drawCells()
	}
	perBlock := max(8, min(mostRows, blockSize/stride)&^7) // blocks consist of whole groups of eight codes
	if e.kind != zlibBlocks {
		return statfile.WriteRows(ctx, w, rows, perBlock, meter, e.block)
	}
	if err := statfile.WriteRows(ctx, &e.blocks, rows, perBlock, meter, e.block); err != nil {
		return err
	}
	return e.blocks.writeTo(ctx, w)
}

// block appends the rows in [from, to), in parts.
func (e *encoder) block(dst []byte, from, to int) []byte {
	stride := 8 * e.layout.elements
	perSheet := max(8, min(to-from, sheetSize/stride)&^7)
	sheet := make([]byte, perSheet*stride)
	dst = slices.Grow(dst, (to-from)*(stride+stride/8+1)) // size if all elements are literals
	for ; from < to; from += perSheet {
		rows := sheet[:min(perSheet, to-from)*stride]
		for i := range e.layout.variables {
			if v := &e.layout.variables[i]; v.width > 0 {
				v.putTexts(rows, stride, from)
			} else {
				v.putNumbers(rows, stride, from)
			}
		}
		if e.kind != uncompressed {
			dst = e.encode(dst, rows)
		} else {
			dst = append(dst, rows...)
		}
	}
	return dst
}

func (v *stored) putNumbers(rows []byte, stride, from int) {
	for at, row := v.offsets[0], from; at < len(rows); at, row = at+stride, row+1 {
		value := v.Column.Numbers[row]
		if value != value {
			value = systemMissing
		} else if v.Kind != statfile.Number {
			value = own(v.Kind, value)
		}
		binary.LittleEndian.PutUint64(rows[at:], math.Float64bits(value))
	}
}

// mostCells is the maximum size in bytes of the prepared cells of a text variable.
const mostCells = 1 << 20

// drawCells prepares the cells of a text variable with few values.
func (v *stored) drawCells() {
	v.cells = nil
	if v.width == 0 || (len(v.Column.Texts.Values)+1)*8*v.elements() > mostCells {
		return
	}
	for code := range uint32(len(v.Column.Texts.Values) + 1) {
		v.cells = append(v.cells, make([]byte, 8*v.elements()))
		v.putText(v.cells[code], code)
	}
}

func (v *stored) putTexts(rows []byte, stride, from int) {
	size := 8 * v.elements()
	for at, row := v.offsets[0], from; at < len(rows); at, row = at+stride, row+1 {
		code, cell := v.Column.Texts.Codes.At(row), rows[at:at+size]
		switch {
		case v.cells == nil:
			v.putText(cell, code)
		case size == 8:
			*(*[8]byte)(cell) = *(*[8]byte)(v.cells[code])
		default:
			copy(cell, v.cells[code])
		}
	}
}

// putText writes the cell of a code.
func (v *stored) putText(cell []byte, code uint32) {
	for i := range cell {
		cell[i] = ' '
	}
	if code == 0 {
		return
	}
	text := statfile.Cut(v.Column.Texts.Values[code-1], v.width)
	for i, offset := range v.offsets {
		if i*shortText >= len(text) {
			break
		}
		part := text[i*shortText:]
		if i < len(v.offsets)-1 {
			part = part[:min(len(part), shortText)]
		}
		copy(cell[offset-v.offsets[0]:], part)
	}
}

// encode appends rows in byte codes, padding the last group.
func (e *encoder) encode(dst, rows []byte) []byte {
	numbers := e.numbers()
	element := 0
	for len(rows) > 0 {
		group := len(dst)
		at := group + 8
		dst = slices.Grow(dst, 9*8)[:at+8*8]
		codes := uint64(0)
		for i := 0; i < 8*8 && len(rows) > 0; i += 8 {
			word := binary.LittleEndian.Uint64(rows)
			code := code(word, numbers[element])
			codes |= uint64(code) << i
			if binary.LittleEndian.PutUint64(dst[at:], word); code == codeLiteral {
				at += 8
			}
			rows = rows[8:]
			if element++; element == len(numbers) {
				element = 0
			}
		}
		binary.LittleEndian.PutUint64(dst[group:], codes)
		dst = dst[:at]
	}
	return dst
}

// numbers reports, by element of a row, whether it is a number.
func (e *encoder) numbers() []bool {
	numbers := make([]bool, e.layout.elements)
	for i := range e.layout.variables {
		if v := &e.layout.variables[i]; v.width == 0 {
			numbers[v.element] = true
		}
	}
	return numbers
}

// code returns the byte code of an element.
func code(word uint64, number bool) byte {
	if !number {
		if word == 0x2020202020202020 {
			return codeBlanks
		}
		return codeLiteral
	}
	value := math.Float64frombits(word)
	switch whole := int(value); {
	case value == systemMissing:
		return codeMissing
	case value > -bias && value < codeEnd-bias && float64(whole) == value && (whole != 0 || word == 0):
		return byte(whole + bias)
	default:
		return codeLiteral
	}
}

// deflated compresses byte codes into zlib blocks.
type deflated struct {
	start   int64
	pending []byte
	blocks  [][]byte
	sizes   []int
}

const zlibBlockSize = 0x3ff000 // the size used by SPSS

// Write adds byte codes; full blocks are compressed, several at a time.
func (z *deflated) Write(codes []byte) (int, error) {
	z.pending = append(z.pending, codes...)
	if full := len(z.pending) / zlibBlockSize; full >= 2*runtime.GOMAXPROCS(0) {
		if err := z.compress(context.Background(), full); err != nil {
			return 0, err
		}
	}
	return len(codes), nil
}

func (z *deflated) compress(ctx context.Context, n int) error {
	made := make([][]byte, n)
	size := func(i int) int { return min(zlibBlockSize, len(z.pending)-i*zlibBlockSize) }
	err := parallel.Each(ctx, n, func(i int) error {
		var out bytes.Buffer
		packer := zlib.NewWriter(&out)
		if _, err := packer.Write(z.pending[i*zlibBlockSize:][:size(i)]); err != nil {
			return err
		}
		if err := packer.Close(); err != nil {
			return err
		}
		made[i] = out.Bytes()
		return nil
	})
	if err != nil {
		return err
	}
	done := 0
	for i := range made {
		z.blocks, z.sizes = append(z.blocks, made[i]), append(z.sizes, size(i))
		done += size(i)
	}
	z.pending = z.pending[:copy(z.pending, z.pending[done:])]
	return nil
}

// writeTo writes the header, all blocks and the trailer.
func (z *deflated) writeTo(ctx context.Context, w io.Writer) error {
	if err := z.compress(ctx, (len(z.pending)+zlibBlockSize-1)/zlibBlockSize); err != nil {
		return err
	}
	const headerSize, trailerSize, entrySize = 24, 24, 24
	at := z.start + headerSize
	var list []byte
	order, plain := binary.LittleEndian, z.start
	for i, block := range z.blocks {
		list = order.AppendUint64(list, uint64(plain))
		list = order.AppendUint64(list, uint64(at))
		list = order.AppendUint32(list, uint32(z.sizes[i]))
		list = order.AppendUint32(list, uint32(len(block)))
		plain, at = plain+int64(z.sizes[i]), at+int64(len(block))
	}
	var header, trailer []byte
	for _, n := range []int64{z.start, at, trailerSize + entrySize*int64(len(z.blocks))} {
		header = order.AppendUint64(header, uint64(n))
	}
	less := int64(-bias)
	trailer = order.AppendUint64(trailer, uint64(less))
	trailer = order.AppendUint64(trailer, 0)
	trailer = order.AppendUint32(trailer, zlibBlockSize)
	trailer = order.AppendUint32(trailer, uint32(len(z.blocks)))
	for _, part := range append(append([][]byte{header}, z.blocks...), trailer, list) {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}
