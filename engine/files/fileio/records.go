package fileio

import (
	"context"
	"errors"
	"io"
	"math"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// RecordVariable is a variable of records that come as text, of which another says what it is.
type RecordVariable struct {
	Name    string
	Text    bool                   // digits are text, too
	Said    *microdata.Description // what is known of it; nil: nothing
	Skipped bool                   // it is not wanted
}

// ReadRecords reads records that a database sends as CSV in UTF-8, without a line of names, with commas and line feeds;
// a missing cell is empty. Of the format the missing codes, the memory that reading may take and the variable that counts records
// matter. The name is for
// messages. Errors are those of Read, and those of the reader.
func ReadRecords(ctx context.Context, name string, from io.Reader, variables []RecordVariable, f Format) (
	*microdata.Dataset, *ReadReport, error) {
	plain := NewFormat()
	plain.Missing, plain.MostMemory, plain.Scratch, plain.Count = f.Missing, f.MostMemory, f.Scratch, f.Count
	if plain.MostMemory <= 0 {
		if plain.MostMemory = freeMemory(); plain.MostMemory <= 0 {
			plain.MostMemory = math.MaxInt64
		}
	}
	content := arriving{io.MultiReader(strings.NewReader(namesOf(variables)), from)}
	in := input{name: name, size: 1, content: watched{content, ctx}, records: variables} // as if all of it were there: it is not known how much comes
	data, report, err := in.read(ctx, text(delimitedText), plain, nil)
	if err != nil {
		return nil, nil, err
	}
	report.Format.QuotedNames, report.Format.Columns, report.Format.MostMemory = false, f.Columns, f.MostMemory
	report.Format.NoFinalNewline = false
	return data, report, nil
}

// namesOf returns the line of names, all in quotes.
func namesOf(variables []RecordVariable) string {
	names := make([]string, len(variables))
	for i, v := range variables {
		names[i] = `"` + strings.ReplaceAll(v.Name, `"`, `""`) + `"`
	}
	return strings.Join(names, ",") + "\n"
}

// arriving is content that comes once.
type arriving struct{ io.Reader }

// ReadAt returns that there is nothing to come back to.
func (arriving) ReadAt([]byte, int64) (int, error) { return 0, errors.ErrUnsupported }
