package keys

import (
	"context"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/tables/crosstable"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// mostCrossed is the maximum number of cells.
const mostCrossed = 1 << 20

// crossTableKey identifies a cross table: indices of two key variables in the key tables of two assessments.
type crossTableKey struct {
	now, before  *risk.Assessment
	down, across int
}

// crossTable is a cross table of two variables. Its first row has the sums.
type crossTable struct {
	crossTableKey
	*crosstable.Pair // nil: there would be too many cells
	down, across     *microdata.Categories
}

// crossed returns the identity of the cross table of a state.
func (p *CrossTable) crossed(s views.State) crossTableKey {
	down, across := p.variables(s)
	return crossTableKey{s.Current.Assessment, s.Original.Assessment, slices.Index(s.Keys(), down),
		slices.Index(s.Keys(), across)}
}

// Seek counts the cells from the key patterns.
func (p *CrossTable) Seek(s views.State) views.Piece {
	of := p.crossed(s)
	if of.now == nil || of.before == nil || of.down < 0 {
		return nil
	}
	down, across := s.Categories(s.Keys()[of.down]), s.Categories(s.Keys()[of.across])
	if !down.Known() || !across.Known() {
		return nil
	}
	return p.found.Seek(of, func(context.Context) (crossTable, error) {
		found := crossTable{crossTableKey: of, down: down.Now, across: across.Now}
		if len(down.Now.Levels)*len(across.Now.Levels) <= mostCrossed {
			found.Pair = crosstable.Compare(of.now.Table(), of.before.Table(),
				crosstable.Axis{Variable: of.down, Now: down.Now, Before: down.Before},
				crosstable.Axis{Variable: of.across, Now: across.Now, Before: across.Before})
		}
		return found, nil
	})
}

// row names the category of a row.
func (c *crossTable) row(s views.State, variable string, row int) string {
	if row == 0 {
		return "Total"
	}
	return views.LevelLabelOf(s, variable, c.down, c.Rows[row].Code)
}

// column names the category of a column.
func (c *crossTable) column(s views.State, variable string, column int) string {
	return views.LevelLabelOf(s, variable, c.across, c.Columns[column].Code)
}

// text returns the text of a cell, followed by the original if any cell differs.
func (c *crossTable) text(row, column, n, was, k int, share views.ShareKind) string {
	mark := ""
	if row > 0 && n > 0 && n < k {
		mark = "!"
	}
	spell := func(n int, of *crosstable.Line, whole int) string {
		if share == views.ShareNone {
			return draw.Count(n)
		}
		return strings.TrimSuffix(wording.PercentOf(n, whole), " %")
	}
	of := &c.Rows[row]
	switch share {
	case views.ShareOfColumn:
		of = &c.Columns[column]
	case views.ShareOfAll:
		of = &c.Rows[0]
	case views.ShareNone, views.ShareOfRow, views.ShareKinds:
	}
	text := mark + spell(n, of, of.Now)
	if c.Differs {
		text += " (" + spell(was, of, of.Was) + ")"
	}
	return strings.TrimSpace(text)
}

// size returns the width of the widest cell; the sums have the most records.
func (c *crossTable) size(k int, share views.ShareKind) int {
	most := crosstable.Line{}
	for i := range c.Columns {
		most.Now, most.Was = max(most.Now, c.Columns[i].Now), max(most.Was, c.Columns[i].Was)
	}
	size := max(5, draw.Width(c.text(0, 0, most.Now, most.Was, k, views.ShareNone))+1)
	if share != views.ShareNone && c.Differs {
		size = max(len("100.0 (100.0)"), size)
	}
	return size
}
