package profile

import (
	"context"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// Form is what the values of a variable are, whatever they are stored as.
type Form uint8

// The forms of values.
const (
	Texts Form = iota
	Numerals
	Dates
)

// Content is what can be told of the distinct values of a variable.
type Content struct {
	Form     Form
	Why      string // why the variable has its kind, in plain words
	Shortest int    // characters of a text; 0 without texts
	Longest  int

	layout string // of dates
}

// dateLayouts are the spellings of dates that are known, the surest first.
var dateLayouts = []string{"2006-01-02", "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02T15:04:05Z07:00", "2006-01-02 15:04",
	"2006/01/02", "2.1.2006", "2/1/2006", "1/2/2006", "2-1-2006", "2-Jan-2006", "2 Jan 2006", "2006-01"}

// Content judges all distinct values. Errors: that of ctx.
func (p *Profile) Content(ctx context.Context) (*Content, error) {
	c := &Content{}
	whole := p.Column.Kind() == microdata.Whole
	switch {
	case p.Column.Numeric() && whole:
		c.Form, c.Why = Numerals, "all values are"
	case p.Column.Numeric():
		c.Form, c.Why = Numerals, "all values are, some with decimals"
	case p.Missing == p.Records:
		c.Why = "no record has a value"
	default:
		c.words(ctx, p.Column.Categories())
	}
	if source := p.Column.Source(); source.Kind() != p.Column.Kind() {
		c.Why = "a step made it so; it was read as " + source.Kind().String()
	}
	return c, ctx.Err()
}

// words judges levels that have labels only.
func (c *Content) words(ctx context.Context, categories *microdata.Categories) {
	occurring, numerals := 0, 0
	counts, layouts := categories.Counts(), dateLayouts
	c.Shortest = math.MaxInt
	for i, level := range categories.Levels {
		if i&(1<<14-1) == 0 && ctx.Err() != nil {
			return
		}
		if counts[i+1] == 0 {
			continue
		}
		occurring++
		if _, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(level.Label), ",", ".", 1), 64); err == nil {
			numerals++
		}
		layouts = fitting(layouts, level.Label)
		size := utf8.RuneCountInString(level.Label)
		c.Shortest, c.Longest = min(c.Shortest, size), max(c.Longest, size)
	}
	switch {
	case len(layouts) > 0:
		c.Form, c.layout, c.Why = Dates, layouts[0], "its values are dates, which are kept as they are written"
	case numerals == 0:
		c.Why = "its values are words"
	case numerals == occurring:
		c.Why = "its values are codes: numbers with leading zeros, or one number in two spellings"
	default:
		c.Why = wording.Number(occurring-numerals) + " of " + wording.Number(occurring) + " distinct values are no numbers"
	}
}

// fitting returns the layouts that a date can be written in.
func fitting(layouts []string, text string) []string {
	for i, layout := range layouts {
		if _, err := time.Parse(layout, text); err == nil {
			continue
		}
		var left []string
		for _, other := range layouts[i+1:] {
			if _, err := time.Parse(other, text); err == nil {
				left = append(left, other)
			}
		}
		return append(append([]string(nil), layouts[:i]...), left...)
	}
	return layouts
}

// Measure returns what the variable's cells can be ordered and counted by: the
// number, the day since 1970, or how many characters a text has; NaN for missing.
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
			of[i+1] = day(c.layout, level.Label)
		}
	}
	return func(row int) float64 { return of[categories.Codes.At(row)] }
}

// day returns the days from 1970 to a date, NaN where it is none.
func day(layout, text string) float64 {
	date, err := time.Parse(layout, text)
	if err != nil {
		return math.NaN()
	}
	return float64(date.Unix()) / (24 * 60 * 60)
}
