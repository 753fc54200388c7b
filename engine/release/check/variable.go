package check

import (
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/data/identify"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// variable is a released variable with properties shared by checks.
type variable struct {
	*microdata.Column
	levels            *microdata.Categories // perhaps without labels
	counts            []int                 // records by level
	present, distinct int                   // records with a value; levels that occur
	least, largest    float64               // extremes of these levels, if they are numbers
	sampled           []microdata.Level

	identity
	suggested   microdata.Suggestion
	was, source *microdata.Column // original with the same records; original in any order; nil: unknown
	masking     *Step             // last step that masked or randomised it; nil: none
	masked      bool              // masked, with known original values
	known       func() map[float64]bool
}

// mostSampled is the number of values sampled to examine their form.
const mostSampled = 2000

func variableOf(c *microdata.Column) *variable {
	v := &variable{Column: c, levels: c.Unlabelled(), least: math.Inf(1), largest: math.Inf(-1)}
	v.counts, v.present, v.distinct = v.levels.Counts()[1:], c.Records()-c.MissingCount(), v.levels.Occurring()
	every := v.distinct/mostSampled + 1
	seen := 0
	for i, level := range v.levels.Levels {
		if v.counts[i] > 0 {
			if seen%every == 0 { // equally spaced
				if numbers := c.StoredAsNumbers(); level.Label == "" && numbers != nil {
					level.Label = numbers.Label(level.Value)
				}
				v.sampled = append(v.sampled, level)
			}
			seen++
			v.least, v.largest = min(v.least, level.Value), max(v.largest, level.Value)
		}
	}
	v.known = sync.OnceValue(v.sourceValues)
	return v
}

// sourceValues returns the numbers that occur in the source, or nil if all may.
func (v *variable) sourceValues() map[float64]bool {
	if v.source == nil || v.source == v.Column || !v.source.Numeric() {
		return nil
	}
	known, levels := map[float64]bool{}, v.source.Unlabelled()
	for i, count := range levels.Counts()[1:] {
		if count > 0 {
			known[levels.Levels[i].Value] = true
		}
	}
	return known
}

// fromSource reports whether a number occurs in the source.
func (v *variable) fromSource(x float64) bool { return v.known() == nil || v.known()[x] }

// finding returns a finding about some records of the variable.
func (v *variable) finding(count int, text string, fixes ...Fix) Finding {
	return Finding{Variables: []string{v.Name()}, Count: count, Of: v.present, unit: "value", Text: text, Fixes: fixes}
}

// most reports whether such returns true for at least the given percentage of the sampled values.
func (v *variable) most(percent int, such func(level microdata.Level) bool) bool {
	count := 0
	for _, level := range v.sampled {
		if such(level) {
			count++
		}
	}
	return count > 0 && 100*count >= percent*len(v.sampled)
}

// texts returns the labels of the sampled values.
func (v *variable) texts() []string {
	texts := make([]string, len(v.sampled))
	for i, level := range v.sampled {
		texts[i] = level.Label
	}
	return texts
}

// dates reports whether the values are dates that include a day.
func (v *variable) dates(patterns *identify.Patterns) bool {
	switch v.Kind() {
	case microdata.Number:
		return false
	case microdata.Whole:
		return v.most(100, func(level microdata.Level) bool {
			day, err := time.Parse("20060102", strconv.FormatFloat(level.Value, 'f', -1, 64))
			return err == nil && day.Year() >= 1850 && day.Year() < 2100
		})
	}
	layouts := microdata.AnyDate()
	layouts = layouts[:len(layouts)-1] // the last layout has only months
	return v.most(80, func(level microdata.Level) bool {
		return len(layouts.Of(level.Label)) > 0 || patterns.Date(level.Label)
	})
}

// serialDates reports whether integers may be spreadsheet dates, counted in days from 1900: most have five digits
// and are before 2064.
func (v *variable) serialDates() bool {
	const days = 60_000
	return v.Kind() == microdata.Whole &&
		v.most(90, func(level microdata.Level) bool { return level.Value > 0 && level.Value < days }) &&
		v.most(50, func(level microdata.Level) bool { return level.Value >= 10_000 })
}

// long reports whether most of the values are texts, or numbers with at least the given number of digits.
func (v *variable) long(digits int) bool {
	least := math.Pow10(digits - 1)
	return v.Kind() == microdata.Category ||
		v.most(likelyShare, func(level microdata.Level) bool { return math.Abs(level.Value) >= least })
}

// precise reports whether most of the values have at least the given number of decimals.
func (v *variable) precise(decimals int) bool {
	return v.most(likelyShare, func(level microdata.Level) bool { return decimalsOf(spelled(level.Value)) >= decimals })
}

// spelled formats a number with as many decimals as it needs.
func spelled(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

func decimalsOf(label string) int {
	_, fraction, _ := strings.Cut(label, ".")
	return len(fraction)
}

// likelyShare is the percentage of values that is sufficient to determine what a variable is.
const likelyShare = 60

// rareLevels is the number of distinct values above which a variable can distinguish persons, days or places.
const rareLevels = 10

// timeOfDay reports whether a value is a time without a date.
func timeOfDay(level microdata.Level) bool {
	_, err := time.Parse("15:04:05", level.Label)
	_, short := time.Parse("15:04", level.Label)
	return err == nil || short == nil
}

// nearlyUnique reports whether nearly every record has a unique value.
func (v *variable) nearlyUnique() bool { return 20*v.distinct >= 19*v.present }

// single reports whether nearly every record with a value has a unique text that is not a sentence, or a unique
// integer that is not an amount.
func (v *variable) single() bool {
	return v.present >= 30 && v.nearlyUnique() && (v.Kind() == microdata.Category && !v.sentences() ||
		v.Kind() == microdata.Whole && v.Origin() == 0 && v.numbering())
}

// identifyGroups reports whether the values could identify many groups of records.
func (v *variable) identifyGroups() bool {
	return v.Kind() != microdata.Number && v.distinct >= 3*rareLevels && 2*v.distinct <= v.present
}

// numbersRecords reports whether nearly every record has a unique integer or text.
func (v *variable) numbersRecords() bool {
	return v.Kind() != microdata.Number && v.distinct > rareLevels && v.nearlyUnique()
}

// numbering reports whether integers fill their range, or all have the same number of digits, at least five.
// Amounts do neither.
func (v *variable) numbering() bool {
	digits := math.Floor(math.Log10(v.least))
	return v.largest-v.least < 2*float64(v.distinct) || v.least > 0 && digits >= 4 && digits == math.Floor(math.Log10(v.largest))
}

// sentences reports whether the texts have three or more words on average.
func (v *variable) sentences() bool {
	words := 0
	for _, level := range v.sampled {
		words += len(strings.Fields(level.Label))
	}
	return words >= 3*len(v.sampled)
}

// lettered reports whether most of the texts are not numbers.
func (v *variable) lettered() bool {
	return v.most(likelyShare, func(level microdata.Level) bool { return !level.NumberLevel() })
}

// freeText reports whether texts have several words and are shared by few records.
func (v *variable) freeText() bool {
	return v.Kind() == microdata.Category && v.distinct > rareLevels && 2*v.distinct >= v.present && v.sentences()
}
