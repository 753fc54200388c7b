package profile

import (
	"context"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Form is the type of a variable's values, independently of how they are stored.
type Form uint8

// Forms of values.
const (
	Texts Form = iota
	Numerals
	Dates
)

// Content describes the distinct values of a variable.
type Content struct {
	Form     Form
	Why      string // reason for the variable's kind, in plain words
	Shortest int    // length of texts in characters; 0 without texts
	Longest  int

	layouts microdata.DateLayouts // of dates
}

// Content examines all distinct values. It returns the error of ctx, if any.
func (p *Profile) Content(ctx context.Context) (*Content, error) {
	c := &Content{}
	switch {
	case p.Column.Kind() == microdata.Whole:
		c.Form, c.Why = Numerals, "no decimals"
	case p.Column.Kind() == microdata.Number:
		c.Form, c.Why = Numerals, "some values have decimals"
	case p.Missing == p.Records:
		c.Why = "no values"
	default:
		c.words(ctx, p.Column.Categories())
	}
	if source := p.Column.Source(); source.Kind() != p.Column.Kind() {
		c.Why = "a step converted it; it was read as " + source.Kind().String()
	}
	return c, ctx.Err()
}

// words examines levels that have labels only.
func (c *Content) words(ctx context.Context, categories *microdata.Categories) {
	occurring, numerals := 0, 0
	counts, layouts := categories.Counts(), microdata.AnyDate()
	c.Shortest = math.MaxInt
	for i, level := range categories.Levels {
		if parallel.Stopped(ctx, i) {
			return
		}
		if counts[i+1] == 0 {
			continue
		}
		occurring++
		if _, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(level.Label), ",", ".", 1), 64); err == nil {
			numerals++
		}
		layouts = layouts.Of(level.Label)
		size := utf8.RuneCountInString(level.Label)
		c.Shortest, c.Longest = min(c.Shortest, size), max(c.Longest, size)
	}
	switch {
	case len(layouts) > 0:
		c.Form, c.layouts, c.Why = Dates, layouts, "its values are dates, kept as written"
	case numerals == 0:
		c.Why = "text values"
	case numerals == occurring:
		c.Why = "its values are codes: numbers with leading zeros, or the same number in two spellings"
	default:
		c.Why = wording.Number(occurring-numerals) + " of " + wording.Number(occurring) + " distinct values are not numbers"
	}
}

// Measure returns the number by which the variable's cells can be sorted and counted: the number, the day since
// 1970, or the length of a text in characters. It is NaN for missing.
func (c *Content) Measure(column *microdata.Column) func(row int) float64 {
	if c.Form == Numerals {
		return column.Float
	}
	categories := column.Categories()
	of := make([]float64, len(categories.Levels)+1)
	of[0] = math.NaN()
	for i, level := range categories.Levels {
		of[i+1] = float64(utf8.RuneCountInString(level.Label))
		if c.Form == Dates {
			of[i+1] = c.layouts.Day(level.Label)
		}
	}
	return func(row int) float64 { return of[categories.Codes.At(row)] }
}
