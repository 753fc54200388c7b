package session

import "github.com/sdcdesk/sdcdesk/engine/data/microdata"

// RecordOfTwo is a record that differs, with the cells that differ.
type RecordOfTwo struct {
	Record int         `json:"record"` // place in the file, from 1
	Cells  []CellOfTwo `json:"cells"`
}

// CellOfTwo is a cell that differs; a missing value is "missing".
type CellOfTwo struct {
	Variable string `json:"variable"`
	A        string `json:"a"`
	B        string `json:"b"`
}

func (c CellOfTwo) text() string { return c.Variable + ": " + c.A + " → " + c.B }

// mostRecords is the number of records whose cells a comparison lists.
const mostRecords = 100

// recordsOfTwo returns the first records that differ.
func recordsOfTwo(one, other *microdata.Dataset, differing *microdata.Bits) []RecordOfTwo {
	var records []RecordOfTwo
	differing.Each(func(row int) {
		if len(records) == mostRecords {
			return
		}
		r := RecordOfTwo{Record: one.SourceRecord(row) + 1}
		for _, a := range one.Columns() {
			if b, found := other.Column(a.Name()); found && a != b && a.Differs(b, row) {
				r.Cells = append(r.Cells, CellOfTwo{a.Name(), cellValue(a, row), cellValue(b, row)})
			}
		}
		records = append(records, r)
	})
	return records
}

func cellValue(column *microdata.Column, row int) string {
	switch {
	case column.Suppressed().Has(row):
		return "suppressed"
	case column.Missing(row):
		return "missing"
	}
	return column.Text(row)
}
