// Package measure says what a measure is: what methods are to changing data,
// measures are to looking at it. A Spec names and explains it; Compute turns a
// version of the data into Values: named numbers with unit, direction and
// denominator, tables, and figures of every record; Explain says what a number
// means. From the one list of them come the what-if's table, the summary, the
// report, the record page, the columns of --records, the history over steps and
// the explanations; none of these lists figures by hand.
//
//	set, err := catalog.Measures().Compute(ctx, measure.Input{Original: original, Current: current}, measure.Everywhere,
//
// nil)
//
//	expected := set.Number("risk", "expected_reidentifications", 0)
//
// A measure stands beside its science, in one file, and is one line in the
// catalog. What several build on, such as the key table, a Version computes once.
package measure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Spec describes a measure in the catalog.
type Spec struct {
	Name    string // in scripts and summaries: "kanonymity"
	Title   string // on the screen: "k-anonymity"
	Help    string // what it tells, one paragraph
	Cite    string // the source
	Section string // the heading in reports; "": Title. Measures with the same one that follow each other share it
	Lead    string // the first sentence of that section; "": none
	Shown   Place  // where it is shown without being asked for. What-ifs need one that takes no longer than the key table
	Columns []Column
	New     func() Measure
	Groups  bool // it tells the same where rows stand for several records each
	Utility bool // it measures information loss or describes distributions, not risk
	Page    Page // what stands first there, what is drawn, and which records are the worst

	Summary []Summarised // numbers that summaries have without being asked, of a measure that is Shown
	// Definitions says what the numbers and the figures of records mean; nil: the measure says it with its values.
	Definitions Definitions
	SummaryIn   string // the member of summaries that they stand in; "": they stand by themselves
}

// Heading returns the heading of the section in reports.
func (s *Spec) Heading() string { return cmp.Or(s.Section, s.Title) }

// Column names a figure of every record.
type Column struct {
	Name  string // in --records: "fk"
	Title string // on the record page; "": the page tells it in its own way
	Unit  Unit
}

// Place is a set of places where figures are shown.
type Place uint8

// The places.
const (
	WhatIf  Place = 1 << iota // the table of what-ifs
	Screen                    // the pane of the risk
	History                   // after each step
	Report
	Records    // per record: the record page and --records
	Everywhere = WhatIf | Screen | History | Report | Records
)

// Input is what a measure looks at: the data, and the same records as they were
// read, which may be the same version.
type Input struct{ Original, Current *Version }

// CountOf is a number that is a count of so many, the less the better; of 0: of nothing that is told.
func CountOf(name, title string, count, of int) Value {
	return Value{Name: name, Title: title, Number: float64(count), Unit: Count, Better: Lower, Of: of}
}

// Measure is one measure with its parameters set. Compute obeys the context; a
// nil meter is allowed.
type Measure interface {
	method.Parameterised
	// Needs says in plain words why the measure tells nothing of the data: "" where
	// it does. It goes by the scenario and the origins of the variables.
	Needs(in Input) string
	Compute(ctx context.Context, in Input, meter *progress.Meter) (Values, error)
}

// ErrTooLarge is wrapped where a version of the data is too large for a measure. Another
// version of the same records, such as one with fewer categories, may not be.
var ErrTooLarge = errors.New("too large")

// Values are what a measure found.
type Values struct {
	Numbers []Value
	Tables  []Table
	Records []func(record int) float64 // one per column; nil: there is none; NaN: none of this record
	Columns []Column                   // their names, where the parameters have a part in them; nil: those of the Spec
	Notes   []string                   // lines of every explanation
	// Explain completes the explanation of a number or the figure of a record with the values put in; nil: what the
	// definition and Notes say is all.
	Explain func(e *Explanation, what *What)
	Result  any // behind the numbers, for panes that draw it; nil: there is none
}

// Value is one number.
type Value struct {
	Name   string // in summaries: "expected_reidentifications"
	K      int    // the k that it is of; 0: none
	Part   string // tells it from others of its name where no k does: "k0.05", "income"; "": nothing has to
	Title  string // "expected re-identifications"
	Labels Labels
	Number float64 // NaN: there is none to tell
	None   string  // what stands in its place then; "": a dash
	Unit   Unit
	Better Direction
	Of     int   // what the number is a part of, such as all records; 0: nothing
	Hidden Place // the places of the Spec where this number is left out
	Beside bool  // stands beside another of the same k, and only for the k of the screen
	Late   bool  // stands behind the numbers of other measures on the screen
	// Note is a sentence that stands in reports with the number, at the end of the
	// section, where it is above 0 now or in the original data; else the number is
	// left out there. "": it always stands in its place.
	Note string
}

// Labels name a number on the screen where its title would be too long: each is
// that before it where it is empty.
type Labels struct{ Row, ShortRow, WhatIf, ShortWhatIf string }

// Table is a table of a report and a summary; all rows are as long as Columns.
type Table struct {
	Name    string   `json:"-"` // in summaries
	Title   string   `json:"-"` // its heading
	Columns []string `json:"columns"`
	// texts, microdata.Combination, whole numbers, numbers, Percent, Expected; nil, NaN or infinite: there is none
	Rows [][]any `json:"rows"`
	// Drawn says that a screen shows the last column as bars.
	Drawn bool `json:"-"`
	// About says more of a row, in lines; spell spells a category with what it means. nil: nothing is said.
	About func(row int, spell func(variable, category string) string) []string `json:"-"`
}

