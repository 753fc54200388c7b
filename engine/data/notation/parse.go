package notation

import (
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// parser is a recursive descent parser of conditions.
type parser struct {
	words []Word
	at    int
	depth int
}

func (p *parser) end() bool { return p.at >= len(p.words) }

// peek returns the next word, or an empty one at the end.
func (p *parser) peek() Word {
	if p.end() {
		return Word{Sign: true}
	}
	return p.words[p.at]
}

// take consumes the next word if it is the given one.
func (p *parser) take(text string) bool {
	if p.end() || !p.peek().Is(text) {
		return false
	}
	p.at++
	return true
}

func (p *parser) any() (node, error) { return p.parts(true, "or", p.all) }

func (p *parser) all() (node, error) { return p.parts(false, "and", p.one) }

// joined joins parts with and or or; a single part is returned as it is.
func joined(any bool, parts []node) node {
	if len(parts) == 1 {
		return parts[0]
	}
	return junction{any, parts}
}

// parts parses parts separated by a word.
func (p *parser) parts(any bool, word string, part func() (node, error)) (node, error) {
	var parts []node
	for {
		one, err := part()
		if err != nil {
			return nil, err
		}
		parts = append(parts, one)
		if !p.take(word) {
			return joined(any, parts), nil
		}
	}
}

// deepest is the maximum nesting depth of brackets and not.
const deepest = 100

// one parses a test, a negation, or a condition in brackets.
func (p *parser) one() (node, error) {
	if p.depth++; p.depth > deepest {
		return nil, errorf("too many brackets")
	}
	defer func() { p.depth-- }()
	switch {
	case p.take("not"):
		part, err := p.one()
		return negation{part}, err
	case p.peek().Sign && p.take("("):
		part, err := p.any()
		if err == nil && !p.take(")") {
			err = errorf("a bracket is not closed")
		}
		return part, err
	default:
		return p.tests()
	}
}

// tests parses a variable and its comparisons: "age above 5 below 16" has two.
func (p *parser) tests() (node, error) {
	name := p.peek()
	if p.end() || name.Sign {
		return nil, errorf("a variable is expected, for example age > 60 and sex = female")
	}
	p.at++
	p.take("is")
	negated := p.take("not")
	var parts []node
	for len(parts) == 0 || p.peek().Is("above") || p.peek().Is("below") {
		part, err := p.test(name.Text, negated)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	root := joined(false, parts)
	if negated {
		return negation{root}, nil
	}
	return root, nil
}

// test parses one comparison of a variable.
func (p *parser) test(variable string, negated bool) (node, error) {
	word := p.peek()
	if p.end() || word.Quoted {
		return nil, errOperator(variable)
	}
	p.at++
	if word.Is("missing") || word.Is("suppressed") || word.Is("changed") {
		return test{variable: variable, operator: strings.ToLower(word.Text)}, nil
	}
	operator, ok := operators[strings.ToLower(word.Text)]
	if !ok || negated && word.Sign {
		return nil, errOperator(variable)
	}
	if operator == "in" {
		values, err := p.list()
		return test{variable, operator, values}, err
	}
	value, err := p.value()
	return test{variable, operator, []Word{value}}, err
}

func errOperator(variable string) error {
	return errorf("%s must be followed by one of = != < <= > >= in, contains, missing, suppressed, changed",
		wording.Excerpt(variable))
}

// value parses a value: a quoted text, or words up to an operator, and, or, above or below.
func (p *parser) value() (Word, error) {
	if !p.end() && p.peek().Quoted {
		p.at++
		return p.words[p.at-1], nil
	}
	var words []string
	for !p.end() {
		word := p.peek()
		if word.Sign || word.Quoted || word.Is("and") || word.Is("or") ||
			len(words) > 0 && (word.Is("above") || word.Is("below")) {
			break
		}
		words = append(words, word.Text)
		p.at++
	}
	if len(words) == 0 {
		return Word{}, errorf("a value is expected at the end or before the next sign")
	}
	return Word{Text: strings.Join(words, " ")}, nil
}

// list parses values separated by commas, with or without brackets.
func (p *parser) list() (values []Word, err error) {
	brackets := p.take("(")
	for {
		value, err := p.value()
		if err != nil {
			return nil, err
		}
		values = append(values, value)
		switch {
		case p.take(","):
		case brackets && !p.take(")"):
			return nil, errorf("separate the values after in with commas, and close the bracket")
		default:
			return values, nil
		}
	}
}
