package pram

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Pairs are transitions between two categories that must not happen, in either
// direction. Written as text a pair is two labels with " / " between them, and
// pairs are separated by semicolons; a label that has these characters in it
// stands in double quotes.
type Pairs [][2]string

var _ method.Written = (*Pairs)(nil)

// String returns the pairs as they are typed: "married / single; a / b".
func (p Pairs) String() string {
	parts := make([]string, len(p))
	for i, pair := range p {
		parts[i] = quoted(pair[0]) + " / " + quoted(pair[1])
	}
	return strings.Join(parts, "; ")
}

// Set takes what String gives.
func (p *Pairs) Set(text string) error {
	var pairs Pairs
	items, err := split(text, ';')
	if err != nil {
		return err
	}
	for i, item := range items {
		labels, err := split(item, '/')
		if err != nil {
			return err
		}
		if len(labels) != 2 {
			return fmt.Errorf("pair %d needs two categories: write married / single; child / widowed", i+1)
		}
		var pair [2]string
		for side, label := range labels {
			if pair[side], err = unquoted(label); err != nil {
				return err
			}
		}
		pairs = append(pairs, pair)
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

// separators are the characters because of which a label stands in quotes.
const separators = "\";/,"

func quoted(label string) string {
	if label == "" || strings.ContainsAny(label, separators) || strings.TrimSpace(label) != label {
		return strconv.Quote(label)
	}
	return label
}

var errQuotes = errors.New("a label in double quotes is not closed or has something behind it")

func unquoted(text string) (string, error) {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, `"`) {
		return text, nil
	}
	label, err := strconv.Unquote(text)
	if err != nil {
		return "", errQuotes
	}
	return label, nil
}

// split cuts a text at a separator, but not within double quotes. Nothing but
// blanks gives no part; an empty part at the end is left out.
func split(text string, separator byte) ([]string, error) {
	var parts []string
	start, inside := 0, false
	for i := 0; i < len(text); i++ {
		switch {
		case inside && text[i] == '\\':
			i++
		case text[i] == '"':
			inside = !inside
		case text[i] == separator && !inside:
			parts, start = append(parts, text[start:i]), i+1
		}
	}
	if inside {
		return nil, errQuotes
	}
	if last := text[min(start, len(text)):]; strings.TrimSpace(last) != "" {
		parts = append(parts, last)
	}
	return parts, nil
}
