package fileio

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// assembled is what the blocks of a file come to.
type assembled struct {
	data       *microdata.Dataset
	lookalikes []lookalike
}

// assemble makes the columns, several at a time.
func (r *reading) assemble(ctx context.Context) (out assembled, err error) {
	starts := make([]int, len(r.rows)+1)
	for i, rows := range r.rows {
		starts[i+1] = starts[i] + rows
	}
	columns := make([]*microdata.Column, len(r.names))
	spellings, lookalikes := make([]microdata.Spelling, len(r.names)), make([]*lookalike, len(r.names))
	errs := make([]error, len(r.names))
	err = parallel.Tasks(ctx, len(columns), min(r.workers, len(columns)), func(_, i int) {
		v := &r.variables[i]
		a := assembly{variable: v, dialect: r.of(i), name: r.names[i], starts: starts}
		columns[i], errs[i] = a.column(ctx)
		spellings[i] = a.spelling
		if errs[i] == nil && r.described != nil {
			columns[i] = r.describe(i, columns[i])
		}
		if errs[i] == nil && v.texts {
			if found, ok := lookalikeOf(columns[i], r.mark); ok {
				lookalikes[i] = &found
			}
		}
		v.lexicon, v.marks, v.chunks = lexicon{}, nil, nil
	})
	if err := cmp.Or(append([]error{err}, errs...)...); err != nil {
		return out, err
	}
	spelled := make(map[string]*microdata.Spelling, len(r.names))
	for i, name := range r.names {
		spelled[name] = &spellings[i]
		if lookalikes[i] != nil {
			out.lookalikes = append(out.lookalikes, *lookalikes[i])
		}
	}
	if out.data, err = microdata.NewDataset(columns); err != nil {
		return out, err
	}
	out.data = out.data.WithSpellings(spelled)
	return out, nil
}

// report says what was read and what of it is irregular.
func (r *reading) report(read assembled, cutLast bool) *ReadReport {
	report := &ReadReport{Format: r.format}
	report.Format.NoFinalNewline = cutLast
	breaks := r.tally.breaks
	if cutLast {
		breaks--
	}
	if r.newline == '\n' && breaks > 0 {
		report.Format.LineEnding = LF
		if 2*r.tally.crlf > breaks {
			report.Format.LineEnding = CRLF
		}
	}
	report.Format.Fields = r.alignedFields()
	report.Warnings = append(renameWarnings(r.renamed), lookalikeWarnings(read.lookalikes, r.format.Missing)...)
	report.Warnings = append(report.Warnings, r.warnings(&report.Format, breaks)...)
	return report
}

// mostListed is the number of variables that a warning names.
const mostListed = 5

func (r *reading) warnings(f *Format, breaks int) (warnings []string) {
	if r.tally.blank.count > 0 {
		warnings = append(warnings, fmt.Sprintf("%s left out, the first is line %s", wording.Counted(r.tally.blank.count, "empty line"), wording.Number(r.tally.blank.first)))
	}
	if r.tally.nulls.count > 0 {
		warnings = append(warnings, fmt.Sprintf("%s kept, the first in line %s; is the file damaged?", wording.Counted(r.tally.nulls.count, "NUL byte"), wording.Number(r.tally.nulls.first)))
	}
	if r.tally.crlf > 0 && r.tally.crlf < breaks {
		warnings = append(warnings, fmt.Sprintf("%s of %s end with CRLF; on export all end with %s", wording.Number(r.tally.crlf), wording.Counted(breaks, "line"), strings.ToUpper(f.LineEnding)))
	}
	return append(warnings, r.fixedWarnings(f)...)
}

// quotedNames lists the first few variables and counts the others.
func quotedNames(variables []string) string {
	names := make([]string, min(mostListed, len(variables)))
	for i := range names {
		names[i] = strconv.Quote(variables[i])
	}
	if more := len(variables) - len(names); more > 0 {
		names = append(names, wording.Number(more)+" more")
	}
	return strings.Join(names, ", ")
}

func renameWarnings(renamed []Rename) []string {
	var warnings []string
	for i, r := range renamed {
		if i == mostListed {
			return append(warnings, fmt.Sprintf("%s more have no name or one that is taken", wording.Counted(len(renamed)-i, "column")))
		}
		warnings = append(warnings, r.String())
	}
	return warnings
}
