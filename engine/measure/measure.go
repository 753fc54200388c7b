// Package measure defines what a measure is: a figure, or set of figures, computed from the data without changing
// it. A Spec names and documents a measure; Compute turns a version of the data into Values: named numbers with
// unit, direction and denominator, tables, and figures of every record; Explain explains a number. The what-if
// table, summaries, reports, the record page, the columns of --records, the history of steps and the explanations
// are all derived from the one catalog of measures; none of them lists figures itself.
//
//	in := measure.Input{Original: original, Current: current}
//	set, err := catalog.Measures().Compute(ctx, in, measure.Everywhere, nil)
//	expected := set.Value("risk", "expected_reidentifications", 0)
//
// The code of a measure is in one file in the package of its science; the catalog has one line for it. Results
// that several measures use, such as the key table, are computed once by a Version.
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
	Name    string // name in scripts and summaries: "kanonymity"
	Title   string // name on the screen: "k-anonymity"
	Help    string // one paragraph on what it measures
	Cite    string // references
	Section string // heading in reports, or "" for Title; consecutive measures with the same heading share a section
	Lead    string // first sentence of that section, or ""
	Shown   Place  // where it is shown by default. A measure in what-ifs must not take longer than the key table
	Columns []Column
	New     func() Measure
	Groups  bool // has the same result for a frequency table as for its records
	Utility bool // it measures information loss or describes distributions, not risk
	Page    Page // layout of its page: headline, bars and worst records

	Summary []SummaryNumber // numbers included in summaries by default, if the measure is Shown
	// Definitions defines the numbers and record figures; nil if Values.Explain does.
	Definitions Definitions
	SummaryIn   string // member of summaries that contains them, or "" for the top level
}

// Heading returns the heading of the section in reports.
func (s *Spec) Heading() string { return cmp.Or(s.Section, s.Title) }

// Column describes a figure of every record.
type Column struct {
	Name  string // name in --records: "fk"
	Title string // title on the record page, or "" if the page shows it in another way
	Unit  Unit
}

// Place is a set of places where figures are shown.
type Place uint8

// The places.
const (
	WhatIf  Place = 1 << iota // table of what-ifs
	Screen                    // risk pane
	History                   // history of steps
	Report
	Records    // per record: record page and --records
	Everywhere = WhatIf | Screen | History | Report | Records
)

// Input is the input of a measure: the current data and the same records as read; both can be the same version.
type Input struct{ Original, Current *Version }

// CountOf returns a count out of a total, lower being better; of is 0 if there is no total.
func CountOf(name, title string, count, of int) Value {
	return Value{Name: name, Title: title, Number: float64(count), Unit: Count, Better: Lower, Of: of}
}

// Measure is a measure with its parameters. Compute obeys the context; meter may be nil.
type Measure interface {
	method.Parameterised
	// Needs returns the reason why the measure does not apply to the data, judged by the scenario and the origins
	// of the variables, or "".
	Needs(in Input) string
	Compute(ctx context.Context, in Input, meter *progress.Meter) (Values, error)
}

// ErrTooLarge is wrapped by errors about a version of the data that is too large for a measure. Another version of
// the same records, for example with fewer categories, may not be.
var ErrTooLarge = errors.New("too large")

// Values is the result of a measure.
type Values struct {
	Numbers []Value
	Tables  []Table
	Records []func(record int) float64 // by column; a nil function if not computed; NaN for a record without the figure
	Columns []Column                   // columns that depend on the parameters; nil for those of the Spec
	Notes   []string                   // lines for every explanation
	// Explain completes the explanation of a number or record figure, for example with a worked example; nil if
	// the definition and Notes are sufficient.
	Explain func(e *Explanation, what *FigureKey)
	Result  any // details for panes that draw the measure; nil if none
}

