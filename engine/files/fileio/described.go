package fileio

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/muargus"
)

// The values of Format.Type for mu-Argus files, whose variables are described in Format.Fields.
const (
	Fixed = "fixed" // fixed positions
	Free  = "free"  // separated by a delimiter, which quotes do not protect
)

// described reports whether the format has a description of its variables.
func (f *Format) described() bool { return f.Type == Fixed || f.Type == Free }

// Text reports whether the file is text.
func (f *Format) Text() bool { return f.Type == "" || f.Type == delimitedText || f.described() }

// Description returns the description of the variables, or nil if the format has none.
func (f Format) Description() *muargus.Description {
	if !f.described() || len(f.Fields) == 0 {
		return nil
	}
	return f.asDescribed()
}

// formatOf returns the format of the data for a description; it guesses the rest from the head of the data.
func formatOf(d *muargus.Description, head []byte) Format {
	f := NewFormat()
	f.Encoding = guessEncoding(head)
	f.LineEnding = guessLineEnding(decodeHead(head, f.Encoding))
	f.Type, f.Fields = Fixed, d.Variables
	if d.Separator != "" {
		f.Type, f.Delimiter, f.Header = Free, d.Separator, d.Names
	}
	f.applyDescription()
	return f
}

// applyDescription sets the fields of the format that a description determines.
func (f *Format) applyDescription() {
	f.Quote = NoQuote
	if f.Type == Fixed {
		f.Delimiter, f.Header = "", false
	}
	if f.Decimal == "" {
		f.Decimal = "."
	}
}

func (f *Format) validateFields() error {
	if !f.described() {
		if len(f.Fields) > 0 {
			return failure(ErrFormat, "fields need a file of type %q or %q; set the type, or remove the fields", Fixed,
				Free)
		}
		return nil
	}
	if f.Type == Free && (strings.Trim(f.Delimiter, " \t") == "" || f.Delimiter == f.Decimal) {
		return failure(ErrFormat,
			"delimiter %q: in a file of type %q it must not be a space, a tab or the decimal mark", f.Delimiter, Free)
	}
	if err := f.asDescribed().Check(); err != nil {
		return failure(ErrFormat, "%v", err)
	}
	return nil
}

// asDescribed is Description for a format that may be invalid.
func (f *Format) asDescribed() *muargus.Description {
	d := &muargus.Description{Variables: f.Fields}
	if f.Type == Free {
		d.Separator, d.Names = f.Delimiter, f.Header
	}
	return d
}

// fieldNames returns the names of described variables, or nil if there are none.
func (f *Format) fieldNames() []string {
	if !f.described() {
		return nil
	}
	names := make([]string, len(f.Fields))
	for i := range names {
		names[i] = f.Fields[i].Name
	}
	return names
}

// field returns the description of a variable.
func (f *Format) field(name string) (muargus.Variable, bool) {
	for i := range f.Fields {
		if f.Fields[i].Name == name {
			return f.Fields[i], true
		}
	}
	return muargus.Variable{}, false
}

// missingOf returns the missing codes of a variable, first the one for newly missing cells.
func (f *Format) missingOf(column *microdata.Column) []string {
	if !f.Text() && cmp.Or(f.Options[optionMissing], declaredMissing) == declaredMissing {
		return column.Described().Missing
	}
	if !f.described() {
		return f.Missing
	}
	if missing := column.Described().Missing; len(missing) > 0 {
		return muargus.Declarable(missing)
	}
	field, _ := f.field(column.Name())
	return field.Missing
}

// of returns the dialect for a variable; described variables have their own missing codes.
func (d *dialect) of(f *Format, variable int) *dialect {
	if !f.described() || variable >= len(f.Fields) {
		return d
	}
	own := *d
	own.codes = slices.Clone(d.codes)
	own.addCodes(f.Fields[variable].Missing)
	return &own
}

// said returns the description of a variable from the codebook or the mu-Argus description, or nil.
func (r *readState) said(variable int) *microdata.Description {
	if said := r.book[r.names[variable]]; said != nil || !r.format.described() {
		return said
	}
	field := r.format.Fields[variable]
	said := &microdata.Description{Width: field.Width, Missing: field.Missing, Labels: r.labels[field.Name],
		Roles: field.Roles(), Identifying: field.IDLevel, Cost: field.Priority, Related: r.named(field.Related)}
	if field.Nominal() {
		said.Level = microdata.Nominal
	} else if field.Numeric {
		said.Level = microdata.Scale
	}
	return said
}

// named returns the names of described variables as spelled in the file, whatever the case of the references.
func (r *readState) named(related []string) (names []string) {
	for _, name := range related {
		names = append(names, r.called(name)...)
	}
	return names
}

// alignedFields returns the described variables, with Left set if values are aligned on the left of their fields.
func (r *readState) alignedFields() []muargus.Variable {
	fields := slices.Clone(r.format.Fields)
	for i, seen := range r.tally.fixed.aligned {
		fields[i].Left = seen == trailingBlanks
	}
	return fields
}

// fixedWarnings returns warnings about records that do not fit the description.
func (r *readState) fixedWarnings(f *Format) []string {
	var warnings []string
	seen := &r.tally.fixed
	if seen.short.count > 0 {
		warnings = append(warnings,
			fmt.Sprintf("%s shorter than described, the first is line %s; absent fields are missing",
				wording.CountedAs(seen.short.count, "line is", "lines are"), wording.Number(seen.short.first)))
	}
	if seen.other.count > 0 {
		warnings = append(warnings,
			fmt.Sprintf("text at positions %d to %d belongs to no described variable and is neither read nor exported (%s, the first "+
				"is line %s)",
				seen.otherAt.from+1, seen.otherAt.to, wording.Counted(seen.other.count, "line"), wording.Number(seen.other.first)))
	}
	var mixed []string
	for i, aligned := range seen.aligned {
		if field := &r.format.Fields[i]; aligned == leadingBlanks|trailingBlanks && field.Recodable {
			mixed = append(mixed, field.Name)
		}
	}
	if len(mixed) > 0 {
		warnings = append(warnings,
			"some codes have leading spaces and others trailing spaces; spaces are not part of a code, and the export "+
				"pads all codes on the left: "+quotedNames(mixed))
	}
	if len(r.otherNames) > 0 {
		warnings = append(warnings,
			"the first line names variables differently from the description, whose names are used: "+quotedNames(r.otherNames))
	}
	for _, file := range r.lacking {
		warnings = append(warnings,
			fmt.Sprintf("the code list %s of the description cannot be read; its codes have no labels",
				wording.Excerpt(file)))
	}
	if d := f.Description(); d != nil {
		warnings = append(warnings, d.Warnings()...)
	}
	return warnings
}
