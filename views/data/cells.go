package data

import (
	"context"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// searchScope identifies the rows and columns that a search refers to.
type searchScope struct {
	searchKey
	changes int
}

// find moves the cursor to the next or the previous cell that contains a text. Long searches continue in the
// background.
func (p *Records) find(s views.State, text string, back bool) draw.Action {
	columns := len(p.columns(s))
	p.finds.cellQuery = cellQuery{text: strings.ToLower(text), back: back, from: p.Cursor.At*columns + p.Cursor.Column,
		rows: p.Rows(s), columns: columns, place: p.foundIn()}
	piece := p.seekCell(s)
	if s.Rows() > sortedAtOnce || piece == nil {
		return draw.Handled{}
	}
	if piece(context.Background(), time.Hour)(); p.finds.progress().found {
		return p.selectRow(p.Cursor.At)
	}
	return draw.Handled{}
}

// foundIn returns the identity of the visible rows and columns.
func (p *Records) foundIn() searchScope { return searchScope{p.matches().searchKey, p.layout.changes} }

// seekCell returns the next piece of a search for a cell, to which it moves the cursor, or nil if no search is
// running. The functions of holding are called in the background only, because they may examine all categories.
func (p *Records) seekCell(s views.State) views.Piece {
	of := p.finds.cellQuery
	if of.place != p.foundIn() || !p.finds.runs() {
		return nil
	}
	from, holds := *p.finds.progress(), p.holding(s)
	return p.finds.seen.Extend(of, func(ctx context.Context, budget time.Duration) (func(*cellSearchProgress), error) {
		seen := from.look(ctx, &of, budget, holds)
		return func(known *cellSearchProgress) {
			if *known = seen; seen.found && of.place == p.foundIn() {
				p.Cursor.At, p.Cursor.Column = seen.at/of.columns, seen.at%of.columns
			}
		}, nil
	})
}

// holding returns for each column a function that reports whether a row contains the text. The functions use
// nothing of the grid that may change.
func (p *Records) holding(s views.State) func(column int) func(row int) bool {
	columns, text := p.columns(s), p.finds.text
	record := p.matches().order.at
	if p.matches().meets != nil {
		records := p.matches().records
		record = func(row int) int { return int(records[row]) }
	}
	return func(i int) func(row int) bool {
		c := columns[i]
		if c.variable == nil {
			return func(row int) bool { return strings.Contains(figureText(s, c.figure, record(row)), text) }
		}
		holds := holdingColumn(c.variable, text)
		return func(row int) bool { return holds(record(row)) }
	}
}

// holdingColumn returns a function that reports whether a cell of a variable contains a text in lower case. Each
// category is compared once.
func holdingColumn(column *microdata.Column, text string) func(record int) bool {
	if column.StoredAsNumbers() != nil {
		var cell []byte
		return func(record int) bool {
			if column.Missing(record) {
				return false
			}
			cell = column.AppendText(cell[:0], record)
			return strings.Contains(strings.ToLower(string(cell)), text)
		}
	}
	categories := column.Categories()
	holds := make([]bool, len(categories.Levels)+1)
	for i := range categories.Levels {
		holds[i+1] = strings.Contains(strings.ToLower(categories.Levels[i].Label), text)
	}
	codes := categories.Codes
	return func(record int) bool { return holds[codes.At(record)] }
}

// copyCell copies the cell under the cursor.
func (p *Records) copyCell(s views.State, record int) draw.Action {
	c := p.current(s)
	return views.Copy{Text: p.raw(s, c, record), What: c.name() + " of " + p.called(s, record)}
}

// copyRecord copies a record as two tab-separated lines, names and values, of the visible columns in their order.
func (p *Records) copyRecord(s views.State, record int) draw.Action {
	var names, values []string
	columns := p.columns(s)
	plain := strings.NewReplacer("\t", " ", "\r", " ", "\n", " ")
	for i := range columns {
		names = append(names, plain.Replace(columns[i].name()))
		values = append(values, plain.Replace(p.raw(s, &columns[i], record)))
	}
	return views.Copy{Text: strings.Join(names, "\t") + "\n" + strings.Join(values, "\t") + "\n",
		What: p.called(s, record) + " with the names of its columns"}
}

// raw returns the content of a cell as it would be written, or "" if it has no value.
func (p *Records) raw(s views.State, c *gridColumn, record int) string {
	switch {
	case c.variable == nil:
		return strings.ReplaceAll(figureText(s, c.figure, record), ",", "")
	case c.variable.Missing(record):
		return ""
	}
	return c.variable.Text(record)
}
