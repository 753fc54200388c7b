package paged

import (
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/notation"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// Sieve makes of a filter what a source finds records by. Every part that it makes is met or not met: by a missing
// cell no comparison is met.
type Sieve[T any] interface {
	Join(any bool, parts []T) T // by or, else by and; no parts: all records meet it
	Not(part T) T
	// Missing is met by cells without a value.
	Missing(variable string) T
	// Among is met by cells that are spelled as one of some texts.
	Among(variable string, texts []string) T
	// Compares is met by cells that are numbers for which one of the comparisons holds: = != < <= > >=.
	Compares(variable, operator string, numbers []float64) T
	// Contains is met by cells that hold a text, capital letters from A to Z or not.
	Contains(variable, text string) T
}

// Sift has a sieve make what finds the records that meet a filter on variables of a source: those of a variable whose
// values are known are told by them, so that every comparison means what it means on data in memory. Other texts
// have to be spelled alike, capitals too. The error wraps notation.ErrCondition.
func Sift[T any](filter notation.Condition, variables []fileio.Described, sieve Sieve[T]) (T, error) {
	return notation.Folding[T]{Join: sieve.Join, Not: sieve.Not, Test: func(t notation.Test) (made T, err error) {
		v, err := asked(t.Variable(), variables)
		if err != nil {
			return made, err
		}
		switch t.Operator() {
		case "missing":
			return sieve.Missing(v.Name), nil
		case "suppressed", "changed":
			return made, notation.Refusedf("records are found by their cells in the source, of which none is %s", t.Operator())
		}
		switch {
		case v.Column != nil:
			return siftValues(t, v, sieve)
		case v.Kind != microdata.Category:
			return siftNumbers(t, v, sieve)
		}
		return siftTexts(t, v, sieve)
	}}.Of(filter)
}

// asked returns the variable that a name means; capitals matter only where two differ by nothing else.
func asked(name string, variables []fileio.Described) (*fileio.Described, error) {
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		if at := slices.IndexFunc(variables, func(v fileio.Described) bool { return same(v.Name, name) }); at >= 0 {
			return &variables[at], nil
		}
	}
	return nil, notation.Refusedf("the source has no variable %s; records are found by their cells in the source", wording.Excerpt(name))
}

// siftValues tells the values that meet a test.
func siftValues[T any](t notation.Test, v *fileio.Described, sieve Sieve[T]) (made T, err error) {
	data, err := microdata.NewDataset([]*microdata.Column{v.Column})
	if err != nil {
		return made, err
	}
	meets, err := t.Bind(notation.Scope{Data: data})
	if err != nil {
		return made, err
	}
	var texts []string
	known := map[string]bool{}
	for row := range v.Column.Len() {
		if text := v.Column.Text(row); !v.Column.Missing(row) && !known[text] && meets(row) {
			known[text], texts = true, append(texts, text)
		}
	}
	return sieve.Among(v.Name, texts), nil
}

func siftNumbers[T any](t notation.Test, v *fileio.Described, sieve Sieve[T]) (made T, err error) {
	numbers := make([]float64, len(t.Values()))
	for i, value := range t.Values() {
		number, ok := value.Number()
		if !ok || t.Operator() == "contains" {
			return made, notation.Refusedf("%s is a number: compare it with a number", v.Name)
		}
		numbers[i] = number
	}
	operator := t.Operator()
	if operator == "in" {
		operator = "="
	}
	return sieve.Compares(v.Name, operator, numbers), nil
}

func siftTexts[T any](t notation.Test, v *fileio.Described, sieve Sieve[T]) (made T, err error) {
	var texts []string
	for _, value := range t.Values() {
		texts = append(texts, value.Text)
	}
	switch t.Operator() {
	case "=", "in":
		return sieve.Among(v.Name, texts), nil
	case "!=":
		return sieve.Not(sieve.Join(true, []T{sieve.Missing(v.Name), sieve.Among(v.Name, texts)})), nil
	case "contains":
		return sieve.Contains(v.Name, texts[0]), nil
	}
	return made, notation.Refusedf("the values of %s have no such order: use = or in", v.Name)
}

// Lower returns a text with small letters for the capital ones from A to Z.
func Lower(text string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, text)
}
