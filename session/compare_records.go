package session

import "github.com/sdcdesk/sdcdesk/engine/data/microdata"

// RecordOfTwo is a record that differs, with its cells that do.
type RecordOfTwo struct {
	Record int // its place in the file, from 0
	Cells  []CellOfTwo
}

// CellOfTwo is a cell that differs; a value that is missing is "missing".
type CellOfTwo struct{ Variable, A, B string }

func (c CellOfTwo) text() string { return c.Variable + ": " + c.A + " → " + c.B }

// mostRecords is the number of records whose cells a comparison lists.
const mostRecords = 100

// columnOfTwo is a variable of the records that both states have.
type columnOfTwo struct {
	name string
	a, b *microdata.Column
}

// recordsOfTwo returns the first of the records that differ.
func recordsOfTwo(data *microdata.Dataset, differing *microdata.Bits, pairs []columnOfTwo) []RecordOfTwo {
	var records []RecordOfTwo
	differing.Each(func(row int) {
		if len(records) == mostRecords {
			return
		}
		r := RecordOfTwo{Record: data.SourceRecord(row)}
		for _, pair := range pairs {
			if pair.a != pair.b && pair.a.Differs(pair.b, row) {
				r.Cells = append(r.Cells, CellOfTwo{pair.name, cellValue(pair.a, row), cellValue(pair.b, row)})
			}
		}
		records = append(records, r)
	})
	return records
}

func cellValue(column *microdata.Column, row int) string {
	if column.Missing(row) {
		return "missing"
	}
	return column.Text(row)
}
