package paged

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// record is a record that was found, as it is on a page.
type record struct {
	at    int // number of records before
	cells []cell
}

// cell is a cell of a record.
type cell struct {
	text   string
	number float64
	filled bool
}

// cellsOf returns the cells of a row.
func cellsOf(data *microdata.Dataset, row int) []cell {
	cells := make([]cell, len(data.Columns()))
	for i, column := range data.Columns() {
		if !column.Missing(row) {
			cells[i] = cell{column.Text(row), column.Float(row), true}
		}
	}
	return cells
}

// Empty returns no records as data.
func Empty(variables []fileio.Described) (*microdata.Dataset, error) { return dataOf(nil, variables) }

// dataOf returns the records as data: variables are of the kinds that they have in the whole source.
func dataOf(records []record, variables []fileio.Described) (*microdata.Dataset, error) {
	columns := make([]*microdata.Column, len(variables))
	for i := range variables {
		codes, levels := map[string]uint32{}, []microdata.Level(nil)
		for _, r := range records {
			if c := r.cells[i]; c.filled && codes[c.text] == 0 {
				codes[c.text], levels = 1, append(levels, microdata.Level{Label: c.text, Value: c.number})
			}
		}
		kind := variables[i].Kind
		slices.SortFunc(levels, func(a, b microdata.Level) int {
			if kind != microdata.Category && a.Value != b.Value {
				return cmp.Compare(a.Value, b.Value)
			}
			return strings.Compare(a.Label, b.Label)
		})
		for at, level := range levels {
			codes[level.Label] = uint32(at + 1)
		}
		of := microdata.NewCodes(len(records), len(levels))
		for row, r := range records {
			of.Set(row, codes[r.cells[i].text]) // a missing cell has no text
		}
		columns[i] = microdata.NewCategorical(variables[i].Name, kind,
			&microdata.Categories{Levels: levels, Codes: of, Ordered: kind != microdata.Category}).WithDescription(variables[i].Said)
	}
	return microdata.NewDataset(columns)
}
