package notation

import (
	"math"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// bindLevels evaluates the test once for every category; the function it returns looks up codes.
func (n test) bindLevels(column *microdata.Column) (func(int) bool, error) {
	categories := column.Categories()
	meets := make([]bool, len(categories.Levels)+1)
	for _, value := range n.values {
		level, err := n.levelTest(column, value)
		if err != nil {
			return nil, err
		}
		for i := range categories.Levels {
			if !meets[i+1] {
				if meets[i+1], err = level(i); err != nil {
					return nil, err
				}
			}
		}
	}
	codes := categories.Codes
	return func(record int) bool { return meets[codes.At(record)] }, nil
}

// levelTest returns a function that tests a level against one value.
func (n test) levelTest(column *microdata.Column, value Word) (func(level int) (bool, error), error) {
	categories := column.Categories()
	levels, meanings := categories.Levels, column.Described().Labels
	if _, number := value.number(); number && !value.Quoted {
		meanings = nil // an unquoted number is compared by value only
	}
	switch n.operator {
	case "contains":
		want := strings.ToLower(value.Text)
		return func(i int) (bool, error) {
			label := levels[i].Label
			return strings.Contains(strings.ToLower(label), want) ||
				strings.Contains(strings.ToLower(meanings[label]), want), nil
		}, nil
	case "=", "in", "!=":
		same, some := sameLevels(levels, meanings, value)
		if _, number := value.number(); !some && (value.Quoted || !number || !column.Numeric()) {
			return nil, errorf("%s has no category %q", column.Name(), wording.Excerpt(value.Text))
		}
		return func(i int) (bool, error) { return same(i) == (n.operator != "!="), nil }, nil
	}
	for _, called := range []func(at int) string{func(at int) string { return levels[at].Label },
		func(at int) string { return meanings[levels[at].Label] }} {
		for at := range levels {
			if categories.Ordered && strings.EqualFold(called(at), value.Text) {
				return func(i int) (bool, error) { return compares(n.operator, float64(i), float64(at)), nil }, nil
			}
		}
	}
	return n.orderTest(column, value)
}

// sameLevels returns a function that reports whether a level equals a value. An unquoted number is compared by
// value, anything else as a label, whose case matters if two labels differ by nothing else. If no label matches,
// value labels of the file are compared. some is false if no level is equal.
func sameLevels(levels []microdata.Level, meanings map[string]string,
	value Word) (same func(level int) bool, some bool) {
	number, isNumber := value.number()
	tests := []func(level int) bool{
		func(i int) bool { return isNumber && !value.Quoted && levels[i].Value == number },
		func(i int) bool { return levels[i].Label == value.Text },
		func(i int) bool { return strings.EqualFold(levels[i].Label, value.Text) },
		func(i int) bool { return isNumber && levels[i].Value == number },
		func(i int) bool { return value.Text != "" && meanings[levels[i].Label] == value.Text },
		func(i int) bool { return value.Text != "" && strings.EqualFold(meanings[levels[i].Label], value.Text) },
	}
	for _, test := range tests {
		for i := range levels {
			if test(i) {
				return test, true
			}
		}
	}
	return tests[1], false
}

// orderTest compares levels with a number: numeric levels, and intervals that lie on one side of it.
func (n test) orderTest(column *microdata.Column, value Word) (func(level int) (bool, error), error) {
	levels := column.Categories().Levels
	spans := make([]microdata.Span, len(levels))
	some := false
	for i, level := range levels {
		var ok bool
		if spans[i], ok = level.Span(); !ok {
			spans[i].Lower = math.NaN()
		}
		some = some || ok && (column.Categories().Ordered || level.NumberLevel())
	}
	number, isNumber := value.number()
	switch {
	case some && !isNumber:
		return nil, n.errNumber()
	case !some:
		return nil, errorf("the categories of %s are not ordered: use = or in", column.Name())
	}
	return func(i int) (bool, error) {
		meets, ok := n.spanMeets(spans[i], number)
		if !ok {
			return false, errorf("the category %s of %s lies on both sides of %s", wording.Excerpt(levels[i].Label),
				column.Name(), wording.Excerpt(value.Text))
		}
		return meets, nil
	}, nil
}

// spanMeets reports whether all numbers of a span meet the comparison with a number; ok is false if only some do.
// A level that is not a span (NaN) does not meet it.
func (n test) spanMeets(s microdata.Span, number float64) (meets, ok bool) {
	if math.IsNaN(s.Lower) {
		return false, true
	}
	var every, none bool
	switch n.operator {
	case ">":
		every, none = s.Above(number), s.Upper <= number
	case ">=":
		every, none = s.Lower >= number, s.Below(number)
	case "<":
		every, none = s.Below(number), s.Lower >= number
	default: // <=
		every, none = s.Upper <= number, s.Above(number)
	}
	return every, every || none
}
