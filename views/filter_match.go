package views

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// Bind returns the condition for the current data of a state. It costs time in
// the number of categories; the condition is a look into a table per variable.
func (f *Filter) Bind(s State) (func(record int) bool, error) { return f.root.bind(s) }

func bindParts(s State, parts []filterNode) ([]func(int) bool, error) {
	bound := make([]func(int) bool, len(parts))
	for i, part := range parts {
		var err error
		if bound[i], err = part.bind(s); err != nil {
			return nil, err
		}
	}
	return bound, nil
}

func (f filterAll) bind(s State) (func(int) bool, error) {
	parts, err := bindParts(s, f.parts)
	return func(record int) bool {
		for _, meets := range parts {
			if !meets(record) {
				return false
			}
		}
		return true
	}, err
}

func (f filterAny) bind(s State) (func(int) bool, error) {
	parts, err := bindParts(s, f.parts)
	return func(record int) bool {
		for _, meets := range parts {
			if meets(record) {
				return true
			}
		}
		return false
	}, err
}

func (f filterNot) bind(s State) (func(int) bool, error) {
	meets, err := f.part.bind(s)
	return func(record int) bool { return !meets(record) }, err
}

func (f filterTest) bind(s State) (func(int) bool, error) {
	column := f.find(s.Current)
	if column == nil {
		return f.bindFigure(s)
	}
	switch f.operator {
	case "missing":
		return column.Missing, nil
	case "suppressed":
		return column.Suppressed().Has, nil
	case "changed":
		original, ok := s.Original.Data.Column(column.Name())
		if !ok || original == column {
			return func(int) bool { return false }, nil
		}
		return func(record int) bool { return cellChanged(column, original, record) }, nil
	}
	if numbers := column.StoredAsNumbers(); numbers != nil {
		compare, err := f.compareNumbers()
		return func(record int) bool { return compare(numbers.Values[record]) }, err
	}
	return f.bindLevels(column)
}

// find returns the column the test asks about; capitals matter only where two
// variables differ by nothing else.
func (f filterTest) find(v Version) *microdata.Column {
	if v.Data == nil {
		return nil
	}
	if column, ok := v.Data.Column(f.variable); ok {
		return column
	}
	if f.variable == "fk" || f.variable == "Fk" {
		return nil
	}
	for _, column := range v.Data.Columns() {
		if strings.EqualFold(column.Name(), f.variable) {
			return column
		}
	}
	return nil
}

// bindFigure binds a test of a figure of the record.
func (f filterTest) bindFigure(s State) (func(int) bool, error) {
	figure := f.figure(s)
	if figure == nil && s.NotApplicable != "" {
		return nil, fmt.Errorf("%w: %s is not applicable: %s", ErrFilter, f.variable, s.NotApplicable)
	}
	if figure == nil {
		return nil, fmt.Errorf("%w: the file has no variable %s", ErrFilter, f.variable)
	}
	if f.operator == "missing" || f.operator == "suppressed" || f.operator == "changed" {
		return nil, fmt.Errorf("%w: %s is a figure: compare it with a number", ErrFilter, f.variable)
	}
	compare, err := f.compareNumbers()
	return func(record int) bool { return compare(figure(record)) }, err
}

func (f filterTest) figure(s State) func(record int) float64 {
	a := s.Current.Assessment
	switch {
	case f.variable == "record":
		return func(record int) float64 { return float64(record + 1) }
	case f.variable == "source_record":
		return func(record int) float64 { return float64(s.Current.Data.SourceRecord(record) + 1) }
	case a == nil:
		return nil
	case f.variable == "fk":
		return func(record int) float64 { sample, _ := a.Frequency(record); return sample }
	case f.variable == "Fk":
		return func(record int) float64 { _, population := a.Frequency(record); return population }
	case f.variable == "risk":
		return a.Risk
	default:
		return nil
	}
}

// compareNumbers returns the comparison with the values of the test; NaN meets
// none.
func (f filterTest) compareNumbers() (func(x float64) bool, error) {
	numbers := make([]float64, len(f.values))
	for i, value := range f.values {
		number, err := strconv.ParseFloat(value, 64)
		if err != nil || f.operator == "contains" {
			return nil, f.noNumber()
		}
		numbers[i] = number
	}
	return func(x float64) bool {
		for _, number := range numbers {
			if compares(f.operator, x, number) {
				return true
			}
		}
		return false
	}, nil
}

func (f filterTest) noNumber() error {
	return fmt.Errorf("%w: %s is a number: compare it with a number", ErrFilter, f.variable)
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

// bindLevels decides once for every category and then looks up codes.
func (f filterTest) bindLevels(column *microdata.Column) (func(int) bool, error) {
	categories := column.Categories()
	meets := make([]bool, len(categories.Levels)+1)
	for _, value := range f.values {
		level, err := f.levelTest(column.Name(), categories, value)
		if err != nil {
			return nil, err
		}
		for i := range categories.Levels {
			meets[i+1] = meets[i+1] || level(i)
		}
	}
	codes := categories.Codes
	return func(record int) bool { return meets[codes.At(record)] }, nil
}

// levelTest returns the condition on a level for one value.
func (f filterTest) levelTest(name string, categories *microdata.Categories, value string) (func(level int) bool, error) {
	levels := categories.Levels
	number, err := strconv.ParseFloat(value, 64)
	isNumber := err == nil
	equal := func(i int) bool {
		return strings.EqualFold(levels[i].Label, value) || isNumber && levels[i].Value == number
	}
	switch f.operator {
	case "=", "in":
		return equal, nil
	case "!=":
		return func(i int) bool { return !equal(i) }, nil
	case "contains":
		want := strings.ToLower(value)
		return func(i int) bool { return strings.Contains(strings.ToLower(levels[i].Label), want) }, nil
	}
	for at := range levels {
		if categories.Ordered && strings.EqualFold(levels[at].Label, value) {
			return func(i int) bool { return compares(f.operator, float64(i), float64(at)) }, nil
		}
	}
	if !isNumber && anyNumber(levels) {
		return nil, f.noNumber()
	}
	if !isNumber || !anyNumber(levels) {
		return nil, fmt.Errorf("%w: the categories of %s have no such order: use = or in", ErrFilter, name)
	}
	return func(i int) bool { return compares(f.operator, levels[i].Value, number) }, nil
}

func anyNumber(levels []microdata.Level) bool {
	for i := range levels {
		if levels[i].NumberLevel() {
			return true
		}
	}
	return false
}
