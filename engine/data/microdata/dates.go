package microdata

import (
	"math"
	"time"
)

// DateLayouts are the spellings of dates that a text may have, in the notation of
// package time; none of them: it is no date.
type DateLayouts []string

// AnyDate returns all spellings of dates that are known, the surest first.
func AnyDate() DateLayouts {
	return DateLayouts{"2006-01-02", "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02T15:04:05Z07:00",
		"2006-01-02 15:04",
		"2006/01/02", "2.1.2006", "2/1/2006", "1/2/2006", "2-1-2006", "2-Jan-2006", "2 Jan 2006", "2006-01"}
}

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
