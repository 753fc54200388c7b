package microdata

import (
	"math"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
)

// DateLayouts are the spellings of dates that a text may have, in the notation of
// package time; none of them: it is no date.
type DateLayouts []string

// AnyDate returns all spellings of dates that are known, the surest first.
func AnyDate() DateLayouts {
	return DateLayouts{"2006-01-02", "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02T15:04:05Z07:00",
		"2006-01-02 15:04",
		"2006/01/02", "2.1.2006", "2/1/2006", "1/2/2006", "2-1-2006", "2-Jan-2006", "2 Jan 2006", MonthLayout}
}

// MonthLayout is the spelling of a month without a day.
const MonthLayout = "2006-01"

// Of returns those of the spellings that a text has: a variable holds dates where one
// is left that all its texts have. It costs one attempt for most texts.
func (l DateLayouts) Of(text string) DateLayouts {
	for i, layout := range l {
		if _, err := time.Parse(layout, text); err == nil {
			continue
		}
		left := append(DateLayouts(nil), l[:i]...)
		for _, other := range l[i+1:] {
			if _, err := time.Parse(other, text); err == nil {
				left = append(left, other)
			}
		}
		return left
	}
	return l
}

// Day returns the days from 1970 to a date in the first of the spellings, NaN where
// the text is none.
func (l DateLayouts) Day(text string) float64 {
	if len(l) == 0 {
		return math.NaN()
	}
	date, err := time.Parse(l[0], text)
	if err != nil {
		return math.NaN()
	}
	return float64(date.Unix()) / (24 * 60 * 60)
}

// Chronological returns the categories in the order of their days, if all are dates spelled in one way; others as they are.
func (c *Categories) Chronological() *Categories {
	days, ok := c.Days()
	if !ok {
		return c
	}
	order := stat.Order(days)
	levels, mapping := make([]Level, len(order)), make([]uint32, len(order)+1)
	for place, i := range order {
		levels[place], mapping[i+1] = c.Levels[i], uint32(place+1)
	}
	return c.Mapped(levels, mapping, true)
}

// Days returns the days since 1970 of the levels, if all of them are dates spelled in one way.
func (c *Categories) Days() (days []float64, ok bool) {
	layouts := c.Layouts()
	if len(layouts) == 0 {
		return nil, false
	}
	days = make([]float64, len(c.Levels))
	for i := range c.Levels {
		days[i] = layouts.Day(c.Levels[i].Label)
	}
	return days, true
}

// Layouts returns the spellings of dates that all levels have, the surest first; none where they are no dates.
func (c *Categories) Layouts() DateLayouts {
	if len(c.Levels) == 0 {
		return nil
	}
	layouts := AnyDate()
	for i := 0; i < len(c.Levels) && len(layouts) > 0; i++ {
		layouts = layouts.Of(c.Levels[i].Label)
	}
	return layouts
}
