package microdata

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/data/identify"
)

// LookedAt is the number of records that a profile looks at, from the first;
// whoever needs a property of all records must look at all.
const LookedAt = 20_000

// profile is what the first records tell about a variable.
type profile struct {
	name      string
	words     []string
	kind      Kind
	present   int     // cells that are not missing
	distinct  int     // different values among them
	repeats   int     // cells equal to the one before
	ascending bool    // numbers that never descend
	positive  bool    // numbers above 0, none missing
	least     float64 // least number
	digits    int     // of all whole numbers alike; 0: they differ
	dates     bool    // most texts are dates
	phones    bool    // most texts look like telephone numbers
	addresses bool    // most texts look like e-mail addresses
	persons   bool    // texts look like names of persons

	patterns   *identify.Patterns
	recognised bool // values are what an office looks for
}

func profileOf(c *Column, patterns *identify.Patterns) *profile {
	p := &profile{patterns: patterns, name: c.Name(), words: identify.Words(c.Name()), kind: c.Kind(), least: math.Inf(1)}
	n := min(c.Len(), LookedAt)
	if c.Numeric() {
		p.lookAtNumbers(c, n)
	} else {
		p.lookAtTexts(c, n)
	}
	return p
}

func (p *profile) lookAtNumbers(c *Column, n int) {
	seen := make(map[float64]struct{})
	p.ascending = true
	last, most := math.Inf(-1), math.Inf(-1)
	for record := range n {
		value := c.Float(record)
		if math.IsNaN(value) {
			continue
		}
		p.present++
		seen[value] = struct{}{}
		if value == last {
			p.repeats++
		}
		p.ascending = p.ascending && value >= last
		p.least, most = min(p.least, value), max(most, value)
		last = value
	}
	p.distinct = len(seen)
	if c.Kind() == Whole && len(p.patterns.Added()) > 0 {
		p.recognised = p.patterns.RecogniseAdded(firstWhole(seen), p.spread())
	}
	p.positive = n > 0 && p.present == n && p.least > 0
	if least := math.Floor(math.Log10(p.least)); p.kind == Whole && p.least > 0 && least == math.Floor(math.Log10(most)) {
		p.digits = int(least) + 1
	}
}

func (p *profile) lookAtTexts(c *Column, n int) {
	categories := c.Categories()
	seen, texts := make(map[uint32]struct{}), []string(nil)
	phones, addresses, last, dates := 0, 0, uint32(0), 0
	for record := range n {
		code := categories.Codes.At(record)
		if code == 0 {
			continue
		}
		p.present++
		if code == last {
			p.repeats++
		}
		last = code
		if _, known := seen[code]; known {
			continue
		}
		seen[code] = struct{}{}
		if label := categories.Levels[code-1].Label; len(texts) < mostTexts {
			texts = append(texts, label)
		}
		switch label := categories.Levels[code-1].Label; {
		case isAddress(label):
			addresses++
		case len(AnyDate().Of(label)) > 0:
			dates++
		case isPhone(label):
			phones++
		}
	}
	p.distinct = len(seen)
	p.persons, _ = p.patterns.Names(texts)
	p.recognised = p.patterns.RecogniseAdded(texts, p.spread())
	p.dates = 5*dates > 4*p.distinct
	p.phones = p.distinct > fewValues && 5*phones > 4*p.distinct
	p.addresses = p.distinct > fewValues && 5*addresses > 4*p.distinct
}

// firstWhole spells the least of some whole numbers, at most mostTexts.
func firstWhole(numbers map[float64]struct{}) (texts []string) {
	for _, number := range slices.Sorted(maps.Keys(numbers)) {
		if len(texts) == mostTexts {
			break
		}
		texts = append(texts, strconv.FormatFloat(number, 'f', -1, 64))
	}
	return texts
}

// mostTexts is the number of different texts that are looked at for names of persons.
const mostTexts = 500

// leastNames is the number of different texts above which they may be names of persons.
const leastNames = 20

// identifies reports whether the variable has the name of a direct identifier, and values
// that could be one: names of persons, or more than ten different values for 100 records.
func (p *profile) identifies() bool {
	kind, ok := p.patterns.Named(p.name)
	switch {
	case !ok || kind.Finding != "direct-identifiers" || kind.Title == identify.PersonNumbers:
		return false
	case kind.Title == identify.Persons:
		return p.kind == Category && (p.persons && p.distinct > leastNames || 2*p.distinct > p.present)
	}
	return p.spread()
}

// spread reports whether the values could be identifiers: more than three different ones,
// and more than ten for 100 records.
func (p *profile) spread() bool {
	return p.present > 0 && (p.distinct > 3 && 10*p.distinct > p.present || p.present <= 10)
}

// unique reports whether no two of a good number of records share a value.
func (p *profile) unique() bool { return p.present >= 30 && p.distinct == p.present }

// freeText reports whether there are more than two texts for three records: answers in
// own words, which identify as names do.
func (p *profile) freeText() bool {
	return p.kind == Category && !p.dates && p.present >= 30 && 3*p.distinct > 2*p.present
}

// identifiesGroups reports whether the values could number small groups of
// neighbouring records.
func (p *profile) identifiesGroups() bool {
	return p.kind != Number && p.repeats > 0 && p.present >= 2 && 20*p.distinct >= p.present &&
		p.distinct-1 <= p.present-p.repeats
}

// ofHousehold returns 1 where the name speaks of households, else 0.
func (p *profile) ofHousehold() int {
	if identify.Lexicon("hh househ*").Match(p.words) {
		return 1
	}
	return 0
}

// isDate reports whether a text is a date as ISO 8601 spells it, with or without a
// time.
func isDate(text string) bool {
	date, _, _ := strings.Cut(text, "T")
	_, err := time.Parse(time.DateOnly, date)
	return err == nil
}

// isPhone reports whether a text is made of at least seven digits and the
// marks of telephone numbers, and is no plain number.
func isPhone(text string) bool {
	digits, marks := 0, 0
	for _, r := range text {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case strings.ContainsRune("+-/() .", r):
			marks++
		default:
			return false
		}
	}
	return digits >= 7 && digits <= 15 && (marks > 0 || text[0] == '0') && !isDate(text)
}

// isAddress reports whether a text has the form of an e-mail address.
func isAddress(text string) bool {
	user, host, ok := strings.Cut(text, "@")
	return ok && user != "" && strings.Contains(host, ".") && !strings.ContainsAny(text, " ,;")
}
