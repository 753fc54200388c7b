package identify

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// recogniser recognises one kind of identifier by the form of the values.
type recogniser struct {
	Kind
	pattern  *regexp.Regexp
	contains string
	digits   bool                    // every match contains a digit
	blanks   bool                    // every match contains a space
	check    func(text string) proof // nil if a match of the pattern is enough
	inside   bool
	share    int
	least    int
	spread   bool
}

// proof is how certain it is that a text is an identifier.
type proof int

const (
	isNot proof = iota
	mayBe
	isProven // its check digits are right
)

// usualShare is the default of line.Share; leastProven is the number of distinct values with correct check digits
// that is sufficient whatever their share.
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

// requires reports whether every match of a regular expression is certain to contain a character in the given
// range. Texts without such a character can then be skipped, which saves the slow search for an unanchored
// expression.
func requires(tree *syntax.Regexp, low, high rune) bool {
	among := func(sub *syntax.Regexp) bool { return requires(sub, low, high) }
	switch tree.Op {
	case syntax.OpLiteral: // digits and spaces have no case
		return slices.ContainsFunc(tree.Rune, func(r rune) bool { return low <= r && r <= high })
	case syntax.OpCharClass: // pairs of first and last characters
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

// of returns the proof that a text is, or contains, a match.
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

// in reports whether enough of the values, all distinct, match.
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

// RecogniseAdded reports whether the values match an added pattern for direct identifiers.
func (p *Patterns) RecogniseAdded(values []string, spread bool) bool {
	return slices.ContainsFunc(p.recognisers[p.own:], func(r recogniser) bool {
		return r.Finding == findings[0] && r.in(values, spread)
	})
}

// Recognise returns the kind of identifier that the distinct values of a variable are; spread reports whether
// there is at least one distinct value per ten persons or households.
func (p *Patterns) Recognise(values []string, spread bool) (Kind, bool) {
	for i := range p.recognisers {
		if p.recognisers[i].in(values, spread) {
			return p.recognisers[i].Kind, true
		}
	}
	return Kind{}, false
}

// Mentions reports whether a text that describes data surely contains an e-mail address, a telephone or account
// number, a form of address with a name, or a match of an added pattern. A first name before another name counts
// only as perhaps, because names of places look the same.
func (p *Patterns) Mentions(text string) (surely, perhaps bool) {
	for _, harmless := range p.harmless {
		text = harmless.ReplaceAllString(text, " ")
	}
	surely = addressed().MatchString(text) || hasAccount(text) || p.inside(text, func(title string) bool { return !harmlessIn[title] })
	return surely, surely || p.named(text)
}

// MentionsPlace reports whether a text that describes data contains a street address, which may be that of an
// office.
func (p *Patterns) MentionsPlace(text string) bool {
	return p.inside(text, func(title string) bool { return title == addresses })
}

// inside reports whether a text contains a match of a recogniser for parts of texts whose title is selected by of.
func (p *Patterns) inside(text string, of func(title string) bool) bool {
	return slices.ContainsFunc(p.recognisers, func(r recogniser) bool { return r.inside && of(r.Title) && r.of(text) != isNot })
}

const addresses = "addresses"

// harmlessIn lists the kinds that labels and notes may contain without naming anybody.
var harmlessIn = map[string]bool{addresses: true, "web addresses of persons": true}
