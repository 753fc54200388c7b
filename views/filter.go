package views

import (
	"errors"
	"fmt"
	"strings"
)

// ErrFilter is the error of a filter that cannot be understood or does not fit
// the file; its text says what was expected.
var ErrFilter = errors.New("filter")

// Filter is a condition on records, such as
//
//	age > 60 and sex = female
//	educ missing or region in (Arden, "Hollow Isles")
//	not (risk < 0.05) and age changed
//
// A variable is compared with = != < <= > >=, with "in (a, b)" and "contains
// text"; "missing", "suppressed" and "changed" ask about the cell. Beside the
// variables of the file there are record, the number of the record,
// source_record, its number in the source, and fk, Fk and risk of its key. A
// missing value meets no comparison. Names and values with signs or blanks in
// them can stand in quotes; capitals do not matter in values.
type Filter struct {
	text string
	root filterNode
}

// String returns the filter as it was typed.
func (f *Filter) String() string { return f.text }

// filterNode is a part of a filter.
type filterNode interface {
	// bind returns the condition for the data of a state.
	bind(s State) (func(record int) bool, error)
}

type (
	filterAll struct{ parts []filterNode } // and
	filterAny struct{ parts []filterNode } // or
	filterNot struct{ part filterNode }
	// filterTest asks about one variable.
	filterTest struct {
		variable string
		operator string // = != < <= > >= in contains missing suppressed changed
		values   []string
	}
)

// ParseFilter reads a filter. Whether its variables exist is said by Bind.
func ParseFilter(text string) (*Filter, error) {
	words, err := filterWords(text)
	if err != nil {
		return nil, err
	}
	p := &filterParser{words: words}
	root, err := p.any()
	if err != nil {
		return nil, err
	}
	if !p.end() {
		return nil, fmt.Errorf("%w: %q is not expected here; conditions are joined by and, or", ErrFilter, p.peek().text)
	}
	return &Filter{text: text, root: root}, nil
}

// filterParser reads words from left to right.
type filterParser struct {
	words []filterWord
	at    int
	depth int
}

func (p *filterParser) end() bool { return p.at >= len(p.words) }

// peek returns the next word; an empty one at the end.
func (p *filterParser) peek() filterWord {
	if p.end() {
		return filterWord{sign: true}
	}
	return p.words[p.at]
}

// take goes on where the next word is the given one.
func (p *filterParser) take(text string) bool {
	if p.end() || !p.peek().is(text) {
		return false
	}
	p.at++
	return true
}

func (p *filterParser) any() (filterNode, error) {
	parts, err := p.joined("or", p.all)
	if err != nil || len(parts) == 1 {
		return first(parts), err
	}
	return filterAny{parts}, nil
}

func (p *filterParser) all() (filterNode, error) {
	parts, err := p.joined("and", p.one)
	if err != nil || len(parts) == 1 {
		return first(parts), err
	}
	return filterAll{parts}, nil
}

// first returns the only part; nil after an error.
func first(parts []filterNode) filterNode {
	if len(parts) == 0 {
		return nil
	}
	return parts[0]
}

// joined reads parts with a word between them.
func (p *filterParser) joined(word string, part func() (filterNode, error)) (parts []filterNode, err error) {
	for {
		node, err := part()
		if err != nil {
			return nil, err
		}
		parts = append(parts, node)
		if !p.take(word) {
			return parts, nil
		}
	}
}

// deepest is how deep brackets and not may be nested.
const deepest = 100

// one reads a condition, a negated one, or one in brackets.
func (p *filterParser) one() (filterNode, error) {
	if p.depth++; p.depth > deepest {
		return nil, fmt.Errorf("%w: too many brackets", ErrFilter)
	}
	defer func() { p.depth-- }()
	switch {
	case p.take("not"):
		part, err := p.one()
		return filterNot{part}, err
	case p.peek().sign && p.take("("):
		node, err := p.any()
		if err == nil && !p.take(")") {
			err = fmt.Errorf("%w: a bracket is opened and not closed", ErrFilter)
		}
		return node, err
	default:
		return p.test()
	}
}

// test reads a variable and what is asked about it.
func (p *filterParser) test() (filterNode, error) {
	name := p.peek()
	if p.end() || name.sign {
		return nil, fmt.Errorf("%w: a variable is expected, as in: age > 60 and sex = female", ErrFilter)
	}
	p.at++
	p.take("is")
	negated := p.take("not")
	test := filterTest{variable: name.text, operator: strings.ToLower(p.peek().text)}
	var err error
	switch word := p.peek(); {
	case p.end() || word.quoted:
		err = errOperator(name.text)
	case word.is("missing") || word.is("suppressed") || word.is("changed"):
		p.at++
	case word.is("in"):
		p.at++
		test.values, err = p.list()
	case word.is("contains"), word.sign && !strings.Contains("(),", word.text) && !negated:
		p.at++
		var value string
		value, err = p.value()
		test.values = []string{value}
	default:
		err = errOperator(name.text)
	}
	if err != nil {
		return nil, err
	}
	if negated {
		return filterNot{test}, nil
	}
	return test, nil
}

func errOperator(variable string) error {
	return fmt.Errorf("%w: after %s comes one of = != < <= > >= in, contains, missing, suppressed, changed", ErrFilter, variable)
}

// value reads a value: a text in quotes, or words up to and, or, a bracket.
func (p *filterParser) value() (string, error) {
	if !p.end() && p.peek().quoted {
		p.at++
		return p.words[p.at-1].text, nil
	}
	var words []string
	for !p.end() {
		word := p.peek()
		if word.sign || word.quoted || word.is("and") || word.is("or") {
			break
		}
		words = append(words, word.text)
		p.at++
	}
	if len(words) == 0 {
		return "", fmt.Errorf("%w: a value is expected at the end or before the next sign", ErrFilter)
	}
	return strings.Join(words, " "), nil
}

// list reads values in brackets.
func (p *filterParser) list() (values []string, err error) {
	if !p.take("(") {
		return nil, fmt.Errorf("%w: after in come values in brackets: (a, b)", ErrFilter)
	}
	for {
		value, err := p.value()
		if err != nil {
			return nil, err
		}
		values = append(values, value)
		switch {
		case p.take(")"):
			return values, nil
		case !p.take(","):
			return nil, fmt.Errorf("%w: the values after in are parted by commas and end with a bracket", ErrFilter)
		}
	}
}
