package check

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/data/identify"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// levels are the different values of a variable.
type levels struct {
	*microdata.Categories
	present, distinct int
	sampled           []microdata.Level // some that occur, evenly from all of them
}

// mostSampled is the number of values that are looked at for what they spell.
const mostSampled = 2000

func levelsOf(c *microdata.Column) levels {
	l := levels{Categories: c.Categories(), present: c.Records() - c.MissingCount()}
	counts := l.Counts()[1:]
	l.distinct = l.Occurring()
	every := l.distinct/mostSampled + 1
	seen := 0
	for i, level := range l.Levels {
		if counts[i] > 0 {
			if seen%every == 0 {
				l.sampled = append(l.sampled, level)
			}
			seen++
		}
	}
	return l
}

// most reports whether a share of the sampled values, in percent, are such.
func (l levels) most(percent int, such func(level microdata.Level) bool) bool {
	count := 0
	for _, level := range l.sampled {
		if such(level) {
			count++
		}
	}
	return count > 0 && 100*count >= percent*len(l.sampled)
}

// texts returns the spellings of the sampled values.
func (l levels) texts() []string {
	texts := make([]string, len(l.sampled))
	for i, level := range l.sampled {
		texts[i] = level.Label
	}
	return texts
}

// dates reports whether the values are dates to the day.
func (l levels) dates(c *microdata.Column, patterns *identify.Patterns) bool {
	if c.Kind() == microdata.Number {
		return false
	}
	if c.Kind() == microdata.Whole {
		return l.most(100, func(level microdata.Level) bool {
			day, err := time.Parse("20060102", strconv.FormatFloat(level.Value, 'f', -1, 64))
			return err == nil && day.Year() >= 1850 && day.Year() < 2100
		})
	}
	layouts := microdata.AnyDate()
	layouts = layouts[:len(layouts)-1] // the last has months alone
	return l.most(80, func(level microdata.Level) bool {
		return len(layouts.Of(level.Label)) > 0 || patterns.Date(level.Label)
	})
}

// serialDates reports whether whole numbers may be the days of a spreadsheet, which counts
// them from 1900: most have five digits and are before 2064.
func (l levels) serialDates(c *microdata.Column) bool {
	const days = 60_000
	return c.Kind() == microdata.Whole && l.distinct > rareLevels &&
		l.most(90, func(level microdata.Level) bool { return level.Value > 0 && level.Value < days }) &&
		l.most(50, func(level microdata.Level) bool { return level.Value >= 10_000 })
}

// long reports whether most of the values are texts, or numbers of at least some digits.
func (l levels) long(c *microdata.Column, digits int) bool {
	least := math.Pow10(digits - 1)
	return c.Kind() == microdata.Category ||
		l.most(likelyShare, func(level microdata.Level) bool { return math.Abs(level.Value) >= least })
}

// precise reports whether most of the values have some decimals and more.
func (l levels) precise(decimals int) bool {
	return l.most(likelyShare, func(level microdata.Level) bool {
		_, behind, _ := strings.Cut(strconv.FormatFloat(level.Value, 'f', -1, 64), ".")
		return len(behind) >= decimals
	})
}

// likelyShare is the share of the values, in percent, that show what a variable is.
const likelyShare = 60

// timeOfDay reports whether a value is a time without a date.
func timeOfDay(level microdata.Level) bool {
	_, err := time.Parse("15:04:05", level.Label)
	_, short := time.Parse("15:04", level.Label)
	return err == nil || short == nil
}

// nearlyUnique reports whether nearly every one of a good number of records has a value
// of its own.
func (l levels) nearlyUnique() bool { return l.present >= 30 && 20*l.distinct >= 19*l.present }

// single reports whether nearly every one of some records has a text of its own that is no
// sentence, or a whole number that is no amount.
func (l levels) single(c *microdata.Column) bool {
	return l.nearlyUnique() && (c.Kind() == microdata.Category && !l.sentences() ||
		c.Kind() == microdata.Whole && c.Origin() == 0 && l.numbering())
}

// identifyGroups reports whether the values could tell many groups of records apart.
func (l levels) identifyGroups(c *microdata.Column) bool {
	return c.Kind() != microdata.Number && l.distinct >= 3*rareLevels && 2*l.distinct <= l.present
}

// numbersRecords reports whether nearly every record has a whole number or text of its own.
func (l levels) numbersRecords(c *microdata.Column) bool {
	return c.Kind() != microdata.Number && l.distinct > rareLevels && 20*l.distinct >= 19*l.present
}

// numbering reports whether whole numbers fill the range that they are in, or all have
// the same number of digits, of which there are at least five: amounts do neither.
func (l levels) numbering() bool {
	least, most := math.Inf(1), math.Inf(-1)
	for i, count := range l.Counts()[1:] {
		if count > 0 {
			least, most = min(least, l.Levels[i].Value), max(most, l.Levels[i].Value)
		}
	}
	digits := math.Floor(math.Log10(least))
	return most-least < 2*float64(l.distinct) || least > 0 && digits >= 4 && digits == math.Floor(math.Log10(most))
}

// sentences reports whether the texts have three words and more in the mean.
func (l levels) sentences() bool {
	words := 0
	for _, level := range l.sampled {
		words += len(strings.Fields(level.Label))
	}
	return words >= 3*len(l.sampled)
}

// lettered reports whether most of the texts are no numbers.
func (l levels) lettered() bool {
	return l.most(likelyShare, func(level microdata.Level) bool { return !level.NumberLevel() })
}

// freeText reports whether few records share a text, and texts have several words.
func (l levels) freeText(c *microdata.Column) bool {
	return c.Kind() == microdata.Category && l.distinct > rareLevels && 2*l.distinct >= l.present && l.sentences()
}

// Renumbered reports whether the values are many numbers from 1 on in an order that has
// nothing to do with that of the records.
func Renumbered(c *microdata.Column) bool {
	l := levelsOf(c)
	if c.Kind() != microdata.Whole || l.distinct < 3*rareLevels {
		return false
	}
	least, most := math.Inf(1), math.Inf(-1)
	for _, level := range l.sampled {
		least = min(least, level.Value)
	}
	for i, count := range l.Counts()[1:] {
		if count > 0 {
			most = max(most, l.Levels[i].Value)
		}
	}
	up, down := turns(l.Categories)
	return least == 1 && most == float64(l.distinct) && 4*down > up+down
}

// turns counts the records whose value comes after that of the record before, and those
// whose value comes before it, in the order of the levels.
func turns(c *microdata.Categories) (up, down int) {
	last := uint32(0)
	for _, pairs := range microdata.Pairs(c.Codes, c.Codes) {
		for _, pair := range pairs {
			switch code := pair[0]; {
			case code > last:
				up++
			case code < last:
				down++
			}
			last = pair[0]
		}
	}
	return up, down
}
