package keys

import (
	"context"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// mostCrossed is the largest number of pairs of categories that are counted.
const mostCrossed = 1 << 20

// crossed says what is counted against each other: places of key variables in the
// tables of two assessments.
type crossed struct {
	now, before  *risk.Assessment
	down, across int
}

// foundCross is a table of two variables. Its first row is the sum of all others.
type foundCross struct {
	crossed
	rows, columns []crossLine // none: there would be too many
	now, was      map[[2]uint32]int
	differs       bool // the original has other counts
	untold        bool // its categories did not become these as a whole
}

// crossLine is a category of one of the variables with all its records.
type crossLine struct {
	label    string
	code     uint32
	now, was int
}

// crossed returns what the table of a state is of.
func (p *CrossTable) crossed(s views.State) crossed {
	down, across := p.variables(s)
	return crossed{s.Current.Assessment, s.Original.Assessment, slices.Index(s.Keys(), down), slices.Index(s.Keys(), across)}
}

// Seek counts the two variables against each other, from the distinct keys.
func (p *CrossTable) Seek(s views.State) views.Piece {
	of := p.crossed(s)
	if of.now == nil || of.before == nil || of.down < 0 {
		return nil
	}
	down, across := s.Categories(s.Keys()[of.down]), s.Categories(s.Keys()[of.across])
	if down.Now == nil || down.Before == nil || across.Now == nil || across.Before == nil {
		return nil
	}
	return p.found.Seek(of, func(context.Context) (foundCross, error) {
		found := foundCross{crossed: of}
		if len(down.Now.Levels)*len(across.Now.Levels) <= mostCrossed {
			found.count(down, across)
		}
		return found, nil
	})
}

// count adds up the keys; those of the original go to the categories that theirs
// became.
func (c *foundCross) count(down, across views.NowAndBefore) {
	c.now = crossOf(c.crossed.now.Table(), c.down, c.across, nil, nil)
	c.was = c.now
	if down.Now != down.Before || across.Now != across.Before {
		rows, _ := fatesOf(down)
		columns, _ := fatesOf(across)
		if c.untold = rows == nil || columns == nil; !c.untold {
			c.was = crossOf(c.before.Table(), c.down, c.across, rows, columns)
		}
	}
	byRow, byColumn := map[uint32]*crossLine{}, map[uint32]*crossLine{}
	line := func(of map[uint32]*crossLine, code uint32) *crossLine {
		if of[code] == nil {
			of[code] = &crossLine{code: code}
		}
		return of[code]
	}
	all := crossLine{label: "all"}
	for pair, n := range c.now {
		line(byRow, pair[0]).now += n
		line(byColumn, pair[1]).now += n
		all.now += n
		c.differs = c.differs || c.was[pair] != n
	}
	for pair, n := range c.was {
		line(byRow, pair[0]).was += n
		line(byColumn, pair[1]).was += n
		all.was += n
		c.differs = c.differs || c.now[pair] != n
	}
	c.rows = append([]crossLine{all}, crossLines(byRow, down.Now)...)
	c.columns = crossLines(byColumn, across.Now)
}

// fatesOf is fates, also of a variable that did not change.
func fatesOf(of views.NowAndBefore) (became []uint32, counts []int) {
	if of.Now != of.Before {
		return views.CategoryMapping(of.Now, of.Before)
	}
	became = make([]uint32, len(of.Now.Levels)+1)
	for code := range became {
		became[code] = uint32(code)
	}
	return became, nil
}

// crossOf adds up the records of the distinct keys by two of their variables, whose
// codes may have become others; nil: they did not.
func crossOf(t *keys.Table, down, across int, rows, columns []uint32) map[[2]uint32]int {
	counts, sums := t.Counts(), map[[2]uint32]int{}
	of := func(code uint32, became []uint32) uint32 {
		if became == nil {
			return code
		}
		return became[code]
	}
	a, b := t.Codes(down), t.Codes(across)
	for key, n := range counts {
		sums[[2]uint32{of(a[key], rows), of(b[key], columns)}] += int(n)
	}
	return sums
}

// crossLines returns the categories that occur, in the order of the levels, missing
// last.
func crossLines(of map[uint32]*crossLine, categories *microdata.Categories) []crossLine {
	var lines []crossLine
	for code := uint32(1); int(code) <= len(categories.Levels); code++ {
		if line := of[code]; line != nil {
			line.label = categories.Levels[code-1].Label
			lines = append(lines, *line)
		}
	}
	if missing := of[0]; missing != nil {
		missing.label = views.MissingLabel
		lines = append(lines, *missing)
	}
	return lines
}

// counts returns the records of a cell, now and in the original.
func (c *foundCross) counts(row, column int) (n, was int) {
	if row == 0 {
		return c.columns[column].now, c.columns[column].was
	}
	pair := [2]uint32{c.rows[row].code, c.columns[column].code}
	return c.now[pair], c.was[pair]
}

// text spells a cell, the original behind it where anything differs.
func (c *foundCross) text(row, column, n, was, k int, share views.ShareKind) string {
	mark := ""
	if row > 0 && n > 0 && n < k {
		mark = "!"
	}
	spell := func(n int, of *crossLine, whole int) string {
		if share == views.ShareNone {
			return draw.Count(n)
		}
		return draw.Percent(n, whole)
	}
	of := &c.rows[row]
	switch share {
	case views.ShareOfColumn:
		of = &c.columns[column]
	case views.ShareOfAll:
		of = &c.rows[0]
	case views.ShareNone, views.ShareOfRow, views.ShareKinds:
	}
	text := mark + spell(n, of, of.now)
	if c.differs {
		text += " (" + spell(was, of, of.was) + ")"
	}
	return strings.TrimSpace(text)
}

// size returns the width of the widest cell: none has more records than the sums.
func (c *foundCross) size(k int, share views.ShareKind) int {
	most := crossLine{}
	for i := range c.columns {
		most.now, most.was = max(most.now, c.columns[i].now), max(most.was, c.columns[i].was)
	}
	size := max(5, draw.Width(c.text(0, 0, most.now, most.was, k, views.ShareNone))+1)
	if share != views.ShareNone && c.differs {
		size = max(len("100.0 (100.0)"), size)
	}
	return size
}
