package spreadsheet

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// mostOldColumns is the maximum number of columns in a sheet of these programs.
const mostOldColumns = 256

// oldCell is the position of a cell record.
type oldCell struct {
	row uint16
	at  uint32
}

// sheet reads the cells of a sheet row by row, whatever the order of their records.
func (w *oldWorkbook) sheet(ctx context.Context, place uint32, g *grid) error {
	cells, err := w.cellsOf(ctx, place)
	if err != nil {
		return err
	}
	var row []cell
	for i, c := range cells {
		if i%(1<<12) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if i > 0 && c.row != cells[i-1].row {
			if err := g.add(row); err != nil || g.full() {
				return err
			}
			row = row[:0]
		}
		if row, err = w.cells(row, c.at); err != nil {
			return err
		}
	}
	return g.add(row)
}

// cellsOf returns the cell records of a sheet in order of rows. Embedded charts are separate substreams.
func (w *oldWorkbook) cellsOf(ctx context.Context, place uint32) (cells []oldCell, err error) {
	r := &records{content: w.content, next: int(place)}
	if !w.begin(r, worksheet) {
		return nil, w.in.Failure(statfile.ErrDamaged, "the sheet does not begin where it should: the workbook is damaged")
	}
	sorted := true
	for inside, n := 1, 0; inside > 0; n++ {
		if n%(1<<12) == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		at := r.next
		if !r.step() {
			return nil, w.in.Failure(statfile.ErrDamaged, "a sheet has no end: the workbook is truncated or damaged")
		}
		switch r.kind {
		case recordBegin:
			inside++
		case recordEnd:
			inside--
		case recordFormula, recordNumbers, recordRich, recordShared, recordNumber, recordLabel, recordTruth, recordShort:
			if inside > 1 || len(r.data) < 6 {
				continue
			}
			c := oldCell{binary.LittleEndian.Uint16(r.data), uint32(at)}
			sorted = sorted && (len(cells) == 0 || c.row >= cells[len(cells)-1].row)
			cells = append(cells, c)
		}
	}
	if !sorted {
		slices.SortStableFunc(cells, func(a, b oldCell) int { return cmp.Compare(a.row, b.row) })
	}
	return cells, nil
}

// cells puts the cells of a record into a row.
func (w *oldWorkbook) cells(row []cell, at uint32) ([]cell, error) {
	r := &records{content: w.content, next: int(at)}
	r.step()
	kind, d := r.kind, r.data
	column, style := int(binary.LittleEndian.Uint16(d[2:])), int(binary.LittleEndian.Uint16(d[4:]))
	if column >= mostOldColumns {
		return nil, w.in.Failure(statfile.ErrDamaged,
			"a cell is in a column that no sheet has: the workbook is damaged")
	}
	if kind == recordNumbers {
		const each = 6 // style and number, after the first column and before the last
		for d = d[4:]; len(d) >= each+2 && column < mostOldColumns; d = d[each:] {
			row = put(row, column, w.dated(shortNumber(d[2:]), int(binary.LittleEndian.Uint16(d))))
			column++
		}
		return row, nil
	}
	r.data = d[6:]
	c, ok := w.cell(r, kind, style)
	if !ok {
		return nil, w.in.Failure(statfile.ErrDamaged,
			"a cell has no content, or refers to a text that does not exist: the workbook is damaged")
	}
	return put(row, column, c), nil
}

// put puts a cell into a row.
func put(row []cell, column int, c cell) []cell {
	for len(row) <= column {
		row = append(row, cell{})
	}
	row[column] = c
	return row
}

// cell returns the cell of a record.
func (w *oldWorkbook) cell(r *records, kind uint16, style int) (c cell, ok bool) {
	d := r.data
	switch kind {
	case recordShared:
		if len(d) < 4 {
			return c, false
		}
		place := binary.LittleEndian.Uint32(d)
		if uint64(place) >= uint64(len(w.texts)) {
			return c, false
		}
		return cell{kind: textCell, text: w.texts[place]}, true
	case recordLabel, recordRich:
		text, ok := w.text(r, false)
		return cell{kind: textCell, text: text}, ok
	case recordShort:
		if len(d) < 4 {
			return c, false
		}
		return w.dated(shortNumber(d), style), true
	case recordTruth:
		if len(d) < 2 {
			return c, false
		}
		return truth(d[0], d[1] != 0), true
	case recordFormula:
		return w.result(r, style)
	default:
		return w.number(d, style)
	}
}

// number returns the cell of a double.
func (w *oldWorkbook) number(d []byte, style int) (cell, bool) {
	if len(d) < 8 {
		return cell{}, false
	}
	number := math.Float64frombits(binary.LittleEndian.Uint64(d))
	if math.IsNaN(number) || math.IsInf(number, 0) {
		return cell{kind: errorCell}, true
	}
	return w.dated(number, style), true
}

func truth(value byte, isError bool) cell {
	switch {
	case isError:
		return cell{kind: errorCell}
	case value != 0:
		return cell{kind: truthCell, number: 1}
	}
	return cell{kind: truthCell}
}

// result returns the result of a formula. A text is in a later record, possibly after a shared formula.
func (w *oldWorkbook) result(r *records, style int) (cell, bool) {
	const text, truthValue, errorValue, emptyText = 0, 1, 2, 3
	d := r.data
	if len(d) < 8 || d[6] != 0xff || d[7] != 0xff {
		return w.number(d, style)
	}
	switch d[0] {
	case text:
		for range 3 {
			if !r.step() || r.kind == recordFormula {
				break
			}
			if r.kind == recordText {
				said, ok := w.text(r, false)
				return cell{kind: textCell, text: said}, ok
			}
		}
		return cell{}, false
	case truthValue, errorValue:
		return truth(d[2], d[0] == errorValue), true
	case emptyText:
		return cell{kind: textCell}, true
	}
	return cell{}, false
}

// shortNumber decodes an RK number of 30 bits: an integer or the high bits of a double, possibly divided by 100.
func shortNumber(d []byte) float64 {
	const hundredths, whole = 1, 2
	bits := binary.LittleEndian.Uint32(d)
	number := math.Float64frombits(uint64(bits&^3) << 32)
	if bits&whole != 0 {
		number = float64(int32(bits) >> 2)
	}
	if bits&hundredths != 0 {
		number /= 100
	}
	return number
}
