package fileio

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// assemble builds the columns, and warnings about columns that are almost numeric.
func (r *readState) assemble(ctx context.Context) (data *microdata.Dataset, lookalikes []string, err error) {
	warnings := make([]string, len(r.names))
	data, err = datasetMadeOf(ctx, r.format.Scratch, r.names, func(i int) (*microdata.Column, *microdata.Spelling, error) {
		v := &r.variables[i]
		if v.skipped {
			return nil, nil, nil
		}
		m := textMaker{columnMaker{ctx: ctx, scratch: v.Scratch, name: r.names[i]}, v}
		made, err := m.column()
		if err != nil {
			return nil, nil, err
		}
		if said := r.said(i); said != nil {
			made = made.WithDescription(said)
		}
		if v.texts {
			warnings[i] = lookalikeWarning(made, r.mark, r.format.Missing)
		}
		v.free()
		return made, &m.spelling, nil
	})
	lookalikes = slices.DeleteFunc(warnings, func(warning string) bool { return warning == "" })
	return data, firstOf(lookalikes, "variable", "have cells that look like missing-value codes"), err
}

// report returns the report of reading, with irregularities.
func (r *readState) report(lookalikes []string) *ReadReport {
	if r.cut.fedLast {
		r.tally.crlf = 1
	}
	report := &ReadReport{Format: r.format}
	report.Format.NoFinalNewline = r.cut.cutLast
	breaks := r.tally.breaks
	if r.cut.cutLast {
		breaks--
	}
	if r.newline == '\n' && breaks > 0 {
		report.Format.LineEnding = LF
		if 2*r.tally.crlf > breaks {
			report.Format.LineEnding = CRLF
		}
	}
	report.Format.Fields = r.alignedFields()
	if !r.format.described() && strings.EqualFold(filepath.Ext(r.name), argusEnding) {
		report.Format.Options = map[string]string{statfile.Ending: argusEnding} // it is written as text too
	}
	report.Warnings = slices.Concat(r.renamed, lookalikes, r.warnings(&report.Format, breaks))
	return report
}

// mostListed is the maximum number of variables in a warning.
const mostListed = 5

func (r *readState) warnings(f *Format, breaks int) (warnings []string) {
	if r.records == 0 {
		warnings = append(warnings, "the file has no records")
	}
	if r.tally.empty.count > 0 {
		warnings = append(warnings, fmt.Sprintf("%s skipped, the first is line %s", wording.Counted(r.tally.empty.count,
			"empty line"), wording.Number(r.tally.empty.first)))
	}
	if r.tally.nulls.count > 0 {
		warnings = append(warnings, fmt.Sprintf("%s kept, the first in line %s; the file may be damaged",
			wording.Counted(r.tally.nulls.count, "NUL byte"), wording.Number(r.tally.nulls.first)))
	}
	if r.tally.crlf > 0 && r.tally.crlf < breaks {
		warnings = append(warnings, fmt.Sprintf("%s of %s end with CRLF; on export all end with %s",
			wording.Number(r.tally.crlf), wording.Counted(breaks, "line"), strings.ToUpper(f.LineEnding)))
	}
	return append(warnings, r.fixedWarnings(f)...)
}

// quotedNames lists the first few variables and the number of others.
func quotedNames(variables []string) string {
	named := make([]string, len(variables))
	for i, name := range variables {
		named[i] = quotedName(name)
	}
	return strings.Join(wording.FirstFew(named, mostListed), ", ")
}

// firstOf returns the first few warnings of one kind and the number of others.
func firstOf(warnings []string, noun, others string) []string {
	more := len(warnings) - mostListed
	if more <= 0 {
		return warnings
	}
	return append(warnings[:mostListed:mostListed], wording.Counted(more, "more "+noun)+" "+others)
}

// looksMissing reports whether other programs write a missing value this way: in a numeric variable or, with
// letters, also in a text variable.
func looksMissing(text string, letters bool) bool {
	if len(text) < len("****") && text != "" && strings.Trim(text, "*.-/:") == "" {
		return true
	}
	switch strings.ToLower(text) {
	case "na", "n/a", "#n/a", "nan", "null", "x":
		return letters
	}
	return false
}

// lookalikeWarning returns advice on a variable with cells that look like missing codes not in the format: a text
// variable, or one that would be numeric otherwise; "" if there are none. known are the missing codes of the
// format.
func lookalikeWarning(column *microdata.Column, mark byte, known []string) string {
	if column.Numeric() {
		return ""
	}
	levels := column.Categories().Levels
	rest, numbers := "the rest are numbers", true
	for _, level := range levels {
		_, _, number := parseNumber([]byte(level.Label), mark)
		if !number && !looksMissing(level.Label, true) {
			rest, numbers = "the rest are text", false
			break
		}
	}
	var found []string // in the spelling of the file
	cells := 0
	for i, level := range levels {
		if looksMissing(level.Label, numbers) {
			found = append(found, level.Label)
			cells += column.Categories().Counts()[i+1]
		}
	}
	if len(found) == 0 || len(found) == len(levels) {
		return ""
	}
	are, they := "1 cell is", "it means"
	if cells > 1 {
		are = wording.Number(cells) + " cells are"
	}
	if len(found) > 1 {
		they = "they mean"
	}
	codes := slices.Concat([]string{""}, slices.DeleteFunc(slices.Clone(known),
		func(code string) bool { return code == "" }), found)
	flag := strings.Join(codes[1:], ",")
	if strings.ContainsAny(flag, " #'\"$\\&|;<>()*?!`") {
		flag = "'" + strings.ReplaceAll(flag, "'", `'\''`) + "'"
	}
	return fmt.Sprintf(`variable %q: %s %s and %s; if %s missing or suppressed, declare it (--missing %s, or "missing":[%s] in a script)`,
		wording.Excerpt(column.Name()), are, quoted(found, " or "), rest, they, flag, quoted(codes, ","))
}

// quotedName returns the name of a variable, or its beginning, in quotes.
func quotedName(name string) string { return strconv.Quote(wording.Excerpt(name)) }

// quoted joins texts in quotes.
func quoted(texts []string, separator string) string {
	return wording.Joined(texts, separator, strconv.Quote)
}
