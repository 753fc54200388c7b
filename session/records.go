package session

import (
	"bufio"
	"context"
	"io"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// checkEvery is the number of records after which the context is looked at.
const checkEvery = 1 << 14

// writeRecords writes the figures of every record as CSV: record (from 1), fk,
// Fk, risk, household_risk, as exact as they are. Without key variables, and
// where they do not apply, all but the first are empty; without households the last. Where steps took records
// out or moved them, source_record follows: the number in the source.
func writeRecords(ctx context.Context, w io.Writer, data *microdata.Dataset, a *risk.Assessment) error {
	out := bufio.NewWriterSize(w, 1<<16)
	head := "record,fk,Fk,risk,household_risk"
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
		line = appendFigures(line, a, record)
		if data.Moved() {
			line = strconv.AppendInt(append(line, ','), int64(data.SourceRecord(record)+1), 10)
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}

func appendFigures(line []byte, a *risk.Assessment, record int) []byte {
	if a == nil {
		return append(line, ",,,,"...)
	}
	sample, population := a.Frequency(record)
	for _, figure := range []float64{sample, population, a.Risk(record)} {
		line = strconv.AppendFloat(append(line, ','), figure, 'g', -1, 64)
	}
	line = append(line, ',')
	if a.Households != nil {
		line = strconv.AppendFloat(line, a.HouseholdRiskOf(record), 'g', -1, 64)
	}
	return line
}
