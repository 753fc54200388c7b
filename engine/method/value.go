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
)

// ErrNumber is the error of a text that is no number.
var ErrNumber = errors.New("is no number")

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

// number is a value that is one number, or none.
type number interface {
	Value
	float() (x float64, given bool)
	isWhole() bool
	move(by float64, within *Param)
}

// whole is a whole number.
type whole int

func (n *whole) String() string { return strconv.Itoa(int(*n)) }

func (n *whole) Set(text string) error {
	typed, err := strconv.Atoi(text)
	if err != nil {
		return ErrNumber
	}
	*n = whole(typed)
	return nil
}

func (n *whole) float() (float64, bool) { return float64(*n), true }

func (n *whole) isWhole() bool { return true }

func (n *whole) move(by float64, within *Param) { *n = whole(within.clamped(float64(*n) + by)) }

// decimal is any finite number.
type decimal float64

func (x *decimal) String() string { return FormatNumber(float64(*x)) }

func (x *decimal) Set(text string) error {
	typed, err := ParseNumber(text)
	if err == nil {
		*x = decimal(typed)
	}
	return err
}

func (x *decimal) float() (float64, bool) { return float64(*x), true }

func (x *decimal) isWhole() bool { return false }

// move goes to the next multiple of the step, so that steps such as a twentieth
// leave no dust.
func (x *decimal) move(by float64, within *Param) {
	steps := math.Round((float64(*x) + by) / within.Step)
	if perUnit := math.Round(1 / within.Step); perUnit > 1 {
		*x = decimal(within.clamped(steps / perUnit))
	} else {
		*x = decimal(within.clamped(steps * within.Step))
	}
}

func (p *Param) clamped(x float64) float64 {
	if p.min != nil {
		x = math.Max(x, *p.min)
	}
	if p.max != nil {
		x = math.Min(x, *p.max)
	}
	return x
}

// none is typed for no number, and for a list without entries where leaving the
// field empty means the default.
const none = "none"

// optional is a number that can be left out.
type optional[T any] struct {
	at **T
	as func(*T) number
}

func (o *optional[T]) String() string {
	if *o.at == nil {
		return none
	}
	return o.as(*o.at).String()
}

func (o *optional[T]) Set(text string) error {
	if text == "" || text == none {
		*o.at = nil
		return nil
	}
	x := new(T)
	err := o.as(x).Set(text)
	if err == nil {
		*o.at = x
	}
	return err
}

func (o *optional[T]) float() (float64, bool) {
	if *o.at == nil {
		return 0, false
	}
	return o.as(*o.at).float()
}

func (o *optional[T]) isWhole() bool { return o.as(new(T)).isWhole() }

func (o *optional[T]) move(float64, *Param) {}

// field is what the JSON form is read into.
func (o *optional[T]) field() any { return o.at }

// word is a text.
type word string

func (w *word) String() string { return string(*w) }

func (w *word) Set(text string) error {
	*w = word(text)
	return nil
}

// yesNo is what is so or not.
type yesNo bool

func (y *yesNo) String() string {
	if *y {
		return "yes"
	}
	return "no"
}

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

var errQuotes = errors.New("a double quote is not closed")

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
	*w = slices.DeleteFunc(entries, func(entry string) bool { return entry == "" })
	return nil
}

// numbers is a list of numbers, with commas, semicolons or blanks between.
type numbers[T int | float64] []T

func (n *numbers[T]) String() string {
	texts := make([]string, len(*n))
	for i, x := range *n {
		texts[i] = FormatNumber(float64(x))
	}
	return strings.Join(texts, ", ")
}

// mostWhole is the number up to which all whole ones can be told apart.
const mostWhole = 1 << 53

func (n *numbers[T]) Set(text string) error {
	var read []T
	for _, entry := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' || r == ' ' }) {
		x, err := ParseNumber(entry)
		if err != nil {
			return fmt.Errorf("%q is no number", entry)
		}
		if T(1)/2 == 0 && (x != math.Trunc(x) || math.Abs(x) > mostWhole) {
			return fmt.Errorf("%s is no whole number", FormatNumber(x))
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

func (p *places) String() string {
	names := p.names()
	for i, name := range names {
		names[i] = name + ":" + strconv.Itoa((*p)[name])
	}
	return strings.Join(names, ", ")
}

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
			return fmt.Errorf("the number of %q is no whole number", name)
		}
		if read == nil {
			read = places{}
		}
		read[name] = place
	}
	*p = read
	return nil
}
