package fileio

import (
	"context"
	"errors"
	"io"
	"math"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// RecordVariable describes a variable for ReadRecords.
type RecordVariable struct {
	Name    string
	Text    bool                   // values are text even if they are digits
	Said    *microdata.Description // description; nil if none
	Skipped bool                   // not selected for reading
}

// ReadRecords reads records that a database sends as CSV in UTF-8, without a header, with commas and line feeds;
// missing cells are empty. It uses only the missing codes, the memory limit and the count variable of the format.
// The name appears in messages. Errors are those of Read and of the reader.
func ReadRecords(ctx context.Context, name string, from io.Reader, variables []RecordVariable, f Format) (
	*microdata.Dataset, *ReadReport, error) {
	plain := NewFormat()
	plain.Missing, plain.MostMemory, plain.Scratch, plain.Count = f.Missing, f.MostMemory, f.Scratch, f.Count
	if plain.MostMemory <= 0 {
		if plain.MostMemory = freeMemory(); plain.MostMemory <= 0 {
			plain.MostMemory = math.MaxInt64
		}
	}
	content := singleUse{io.MultiReader(strings.NewReader(namesOf(variables)), from)}
	in := input{name: name, size: 1, content: contextReader{content, ctx}, records: variables} // any size, because the amount of data is unknown
	data, report, err := in.read(ctx, text(delimitedText), plain, nil)
	if err != nil {
		return nil, nil, err
	}
	report.Format.QuotedNames, report.Format.Columns, report.Format.MostMemory = false, f.Columns, f.MostMemory
	report.Format.NoFinalNewline = false
	return data, report, nil
}

// namesOf returns a header with all names quoted.
func namesOf(variables []RecordVariable) string {
	names := make([]string, len(variables))
	for i, v := range variables {
		names[i] = `"` + strings.ReplaceAll(v.Name, `"`, `""`) + `"`
	}
	return strings.Join(names, ",") + "\n"
}

// singleUse is content that can be read only once.
type singleUse struct{ io.Reader }

// ReadAt returns errors.ErrUnsupported.
func (singleUse) ReadAt([]byte, int64) (int, error) { return 0, errors.ErrUnsupported }
