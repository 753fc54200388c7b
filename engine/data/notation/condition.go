package notation

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// ErrCondition is what errors of conditions wrap: one that cannot be understood
// or does not fit the file. Their text says what was expected.
var ErrCondition = errors.New("a condition cannot be used")

// refusal is an error that wraps ErrCondition and says no more than why.
type refusal struct{ error }

// Is reports whether the target is ErrCondition.
func (refusal) Is(target error) bool { return target == ErrCondition }

// Unwrap returns the reason.
func (r refusal) Unwrap() error { return r.error }

func errorf(format string, values ...any) error { return refusal{fmt.Errorf(format, values...)} }

// Condition is a condition on records, such as
//
//	age > 60 and sex = female
//	educ missing or region in (Arden, "Hollow Isles")
//	not (risk < 0.05) and age changed
//
// A variable is compared with = != < <= > >=, with "in (a, b)" and "contains
// text"; "missing", "suppressed" and "changed" ask about the cell. "above 5" and
// "below 16" say > 5 and < 16. Names and values with signs or blanks in them can
// stand in quotes; a value in quotes is a label, one without is that number
// however it is spelled where it is one. Capitals matter only where two labels
// differ by nothing else. A missing value meets no comparison. A category that
// is an interval is above or below a number if all its values are; one that lies
// on both sides of the number is an error, since the file does not tell.
type Condition struct {
	text string
	root node // nil: all records meet it
}

// node is a part of a condition.
type node interface {
	// bind returns the part for the data of a scope.
	bind(s Scope) (func(record int) bool, error)
	// write returns the part as it is typed; whole is false where it stands among
	// others and may need brackets.
	write(whole bool) string
}

type (
	// several is parts with and between them, or with or.
	several struct {
		any   bool // or
		parts []node
	}
	negation struct{ part node }
	// test asks about one variable.
	test struct {
		variable string
		operator string // = != < <= > >= in contains missing suppressed changed
		values   []Word
	}
)

// operators are the signs of conditions with what they mean.
var operators = map[string]string{"==": "=", "!=": "!=", "<>": "!=", "<=": "<=", ">=": ">=", "≠": "!=", "≤": "<=",
	"≥": ">=",
	"=": "=", "<": "<", ">": ">", "above": ">", "below": "<", "in": "in", "contains": "contains"}

// conditionSigns are the signs of conditions, longer ones first.
var conditionSigns = []string{"==", "!=", "<>", "<=", ">=", "≠", "≤", "≥", "=", "<", ">", "(", ")", ","}

// ParseCondition reads a condition; a text of nothing but blanks is an error.
// Whether its variables exist is said by Bind.
func ParseCondition(text string) (Condition, error) {
	words, err := Words(text, conditionSigns...)
	if err != nil {
		return Condition{}, errorf("%w", err)
	}
	p := &parser{words: words}
	root, err := p.any()
	if err == nil && !p.end() {
		err = errorf("unexpected %q; join conditions with and, or", wording.Excerpt(p.peek().Text))
	}
	if err != nil {
		return Condition{}, err
	}
	return Condition{text: strings.TrimSpace(text), root: root}, nil
}

// String returns the condition as it was typed; "" for that which all meet.
func (c Condition) String() string { return c.text }

// Canonical returns the condition in one spelling, whatever blanks, signs and
// quotes were typed.
func (c Condition) Canonical() string {
	if c.root == nil {
		return ""
	}
	return c.root.write(true)
}

// Equal reports whether both were typed alike.
func (c Condition) Equal(other Condition) bool { return c.text == other.text }

// IsZero reports whether it is the condition that all records meet.
func (c Condition) IsZero() bool { return c.root == nil }

func (n several) write(whole bool) string {
	separator := " and "
	if n.any {
		separator = " or "
	}
	text := wording.Joined(n.parts, separator, func(part node) string { return part.write(false) })
	if n.any && !whole {
		return "(" + text + ")"
	}
	return text
}

func (n negation) write(bool) string { return "not (" + n.part.write(true) + ")" }

func (n test) write(bool) string {
	text := quoteWord(Word{Text: n.variable, Quoted: strings.ContainsAny(n.variable, " ")}) + " " + n.operator
	switch {
	case n.operator == "in":
		return text + " (" + wording.Joined(n.values, ", ", quoteWord) + ")"
	case len(n.values) > 0:
		return text + " " + quoteWord(n.values[0])
	default:
		return text
	}
}

// quoteWord returns a word as it is typed: in quotes where it would be read
// otherwise without.
func quoteWord(w Word) string {
	words, err := Words(w.Text, conditionSigns...)
	plain := err == nil && len(words) > 0 && !strings.ContainsAny(w.Text, `"'`) &&
		strings.Join(strings.Fields(w.Text), " ") == w.Text
	for _, word := range words {
		plain = plain && !word.Sign && !word.Quoted && !isKeyword(word)
	}
	_, err = strconv.ParseFloat(w.Text, 64)
	if plain && !(w.Quoted && err == nil) && !(w.Quoted && len(words) > 1) {
		return w.Text
	}
	return quoted(w.Text)
}

func isKeyword(w Word) bool {
	return slices.ContainsFunc([]string{"and", "or", "not", "is", "in", "above", "below", "contains", "missing",
		"suppressed", "changed"}, w.Is)
}