// Percent is a cell of a table: a share in percent.
type Percent float64

// Expected is a cell of a table: an expected number of records.
type Expected float64

// Added returns the steps by which the whole numbers of a column add up to a number,
// the texts of the first column beside them: "region 3", "3 + 2 = 5".
func (t *Table) Added(column int, sum string) []string {
	var lines, terms []string
	for _, row := range t.Rows {
		if n, ok := row[column].(int); ok && n != 0 && row[0] != Sum {
			lines, terms = append(lines, fmt.Sprint(row[0], ": ", wording.Number(n))), append(terms, wording.Number(n))
		}
	}
	if len(terms) == 0 {
		return []string{"there are none: " + sum}
	}
	return append(lines, strings.Join(terms, " + ")+" = "+sum)
}

// Sum is what stands before the last row of a table that adds up the others.
const Sum = "all"

// PercentOf returns the share of a part as a cell; "–" of nothing.
func PercentOf(part, whole int) any {
	if whole == 0 {
		return "–"
	}
	return Percent(100 * float64(part) / float64(whole))
}

// String spells the share as a cell of a report.
func (p Percent) String() string { return report.Percent(float64(p), 3) }

// Text spells the table, its heads in the first row.
func (t *Table) Text() [][]string {
	rows := [][]string{t.Columns}
	for _, row := range t.Rows {
		texts := make([]string, len(row))
		for i, cell := range row {
			texts[i] = CellText(cell)
		}
		rows = append(rows, texts)
	}
	return rows
}

// CellText spells a cell of a table; nil is "–".
func CellText(cell any) string {
	switch cell := cell.(type) {
	case nil:
		return "–"
	case int:
		return wording.Number(cell)
	case float64:
		return wording.Amount(cell)
	case Expected:
		return wording.Expected(float64(cell))
	default:
		return fmt.Sprint(cell)
	}
}

// CellNumber returns a cell of a table as a number; NaN where it is none.
func CellNumber(cell any) float64 {
	switch cell := cell.(type) {
	case int:
		return float64(cell)
	case float64:
		return cell
	case Percent:
		return float64(cell)
	default:
		return math.NaN()
	}
}

// Unit says what a number counts.
type Unit uint8

// The units.
const (
	Amount          Unit = iota // expected records, or no unit
	Count                       // whole numbers: records, cells
	Probability                 // from 0 to 1
	Mean                        // a mean probability, shown in percent
	ExpectedRecords             // an expected number of records, which may be a tiny one
)

// Direction says which way a number is better.
type Direction int8

// The directions.
const (
	Lower  Direction = -1
	Either Direction = 0
	Higher Direction = 1
)

// Text spells the number as the screen does.
func (v *Value) Text() string {
	switch {
	case v.Number != v.Number && v.None != "":
		return v.None
	case v.Number != v.Number:
		return "–"
	case v.Unit == Count:
		return wording.Number(int(v.Number))
	case v.Unit == Probability:
		return wording.Probability(v.Number)
	case v.Unit == Mean:
		return wording.Percent(v.Number)
	case v.Unit == ExpectedRecords:
		return wording.Expected(v.Number)
	default:
		return wording.Amount(v.Number)
	}
}

// Pair spells the number and another that stands beside it, percentages with the same decimals.
func (v *Value) Pair(other *Value) (text, otherText string) {
	if v.Unit == Mean && other.Unit == Mean {
		texts := wording.Percents(v.Number, other.Number)
		return texts[0], texts[1]
	}
	return v.Text(), other.Text()
}

// Row returns the name in a list of the screen and a shorter one.
func (v *Value) Row() (name, short string) {
	name = cmp.Or(v.Labels.Row, v.Title)
	return name, cmp.Or(v.Labels.ShortRow, name)
}

// WhatIf returns the name in the table of what-ifs and a shorter one.
func (v *Value) WhatIf() (name, short string) {
	name = cmp.Or(v.Labels.WhatIf, v.Title)
	return name, cmp.Or(v.Labels.ShortWhatIf, name)
}

// What is to be explained: a number of the file, or a figure of one record.
type What struct {
	Value    Value  // as it is now
	Original *Value // as it was; nil: not known
	Column   string // of the figure of a record; "": the number is of the file
	Record   int    // the record, from 0
	Place    int    // of the column among those of the measure
}

// Figure returns the name of the number, or of the figure of a record.
func (w *What) Figure() string { return cmp.Or(w.Column, w.Value.Name) }

// Explanation says what a figure is, how it is computed, and with which values
// here.
type Explanation struct {
	Name       string // "Expected re-identifications"
	Value      string // as shown
	Definition string
	Formula    string
	Values     []string // the values put in, one line each
	// Steps puts the numbers into the formula, a line each, until the shown figure comes
	// out: "46.41 / 5,000 = 0.9 %". It is made when somebody looks; nil: Values do it.
	Steps  func() []string
	Source string
}

// Here returns the values put in and the steps to the shown figure.
func (e *Explanation) Here() []string {
	if e.Steps == nil {
		return e.Values
	}
	return append(slices.Clone(e.Values), e.Steps()...)
}
