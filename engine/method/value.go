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

// ErrNumber is the error of a text that is no number.
var ErrNumber = errors.New("is not a number")

// ParseNumber reads a typed number. What stands for no number of a file, such as
// "inf" or "nan", is ErrNumber like any other word.
func ParseNumber(text string) (float64, error) {
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || !isFinite(x) {
		return 0, ErrNumber
	}
	return x, nil
}

// FormatNumber spells a number as short as it can be read back.
func FormatNumber(x float64) string {
	if math.Abs(x) >= 1e15 {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// none is typed for no number, and for a list without entries where leaving the
// field empty means the default.
const none = "none"

// number is a number, or none where it is optional.
type number struct {
	at              any // the method's field, which has the JSON form
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

// String spells the number; "none" where there is none.
func (n *number) String() string {
	x, given := n.get()
	if !given {
		return none
	}
	return FormatNumber(x)
}

// Set reads a number; of a whole one no other.
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

// MostWhole is the number up to which all whole ones can be told apart.
const MostWhole = 1 << 53

// IsWhole reports whether a number is whole, and all whole ones up to it can be
// told apart.
func IsWhole(x float64) bool { return x == math.Trunc(x) && math.Abs(x) <= MostWhole }

// word is a text.
type word string

// String returns the text.
func (w *word) String() string { return string(*w) }

// Set takes any text.
func (w *word) Set(text string) error {
	*w = word(text)
	return nil
}

// yesNo is what is so or not.
type yesNo bool

// String returns "yes" or "no".
func (y *yesNo) String() string {
	if *y {
		return "yes"
	}
	return "no"
}

// Set reads "yes" or "no".
func (y *yesNo) Set(text string) error {
	if text != "yes" && text != "no" {
		return errors.New("type yes or no")
	}
	*y = text == "yes"
	return nil
}

// words is a list of texts: entries with commas between, in double quotes where
// an entry has a comma itself. nil is shown as "", an empty list as "none".
type words []string

func (w *words) names() []string { return *w }

// String spells the list: see WrittenList.
func (w *words) String() string { return WrittenList(*w) }

// WrittenList returns entries as the text that a field with a list of texts takes.
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

// Set reads a list: see words. Commas at the end are left out.
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

// numbers is a list of numbers, with commas, semicolons or blanks between.
type numbers[T int | float64] []T

// String spells the numbers with commas between.
func (n *numbers[T]) String() string {
	return wording.Joined(*n, ", ", func(x T) string { return FormatNumber(float64(x)) })
}

// Set reads numbers; the error names the first entry that is none.
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

// places is a whole number for each of some variables: "sex:1, age:2".
type places map[string]int

func (p *places) names() []string {
	return slices.SortedFunc(maps.Keys(*p), func(a, b string) int {
		if (*p)[a] != (*p)[b] {
			return (*p)[a] - (*p)[b]
		}
		return strings.Compare(a, b)
	})
}

// String spells the variables in the order of their numbers.
func (p *places) String() string {
	names := p.names()
	for i, name := range names {
		names[i] = name + ":" + strconv.Itoa((*p)[name])
	}
	return strings.Join(names, ", ")
}

// Set reads variables with their numbers.
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
