package notation

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Scope resolves the names in a condition.
type Scope struct {
	Data     *microdata.Dataset
	Original *microdata.Dataset // compared by "changed"; nil for the source of the data
	// Figure, if not nil, returns a figure of the records by its name, such as risk, for a name that is no
	// variable. It returns an error if the figure does not apply, and ok = false if there is no such figure.
	Figure func(name string) (figure func(record int) float64, ok bool, err error)
}

// Bind returns a function that reports whether a record meets the condition. Binding takes time in the number of
// categories; each call is one table lookup per variable. Besides the variables, the names record and
// source_record refer to the number of the record and its number in the source, both from 1.
func (c Condition) Bind(s Scope) (func(record int) bool, error) {
	if c.root == nil {
		return func(int) bool { return true }, nil
	}
	return c.root.bind(s)
}

func (n junction) bind(s Scope) (func(int) bool, error) {
	parts := make([]func(int) bool, len(n.parts))
	for i, part := range n.parts {
		var err error
		if parts[i], err = part.bind(s); err != nil {
			return nil, err
		}
	}
	return func(record int) bool {
		for _, meets := range parts {
			if meets(record) == n.any {
				return n.any
			}
		}
		return !n.any
	}, nil
}

func (n negation) bind(s Scope) (func(int) bool, error) {
	meets, err := n.part.bind(s)
	return func(record int) bool { return !meets(record) }, err
}

func (n test) bind(s Scope) (func(int) bool, error) {
	column := n.find(s)
	if column == nil {
		return n.bindFigure(s)
	}
	switch n.operator {
	case "missing":
		return column.Missing, nil
	case "suppressed":
		return column.Suppressed().Has, nil
	case "changed":
		original := column.Source()
		if s.Original != nil {
			var ok bool
			if original, ok = s.Original.Column(column.Name()); !ok {
				original = column
			}
		}
		return func(record int) bool { return column.Differs(original, record) }, nil
	}
	if numbers := column.StoredAsNumbers(); numbers != nil {
		compare, err := n.compareNumbers()
		return func(record int) bool { return compare(numbers.Values[record]) }, err
	}
	return n.bindLevels(column)
}

// find returns the column that the test is on, or nil. Case matters only if two variables differ by nothing else.
func (n test) find(s Scope) *microdata.Column {
	if s.Data == nil {
		return nil
	}
	if column, ok := s.Data.Column(n.variable); ok {
		return column
	}
	if s.Figure != nil {
		if _, ok, _ := s.Figure(n.variable); ok {
			return nil
		}
	}
	for _, column := range s.Data.Columns() {
		if strings.EqualFold(column.Name(), n.variable) {
			return column
		}
	}
	return nil
}

// bindFigure binds a test of a figure of the record.
func (n test) bindFigure(s Scope) (func(int) bool, error) {
	figure, err := n.figure(s)
	if err != nil {
		return nil, errorf("%w", err)
	}
	if len(n.values) == 0 {
		return nil, errorf("%s is a figure: compare it with a number", n.variable)
	}
	compare, err := n.compareNumbers()
	return func(record int) bool { return compare(figure(record)) }, err
}

func (n test) figure(s Scope) (func(record int) float64, error) {
	switch n.variable {
	case "record":
		return func(record int) float64 { return float64(record + 1) }, nil
	case "source_record":
		return func(record int) float64 { return float64(s.Data.SourceRecord(record) + 1) }, nil
	}
	if s.Figure != nil {
		if figure, ok, err := s.Figure(n.variable); ok || err != nil {
			return figure, err
		}
	}
	return nil, errors.New("the file has no variable " + wording.Excerpt(n.variable))
}

// compareNumbers returns a function that compares a number with the values of the test; NaN meets none.
func (n test) compareNumbers() (func(x float64) bool, error) {
	numbers := make([]float64, len(n.values))
	for i, value := range n.values {
		number, ok := value.number()
		if !ok || n.operator == "contains" {
			return nil, n.errNumber()
		}
		numbers[i] = number
	}
	return func(x float64) bool {
		return slices.ContainsFunc(numbers, func(number float64) bool { return compares(n.operator, x, number) })
	}, nil
}

// number returns the value of a word that is a finite number.
func (w Word) number() (float64, bool) {
	x, err := strconv.ParseFloat(w.Text, 64)
	return x, err == nil && !math.IsInf(x, 0) && !math.IsNaN(x)
}

func (n test) errNumber() error {
	return errorf("%s is a number: compare it with a number", n.variable)
}

func compares(operator string, x, number float64) bool {
	switch operator {
	case "=", "in":
		return x == number
	case "!=":
		return x != number && !math.IsNaN(x)
	case "<":
		return x < number
	case "<=":
		return x <= number
	case ">":
		return x > number
	default:
		return x >= number
	}
}

// Records returns the records of the scope's data that meet the condition.
func (c Condition) Records(ctx context.Context, s Scope) (*microdata.Bits, error) {
	meets, err := c.Bind(s)
	if err != nil {
		return nil, err
	}
	records := microdata.NewBits(s.Data.Len())
	for record := range s.Data.Len() {
		if parallel.Stopped(ctx, record) {
			return nil, ctx.Err()
		}
		if meets(record) {
			records.Set(record)
		}
	}
	return records, nil
}
