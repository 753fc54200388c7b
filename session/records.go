package session

import (
	"bufio"
	"context"
	"io"
	"math"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// checkEvery is the number of records between two checks of the context.
const checkEvery = 1 << 14

// writeRecords writes the figures of every record as CSV: record (from 1), then the columns of the measures with
// full precision. Columns are empty if a measure does not apply to the file or the record. If steps removed or
// moved records, source_record follows: the number in the source.
func writeRecords(ctx context.Context, w io.Writer, data *microdata.Dataset, set measure.Set) error {
	out := bufio.NewWriterSize(w, 1<<16)
	head := "record"
	var figures []func(record int) float64
	for i := range set {
		for c, column := range set[i].Columns() {
			head += "," + column.Name
			figures = append(figures, set[i].Values.Record(c))
		}
	}
	if data.Moved() {
		head += ",source_record"
	}
	if _, err := out.WriteString(head + "\n"); err != nil {
		return err
	}
	var line []byte
	for record := range data.Len() {
		if record%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		line = strconv.AppendInt(line[:0], int64(record+1), 10)
		for _, figure := range figures {
			line = append(line, ',')
			if figure == nil {
				continue
			}
			if x := figure(record); !math.IsNaN(x) {
				line = strconv.AppendFloat(line, x, 'g', -1, 64)
			}
		}
		if data.Moved() {
			line = strconv.AppendInt(append(line, ','), int64(data.SourceRecord(record)+1), 10)
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}
