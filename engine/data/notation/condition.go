package notation

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// ErrCondition is wrapped by errors of conditions that cannot be parsed or do not fit the file.
var ErrCondition = errors.New("a condition cannot be used")

// refusal is an error that wraps ErrCondition without changing the text of its reason.
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
// Comparisons are = != < <= > >=, "in (a, b)" and "contains text"; "missing", "suppressed" and "changed" test the
// cell. "above 5" and "below 16" mean > 5 and < 16. Names and values with operators or spaces in them are quoted.
// A quoted value is a label; an unquoted number is compared by value, however it is spelled. Case matters only if
// two labels differ by nothing else. Comparisons with a missing value are false. A category that is an interval is
// above or below a number if all its values are; if the number is inside the interval, the comparison is an error,
// because the file does not contain the answer.
type Condition struct {
	text string
	root node // nil if all records meet it
}

// node is a part of a condition.
type node interface {
	// bind returns the test for the data of a scope.
	bind(s Scope) (func(record int) bool, error)
	// write returns the part as typed; whole is false for an operand, which may need brackets.
	write(whole bool) string
}

type (
	// junction is the conjunction or disjunction of its parts.
	junction struct {
		any   bool // or instead of and
		parts []node
	}
	negation struct{ part node }
	// test is a test of one variable.
	test struct {
		variable string
		operator string // = != < <= > >= in contains missing suppressed changed
		values   []Word
	}
)

// operators maps the spellings of operators to one form.
var operators = map[string]string{"==": "=", "!=": "!=", "<>": "!=", "<=": "<=", ">=": ">=", "≠": "!=", "≤": "<=",
	"≥": ">=",
	"=": "=", "<": "<", ">": ">", "above": ">", "below": "<", "in": "in", "contains": "contains"}

// conditionSigns lists the tokens of conditions that need no spaces around them, longer ones first.
var conditionSigns = []string{"==", "!=", "<>", "<=", ">=", "≠", "≤", "≥", "=", "<", ">", "(", ")", ","}

// ParseCondition parses a condition; an empty text is an error. Bind checks that its variables exist.
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

// String returns the condition as typed, or "" if all records meet it.
func (c Condition) String() string { return c.text }

// Canonical returns the condition in a normal form of spaces, operators and quotes.
func (c Condition) Canonical() string {
	if c.root == nil {
		return ""
	}
	return c.root.write(true)
}

// Equal reports whether both were typed the same way.
func (c Condition) Equal(other Condition) bool { return c.text == other.text }

// IsZero reports whether all records meet the condition because it has no parts.
func (c Condition) IsZero() bool { return c.root == nil }

func (n junction) write(whole bool) string {
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

// quoteWord returns a word as typed, quoted if it would be read differently without quotes.
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
