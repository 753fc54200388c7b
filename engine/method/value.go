package method

import (
	"encoding/csv"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// ErrNumber is returned for a text that is not a number.
var ErrNumber = errors.New("is not a number")

// ParseNumber parses a typed number. Infinities and NaN, such as "inf", are errors.
func ParseNumber(text string) (float64, error) {
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || !isFinite(x) {
		return 0, ErrNumber
	}
	return x, nil
}

// FormatNumber formats a number in the shortest form that parses to it.
func FormatNumber(x float64) string {
	if math.Abs(x) >= 1e15 {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// none is the text of an omitted number, and of an empty list if an empty field means the default.
const none = "none"

// number is a number, possibly optional.
type number struct {
	at              any // the field of the method, which has the JSON form
	whole, optional bool
	get             func() (x float64, given bool)
	set             func(x float64, given bool)
}

func numberAt[T int | float64](field *T) *number {
	return &number{at: field, whole: T(1)/2 == 0,
		get: func() (float64, bool) { return float64(*field), true },
		set: func(x float64, _ bool) { *field = T(x) },
	}
}

func optionalAt[T int | float64](field **T) *number {
	return &number{at: field, whole: T(1)/2 == 0, optional: true,
		get: func() (float64, bool) {
			if *field == nil {
				return 0, false
			}
			return float64(**field), true
		},
		set: func(x float64, given bool) {
			if *field = nil; given {
				*field = new(T)
				**field = T(x)
			}
		},
	}
}

// String formats the number, or returns "none" if it is omitted.
func (n *number) String() string {
	x, given := n.get()
	if !given {
		return none
	}
	return FormatNumber(x)
}

// Set parses a number, which must be an integer if the field is one.
func (n *number) Set(text string) error {
	if n.optional && (text == "" || text == none) {
		n.set(0, false)
		return nil
	}
	x, err := ParseNumber(text)
	if err != nil || n.whole && !IsWhole(x) {
		return ErrNumber
	}
	n.set(x, true)
	return nil
}

// MostWhole is the limit up to which float64 represents all integers exactly.
const MostWhole = 1 << 53

// IsWhole reports whether a number is an integer that float64 represents exactly.
func IsWhole(x float64) bool { return x == math.Trunc(x) && math.Abs(x) <= MostWhole }

// word is a text.
type word string

// String returns the text.
func (w *word) String() string { return string(*w) }

// Set accepts any text.
func (w *word) Set(text string) error {
	*w = word(text)
	return nil
}

// yesNo is a boolean.
type yesNo bool

// String returns "yes" or "no".
func (y *yesNo) String() string {
	if *y {
		return "yes"
	}
	return "no"
}

// Set parses "yes" or "no".
func (y *yesNo) Set(text string) error {
	if text != "yes" && text != "no" {
		return errors.New("type yes or no")
	}
	*y = text == "yes"
	return nil
}

// words is a comma-separated list of texts; an entry with a comma is in double quotes. nil is "", an empty list is
// "none".
type words []string

func (w *words) names() []string { return *w }

// String formats the list; see WrittenList.
func (w *words) String() string { return WrittenList(*w) }

// WrittenList formats entries as typed in a field with a list of texts.
func WrittenList(entries []string) string {
	if entries != nil && len(entries) == 0 {
		return none
	}
	shown := make([]string, len(entries))
	for i, entry := range entries {
		if shown[i] = entry; strings.ContainsAny(entry, `,"`) || strings.TrimSpace(entry) != entry {
			shown[i] = `"` + strings.ReplaceAll(entry, `"`, `""`) + `"`
		}
	}
	return strings.Join(shown, ", ")
}

var (
	errQuotes = errors.New("a double quote is not closed")
	errNoName = errors.New("empty entry before a comma: add a name or remove the comma")
)

// Set parses a list; see words. Trailing commas are ignored.
func (w *words) Set(text string) error {
	switch strings.TrimSpace(text) {
	case "":
		*w = nil
		return nil
	case none:
		*w = words{}
		return nil
	}
	reader := csv.NewReader(strings.NewReader(text))
	reader.TrimLeadingSpace = true
	entries, err := reader.Read()
	if err != nil {
		return errQuotes
	}
	for i := range entries {
		entries[i] = strings.TrimSpace(entries[i])
	}
	for len(entries) > 0 && entries[len(entries)-1] == "" {
		entries = entries[:len(entries)-1]
	}
	if len(entries) == 0 || slices.Contains(entries, "") {
		return errNoName
	}
	*w = entries
	return nil
}

// numbers is a list of numbers separated by commas, semicolons or spaces.
type numbers[T int | float64] []T

// String formats the numbers, separated by commas.
func (n *numbers[T]) String() string {
	return wording.Joined(*n, ", ", func(x T) string { return FormatNumber(float64(x)) })
}

// Set parses numbers; an error quotes the first invalid entry.
func (n *numbers[T]) Set(text string) error {
	var read []T
	for _, entry := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' || r == ' ' }) {
		x, err := ParseNumber(entry)
		if err != nil {
			return fmt.Errorf("%q is not a number", wording.Excerpt(entry))
		}
		if T(1)/2 == 0 && !IsWhole(x) {
			return fmt.Errorf("%s is not an integer", FormatNumber(x))
		}
		read = append(read, T(x))
	}
	*n = read
	return nil
}

// places is an integer for each of some variables: "sex:1, age:2".
type places map[string]int

func (p *places) names() []string {
	return slices.SortedFunc(maps.Keys(*p), func(a, b string) int {
		if (*p)[a] != (*p)[b] {
			return (*p)[a] - (*p)[b]
		}
		return strings.Compare(a, b)
	})
}

// String lists the variables in ascending order of their integers.
func (p *places) String() string {
	names := p.names()
	for i, name := range names {
		names[i] = name + ":" + strconv.Itoa((*p)[name])
	}
	return strings.Join(names, ", ")
}

// Set parses variables with their integers.
func (p *places) Set(text string) error {
	var read places
	for entry := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(entry) == "" {
			continue
		}
		colon := strings.LastIndex(entry, ":")
		if colon < 0 {
			return errors.New("write a variable, a colon and its number")
		}
		name := strings.TrimSpace(entry[:colon])
		place, err := strconv.Atoi(strings.TrimSpace(entry[colon+1:]))
		if err != nil {
			return fmt.Errorf("the number of %q is not an integer", wording.Excerpt(name))
		}
		if read == nil {
			read = places{}
		}
		read[name] = place
	}
	*p = read
	return nil
}
