package prepare

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Target types of a conversion.
const (
	ToCategory = "category"
	ToNumber   = "number"
	ToWhole    = "whole"

	ToOrdered   = "ordered"   // keep the values and declare their order meaningful
	ToUnordered = "unordered" // keep the values and declare their order meaningless
)

// Treatment of cells that are not numbers.
const (
	InvalidError   = "error"
	InvalidMissing = "missing"
)

// Decimal marks of labels that are parsed as numbers.
const (
	DecimalPoint = "point"
	DecimalComma = "comma"
)

// Convert converts between numeric and categorical variables. A label parsed as a number keeps leading zeros and
// decimals, unless another label is the same number: these are merged, in the shortest notation. Missing cells
// stay missing, and suppressed ones suppressed. Later recodes start from the converted values.
type Convert struct {
	Variable string
	To       string // ToCategory, ToNumber, ToWhole, ToOrdered or ToUnordered
	Invalid  string // InvalidError or InvalidMissing: treatment of cells that are not numbers, or not integers
	Decimal  string // DecimalPoint or DecimalComma: notation of labels
}

// ConvertSpec describes convert for the catalog.
func ConvertSpec() method.Spec {
	return method.Spec{
		Name:  "convert",
		Title: "Type conversion",
		Help: "Converts a numeric variable to categories, such as codes that look like numbers, or categories to a " +
			"numeric variable. Labels with the same value, such as 7 and 07, become one. Labels that are not numbers " +
			"are an error, or become missing.\n" +
			"ordered and unordered change no value: they set whether the values have an order. t-closeness, " +
			"Mondrian, local recoding, PRAM in bands, Gower's distance and recoding plans depend on it.",
		Cite:   cite,
		Sample: `{"variable":"age"}`,
		New:    method.From(Convert{To: ToCategory, Invalid: InvalidError, Decimal: DecimalPoint}),
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Convert) Params() []method.Param {
	return []method.Param{
		method.Variable(&m.Variable, "variable", "variable to convert"),
		method.Choice(&m.To, "to", "new type of the variable",
			ToCategory, ToNumber, ToWhole, ToOrdered, ToUnordered).Labelled("new type").
			Called(ToCategory, ToNumber, microdata.Whole.String(), ToOrdered, ToUnordered).
			Formerly("integer", ToWhole).InScripts("whole: integer"),
		method.Choice(&m.Invalid, "invalid", "labels that are not numbers",
			InvalidError, InvalidMissing).Labelled("invalid labels"),
		method.Choice(&m.Decimal, "decimal", "decimal mark of the labels", DecimalPoint,
			DecimalComma).Labelled("decimal mark"),
	}
}

// Apply converts the variable. Labels that are not numbers are an error that wraps method.ErrInput, unless they
// become missing.
func (m *Convert) Apply(ctx context.Context, in method.Input, _ *progress.Meter) (out method.Output, err error) {
	column, err := in.Column("variable", m.Variable)
	if err != nil {
		return out, err
	}
	after, lost, err := m.converted(column)
	if err != nil {
		return out, err
	}
	report := method.Report{Title: fmt.Sprintf("convert %s to %s", m.Variable, m.kind()), Kind: after.Kind().String(),
		Outside: lost}
	if report.Changed, err = otherCells(ctx, column, after); err != nil {
		return out, err
	}
	adjective := cmp.Or(map[string]string{ToCategory: "categorical", ToNumber: "numeric"}[report.Kind], report.Kind)
	if m.setsOrder() {
		report.Kind, adjective = m.To, m.To
	}
	report.Effect = "now " + adjective
	if lost > 0 {
		report.Effect += ", " + wording.Counted(lost, "cell") + " missing that " + m.invalidCells(lost)
	}
	if after == column {
		report.Effect = m.Variable + " is already " + adjective
		nothing(&report)
	}
	return method.Output{Data: in.Data.With(after), Report: report}, ctx.Err()
}

// Narrate states what the step did.
func (m *Convert) Narrate(report *method.Report) string {
	if m.setsOrder() {
		return fmt.Sprintf("The values of %s are treated as %s; no value changed.", m.Variable, m.To)
	}
	text := fmt.Sprintf("The values of %s are read as %s", m.Variable, map[string]string{
		ToCategory: "categories", ToNumber: "numbers", ToWhole: "integers"}[m.To])
	if report.Outside > 0 {
		text += "; cells that " + m.invalidCells(0) + " became missing"
	}
	return text + "."
}

// kind returns the target type in words.
func (m *Convert) kind() string {
	if m.To == ToWhole {
		return microdata.Whole.String()
	}
	return m.To
}

func (m *Convert) invalidCells(count int) string {
	if count == 1 {
		return "was no " + m.kind()
	}
	return "were no " + m.kind() + "s"
}

// converted returns the converted column and the number of cells that became missing.
func (m *Convert) converted(column *microdata.Column) (*microdata.Column, int, error) {
	switch {
	case m.To == ToCategory && !column.Numeric(), m.To == ToNumber && column.Kind() == microdata.Number,
		m.To == ToWhole && column.Kind() == microdata.Whole:
		return column, 0, nil
	case m.setsOrder():
		after, err := m.inOrder(column)
		return after, 0, err
	case m.To == ToCategory:
		return column.WithCategories(microdata.Category, asCategories(column.Categories())), 0, nil
	}
	read := m.read(column)
	if read.invalid > 0 && m.Invalid == InvalidError {
		return nil, 0, fmt.Errorf("convert %w: %s of %q %s no %s, the first in record %d; choose invalid = %s to make "+
			"them missing",
			method.ErrInput, wording.Counted(read.invalid, "cell"), m.Variable, wording.Verb(read.invalid, "are"),
			m.kind(), read.first+1, InvalidMissing)
	}
	return read.column(column), read.invalid, nil
}

// setsOrder reports whether only the order is changed, not the values.
func (m *Convert) setsOrder() bool { return m.To == ToOrdered || m.To == ToUnordered }

// inOrder returns the column with or without an order of its values. It sets the measurement level accordingly,
// for other programs.
func (m *Convert) inOrder(column *microdata.Column) (*microdata.Column, error) {
	ordered, said := m.To == ToOrdered, column.Described()
	if !ordered && column.StoredAsNumbers() != nil {
		return nil, fmt.Errorf("convert %w: %q has too many different numbers for codes without an order",
			method.ErrInput, m.Variable)
	}
	if column.InOrder() == ordered && (said.Level == microdata.Nominal) == !ordered && said.Level != "" {
		return column, nil
	}
	if said.Level = microdata.Nominal; ordered {
		said.Level = microdata.Ordinal
	}
	if column.StoredAsNumbers() == nil {
		categories := column.Categories()
		column = column.WithCategories(column.Kind(),
			categories.Mapped(categories.Levels, stat.InOrder(len(categories.Levels)+1), ordered))
	}
	return column.WithDescription(&said), nil
}

// asCategories returns the categories of numbers as labels without numeric values.
func asCategories(categories *microdata.Categories) *microdata.Categories {
	levels := make([]microdata.Level, len(categories.Levels))
	for i, level := range categories.Levels {
		levels[i] = microdata.Level{Label: level.Label, Value: math.NaN()}
	}
	return categories.Mapped(levels, stat.InOrder(len(levels)+1), categories.Ordered)
}

// parsed is the result of parsing a variable as numbers.
type parsed struct {
	kind    microdata.Kind
	levels  []parsedLabel // for each of the variable's levels
	invalid int           // number of cells that are not numbers
	first   int           // first of these
}

func (m *Convert) read(column *microdata.Column) parsed {
	categories := column.Categories()
	r := parsed{kind: microdata.Number, levels: make([]parsedLabel, len(categories.Levels)), first: -1}
	if m.To == ToWhole {
		r.kind = microdata.Whole
	}
	for i, level := range categories.Levels {
		r.levels[i] = parsedLabel{text: level.Label, value: level.Value, valid: column.Numeric()}
		if !column.Numeric() {
			r.levels[i] = spell(level.Label, m.Decimal == DecimalComma)
		}
		if m.To == ToWhole && !method.IsWhole(r.levels[i].value) {
			r.levels[i].valid = false
		}
		if !r.levels[i].valid {
			r.invalid += categories.Counts()[i+1]
		}
	}
	if r.invalid > 0 {
		for record := 0; r.first < 0; record++ {
			if code := categories.Codes.At(record); code > 0 && !r.levels[code-1].valid {
				r.first = record
			}
		}
	}
	return r
}

// column returns the column with the levels as numbers. Levels with the same number are merged, in the shortest
// notation.
func (r *parsed) column(from *microdata.Column) *microdata.Column {
	if numbers := from.StoredAsNumbers(); numbers != nil {
		return r.numbers(from, numbers)
	}
	order := make([]int, 0, len(r.levels))
	for i := range r.levels {
		if r.levels[i].valid {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(r.levels[a].value, r.levels[b].value) })
	levels, mapping := make([]microdata.Level, 0, len(order)), make([]uint32, len(r.levels)+1)
	for _, i := range order {
		value := r.levels[i].value
		if last := len(levels) - 1; last >= 0 && levels[last].Value == value {
			levels[last].Label = strconv.FormatFloat(value, 'f', -1, 64)
		} else {
			levels = append(levels, microdata.Level{Label: r.levels[i].text, Value: value})
		}
		mapping[i+1] = uint32(len(levels))
	}
	return from.WithCategories(r.kind, from.Categories().Mapped(levels, mapping, true))
}

// numbers returns a column that is stored as numbers, without the invalid ones.
func (r *parsed) numbers(from *microdata.Column, numbers *microdata.Numbers) *microdata.Column {
	out := *numbers
	if r.invalid > 0 {
		out.Values = slices.Clone(numbers.Values)
		for record, value := range out.Values {
			if !method.IsWhole(value) {
				out.Values[record] = math.NaN()
			}
		}
	}
	return from.WithNumbers(r.kind, &out)
}

// parsedLabel is a label parsed as a number.
type parsedLabel struct {
	text  string // with a point as decimal mark
	value float64
	valid bool
}

// spell parses a label as a number: digits with an optional sign, decimal mark and exponent; surrounding blanks
// are ignored. Values that overflow are not numbers.
func spell(label string, comma bool) parsedLabel {
	s := parsedLabel{text: label, value: math.NaN()}
	if comma {
		if strings.Contains(label, ".") {
			return s
		}
		s.text = strings.Replace(label, ",", ".", 1)
	}
	s.value = microdata.LabelNumber(strings.TrimSpace(s.text)) + 0 // turns -0 into 0
	s.valid = !math.IsNaN(s.value)
	return s
}