// Value is a number of a measure.
type Value struct {
	Name        string // name in summaries: "expected_reidentifications"
	K           int    // the k that it belongs to, or 0
	Part        string // distinguishes numbers with the same name, if k does not: "k0.05", "income"; or ""
	Title       string // "expected re-identifications"
	Labels      Labels
	Number      float64 // NaN if not defined
	None        string  // shown instead of NaN; "" for a dash
	Unit        Unit
	Better      Direction
	Of          int   // the total that it is a part of, such as all records, or 0
	Hidden      Place // places of the Spec that omit this number
	NextToSameK bool  // shown next to another number of the same k, only for the k of the screen
	Late        bool  // shown after the numbers of other measures on the screen
	// Note is a sentence that reports print with the number at the end of the section, if it is above 0 in the
	// current or original data; otherwise they omit the number. If Note is "", the number is always in its place.
	Note string
}

// Labels are shorter names on the screen; an empty one defaults to the one before it.
type Labels struct{ Row, ShortRow, WhatIf, ShortWhatIf string }

// Table is a table in reports and summaries; all rows have the length of Columns.
type Table struct {
	Name    string   `json:"-"` // name in summaries
	Title   string   `json:"-"` // heading
	Columns []string `json:"columns"`
	// texts, microdata.Combination, integers, numbers, Percent or ExpectedCount; nil, NaN or infinite if not defined
	Rows [][]any `json:"rows"`
	// Drawn reports whether a screen shows the last column as bars.
	Drawn bool `json:"-"`
	// About returns lines with details of a row, or nil; spell formats a category with its label.
	About func(row int, spell func(variable, category string) string) []string `json:"-"`
}

// Percent is a table cell with a percentage.
type Percent float64

// ExpectedCount is a table cell with an expected number of records.
type ExpectedCount float64

// Added returns lines that show how the integers in a column add up to a sum, each with the label from the first
// column: "region: 3", "3 + 2 = 5".
func (t *Table) Added(column int, sum string) []string {
	var lines, terms []string
	for _, row := range t.Rows {
		if n, ok := row[column].(int); ok && n != 0 && row[0] != Sum {
			lines, terms = append(lines, fmt.Sprint(row[0], ": ", wording.Number(n))), append(terms, wording.Number(n))
		}
	}
	if len(terms) == 0 {
		return []string{"no such cells or records: " + sum}
	}
	return append(lines, strings.Join(terms, " + ")+" = "+sum)
}

// Sum is the label of the last row of a table if it is the sum of the others.
const Sum = "all"

// PercentOf returns a cell with the percentage of part in whole, or "–" if whole is 0.
func PercentOf(part, whole int) any {
	if whole == 0 {
		return "–"
	}
	return Percent(100 * float64(part) / float64(whole))
}

// String formats the percentage as a cell of a report.
func (p Percent) String() string { return report.Percent(float64(p), 3) }

// Text formats the cells, with the headings as the first row.
func (t *Table) Text() [][]string {
	rows := [][]string{t.Columns}
	for _, row := range t.Rows {
		texts := make([]string, len(row))
		for i, cell := range row {
			texts[i] = CellText(cell)
		}
		rows = append(rows, texts)
	}
	for c := range t.Columns {
		for row, text := range t.AmountsOf(c) {
			rows[row+1][c] = text
		}
	}
	return rows
}

// AmountsOf returns the texts of the amounts in a column, by row, with the same decimals.
func (t *Table) AmountsOf(column int) map[int]string {
	var rows []int
	var amounts []float64
	for row, cells := range t.Rows {
		if amount, ok := cells[column].(float64); ok {
			rows, amounts = append(rows, row), append(amounts, amount)
		}
	}
	texts := map[int]string{}
	for i, text := range wording.Amounts(amounts...) {
		texts[rows[i]] = text
	}
	return texts
}

// CellText formats a cell; nil is "–".
func CellText(cell any) string {
	switch cell := cell.(type) {
	case nil:
		return "–"
	case int:
		return wording.Number(cell)
	case float64:
		return wording.Amount(cell)
	case ExpectedCount:
		return wording.Expected(float64(cell))
	default:
		return fmt.Sprint(cell)
	}
}

// CellNumber returns a cell as a number, or NaN if it is not one.
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

// Unit is the unit of a number.
type Unit uint8

