// Package recount independently recounts the figures reported for a released file, from that file alone. It shares
// only the file readers with the program that wrote the file, and is written to be easy to review.
//
// A record violates k-anonymity if the frequency of its key pattern is less than k. Two key patterns are compatible
// if on every key variable they are equal or at least one of them is missing. The frequency counts
//
//   - under the rule default, for a complete key pattern its own records and alpha times the compatible incomplete
//     ones; for an incomplete key pattern its own records, the compatible complete ones and alpha times the other
//     compatible incomplete ones;
//   - under the rule conservative, the same with alpha 0;
//   - under the rule own-category, the records with the identical key pattern.
//
// Under the first two rules a key pattern that is missing everywhere counts all records. Templ, Statistical
// Disclosure Control for Microdata, 2017, sections 3.2.2 and 4.2.2.1.
package recount

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// Question specifies what to count.
type Question struct {
	Keys  []string `json:"keys"`  // key variables
	K     []int    `json:"k"`     // a record with a frequency below k violates it
	Alpha float64  `json:"alpha"` // for the rule default, 0 to 1
}

// Counts are the results for a file.
type Counts struct {
	Records   int         `json:"records"`
	Missing   []Missing   `json:"missing"`   // of all variables, in file order
	Violators []Violators `json:"violators"` // for each k of the question; none without key variables
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

// File counts the records of a file in the given format. names are the names of its variables in order, because
// some file formats change them. It returns errors of reading the file, an error if the variables differ from
// names, or the error of ctx.
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
			return nil, fmt.Errorf("%s has no variable %q, which the scenario uses as a key variable", filepath.Base(path), key)
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
