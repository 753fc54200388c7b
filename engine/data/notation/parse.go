package notation

import (
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// parser reads the words of a condition from left to right.
type parser struct {
	words []Word
	at    int
	depth int
}

func (p *parser) end() bool { return p.at >= len(p.words) }

// peek returns the next word; an empty one at the end.
func (p *parser) peek() Word {
	if p.end() {
		return Word{Sign: true}
	}
	return p.words[p.at]
}

// take goes on where the next word is the given one.
func (p *parser) take(text string) bool {
	if p.end() || !p.peek().Is(text) {
		return false
	}
	p.at++
	return true
}

func (p *parser) any() (node, error) { return p.parts(true, "or", p.all) }

func (p *parser) all() (node, error) { return p.parts(false, "and", p.one) }

// joined returns the only part, or all of them joined.
func joined(any bool, parts []node) node {
	if len(parts) == 1 {
		return parts[0]
	}
	return several{any, parts}
}

// parts reads parts with a word between them.
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

// deepest is how deep brackets and not may be nested.
const deepest = 100

// one reads a condition, a negated one, or one in brackets.
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

// tests reads a variable and what is asked about it: "age above 5 below 16" asks
// twice.
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

// test reads what is asked about a variable.
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

// value reads a value: a text in quotes, or words up to and, or, above, below, a
// sign.
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

// list reads values parted by commas, in brackets or without.
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
