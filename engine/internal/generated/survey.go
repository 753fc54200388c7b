// Package generated gives tests and benchmarks generated files of the survey's
// shape, of any size. Nothing but tests imports it.
package generated

import (
	"encoding/csv"
	"io"
	"slices"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/survey"
)

// Keys returns the key variables that files of the survey's shape are
// measured with.
func Keys() []string {
	return []string{"region", "urbrur", "sex", "age", "marital", "educ", "ethnic"}
}

// Survey returns a generated file of the survey's shape, of which only the
// named variables are kept.
func Survey(tb testing.TB, persons int, seed uint64, names ...string) *microdata.Dataset {
	tb.Helper()
	reader, writer := io.Pipe()
	go func() { writer.CloseWithError(survey.WriteCSV(writer, persons, seed)) }()
	records := csv.NewReader(reader)
	records.ReuseRecord = true
	header, err := records.Read()
	if err != nil {
		tb.Fatal(err)
	}
	places := make([]int, len(names))
	cells := make([][]string, len(names))
	for i, name := range names {
		places[i] = slices.Index(header, name)
		cells[i] = make([]string, 0, persons)
	}
	spelled := make(map[string]string) // one string for equal cells
	for {
		record, err := records.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			tb.Fatal(err)
		}
		for i, place := range places {
			cell, known := spelled[record[place]]
			if !known {
				cell = string(append([]byte(nil), record[place]...))
				spelled[cell] = cell
			}
			cells[i] = append(cells[i], cell)
		}
	}
	columns := make([]*microdata.Column, len(names))
	for i, name := range names {
		columns[i] = golden.Column(tb, name, cells[i])
	}
	data, err := microdata.NewDataset(columns)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}
