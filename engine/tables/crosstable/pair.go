package crosstable

import (
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

	now, was []int // by the code of the row and then that of the column
	width    int   // codes of a column
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
// proportional to the distinct keys and the cells; where categories changed, to the records.
func Compare(now, before *keys.Table, down, across Axis) *Pair {
	p := &Pair{width: len(across.Now.Levels) + 1}
	all, byRow, byColumn := Line{}, make([]Line, len(down.Now.Levels)+1), make([]Line, p.width)
	counted := func(t *keys.Table, rows, columns []uint32) []int {
		sums, a, b := make([]int, len(byRow)*p.width), t.Codes(down.Variable), t.Codes(across.Variable)
		for key, n := range t.Counts() {
			sums[p.at(rows[a[key]], columns[b[key]])] += n
		}
		return sums
	}
	p.now = counted(now, stat.InOrder(len(byRow)), stat.InOrder(p.width))
	p.was = p.now
	if down.Now != down.Before || across.Now != across.Before {
		rows, columns := down.became(), across.became()
		if p.Unknown = rows == nil || columns == nil; !p.Unknown {
			p.was = counted(before, rows, columns)
		}
	}
	for at, now := range p.now {
		was := p.was[at]
		for _, line := range []*Line{&all, &byRow[at/p.width], &byColumn[at%p.width]} {
			line.Now += now
			line.Was += was
		}
		p.Differs = p.Differs || was != now
	}
	p.Rows, p.Columns = append([]Line{all}, occurring(byRow)...), occurring(byColumn)
	return p
}

// at returns the place of a cell.
func (p *Pair) at(row, column uint32) int { return int(row)*p.width + int(column) }

// became returns by code of before what a category became; nil: not known.
func (a *Axis) became() []uint32 {
	if a.Now != a.Before {
		became, _ := a.Now.MadeOf(a.Before)
		return became
	}
	return stat.InOrder(len(a.Now.Levels) + 1)
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
	at := p.at(p.Rows[row].Code, p.Columns[column].Code)
	return p.now[at], p.was[at]
}
