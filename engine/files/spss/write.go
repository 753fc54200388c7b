package spss

import (
	"context"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Limits of system files.
const (
	longestName       = 64
	longestLabel      = 255
	longestValueLabel = 120
	longestFileLabel  = 64
	longestText       = 32767
	longestMissing    = 8 // bytes of a declared missing text
	mostMissing       = 3
)

// nameRule returns the rule for names in SPSS.
func nameRule() *statfile.NameRule {
	return &statfile.NameRule{Most: longestName, First: "@", Others: "_.$#@", AnyCase: true,
		Reserved: func(name string) bool {
			return strings.HasSuffix(name, ".") ||
				slices.Contains([]string{"ALL", "AND", "BY", "EQ", "GE", "GT", "LE", "LT", "NE", "NOT", "OR", "TO", "WITH"},
					strings.ToUpper(name))
		}}
}

// Write writes a system file in UTF-8. The setting compression is "none", "byte" or "zlib"; the default depends on
// the extension, see statfile.Ending. The file contains no time stamp.
func (System) Write(ctx context.Context, w io.Writer, f *statfile.File, settings statfile.Settings,
	meter *progress.Meter) error {
	kind := slices.Index(compressions(), settings[compression])
	if settings[statfile.Ending] == ".zsav" {
		kind = zlibBlocks
	} else if kind < 0 || kind == zlibBlocks && settings[statfile.Ending] == ".sav" {
		kind = byteCodes
	}
	e := &encoder{kind: kind, layout: layoutOf(f)}
	out := &recordWriter{}
	out.header(f, e.layout, kind)
	out.dictionary(f, e.layout)
	e.blocks.start = int64(len(out.bytes))
	if _, err := w.Write(out.bytes); err != nil {
		return err
	}
	return e.rows(ctx, w, f.Rows, meter)
}

// valueProperties holds properties of the values of a variable.
type valueProperties struct {
	longest    int     // bytes of the longest text
	largest    float64 // largest absolute number, with a digit added for a minus sign
	fractional bool    // some numbers are not integers
}

// look returns the properties of a variable.
func look(v *statfile.Variable) (s valueProperties) {
	if texts := v.Column.Texts; texts != nil {
		for _, text := range texts.Values {
			s.longest = max(s.longest, len(text))
		}
	}
	for _, value := range v.Column.Numbers {
		s.fractional = s.fractional || value == value && value != math.Trunc(value)
		if value < 0 {
			value *= -10
		}
		if value > s.largest {
			s.largest = value
		}
	}
	return s
}

// stored is a variable as it will be written.
type stored struct {
	*statfile.Variable
	name       string
	short      []string // short names of its segments
	format     displayFormat
	width      int      // width of a text; 0 for a number
	element    int      // index of the first
	offsets    []int    // offsets in a row of the segments of a text
	cells      [][]byte // cells by code, for a text variable with few values
	labels     []statfile.ValueLabel
	missing    []statfile.Value
	hasMissing *statfile.Range
}

// layout is the variables of a file as they will be written.
type layout struct {
	variables []stored
	elements  int
}

func layoutOf(f *statfile.File) *layout {
	seen := make([]valueProperties, len(f.Variables))
	// It cannot fail, and the context is never cancelled.
	_ = parallel.Each(context.Background(), len(seen), func(i int) error {
		seen[i] = look(&f.Variables[i])
		return nil
	})
	names := nameRule().NamesOf(f)
	l := &layout{variables: make([]stored, len(names))}
	for i := range names {
		v := &l.variables[i]
		if v.Variable, v.name = &f.Variables[i], names[i]; v.Kind == statfile.Text {
			v.width = textWidth(v.Variable, seen[i].longest)
		}
		v.format = formatOf(v.Variable, v.width, &seen[i])
		v.element = l.elements
		v.keepLabels()
		v.keepMissing()
		v.place()
		l.elements += v.elements()
	}
	l.shortNames()
	return l
}

// textWidth returns the width in bytes of a text variable whose longest value is given.
func textWidth(v *statfile.Variable, longest int) int {
	width := max(1, v.Width, longest)
	for _, l := range v.Labels {
		width = max(width, len(l.Value.Text))
	}
	for _, value := range v.Missing {
		width = max(width, len(value.Text))
	}
	return min(width, longestText)
}

// formatOf returns the original format if it is valid, or a default.
func formatOf(v *statfile.Variable, width int, s *valueProperties) displayFormat {
	if width > 0 {
		return displayFormat{code: formatA, width: min(width, shortText)}
	}
	if f, ok := parseFormat(v.Format); ok && f.kind() == v.Kind && f.code != formatA {
		return f.held()
	}
	if d, ok := statfile.DigitsOf(v.Format); ok && v.Kind == statfile.Number {
		code := map[bool]byte{false: formatF, true: formatComma}[d.Thousands]
		return displayFormat{code: code, width: d.Width, decimals: d.Decimals}.wide(s.largest)
	}
	switch v.Kind {
	case statfile.Date:
		return displayFormat{code: formatDate, width: 11}
	case statfile.DateTime:
		return displayFormat{code: formatDateTime, width: 20}
	case statfile.Time:
		return displayFormat{code: formatTime, width: 8}
	}
	return s.numberFormat()
}

// numberFormat returns a format that shows all digits before the point, up to the precision of float64.
func (s *valueProperties) numberFormat() displayFormat {
	const usual = 8
	f := displayFormat{code: formatF, width: usual}
	if s.fractional {
		f.decimals = 2
	}
	return f.wide(s.largest)
}

// wide returns the format widened for all digits before the point.
func (f displayFormat) wide(largest float64) displayFormat {
	const most = 20
	digits := 1
	for ; largest >= 10 && digits < most; largest /= 10 {
		digits++
	}
	if f.code == formatComma {
		digits += (digits - 1) / 3
	}
	if f.decimals > 0 {
		digits += f.decimals + 1
	}
	f.width = max(f.width, min(digits, most))
	return f
}

// keepLabels removes labels that the type of the variable cannot have.
func (v *stored) keepLabels() {
	for _, l := range v.Labels {
		_, missing := statfile.Tag(l.Value.Number)
		if l.Value.IsText == (v.width > 0) && (l.Value.IsText || !missing) && len(l.Value.Text) <= max(v.width, 1) {
			v.labels = append(v.labels, statfile.ValueLabel{Value: l.Value, Label: statfile.Cut(l.Label, longestValueLabel)})
		}
	}
}

// keepMissing removes missing declarations that cannot be written.
func (v *stored) keepMissing() {
	most := mostMissing
	if v.width == 0 && v.MissingRange != nil {
		v.hasMissing, most = v.MissingRange, 1
	}
	for _, value := range v.Missing {
		_, missing := statfile.Tag(value.Number)
		if len(v.missing) < most && value.IsText == (v.width > 0) &&
			(value.IsText && len(value.Text) <= longestMissing || !value.IsText && !missing) {
			v.missing = append(v.missing, value)
		}
	}
}

// place sets the offsets of the segments.
func (v *stored) place() {
	at := 8 * v.element
	v.offsets = []int{at}
	for range (v.width - 1) / segmentStep {
		if v.width <= shortText {
			break
		}
		at += 8 * ((shortText + 7) / 8)
		v.offsets = append(v.offsets, at)
	}
}

// segment returns the width of the variable for segment i.
func (v *stored) segment(i int) int {
	if i < len(v.offsets)-1 {
		return shortText
	}
	return v.width - i*segmentStep
}

func (v *stored) elements() int {
	last := len(v.offsets) - 1
	return (v.offsets[last]-8*v.element)/8 + max(1, (v.segment(last)+7)/8)
}

// shortNames gives each variable and segment a name of at most eight bytes.
func (l *layout) shortNames() {
	rule := statfile.NameRule{Most: 8, First: "@", Others: "_.$#@", ASCII: true, AnyCase: true,
		Reserved: nameRule().Reserved}
	var wanted []string
	for i := range l.variables {
		for range l.variables[i].offsets {
			wanted = append(wanted, l.variables[i].name)
		}
	}
	for i, name := range rule.Names(wanted) {
		wanted[i] = strings.ToUpper(name)
	}
	for i := range l.variables {
		n := len(l.variables[i].offsets)
		l.variables[i].short, wanted = wanted[:n], wanted[n:]
	}
}

// Lacks implements statfile.Writer.
func (System) Lacks(f *statfile.File, _ statfile.Settings) []string {
	var lost statfile.Losses
	if len(f.Label) > longestFileLabel ||
		slices.ContainsFunc(f.Notes, func(line string) bool { return len(line) > documentLineSize }) {
		lost.Add("the file label is truncated to 64 bytes, and each line of the notes to 80", "")
	}
	l := layoutOf(f)
	for i := range l.variables {
		v := &l.variables[i]
		lost.Renamed("SPSS", v.Name, v.name)
		if v.width == longestText &&
			slices.ContainsFunc(v.Column.Texts.Values, func(s string) bool { return len(s) > longestText }) {
			lost.Add("text values are truncated to 32,767 bytes", v.Name)
		}
		if len(v.Label) > longestLabel || cutLabels(v) {
			lost.Add("variable labels are truncated to 255 bytes, and value labels to 120", v.Name)
		}
		if len(v.labels) < len(v.Labels) {
			lost.Add("labels of the missing values .a to .z are omitted", v.Name)
		}
		if len(v.missing) < len(v.Missing) {
			lost.Add("only three missing values, or a range and one value, of at most eight bytes are declared; the others become "+
				"ordinary values",
				v.Name)
		}
		if own, ok := parseFormat(v.Format); !ok || own.code != v.format.code {
			lost.NoFormat(v.Name, v.Format)
		}
		lost.OneKindOfMissing(v.Variable)
		lost.PadsWithSpaces(v.Variable)
		lost.NoTruths(v.Variable)
	}
	return lost.Sentences()
}

func cutLabels(v *stored) bool {
	return slices.ContainsFunc(v.Labels, func(l statfile.ValueLabel) bool { return len(l.Label) > longestValueLabel })
}