// The units.
const (
	Amount          Unit = iota // expected records, or no unit
	Count                       // integers: records, cells
	Probability                 // from 0 to 1
	Mean                        // a mean probability, shown in percent
	ExpectedRecords             // an expected number of records, possibly tiny
	CellLoss                    // information loss per cell
)

// Direction is the direction in which a number is better.
type Direction int8

// The directions.
const (
	Lower  Direction = -1
	Either Direction = 0
	Higher Direction = 1
)

// Text formats the number for the screen.
func (v *Value) Text() string {
	switch {
	case v.Number != v.Number && v.None != "":
		return v.None
	case v.Number != v.Number:
		return Unknown
	case v.Unit == Count:
		return wording.Number(int(v.Number))
	case v.Unit == Probability:
		return wording.Probability(v.Number)
	case v.Unit == Mean:
		return wording.Percent(v.Number)
	case v.Unit == ExpectedRecords:
		return wording.Expected(v.Number)
	case v.Unit == CellLoss:
		return wording.CellLoss(v.Number)
	default:
		return wording.Amount(v.Number)
	}
}

// Pair formats the number and another one shown next to it, with the same decimals.
func (v *Value) Pair(other *Value) (text, otherText string) {
	texts := Texts(v, other)
	return texts[0], texts[1]
}

// Unknown is the text of a number that is not known.
const Unknown = "–"

// Texts formats numbers that are listed together; nil is Unknown. All percentages have the same decimals, and so have amounts
// with the same name.
func Texts(values ...*Value) []string {
	type group struct {
		unit Unit
		name string
	}
	texts, places := make([]string, len(values)), map[group][]int{}
	for i, v := range values {
		if texts[i] = Unknown; v == nil {
			continue
		}
		switch texts[i] = v.Text(); {
		case math.IsNaN(v.Number):
		case v.Unit == Mean:
			places[group{unit: Mean}] = append(places[group{unit: Mean}], i)
		case v.Unit == Amount:
			places[group{Amount, v.Name}] = append(places[group{Amount, v.Name}], i)
		}
	}
	for of, group := range places {
		numbers := make([]float64, len(group))
		for i, place := range group {
			numbers[i] = values[place].Number
		}
		same := wording.Amounts
		if of.unit == Mean {
			same = wording.Percents
		}
		for i, text := range same(numbers...) {
			texts[group[i]] = text
		}
	}
	return texts
}

// Row returns the name in a list on the screen, and a shorter one.
func (v *Value) Row() (name, short string) {
	name = cmp.Or(v.Labels.Row, v.Title)
	return name, cmp.Or(v.Labels.ShortRow, name)
}

// WhatIf returns the name in the table of what-ifs, and a shorter one.
func (v *Value) WhatIf() (name, short string) {
	name = cmp.Or(v.Labels.WhatIf, v.Title)
	return name, cmp.Or(v.Labels.ShortWhatIf, name)
}

// FigureKey identifies a figure to explain: a number of the file, or a figure of one record.
type FigureKey struct {
	Value    Value  // current value
	Original *Value // original value; nil if unknown
	Column   string // column of a record figure, or "" for a number of the file
	Record   int    // the record, from 0
	Place    int    // index of the column in the measure
}

// Figure returns the name of the number, or of the figure of a record.
func (w *FigureKey) Figure() string { return cmp.Or(w.Column, w.Value.Name) }

// Explanation explains a figure: its meaning, its formula, and a worked example with the current values.
type Explanation struct {
	Name       string // "Expected re-identifications"
	Value      string // as shown
	Definition string
	Formula    string
	Values     []string // values in the formula, one line each
	// Steps, if not nil, returns the worked example, one line per step, up to the displayed figure: "46.41 / 5,000
	// = 0.9 %". It is called only when the explanation is displayed.
	Steps  func() []string
	Source string
}

// Here returns the values in the formula and the steps of the worked example.
func (e *Explanation) Here() []string {
	if e.Steps == nil {
		return e.Values
	}
	return append(slices.Clone(e.Values), e.Steps()...)
}
