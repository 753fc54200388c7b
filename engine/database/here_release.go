package database

import (
	"bytes"
	"context"
	"database/sql"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// exportHere writes the records of a file that are released, see export.
func (t *Table) exportHere(ctx context.Context, tx *sql.Tx, e *exporting, names []string, r *Release) error {
	rows, err := t.rowsHere(ctx, tx, r)
	if err != nil {
		return err
	}
	if t.address.key != "" {
		return t.writeHere(ctx, tx, e, names, rows)
	}
	p, err := t.protecting(ctx, tx, r, nil)
	if err != nil {
		return err
	}
	lines := lines{wide: len(p.columns)}
	err = t.eachReleased(ctx, tx, rows, func(cells []cell, row uint32) error {
		if err := p.protect(cells, int(row)); err != nil {
			return err
		}
		for i := range p.columns {
			text := p.own(i, cells).text
			switch p.became[i] {
			case emptied:
				if text = nil; t.missing[0] != "" {
					text = []byte(t.missing[0])
				}
			case changed:
				text = p.becomes[i]
			}
			lines.add(text)
		}
		lines.rows = append(lines.rows, row)
		return nil
	})
	if err != nil {
		return err
	}
	return lines.each(e.write)
}

// lines are the cells of records.
type lines struct {
	wide int // cells of a record
	text []byte
	ends []int
	rows []uint32
}

// add adds a cell, behind what puts NULL before texts.
func (l *lines) add(cell []byte) {
	if cell == nil {
		l.text = append(l.text, 0)
	} else {
		l.text = append(append(l.text, 1), cell...)
	}
	l.ends = append(l.ends, len(l.text))
}

// at returns it.
func (l *lines) at(cell int) []byte {
	if cell == 0 {
		return l.text[:l.ends[0]]
	}
	return l.text[l.ends[cell-1]:l.ends[cell]]
}

// each calls visit with the records in the order of their cells.
func (l *lines) each(visit func(cells [][]byte, row int64) error) error {
	order := make([]int, len(l.rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		for i := range l.wide {
			if c := bytes.Compare(l.at(a*l.wide+i), l.at(b*l.wide+i)); c != 0 {
				return c
			}
		}
		return 0
	})
	cells := make([][]byte, l.wide)
	for _, record := range order {
		for i := range cells {
			cells[i] = nil
			if cell := l.at(record*l.wide + i); cell[0] != 0 {
				cells[i] = cell[1:]
			}
		}
		if err := visit(cells, int64(l.rows[record])); err != nil {
			return err
		}
	}
	return nil
}

// protecting makes the cells of records what they are released as.
type protecting struct {
	columns []released
	places  []int                                 // of their own cells; -1: a step made the variable
	alone   []func(cells [][]byte) (int64, error) // finds the row of values that steps changed by themselves
	masked  *maskedCells
	byKey   func(cells [][]byte) (int64, error)

	texts [][]byte // of all cells of a record

	// of each column of a record: what its cell became, with the text where that is another one; nil: NULL
	became  []outcome
	becomes [][]byte
	buffers [][]byte
}

// outcome is what a cell became.
type outcome int

const (
	same    outcome = iota // what it was
	emptied                // missing by a step
	missing                // missing as it was, among others that were changed
	changed                // a text
)

// protecting begins before the first record.
func (t *Table) protecting(ctx context.Context, tx *sql.Tx, r *Release, masked *maskedCells) (*protecting, error) {
	columns := masked.of(r.columns(t))
	n := len(columns)
	p := &protecting{columns: columns, masked: masked, places: make([]int, n), alone: make([]func([][]byte) (int64, error), n),
		became: make([]outcome, n), becomes: make([][]byte, n), buffers: make([][]byte, n)}
	for i := range columns {
		p.buffers[i] = []byte{}
		c := &columns[i]
		if p.places[i] = -1; c.known {
			p.places[i] = t.places([]string{c.name})[0]
		}
		if c.uncounted == nil {
			continue
		}
		g, rows, err := t.becoming(ctx, tx, c)
		if err != nil {
			return nil, err
		}
		p.alone[i] = g.finder(rows, p.places[i:i+1]).find
	}
	if masked != nil {
		g, rows := &Groups{}, make([]int32, len(masked.keys))
		for i, key := range masked.keys {
			g.records, rows[i] = append(g.records, *key), int32(i)
		}
		p.byKey = g.finder(rows, t.places([]string{t.address.key})).find
	}
	return p, nil
}

// own returns the cell that a column has of a record.
func (p *protecting) own(column int, cells []cell) cell {
	if p.places[column] < 0 {
		return cell{}
	}
	return cells[p.places[column]]
}

// protect makes the cells of a record that stands in a row after the steps.
func (p *protecting) protect(cells []cell, row int) error {
	p.texts = p.texts[:0]
	for i := range cells {
		p.texts = append(p.texts, cells[i].text)
	}
	at := int64(-1)
	if p.byKey != nil {
		var err error
		if at, err = p.byKey(p.texts); err != nil {
			return err
		}
	}
	for i := range p.columns {
		c, row := &p.columns[i], row
		if p.alone[i] != nil {
			of, err := p.alone[i](p.texts)
			if err != nil {
				return err
			}
			row = int(of)
		}
		p.became[i] = same
		switch {
		case !c.changed:
		case c.set == "masked_":
			p.became[i], p.becomes[i] = changed, nil
			if cell := p.masked.cells[c.place][at]; cell != nil {
				p.becomes[i] = []byte(*cell)
			}
		case c.emptied(row):
			p.became[i] = emptied
		case c.blanked:
		case c.column.Missing(row):
			p.became[i] = missing
		default:
			p.buffers[i] = c.column.AppendText(p.buffers[i][:0], row)
			p.became[i], p.becomes[i] = changed, p.buffers[i]
		}
	}
	return nil
}

// createHere fills a table with the protected records of a file.
func (t *Table) createHere(ctx context.Context, tx *sql.Tx, target *Address, r *Release, masked *maskedCells, types []string) (
	*created, error) {
	rows, err := t.rowsHere(ctx, tx, r)
	if err != nil {
		return nil, err
	}
	p, err := t.protecting(ctx, tx, r, masked)
	if err != nil {
		return nil, err
	}
	declared, values := make([]string, len(types)), make([]string, len(types))
	for i := range p.columns {
		c := &p.columns[i]
		declared[i], values[i] = quoted(c.name)+" "+types[i], placeholder(i+1)
		if c.changed && !c.blanked && c.column.Kind() != microdata.Category {
			values[i] = "CAST(" + values[i] + " AS " + types[i] + ")"
		}
	}
	if err := makeTable(ctx, tx, target, declared); err != nil {
		return nil, err
	}
	insert, err := tx.PrepareContext(ctx, "INSERT INTO "+target.relation()+" VALUES ("+strings.Join(values, ", ")+")")
	if err != nil {
		return nil, err
	}
	defer insert.Close()
	made := &created{address: target, finish: tx.Commit, abandon: func() {}}
	into := make([]any, len(types))
	return made, t.eachReleased(ctx, tx, rows, func(cells []cell, row uint32) error {
		if err := p.protect(cells, int(row)); err != nil {
			return err
		}
		for i := range into {
			if into[i], err = p.value(i, p.own(i, cells)); err != nil {
				return err
			}
		}
		made.records++
		_, err := insert.ExecContext(ctx, into...)
		return err
	})
}

// value returns what a column has for a record in a protected table.
func (p *protecting) value(column int, own cell) (any, error) {
	c := &p.columns[column]
	switch {
	case len(c.times) > 0:
		weight, err := strconv.ParseFloat(string(own.text), 64)
		for _, s := range c.times {
			weight *= s.Factor()
		}
		return weight, err
	case p.became[column] == same:
		return own.value, nil
	case p.became[column] == missing && c.column.Kind() == microdata.Category && own.text != nil:
		return string(own.text), nil
	case p.became[column] == changed && p.becomes[column] != nil:
		return string(p.becomes[column]), nil
	}
	return nil, nil
}
