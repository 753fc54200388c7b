// Package generated provides synthetic survey data of any size for tests and benchmarks. Only tests import it.
package generated

import (
	"io"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/survey"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
)

// Keys returns the key variables used with generated surveys.
func Keys() []string {
	return []string{"region", "urbrur", "sex", "age", "marital", "educ", "ethnic"}
}

// Survey returns a generated survey with the named variables.
func Survey(tb testing.TB, persons int, seed uint64, names ...string) *microdata.Dataset {
	tb.Helper()
	reader, writer := io.Pipe()
	go func() { writer.CloseWithError(survey.WriteCSV(writer, persons, seed)) }()
	return golden.Parse(tb, reader, names...)
}
