package fileio

import (
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// counted returns the frequency table of the data if the format names a count variable, which is removed, and
// otherwise the data itself. Errors wrap ErrFormat.
func (f *Format) counted(data *microdata.Dataset) (*microdata.Dataset, error) {
	if f.Count == "" {
		return data, nil
	}
	column, ok := data.Column(f.Count)
	if !ok {
		return nil, failure(ErrFormat, "there is no variable %s with the number of records of each row", quotedName(f.Count))
	}
	rows := make([]int, data.Len())
	all := 0
	for row := range rows {
		number := column.Float(row)
		if !column.Numeric() || !(number >= 1 && number <= mostRecords) || number != math.Trunc(number) {
			return nil, failure(ErrFormat, "%s, the number of records of each row, must be an integer of at least 1; check row %d",
				quotedName(f.Count), row+1)
		}
		rows[row] = int(number)
		if all += rows[row]; all > mostRecords {
			return nil, failure(ErrFormat, "the frequency table exceeds 10^15 records; check variable %s", quotedName(f.Count))
		}
	}
	if len(rows) == 0 {
		return nil, failure(ErrEmpty, "the frequency table has no rows")
	}
	columns := slices.DeleteFunc(slices.Clone(data.Columns()), func(c *microdata.Column) bool { return c == column })
	if len(columns) == 0 {
		return nil, failure(ErrFormat, "the frequency table has no variable other than %s", quotedName(f.Count))
	}
	return microdata.NewGrouped(columns, rows)
}

// mostRecords is the maximum number of records of a frequency table.
const mostRecords = 1e15
