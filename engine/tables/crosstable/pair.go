package crosstable

import (
	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Pair is the cross table of two key variables, now and originally, by current categories: original records are
// counted under the categories that theirs became.
type Pair struct {
	Rows    []Line // categories that occur now or originally, missing last, after a line for all records
	Columns []Line // likewise, without a line for all
	Differs bool   // whether the original counts differ
	Unknown bool   // the mapping of original categories is unknown; Was is then equal to Now

	now, was []int // by code of the row, then code of the column
	width    int   // number of codes of the column variable
}

// Line is a category of one of the variables with its total number of records.
type Line struct {
	Code     uint32 // 0: missing, and in the line for all
	Now, Was int
}

// Axis is a variable of a Pair: its index in the key tables, and its categories.
type Axis struct {
	Variable    int
	Now, Before *microdata.Categories
}

// Compare cross-tabulates two variables of key tables. The time is proportional to the number of key patterns and
// cells, or of records if categories changed.
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

// at returns the index of a cell.
func (p *Pair) at(row, column uint32) int { return int(row)*p.width + int(column) }

// became returns the current code of each original code, or nil if unknown.
func (a *Axis) became() []uint32 {
	if a.Now != a.Before {
		became, _ := a.Now.MadeOf(a.Before)
		return became
	}
	return stat.InOrder(len(a.Now.Levels) + 1)
}

// occurring returns the lines with records, given by code, with missing last.
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

// Cell returns the number of records of a cell, now and originally, by the indices of its lines.
func (p *Pair) Cell(row, column int) (now, was int) {
	if row == 0 {
		return p.Columns[column].Now, p.Columns[column].Was
	}
	at := p.at(p.Rows[row].Code, p.Columns[column].Code)
	return p.now[at], p.was[at]
}
