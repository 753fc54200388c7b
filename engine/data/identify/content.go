package identify

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// recogniser recognises values of a kind by what they look like.
type recogniser struct {
	Kind
	pattern  *regexp.Regexp
	contains string
	digits   bool                    // every match has a digit
	blanks   bool                    // every match has a blank
	check    func(text string) proof // nil: the pattern is enough
	inside   bool
	share    int
	least    int
	spread   bool
}

// proof says how sure it is that a text is what it looks like.
type proof int

const (
	isNot proof = iota
	mayBe
	isProven // digits of it follow from the others
)

// mostShare is the share of values, in percent, that must be such unless a pattern says
// otherwise; leastProven the number of different ones whose digits prove it.
const (
	usualShare  = 50
	leastProven = 3
)

func newRecogniser(kind Kind, l *line) (r recogniser, err error) {
	r = recogniser{Kind: kind, contains: l.Contains, inside: l.Inside, share: l.Share, least: max(l.Least, 1), spread: l.Spread}
	if r.share == 0 && !r.inside {
		r.share = usualShare
	}
	if l.Check != "" {
		check, ok := checks()[l.Check]
		if !ok {
			return r, fmt.Errorf("check: unknown name")
		}
		r.check = check
	}
	r.pattern, err = regexp.Compile(l.Content)
	if err != nil {
		return r, fmt.Errorf("content: %w", err)
	}
	tree, err := syntax.Parse(l.Content, syntax.Perl)
	if err != nil {
		return r, fmt.Errorf("content: %w", err)
	}
	r.digits, r.blanks = requires(tree, '0', '9'), requires(tree, ' ', ' ')
	return r, nil
}

// requires reports whether every match of a regular expression has a character between two: texts without one need not
// be searched, which takes long for an expression that may begin anywhere. False says nothing.
func requires(tree *syntax.Regexp, low, high rune) bool {
	among := func(sub *syntax.Regexp) bool { return requires(sub, low, high) }
	switch tree.Op {
	case syntax.OpLiteral: // a digit or blank has no other case
		return slices.ContainsFunc(tree.Rune, func(r rune) bool { return low <= r && r <= high })
	case syntax.OpCharClass: // pairs of the first and last character of a range
		return len(tree.Rune) > 0 && low <= tree.Rune[0] && tree.Rune[len(tree.Rune)-1] <= high
	case syntax.OpCapture, syntax.OpPlus, syntax.OpConcat:
		return slices.ContainsFunc(tree.Sub, among)
	case syntax.OpRepeat:
		return tree.Min > 0 && among(tree.Sub[0])
	case syntax.OpAlternate:
		return !slices.ContainsFunc(tree.Sub, func(sub *syntax.Regexp) bool { return !among(sub) })
	}
	return false
}

// of says whether a text is what the recogniser looks for, or has it.
func (r *recogniser) of(text string) proof {
	if !strings.Contains(text, r.contains) || r.digits && !strings.ContainsAny(text, "0123456789") || r.blanks && !strings.Contains(text, " ") {
		return isNot
	}
	if r.check == nil {
		if r.pattern.MatchString(text) {
			return mayBe
		}
		return isNot
	}
	found := r.pattern.FindString(text)
	if found == "" {
		return isNot
	}
	return r.check(found)
}

// in reports whether values, all different, are what the recogniser looks for.
func (r *recogniser) in(values []string, spread bool) bool {
	if r.spread && !spread || r.check == nil && len(values) < r.least {
		return false
	}
	found, proven := 0, 0
	for i, value := range values {
		switch r.of(value) {
		case isProven:
			found, proven = found+1, proven+1
		case mayBe:
			found++
		}
		if left := len(values) - i - 1; found+left < r.least {
			return false
		}
	}
	return found >= r.least && 100*found >= r.share*len(values) || proven >= max(leastProven, r.least/2)
}

// RecogniseAdded reports whether values are what an added line looks for.
func (p *Patterns) RecogniseAdded(values []string, spread bool) bool {
	return slices.ContainsFunc(p.recognisers[p.own:], func(r recogniser) bool {
		return r.Finding == findings[0] && r.in(values, spread)
	})
}

// Recognise returns what different values of a variable identify; spread says that one
// person or household in ten has one of its own.
func (p *Patterns) Recognise(values []string, spread bool) (Kind, bool) {
	for i := range p.recognisers {
		if p.recognisers[i].in(values, spread) {
			return p.recognisers[i].Kind, true
		}
	}
	return Kind{}, false
}

// Mentions reports whether a text that describes data has an e-mail address, a telephone or
// account number, a form of address with a name, or what an office looks for inside texts;
// perhaps says that a first name stands before another name, as it may in names of places.
func (p *Patterns) Mentions(text string) (surely, perhaps bool) {
	for _, harmless := range p.harmless {
		text = harmless.ReplaceAllString(text, " ")
	}
	surely = addressed().MatchString(text) || hasAccount(text) || p.inside(text, func(title string) bool { return !harmlessIn[title] })
	return surely, surely || p.named(text)
}

// MentionsPlace reports whether a text that describes data has a street address, which may be
// that of an office.
func (p *Patterns) MentionsPlace(text string) bool {
	return p.inside(text, func(title string) bool { return title == addresses })
}

// inside reports whether a text has what is looked for inside texts, of some kinds.
func (p *Patterns) inside(text string, of func(title string) bool) bool {
	return slices.ContainsFunc(p.recognisers, func(r recogniser) bool { return r.inside && of(r.Title) && r.of(text) != isNot })
}

const addresses = "addresses"

// harmlessIn are kinds that labels and notes may have without naming anybody.
var harmlessIn = map[string]bool{addresses: true, "web addresses of persons": true}
