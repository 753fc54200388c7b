package microdata

import (
	"math"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
)

// DateLayouts are the date formats that texts match, in the notation of package time; empty if the texts are not
// dates.
type DateLayouts []string

// AnyDate returns all known date formats, the most reliable first.
func AnyDate() DateLayouts {
	return DateLayouts{"2006-01-02", "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02T15:04:05Z07:00",
		"2006-01-02 15:04",
		"2006/01/02", "2.1.2006", "2/1/2006", "1/2/2006", "2-1-2006", "2-Jan-2006", "2 Jan 2006", MonthLayout}
}

// MonthLayout is the format of a month without a day.
const MonthLayout = "2006-01"

// Of returns the formats in l that a text matches. A variable contains dates if one format is left after all its
// texts. Most texts take a single attempt.
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

// Day returns the number of days from 1970 to a date in the first format of l, or NaN if the text does not match.
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

// Chronological returns the categories sorted by day if all are dates in one format, and otherwise unchanged.
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

// Days returns the days since 1970 of the levels; ok is false unless all are dates in one format.
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

// Layouts returns the date formats that all levels match, the most reliable first; empty if they are not dates.
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
