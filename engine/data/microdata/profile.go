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

// ProfileRecords is the number of records, from the first, that a profile is based on. A property that must hold for all
// records cannot be taken from a profile.
const ProfileRecords = 20_000

// profile summarises the first records of a variable.
type profile struct {
	name      string
	words     []string
	kind      Kind
	present   int     // cells that are not missing
	distinct  int     // distinct values among them
	repeats   int     // cells equal to the one before
	ascending bool    // numbers in ascending order
	positive  bool    // all cells are numbers above 0
	least     float64 // smallest number
	digits    int     // digits of all integers; 0 if they differ
	dates     bool    // most texts are dates
	phones    bool    // most texts look like telephone numbers
	addresses bool    // most texts look like e-mail addresses
	persons   bool    // texts look like names of persons

	patterns   *identify.Patterns
	recognised bool // values match added identifier patterns
}

func profileOf(c *Column, patterns *identify.Patterns) *profile {
	p := &profile{patterns: patterns, name: c.Name(), words: identify.Words(c.Name()), kind: c.Kind(), least: math.Inf(1)}
	n := min(c.Len(), ProfileRecords)
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

// firstWhole formats the smallest integers of a set, at most mostTexts.
func firstWhole(numbers map[float64]struct{}) (texts []string) {
	for _, number := range slices.Sorted(maps.Keys(numbers)) {
		if len(texts) == mostTexts {
			break
		}
		texts = append(texts, strconv.FormatFloat(number, 'f', -1, 64))
	}
	return texts
}

// mostTexts is the number of distinct texts that are examined.
const mostTexts = 500

// leastNames is the number of distinct texts above which they may be names of persons.
const leastNames = 20

// identifies reports whether the variable is named like a direct identifier and its values could be one: names of
// persons, or spread values.
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

// spread reports whether the values could be identifiers: more than three distinct values, and more than ten per
// 100 records.
func (p *profile) spread() bool {
	return p.present > 0 && (p.distinct > 3 && 10*p.distinct > p.present || p.present <= 10)
}

// unique reports whether all values are distinct, in at least 30 records.
func (p *profile) unique() bool { return p.present >= 30 && p.distinct == p.present }

// freeText reports whether there are more than two distinct texts per three records: open answers, which identify
// a person as a name does.
func (p *profile) freeText() bool {
	return p.kind == Category && !p.dates && p.present >= 30 && 3*p.distinct > 2*p.present
}

// identifiesGroups reports whether the values could be IDs of small groups of neighbouring records.
func (p *profile) identifiesGroups() bool {
	return p.kind != Number && p.repeats > 0 && p.present >= 2 && 20*p.distinct >= p.present &&
		p.distinct-1 <= p.present-p.repeats
}

// ofHousehold returns 1 if the name mentions households, else 0.
func (p *profile) ofHousehold() int {
	if identify.Lexicon("hh househ*").Match(p.words) {
		return 1
	}
	return 0
}

// isDate reports whether a text is an ISO 8601 date, with or without a time.
func isDate(text string) bool {
	date, _, _ := strings.Cut(text, "T")
	_, err := time.Parse(time.DateOnly, date)
	return err == nil
}

// isPhone reports whether a text consists of at least seven digits and the punctuation of telephone numbers, and
// is not a plain number.
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
