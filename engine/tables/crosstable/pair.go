package crosstable

import (
	"github.com/sdcdesk/sdcdesk/engine/base/size"
	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Pair is the cross table of two key variables as it is and as it was, by the
// categories of now: those before are counted under what they became.
type Pair struct {
	Rows    []Line // that occur, now or before, missing last; behind the sum of all
	Columns []Line // likewise, without a sum
	Differs bool   // before there were other counts
	Unknown bool   // categories did not become others as a whole; Was is then as Now

	now, was map[[2]uint32]int
}

// Line is a category of one of the variables with all its records.
type Line struct {
	Code     uint32 // 0: missing; of the sum too
	Now, Was int
}

// Axis is a variable of a Pair: its place in the key tables, and its categories.
type Axis struct {
	Variable    int
	Now, Before *microdata.Categories
}

// Compare counts two variables of key tables against each other, in time
// proportional to the distinct keys; where categories changed, to the records.
func Compare(now, before *keys.Table, down, across Axis) *Pair {
	p := &Pair{now: counted(now, down, across, nil, nil)}
	p.was = p.now
	if down.Now != down.Before || across.Now != across.Before {
		rows, columns := down.became(), across.became()
		if p.Unknown = rows == nil || columns == nil; !p.Unknown {
			p.was = counted(before, down, across, rows, columns)
		}
	}
	all, byRow, byColumn := Line{}, make([]Line, len(down.Now.Levels)+1), make([]Line, len(across.Now.Levels)+1)
	add := func(pair [2]uint32, now, was int) {
		for _, line := range []*Line{&all, &byRow[pair[0]], &byColumn[pair[1]]} {
			line.Now += now
			line.Was += was
		}
	}
	for pair, n := range p.now {
		add(pair, n, p.was[pair])
		p.Differs = p.Differs || p.was[pair] != n
	}
	for pair, n := range p.was {
		if _, known := p.now[pair]; !known {
			add(pair, 0, n)
			p.Differs = true
		}
	}
	p.Rows, p.Columns = append([]Line{all}, occurring(byRow)...), occurring(byColumn)
	return p
}

// became returns by code of before what a category became; nil: not known.
func (a *Axis) became() []uint32 {
	if a.Now != a.Before {
		became, _ := a.Now.MadeOf(a.Before)
		return became
	}
	return stat.InOrder(len(a.Now.Levels) + 1)
}

// counted adds up the records of the distinct keys by two of their variables, whose
// codes may have become others; nil: they did not.
func counted(t *keys.Table, down, across Axis, rows, columns []uint32) map[[2]uint32]int {
	sums := map[[2]uint32]int{}
	of := func(code uint32, became []uint32) uint32 {
		if became == nil {
			return code
		}
		return became[code]
	}
	a, b := t.Codes(down.Variable), t.Codes(across.Variable)
	for key, n := range t.Counts() {
		sums[[2]uint32{of(a[key], rows), of(b[key], columns)}] += int(n)
	}
	return sums
}

// occurring returns the lines with a record, given by code, missing last.
func occurring(byCode []Line) (lines []Line) {
	for code := range byCode {
		at := (code + 1) % len(byCode)
		if line := byCode[at]; line.Now > 0 || line.Was > 0 {
			line.Code = uint32(at)
			lines = append(lines, line)
		}
	}
	return lines
}

// Cell returns the records of a cell, now and before, by the places of its lines.
func (p *Pair) Cell(row, column int) (now, was int) {
	if row == 0 {
		return p.Columns[column].Now, p.Columns[column].Was
	}
	pair := [2]uint32{p.Rows[row].Code, p.Columns[column].Code}
	return p.now[pair], p.was[pair]
}

// Bytes returns the memory of the table; nil has none.
func (p *Pair) Bytes() int {
	if p == nil {
		return 0
	}
	const perCell = 32 // of a map, with room
	return size.Of(p.Rows, p.Columns) + perCell*(len(p.now)+len(p.was))
}
