package streamed

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// Values counts how many of the records that a sample keeps have each value of the variables that groups do not go by.
type Values struct {
	columns []*microdata.Column
	counts  [][]int // by variable, and row of what its source is alone
}

// NewValues begins before the first record, of data before a deal; there is nothing to count where that is none of a
// sample.
func NewValues(data *microdata.Dataset, deal *Deal) *Values {
	v := &Values{}
	if deal.Sample() == nil {
		return v
	}
	for _, column := range data.Columns() {
		if column.Uncounted() || column.Sums() {
			v.columns = append(v.columns, column)
			v.counts = append(v.counts, make([]int, column.Source().Alone().Len()))
		}
	}
	return v
}

// Columns returns the variables whose values are counted, as they are in the source.
func (v *Values) Columns() (columns []*microdata.Column) {
	for i, column := range v.columns {
		if len(v.counts[i]) > 0 {
			columns = append(columns, column.Source())
		}
	}
	return columns
}

// Add counts records by a column that has the values of the source. The error is ErrChanged.
func (v *Values) Add(records *microdata.Column) error {
	for i, column := range v.columns {
		if column.Name() != records.Name() || len(v.counts[i]) == 0 {
			continue
		}
		counts, err := countsOf(column.Source(), records)
		if err != nil {
			return err
		}
		for row, count := range counts {
			v.counts[i][row] += count
		}
	}
	return nil
}

// countsOf returns how many records have each value, by row of what the source is alone.
func countsOf(source, records *microdata.Column) ([]int, error) {
	if source.ManyValued() { // that they are missing is known alone
		return []int{records.MissingCount()}, nil
	}
	counts := make([]int, source.Alone().Len())
	rows, known := source.RowsAlone(records)
	if !known {
		return nil, ErrChanged
	}
	for record, row := range rows {
		counts[row] += records.RecordsAt(record)
	}
	return counts, nil
}

// Piece counts the records of a piece that have a row, see fileio.Pass.
func (v *Values) Piece(ctx context.Context, p *fileio.Piece) (func() error, error) {
	data, err := p.Data(ctx)
	if err != nil {
		return nil, err
	}
	data, _ = kept(data, p.Groups)
	return func() error {
		for _, of := range v.Columns() {
			column, _ := data.Column(of.Name())
			if err := v.Add(column); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// Data returns the data after the sample with what was counted.
func (v *Values) Data(after *microdata.Dataset) *microdata.Dataset {
	for i, column := range v.columns {
		now, _ := after.Column(column.Name())
		after = after.With(now.Recounted(v.counts[i]))
	}
	return after
}

// kept returns those of some records that have a row, and the rows.
func kept(data *microdata.Dataset, rows []uint32) (*microdata.Dataset, []uint32) {
	var records, of []uint32
	for record, row := range rows {
		if row != Left {
			records, of = append(records, uint32(record)), append(of, row)
		}
	}
	if len(of) == len(rows) {
		return data, rows
	}
	return data.Select(records), of
}
