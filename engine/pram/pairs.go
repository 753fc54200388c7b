package pram

import (
	"fmt"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/notation"
)

// Pairs are transitions between two categories that must not happen, in either
// direction. Written as text a pair is two labels with " / " between them, and
// pairs are separated by semicolons; a label that has these characters in it
// stands in double quotes.
type Pairs [][2]string

// String returns the pairs as they are typed: "married / single; a / b".
func (p Pairs) String() string {
	parts := make([]string, len(p))
	for i, pair := range p {
		parts[i] = notation.Quote(pair[0], ";/") + " / " + notation.Quote(pair[1], ";/")
	}
	return strings.Join(parts, "; ")
}

// Set takes what String gives.
func (p *Pairs) Set(text string) error {
	var pairs Pairs
	rows, ok := notation.Rows(text, '/', ';')
	if !ok {
		return fmt.Errorf("pair %d has a quote that is opened and not closed, or text behind one", len(rows)+1)
	}
	for i, row := range rows {
		switch {
		case len(row) == 2:
			pairs = append(pairs, [2]string(row))
		case row != nil:
			return fmt.Errorf("pair %d needs two categories: write married / single; child / widowed", i+1)
		}
	}
	*p = pairs
	return nil
}

// Has reports whether the transition between two categories is forbidden.
func (p Pairs) Has(a, b string) bool {
	for _, pair := range p {
		if pair == [2]string{a, b} || pair == [2]string{b, a} {
			return true
		}
	}
	return false
}
