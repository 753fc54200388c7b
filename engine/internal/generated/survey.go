// Package generated gives tests and benchmarks generated files of the survey's
// shape, of any size. Nothing but tests imports it.
package generated

import (
	"io"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/survey"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
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
	return golden.Parse(tb, reader, names...)
}
