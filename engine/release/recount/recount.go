// Package recount counts again what somebody says of a released file, from that file
// alone. It shares nothing with the program that made the file but the readers of files,
// and is written to be read: a second opinion is worth something where it does not come
// from the same head.
//
// A record violates k if the frequency of its key is less than k. Two keys are compatible
// if on every key variable they are equal or at least one of them is missing. The
// frequency counts
//
//   - under the rule default, of a complete key its own records and alpha times the
//     compatible incomplete ones; of an incomplete key its own records, the compatible
//     complete ones and alpha times the other compatible incomplete ones;
//   - under the rule conservative the same with alpha 0;
//   - under the rule own-category the records with the identical key.
//
// By the first two a key that is missing everywhere counts all records. Templ, Statistical
// Disclosure Control for Microdata, 2017, sections 3.2.2 and 4.2.2.1.
package recount

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// Question says what is counted.
type Question struct {
	Keys  []string `json:"keys"`  // the key variables
	K     []int    `json:"k"`     // a record whose key has a frequency below k violates it
	Alpha float64  `json:"alpha"` // of the rule default, 0 to 1
}

// Counts are what was counted in a file.
type Counts struct {
	Records   int         `json:"records"`
	Missing   []Missing   `json:"missing"`   // of all variables, in the order of the file
	Violators []Violators `json:"violators"` // in the order of the question; none without key variables
}

// Missing counts the cells of a variable that have no value.
type Missing struct {
	Variable string `json:"variable"`
	Cells    int    `json:"cells"`
}

// Violators counts the records that violate one k.
type Violators struct {
	K            int `json:"k"`
	Default      int `json:"default"`
	Conservative int `json:"conservative"`
	OwnCategory  int `json:"own_category"`
}

// File counts the records of a file that is read in a format. The names are those of its
// variables, in their order: a kind of file may spell them otherwise. Errors: those of
// reading it, other variables than those, and that of ctx.
func File(ctx context.Context, path string, format fileio.Format, names []string, q Question) (*Counts, error) {
	data, _, err := fileio.Read(ctx, path, format, nil)
	if err != nil {
		return nil, err
	}
	columns := data.Columns()
	if len(columns) != len(names) {
		return nil, fmt.Errorf("%s has %d variables, and should have %d", filepath.Base(path), len(columns), len(names))
	}
	counts := &Counts{Records: data.Len()}
	for i, column := range columns {
		missing := 0
		for record := range column.Len() {
			if column.Missing(record) {
				missing++
			}
		}
		counts.Missing = append(counts.Missing, Missing{names[i], missing})
	}
	var variables []cells
	for _, key := range q.Keys {
		at := slices.Index(names, key)
		if at < 0 {
			return nil, fmt.Errorf("%s has no variable %q, which is to be a key variable", filepath.Base(path), key)
		}
		variables = append(variables, columns[at])
	}
	if len(variables) == 0 {
		return counts, ctx.Err()
	}
	groups, err := grouped(ctx, variables, data.Len())
	if err == nil {
		counts.Violators, err = groups.violators(ctx, q, data.Len())
	}
	return counts, err
}
